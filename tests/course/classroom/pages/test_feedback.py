"""feedback.html and feedback.md: what one student reads after a grading."""

import base64
import hashlib
import json
import re
from collections import Counter
from html import unescape

import pytest
import sample_class
from markdown_it import MarkdownIt

from grader.checking import report
from grader.classroom.pages import feedback, results, words
from grader.course.safe_text import message_lines, visible

RECORDS, CONTEXT, Page = sample_class.records(), sample_class.context(), sample_class.Page
ALL_PASSED, FAILING, TIMEOUTS, HOSTILE, BROKEN_FILE, MALFORMED = (RECORDS[n] for n in (0, 5, 6, 9, 13, 28))
EXERCISES, POSSIBLE = len(ALL_PASSED["exercises"]), CONTEXT["course"]["possible"]
each_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: ascii(record["student"]))


def files(record, context=CONTEXT):
    """(HTML text, Markdown text)"""
    content = feedback.Feedback.of(record, context)
    return feedback.html(content, record), feedback.markdown(content, record)


def page(record, context=CONTEXT):
    return Page(files(record, context)[0])


def flat(lines):
    """The words of some lines, with single spaces."""
    return re.sub(r"\s+", " ", " ".join(lines))


def unmarked(markdown):
    """Markdown text without the backslashes in front of its marks."""
    return re.sub(r"\\([^A-Za-z0-9\s])", r"\1", markdown)


def sections(html):
    """{heading: words below it} of the level-2 headings."""
    parts = re.split(r"<h2>(.*?)</h2>", html)[1:]
    return {unescape(heading): Page(body).words for heading, body in zip(parts[::2], parts[1::2])}


# ------------------------------------------------------------------ what it says


def test_points_and_standing_come_first():
    read = page(FAILING).words
    start = read.index("feedback for @SUM(A1)")
    points = read.index(f"{FAILING['earned']} of {FAILING['possible']} points")
    found = Counter(row["status"] for row in FAILING["exercises"])
    standing = f"{found['passed']} passed, {found['failed']} to mend, {found['not_started']} not started."
    assert points < read.index(f"Of {EXERCISES} exercises: {standing}")
    assert start < points < read.index("Fix this first")


@pytest.mark.leg("push")
@each_record
def test_every_explanation_is_the_one_of_make_check(record):
    html, markdown = files(record)
    for verdict in words.verdicts(record):
        if verdict.status not in ("passed", "given", "not_started"):
            said = [line.replace("`", "") for line in report.explanation_lines(verdict, (), "make hint EX={}")][:-1]
            for line in said:
                assert flat([line.strip()]).strip() in Page(html).words.replace("`", "")
                assert flat([line.strip()]).strip() in flat([markdown]).replace("`", "")


def test_first_to_mend_is_the_first_that_was_begun_and_is_not_done():
    html, markdown = files(HOSTILE)
    wrong = [v for v in words.verdicts(HOSTILE) if not v.done and v.status != "not_started"]
    first, then = sections(html)["Fix this first"], sections(html)["Then these"]
    assert wrong[0].title in first and all(v.title in then for v in wrong[1:])
    assert markdown.index("## Fix this first") < markdown.index("### 2.1") < markdown.index("## Then these")


def test_a_file_that_cannot_be_read_is_explained_once_for_all_its_exercises():
    html, markdown = files(BROKEN_FILE)
    assert Page(html).words.count("was never closed") == markdown.count("was never closed") == 1
    assert "2.3, 2.4 and 2.5: error" in Page(html).words


def test_status_of_every_exercise_stands_in_the_table():
    read = sections(files(FAILING)[0])["All exercises"]
    failed = next(row for row in FAILING["exercises"] if row["status"] == "failed")
    questions = f"failed, {failed['right']} of {failed['asked']} questions right"
    assert f"{failed['id']} {failed['title']} {questions} {failed['earned']} of {failed['points']}" in read
    assert "2.1 Value.__mul__ passed 2 of 2" in read
    waiting = [row for row in FAILING["exercises"] if row["status"] == "not_started" and row["id"].startswith("12.")]
    assert f"{waiting[0]['id']} {waiting[0]['title']} not started 0 of {waiting[0]['points']}" in read


def test_a_notebook_that_was_not_begun_takes_one_line():
    read = sections(files(FAILING)[0])["All exercises"]
    points = sum(row["points"] for row in FAILING["exercises"] if row["id"].startswith("13."))
    assert f"13 Beside PyTorch not started 0 of {points}" in read and "13.1" not in read


def test_points_of_the_notebooks_add_up():
    blocks = list(feedback.Feedback.of(FAILING, CONTEXT).blocks)
    assert sum(earned for _, earned, _, _ in blocks) == FAILING["earned"]
    assert sum(possible for _, _, possible, _ in blocks) == FAILING["possible"]


def test_who_has_done_everything_is_told_so():
    html, markdown = files(ALL_PASSED)
    assert "All of this is done." in sections(html)["How to go on"] and "All of this is done." in markdown
    assert "Fix this first" not in html + markdown


