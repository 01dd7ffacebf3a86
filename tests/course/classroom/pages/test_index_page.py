"""index.html and the terminal's summary: what a teacher reads after a grading."""

import re
from collections import Counter
from statistics import median, quantiles
from urllib.parse import unquote

import pytest
import sample_class

from grader.checking.status import KINDS, STATUSES
from grader.classroom.collect.hand_in import AGAIN
from grader.classroom.marks.late import Policy
from grader.classroom.pages import exercises_page, feedback, index_page, similar_page, tally, words, written_page
from grader.classroom.pages.tally import Tally
from grader.course import catalogue

RECORDS, CONTEXT, Page = sample_class.records(), sample_class.context(), sample_class.Page
GRADED = [record for record in RECORDS if record["status"] == "graded"]
POSSIBLE = CONTEXT["course"]["possible"]
ADA, EVE = RECORDS[0], RECORDS[28]  # all passed; cannot be graded
MEDIAN = f"{median(record['earned'] for record in GRADED):g} of {POSSIBLE}"


def html(records=RECORDS, **changes):
    return index_page.html(Tally.of(records, CONTEXT | changes))


def summary(records, context):
    return words.summary(Tally.of(records, context))


def section(id, records=RECORDS, **changes):
    """The words of one part of the page."""
    return Page(html(records, **changes).split(f'<section id="{id}">')[1].split("</section>")[0]).words


def clones(count, record=ADA):
    """A class in which everybody handed in the same."""
    return [record | {"student": f"clone{number:04}"} for number in range(count)]


def with_idea(record, id="2.1", name="the slopes of a sum"):
    """The record, and its exercise failed by a misconception."""
    rows = [
        row | {"status": "failed", "misconception": name, "earned": 0} if row["id"] == id else row
        for row in record["exercises"]
    ]
    return record | {"exercises": rows}


# ------------------------------------------------------------------ numbers


def test_head_counts_the_class():
    read = Page(html()).words
    for fact in ("Handed in 30 2 on the roster missing", "Graded 29 1 cannot be graded", "Late 3", "All points 1"):
        assert fact in read
    assert "Not on the roster 1" in read and f"Median {MEDIAN}" in read


def test_marks_by_hand_are_counted():
    seen = {"item": "2.R1", "points": 2, "of": 3, "comment": ""}
    overridden = {"mark": {"points": 1, "check": 0, "comment": ""}}
    rows = [ADA["exercises"][0] | overridden, *ADA["exercises"][1:]]
    marked = [ADA | {"marks": [seen, seen | {"points": None}]}, ADA | {"student": "x", "exercises": rows}, RECORDS[3]]
    assert "Marks by hand 2 for 2 students" in Page(html(marked)).words
    assert "Marks by hand" not in Page(html()).words


def test_a_suggested_total_stands_below_the_one_that_it_differs_from():
    policy = Policy.read("10 % a day")
    late, unknown = ADA | {"student": "x", "suggested": 4.5}, ADA | {"student": "y", "suggested": None}
    read = section("students", [ADA | {"suggested": POSSIBLE}, late, unknown], late=policy)
    assert read.count(f"{POSSIBLE} of {POSSIBLE} suggested: 4.5") == 2  # in two orders
    assert read.count("suggested: ") == 2 and read.count("Suggested: the total with what --late takes off") == 2
    assert "uggested" not in section("students")


def test_isolation_in_force_stands_above_everything_else():
    read = Page(html(isolation=["Landlock, limits.", "Use a virtual machine."])).words
    assert read.index("Isolation: Landlock, limits.") < read.index("Isolation: Use a virtual machine.")
    assert read.index("Use a virtual machine.") < read.index(f"Median: {MEDIAN}")


def test_points_are_distributed_over_all_who_were_graded():
    counted = Tally.of(RECORDS, CONTEXT)
    spans = counted.distribution()
    assert sum(students for *_, students in spans) == len(GRADED)
    for low, high, students in spans:
        assert students == sum(low <= record["earned"] <= high for record in GRADED)
        assert f"{low} to {high} {students}" in section("points")


