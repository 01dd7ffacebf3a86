"""results.json against the fields that Gradescope documents.

The schema below is written from https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

import json

import jsonschema
import pytest
import sample_class

from grader.classroom.pages import feedback, results, words

RECORDS, CONTEXT = sample_class.records(), sample_class.context()
ALL_PASSED, FAILING, HOSTILE, MALFORMED = (RECORDS[n] for n in (0, 5, 9, 28))
each_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: ascii(record["student"]))

VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
TEST = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number"},
        "max_score": {"type": "number"},
        "status": {"enum": ["passed", "failed"]},
        "name": {"type": "string"},
        "name_format": FORMAT,
        "number": {"type": "string"},
        "output": {"type": "string"},
        "output_format": FORMAT,
        "tags": {"type": "array", "items": {"type": "string"}},
        "visibility": VISIBILITY,
        "extra_data": {"type": "object"},
    },
}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": FORMAT,
        "test_output_format": FORMAT,
        "test_name_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "extra_data": {"type": "object"},
        "tests": {"type": "array", "items": TEST},
        "leaderboard": {"type": "array"},
    },
    "anyOf": [{"required": ["score"]}, {"required": ["tests"]}],
}


def read(record):
    return json.loads(results.text_of(record, CONTEXT))


@pytest.mark.parametrize("wrong", [{"tests": [{"status": "error"}]}, {"scores": 1}, {}, {"score": "1"}])
def test_the_schema_notices_what_gradescope_would_not_take(wrong):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, SCHEMA)


@each_record
def test_fields_are_those_that_gradescope_documents(record):
    jsonschema.validate(read(record), SCHEMA)


@each_record
def test_scores_add_up(record):
    found = read(record)
    assert found["score"] == record["earned"] == sum(test["score"] for test in found["tests"])
    assert all(0 <= test["score"] <= test["max_score"] for test in found["tests"])


def test_every_exercise_is_a_test_with_its_message():
    found = read(FAILING)["tests"]
    assert [test["number"] for test in found] == [row["id"] for row in FAILING["exercises"]]
    for test, row in zip(found, FAILING["exercises"]):
        assert row["message"] in test["output"] and test["extra_data"]["misconception"] == row["misconception"]
        assert (test["status"] == "passed") == (row["status"] == "passed")


def test_nothing_is_read_as_html_or_markdown():
    found = read(HOSTILE)
    assert {found["output_format"], found["test_output_format"], found["test_name_format"]} == {"text"}
    assert not any("output_format" in test or "name_format" in test for test in found["tests"])


def test_no_control_character_reaches_the_students_page():
    found = read(HOSTILE)
    texts = [found["output"], *(test["output"] for test in found["tests"])]
    assert all(c.isprintable() or c == "\n" for text in texts for c in text)


def test_output_says_where_one_stands_and_what_comes_first():
    assert f"{FAILING['earned']} of {CONTEXT['course']['possible']} points." in read(FAILING)["output"]
    first = next(row for row in FAILING["exercises"] if row["status"] == "failed")
    assert f"Fix {first['id']} {first['title']} first." in read(FAILING)["output"]
    assert "All of this is done." in read(ALL_PASSED)["output"]


def test_what_cannot_be_graded_scores_nothing_and_says_why():
    found = read(MALFORMED)
    assert found["score"] == 0 and found["tests"] == [] and MALFORMED["malformed"] in found["output"]


def test_what_was_not_asked_to_the_end_tells_no_fault_of_the_grader():
    rows = [row | {"status": "crashed", "message": "KeyError: 'secret'"} for row in FAILING["exercises"]]
    found = results.text_of(FAILING | {"trouble": "KeyError: 'secret'", "exercises": rows}, CONTEXT)
    assert "secret" not in found and words.NOT_ASKED in json.loads(found)["output"]


def test_stdout_stays_with_the_teacher():
    assert read(FAILING)["stdout_visibility"] == "hidden"


def test_the_file_lies_beside_the_feedback(tmp_path):
    feedback.write(tmp_path / "s05", FAILING, CONTEXT)
    assert json.loads((tmp_path / "s05" / "results.json").read_text("utf-8")) == read(FAILING)