def test_given_counts_as_done_without_points():
    html, _ = files(RECORDS[3])
    assert "1 given, so without points" in Page(html).words
    assert "1.2 numerical_gradient given 0 of 3" in sections(html)["All exercises"]


def test_who_only_has_to_go_on_is_told_where():
    rows = [row | {"status": "not_started", "earned": 0} if row["id"] > "9" else row for row in ALL_PASSED["exercises"]]
    html, _ = files(ALL_PASSED | {"exercises": rows})
    assert "open notebooks/09_" in sections(html)["How to go on"]


def test_what_cannot_be_graded_is_explained_and_nothing_else():
    html, markdown = files(MALFORMED)
    assert list(sections(html)) == ["This could not be graded", "Your hand-in"]
    assert MALFORMED["malformed"] in sections(html)["This could not be graded"]
    assert MALFORMED["malformed"] in markdown


def test_what_was_not_asked_to_the_end_is_nothing_to_mend():
    why = "The grader itself failed: KeyError: 'secret'"
    rows = [row | {"status": "crashed", "message": why, "earned": 0} for row in FAILING["exercises"]]
    html, markdown = files(
        FAILING | {"trouble": why, "earned": 0, "exercises": [RECORDS[5]["exercises"][0], *rows[1:]]}
    )
    assert "secret" not in html + markdown and "Fix this first" not in html + markdown
    assert (
        words.NOT_ASKED in sections(html)["The grading of this was not finished"] and words.NOT_ASKED[:50] in markdown
    )
    assert f"Of {EXERCISES} exercises: 1 passed, {EXERCISES - 1} not asked." in Page(html).words


def test_a_message_of_many_exercises_names_the_first_of_them():
    rows = [row | {"status": "error", "message": "Broken."} for row in FAILING["exercises"]]
    first = ", ".join(row["id"] for row in rows[:5])
    assert f"{first} and {EXERCISES - 5} more: error" in page(FAILING | {"exercises": rows}).words


def test_late_says_what_was_due_and_by_which_clock():
    read = sections(files(RECORDS[15])[0])["Your hand-in"]
    assert "Late: notebooks 02, 03 by 8.52 hours. Due was 2026-12-01 23:59+01:00." in read
    assert "Handed in 2026-12-02 08:30+01:00, according to the newest file in the archive." in read
    assert "Late: all notebooks by 8.52 hours." in sections(files(RECORDS[4])[0])["Your hand-in"]


def test_notes_and_the_file_that_counts_are_named():
    read = sections(files(RECORDS[5])[0])["Your hand-in"]
    assert "What counts is @SUM(A1).zip." in read and "Of 2 hand-ins the last counts." in read
    assert FAILING["submission"]["digest"][:16] in read


def test_what_could_not_be_read_has_no_hash():
    assert "SHA-256" in files(FAILING)[1] and "SHA-256" not in files(RECORDS[28])[1]


def test_how_points_come_about_is_said():
    for text in files(FAILING):
        assert "the only right answers are those that are the same in every check" in flat([text])


def test_isolation_is_named_and_no_seed():
    for text in files(FAILING):
        assert "namespaces, Landlock, seccomp, limits" in text and "seed" not in text


RENAMED = {"value.py": ["value_final.py"], "ops/shape.py": ["ops/shape (1).py", "ops/shape-2.py"]}
OF_RENAMED = (
    "value.py was not in your hand-in; value_final.py was, and does not count. "
    "Give it the name value.py, and hand in again."
)


def test_a_renamed_file_is_the_first_thing_that_is_read_and_no_next_notebook_is_named():
    rows = [row | {"status": "not_started", "earned": 0} for row in ALL_PASSED["exercises"]]
    record = ALL_PASSED | {"exercises": rows, "renamed": RENAMED}
    html, markdown = files(record)
    assert f"Files that do not count {OF_RENAMED}" in Page(html.partition("</h1>")[2]).words[:200]
    assert flat([markdown.partition("```text")[2]]).startswith(" " + OF_RENAMED)
    assert "ops/shape (1).py and ops/shape-2.py were, and do not count." in Page(html).words
    assert "How to go on" not in html + markdown and "Next:" not in html + markdown
    assert json.loads(results.text_of(record, CONTEXT))["output"].startswith(OF_RENAMED)


def test_why_something_cannot_be_graded_is_the_first_thing_that_is_read():
    html, markdown = files(MALFORMED)
    assert (
        Page(html.partition("</h1>")[2]).words.strip().startswith(f"This could not be graded {MALFORMED['malformed']}")
    )
    assert markdown.index(MALFORMED["malformed"]) < markdown.index(f"0 of {POSSIBLE} points")


def test_below_a_message_that_no_hint_can_help_with_there_is_none():
    for hint, count in ((True, 1), (False, 0)):
        rows = [row | {"hint": hint} for row in FAILING["exercises"]]
        for text in files(FAILING | {"exercises": rows}):
            assert text.count("Hint:") == count