@pytest.mark.parametrize("possible", [0, 1, 5, 9, 10, 11, 99, 100, 252])
def test_spans_of_points_leave_nothing_out_and_do_not_overlap(possible):
    spans = Tally(CONTEXT | {"possible": possible}).distribution()
    assert [p for low, high, _ in spans for p in range(low, high + 1)] == list(range(possible + 1))
    assert len(spans) <= 10


def test_every_exercise_shows_how_many_passed_failed_and_did_not_begin():
    read = section("exercises")
    for id in ("2.1", "3.3", "6.9"):
        kinds = Counter(STATUSES[row["status"]].kind for r in GRADED for row in r["exercises"] if row["id"] == id)
        said = ", ".join(f"{kinds[kind]} {word}" for kind, word in KINDS.items() if kinds[kind])
        began = kinds["passed"] + kinds["failed"] + kinds["stopped"]
        assert f"{words.title(id)} {catalogue.key_idea(id)} {100 * kinds['passed'] / began:.0f} % {said}" in read


def test_a_notebook_that_nobody_began_takes_one_line():
    read = section("exercises", [RECORDS[29]])
    assert "13 Beside PyTorch nobody began it" in read and "13.1" not in read


# ------------------------------------------------------------------ misconceptions


def shared_in_truth():
    return Counter((row["id"], row["misconception"]) for r in GRADED for row in r["exercises"] if row["misconception"])


def test_shared_misconceptions_are_counted_most_frequent_first():
    counted = {key: len(students) for key, students in Tally.of(RECORDS, CONTEXT).shared_ideas()}
    assert counted == shared_in_truth()
    assert list(counted.values()) == sorted(counted.values(), reverse=True)


def test_a_shared_misconception_shows_its_words_and_who_has_it():
    (id, name), count = shared_in_truth().most_common(1)[0]
    box = html().split('<article class="box failed">')[1].split("</article>")[0]
    read = Page(box).words
    assert f"{words.title(id)}: {name}" in read and f"{count} of 29 students" in read
    assert words.idea(id, name) in read.replace("`", "") and len(words.idea(id, name)) > 40
    having = [r for r in GRADED if any((row["id"], row["misconception"]) == (id, name) for row in r["exercises"])]
    linked = {unquote(link.split("/")[0]) for link in Page(box).links}
    assert linked == {CONTEXT["folders"][r["student"]] for r in having}


def test_a_misconception_of_one_student_is_folded():
    shown, folded = section("ideas", [with_idea(ADA), *clones(2)]).split("1 misconception of 1 student each")
    assert "the slopes of a sum" in folded and "the slopes of a sum" not in shown


def test_of_many_who_share_it_the_first_are_named_and_all_counted():
    read = section("ideas", [with_idea(record) for record in clones(100)])
    assert "100 of 100 students" in read and "92 more" in read and "and 40 more, in grades.csv" in read
    assert "clone0059" in read and "clone0060" not in read


def test_a_misconception_that_the_course_no_longer_has_is_still_counted():
    read = section("ideas", [with_idea(record, name="gone & forgotten") for record in clones(2)])
    assert "gone & forgotten 2 of 2 students" in read


# ------------------------------------------------------------------ students


def test_late_malformed_missing_and_unknown_are_named():
    read = section("open")
    assert "Late: 3 -2+3 two lines half \\ud800 character" in read
    assert "Handed in something that cannot be graded: 1 Eve" in read
    assert "On the roster, but handed in nothing: 2 Gina Nowhere =missing()" in read
    assert "Handed in, but not on the roster: 1 +1+1" in read
    assert "notes.txt is no hand-in and was skipped." in read


def test_who_was_not_graded_to_the_end_is_named_and_spoils_no_pass_rate():
    rows = [row | {"status": "crashed", "message": "why"} for row in ADA["exercises"]]
    lost = ADA | {"student": "lost", "trouble": "why", "exercises": rows}
    assert "Grading not finished; --resume asks again: 1 lost" in section("open", [ADA, lost])
    assert "lost grading not finished" in section("students", [ADA, lost])
    first = rows[0]
    asked = f"{first['id']} {first['title']} {catalogue.key_idea(first['id'])} 100 % 1 passed"
    assert asked in section("exercises", [ADA, lost])


def marked_late(record, platform="Canvas"):
    return record | {"submission": record["submission"] | {"marked_late": platform}}


def test_what_a_platform_marks_as_late_is_late_in_tile_list_and_table():
    class_ = [*clones(2), marked_late(ADA)]
    assert "Late 1" in Page(html(class_)).words and "Late: 1 Ada Lovelace" in section("open", class_)
    assert f"Ada Lovelace late (Canvas) {POSSIBLE} of {POSSIBLE}" in section("students", class_)
    assert "3 hand-ins: 3 graded, 1 late." in next(iter(summary(class_, CONTEXT)))


def test_why_something_cannot_be_graded_stands_beside_the_name():
    said = f"{EVE['submission']['name']} holds notebooks: answers are elsewhere. {AGAIN}"
    assert f"Eve cannot be graded: it holds notebooks: answers are elsewhere. 0 of {POSSIBLE}" in section(
        "students", [EVE | {"malformed": said}]
    )


def test_files_under_other_names_are_named_with_their_student():
    class_ = [*clones(2), ADA | {"renamed": {"value.py": ["value_final.py"]}}]
    assert "Files under other names, which do not count: 1 Ada Lovelace" in section("open", class_)
    assert f"Ada Lovelace value_final.py in place of value.py {POSSIBLE} of {POSSIBLE}" in section("students", class_)


def test_which_of_several_hand_ins_counts_is_said_by_name_with_a_link():
    several = {ADA["student"]: "handed in 2 times: b.zip counts, not a.zip."}
    read = html([ADA], several=several)
    assert (
        f'{CONTEXT["folders"][ADA["student"]]}/feedback.html"><bdi>Ada Lovelace</bdi></a> handed in 2 times: b' in read
    )
    assert "  Ada Lovelace handed in 2 times: b.zip counts, not a.zip." in summary(
        [ADA], CONTEXT | {"several": several}
    )


def made_with(records, version="0.1.0+919fc66b", possible=57):
    return [record | {"made_with": {"version": version, "possible": possible}} for record in records]


WITHOUT_COURSE = (
    "All 4 hand-ins were made with version 0.1.0+919fc66b of the course (57 points); "
    f"you grade the whole course ({POSSIBLE} points). Did you forget --course?"
)


def test_a_course_that_was_forgotten_is_said_on_the_page_and_on_the_screen_before_all_else():
    class_ = made_with(clones(4))
    assert Page(html(class_).partition("</h1>")[2]).words.strip().startswith(WITHOUT_COURSE)
    assert next(iter(summary(class_, CONTEXT))) == WITHOUT_COURSE


OTHERS = {
    "most": (made_with(clones(3)) + clones(1), {}, "3 of 4 hand-ins were made with version 0.1.0+919fc66b"),
    "one": (
        made_with(clones(1)),
        {},
        "The hand-in was made with version 0.1.0+919fc66b of the course (57 points); you",
    ),
    "one that says so": (made_with(clones(1)) + clones(2), {}, "1 of 3 hand-ins was made with"),
    "no points": (made_with(clones(2), possible=None), {}, "version 0.1.0+919fc66b of the course; you grade the whole"),
    "another release": (
        made_with(clones(2)),
        {"version": "2", "course": CONTEXT["course"] | {"edition": "student", "possible": 60}},
        "(57 points); you grade with version 2 (60 points). Is --course the one that the students were given?",
    ),
    "the same": (made_with(clones(4), "0.1.0"), {}, ""),
    "half of them": (made_with(clones(2)) + made_with(clones(2), "0.1.0"), {}, ""),
    "nobody": (clones(2), {}, ""),
}


@pytest.mark.parametrize("case", OTHERS)
def test_another_version_is_said_if_most_hand_ins_name_it(case):
    records, changes, said = OTHERS[case]
    sentence = words.other_course(Tally.of(records, CONTEXT | changes))
    assert said in sentence and bool(said) == bool(sentence)


def test_of_a_thousand_invented_versions_a_few_are_kept():
    records = [record | {"made_with": {"version": str(n), "possible": n}} for n, record in enumerate(clones(1000))]
    assert len(Tally.of(records, CONTEXT).made_with) <= 60


def test_a_class_without_trouble_is_told_so():
    assert "Nothing: everybody handed in on time" in section("open", clones(3), missing=[], unknown=[], notes=[])