def test_late_by_the_platforms_word_and_which_of_several_counts_are_said():
    late = FAILING | {"submission": FAILING["submission"] | {"marked_late": "Canvas"}}
    html, _ = files(late, CONTEXT | {"several": {FAILING["student"]: "handed in 2 times: b.zip counts, not a.zip."}})
    read = sections(html)["Your hand-in"]
    assert "Canvas marks it as late." in read
    assert "Handed in 2 times: b.zip counts, not a.zip." in read and "What counts is" not in read


def test_page_is_the_same_whoever_else_is_in_the_class():
    alone = CONTEXT | {"names": {"s05": "@SUM(A1)"}, "missing": [], "unknown": [], "notes": [], "folders": {}}
    assert files(FAILING, alone) == files(FAILING)


@each_record
def test_page_and_markdown_have_the_same_headings(record):
    html, markdown = files(record)
    tags = re.sub(r"<wbr>", "", html)
    in_html = [unescape(heading) for heading in re.findall(r"<h[123][^>]*>(.*?)</h", tags)]
    in_markdown = re.findall(r"^#{1,3} (.*)$", re.sub(r"(?ms)^(`{3,})text$.*?^\1$", "", markdown), re.M)
    assert in_html == list(map(unmarked, in_markdown))


# ------------------------------------------------------------------ what it must not do


@each_record
def test_page_holds_nothing_but_known_tags_and_printable_letters(record):
    assert page(record).faults == []


@each_record
def test_links_stay_on_the_page_and_lead_somewhere(record):
    read = page(record)
    assert all(link[0] == "#" and link[1:] in read.ids for link in read.links)


def test_hostile_text_is_read_as_it_was_written():
    read = page(HOSTILE).words
    for text in (
        "<script>alert('code')</script>",
        "ValueError: <script>alert('text')</script>",
        "\\u202e right to left",
    ):
        assert text in read
    assert "\\x1b[31m \\ud800 \\x00" in read


def test_policy_allows_the_style_sheet_and_nothing_else():
    html, _ = files(FAILING)
    style = re.search(r"<style>(.*?)</style>", html, re.S)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)[1]
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


@each_record
def test_markdown_rendered_holds_no_link_no_image_no_html(record):
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    flat_tokens = [t for token in parser.parse(files(record)[1]) for t in [token, *(token.children or [])]]
    assert not {t.type for t in flat_tokens} & {"link_open", "image", "html_block", "html_inline", "s_open"}


def test_no_line_of_a_message_ends_its_fence():
    _, markdown = files(HOSTILE)
    block = re.search(r"(?ms)^(`{4,})text$(.*?)^\1$", markdown)[2]
    assert "```\n" in block and "heading [link]" in block


@each_record
@pytest.mark.leg("push")
def test_markdown_holds_printable_letters_only(record):
    assert all(c.isprintable() or c == "\n" for c in files(record)[1])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zoë", "Zoë"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u2066b\u200f", "a\\u2066b\\u200f"),
        ("\x1b[1m", "\\x1b[1m"),
        ("\x00\x7f\x85\ud800", "\\x00\\x7f\\x85\\ud800"),
        ("two\nlines\u2028three", "two lines three"),
        ("\tcode", "    code"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("o" + "\u0301" * 30, "o" + "\u0301" * 4),
    ],
)
def test_nothing_stays_hidden_in_a_text(text, shown):
    assert visible(text) == shown


def test_a_flood_of_lines_is_cut():
    lines = message_lines("\n".join(["x" * 100_000] * 500))
    assert len(lines) == 41 and max(map(len, lines)) == 1000 and lines[-1] == "(460 more lines)"


# ------------------------------------------------------------------ files


def test_writing_twice_gives_the_same_bytes_and_leaves_nothing_else(tmp_path):
    for name in ("one", "two"):
        feedback.write(tmp_path / name, HOSTILE, CONTEXT)
    written = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert written == {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()}
    assert set(written) == {"feedback.html", "feedback.md", "results.json"}


def test_what_refers_to_another_message_stands_in_its_box():
    row = RECORDS[13]["exercises"][0] | {"status": "error", "hint": True}
    stop = "NameError: name 'zero' is not defined"
    rows = [
        row | {"id": "2.1", "message": f"Called a * b.\n{stop}"},
        row | {"id": "2.3", "message": f"As in 2.1: {stop}", "as_in": "2.1"},
        row | {"id": "2.4", "message": "Called x - y.\nIt returned 1.0, but 2.0 was expected."},
        row | {"id": "2.5", "message": f"As in 2.1: {stop}", "as_in": "2.1"},
    ]
    html, markdown = files(BROKEN_FILE | {"exercises": rows})
    assert "2.1, 2.3 and 2.5: error" in Page(html).words and "As in 2.1" not in Page(html).words
    assert Page(html).words.count("name 'zero'") == markdown.count("name 'zero'") == 1