def test_every_student_is_linked_to_a_page_that_is_there(tmp_path):
    for record in RECORDS:
        feedback.write(tmp_path / CONTEXT["folders"][record["student"]], record, CONTEXT)
    index_page.write(tmp_path, Tally.of(RECORDS, CONTEXT))
    links = [link for link in Page((tmp_path / "index.html").read_text("utf-8")).links if link[0] != "#"]
    similar_page.write(tmp_path, CONTEXT)
    written_page.write(tmp_path, CONTEXT)
    exercises_page.write(tmp_path, Tally.of(RECORDS, CONTEXT))
    assert all((tmp_path / unquote(link.partition("#")[0])).is_file() for link in links)
    assert len({link for link in links if "/" in link}) == len(RECORDS)


def test_students_have_points_and_what_to_look_at():
    read = section("students")
    assert f"Ada Lovelace {POSSIBLE} of {POSSIBLE}" in read
    assert "=1+1 was stopped in 3.3" in read.replace("＝", "=")
    assert (
        f"Eve cannot be graded: The archive <b>broken</b>.zip ends in the middle: it cannot be opened. 0 of {POSSIBLE}"
        in read
    )
    notes = "Of 2 hand-ins the last counts; evil/\\u202e ../x.py was skipped"
    assert f"@SUM(A1) {notes} {RECORDS[5]['earned']} of {POSSIBLE}" in read


def test_of_a_large_class_those_to_look_at_are_listed(monkeypatch):
    monkeypatch.setattr(tally, "LISTED", 10)
    monkeypatch.setattr(index_page, "LISTED", 10)
    monkeypatch.setattr(tally, "TO_LOOK_AT", 4)
    read = section("students")
    assert "more than 10 students: grades.csv lists them all" in read and "These 4 are the first of 9 with" in read
    assert "+1+1 not on the roster" in read and "Ada Lovelace" not in read and "Finn" not in read


def test_a_class_of_exactly_the_limit_is_listed_whole(monkeypatch):
    monkeypatch.setattr(tally, "LISTED", 30)
    assert "Each name links to the student's feedback." in section("students") and "Finn" in section("students")


def test_seeds_versions_and_grader_are_named():
    read = section("how")
    for part in (
        "Course version: 0.1.0",
        "Grading code: abc123",
        "11, 22, 33",
    ):
        assert part in read


def test_records_of_two_versions_of_the_grader_are_noticed():
    assert "changed in between" in section("how", [ADA, EVE | {"grader": "def456"}])


# ------------------------------------------------------------------ the page itself


def test_page_holds_nothing_but_known_tags_and_printable_letters():
    assert Page(html()).faults == []


def test_links_lead_to_a_part_of_the_page_or_to_a_students_feedback():
    read = Page(html())
    for link in read.links:
        page = re.fullmatch(r"[\w.%-]+/feedback\.html|(similar|written)\.html|exercises\.html#ex[\d.]+", link)
        assert link[1:] in read.ids if link[0] == "#" else page


def test_a_folder_name_cannot_leave_the_link():
    read = html([ADA], folders={ADA["student"]: 'x"/../javascript:1'})
    assert "x%22%2F..%2Fjavascript%3A1/feedback.html" in read


@pytest.mark.parametrize("records", [[], [EVE], [ADA]], ids=["nobody", "one that cannot be graded", "one"])
def test_a_small_class_has_a_page_and_a_summary_too(records):
    assert Page(html(records)).faults == []
    assert list(summary(records, CONTEXT))


def test_records_are_gone_through_once(tmp_path):
    class Counting:
        times = 0

        def __iter__(self):
            self.times += 1
            return iter(RECORDS)

    records = Counting()
    index_page.write(tmp_path, Tally.of(records, CONTEXT))
    assert records.times == 1


def test_writing_twice_gives_the_same_bytes(tmp_path):
    index_page.write(tmp_path, Tally.of(RECORDS, CONTEXT))
    first = (tmp_path / "index.html").read_bytes()
    index_page.write(tmp_path, Tally.of(RECORDS, CONTEXT))
    assert (tmp_path / "index.html").read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


# ------------------------------------------------------------------ the terminal


def test_summary_says_who_came_where_the_middle_is_and_what_is_shared():
    lines = list(summary(RECORDS, CONTEXT))
    (id, name), count = shared_in_truth().most_common(1)[0]
    assert lines[0] == (
        "30 hand-ins: 29 graded, 1 cannot be graded, 3 late. 2 students on the roster handed in nothing. "
        "1 not on the roster."
    )
    low, _, high = quantiles((record["earned"] for record in GRADED), n=4, method="inclusive")
    assert lines[1] == f"Median: {MEDIAN} points. The middle half of the class has {low:g} to {high:g}."
    assert f"  {count} students: {name} ({words.title(id)})" in lines
    assert lines[-1] == "index.html and grades.csv for you, and a folder with feedback.html for each student."


def test_isolation_is_named_where_it_was_not_said_yet():
    """One level is said at the beginning, and stands at the top of the page; several at the end too."""
    several = [{**RECORDS[0], "isolation": "Landlock"}, *RECORDS[1:]]
    isolation = ["Landlock, limits.", "Use a virtual machine."]
    assert [line for line in summary(RECORDS, {**CONTEXT, "isolation": isolation[:1]}) if "solation" in line] == []
    said = [line for line in summary(several, {**CONTEXT, "isolation": isolation}) if "solation" in line]
    assert said == [f"Isolation: {each}" for each in isolation]
    html = index_page.html(tally.Tally.of(several, {**CONTEXT, "isolation": isolation}))
    assert "28 hand-ins asked under this isolation" in html and "1 hand-in asked under this isolation" in html


def test_summary_tells_the_notes_about_the_class_as_far_as_they_fit():
    lines = list(summary(RECORDS, CONTEXT))
    assert lines[lines.index("Note:") + 1] == "  notes.txt is no hand-in and was skipped."
    lines = list(summary(RECORDS, CONTEXT | {"notes": [f"note {number}" for number in range(10)]}))
    assert "  note 7" in lines and "  note 8" not in lines and "  2 more are in index.html." in lines


def test_who_had_most_of_it_filled_in_is_to_be_looked_at():
    given = [row | {"status": "given", "earned": 0} for row in ADA["exercises"]]
    for number, remarks in ((len(given), (f"{len(given)} of {len(given)} filled in",)), (2, ())):
        mixed = ADA | {"exercises": given[:number] + ADA["exercises"][number:]}
        assert Tally.of([mixed], CONTEXT).lines[0].remarks == remarks


def test_summary_names_the_pages_and_nothing_that_only_one_has():
    lines = list(summary([with_idea(ADA), *clones(2)], CONTEXT))
    assert lines[-1].startswith("index.html")
    assert not any("the slopes of a sum" in line for line in lines)


def test_hardest_exercises_are_those_with_the_lowest_share_of_passes():
    counted = Tally.of(RECORDS, CONTEXT)
    rates = {id: counted.statuses[id]["passed"] / counted.began(id) for id in counted.statuses if counted.began(id) > 2}
    chosen = counted.hardest()
    assert len(chosen) == 3 and [rates[id] for id in chosen] == sorted(rates.values())[:3]


def test_an_exercise_without_points_is_not_among_the_hardest():
    chosen = Tally.of(RECORDS, CONTEXT).hardest()
    rows = [[row | {"points": row["points"] * (row["id"] != chosen[0])} for row in r["exercises"]] for r in RECORDS]
    others = Tally.of([r | {"exercises": some} for r, some in zip(RECORDS, rows)], CONTEXT).hardest(2)
    assert others == chosen[1:]


def test_an_exercise_that_hardly_anybody_began_is_not_called_hard():
    one = with_idea(ADA, "13.1", "x")
    rest = [r | {"exercises": [row | {"status": "not_started"} for row in r["exercises"]]} for r in clones(30)]
    assert Tally.of([one, *rest], CONTEXT).hardest() == []


def test_summary_holds_no_letter_that_a_terminal_obeys():
    hostile = with_idea(ADA, name="x")
    lines = summary([hostile], CONTEXT | {"isolation": ["none\x1b]0;title\x07\u202e"]})
    assert all(line.isprintable() for line in lines)
