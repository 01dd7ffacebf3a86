"""Who wrote alike: found in a class of which the truth is known, and nobody accused of a short answer."""

import io
import runpy
import zipfile
from pathlib import Path

import pytest
import sample_class

from grader.classroom.collect.submissions import find
from grader.classroom.pages import similar_page
from grader.classroom.similar import compare, pairs, tokens
from grader.classroom.similar.compare import Similar
from grader.course import catalogue
from grader.course.paths import REFERENCE, ROOT
from grader.course.regions import replaced, stub_regions, stub_text, wrapped
from grader.course.settings import Settings

HERE = Path(__file__).parent
CLASS = runpy.run_path(str(HERE / "imagined_class.py"))
PRODUCT = (
    "def f(self, other):\n    other = as_value(other)\n    return Value(self.data * other.data, (self, other), '*')\n"
)


def printed(answers):
    return {student: {id: tokens.grams(text) for id, text in found.items()} for student, found in answers.items()}


def ranked(answers, reference=None):
    return pairs.ranked(printed(answers), {id: tokens.grams(text) for id, text in (reference or {}).items()})


# ---- the class of two hundred ----


@pytest.mark.leg("night")
@pytest.mark.parametrize("seed", range(1, 13))
def test_planted_pairs_come_first(seed):
    """20 of three kinds among 200 students: at least 18 are shown, and no honest pair among the first ten."""
    answers, truth = CLASS["imagined"](seed=seed)
    found = [
        truth.get((pair.one, pair.other))
        for pair in ranked(answers, compare.reference_answers(catalogue.all_exercises()))
    ]
    assert len(found) == 25
    assert sum(map(bool, found)) >= 18 and None not in found[:10]
    assert {*found[:20]} >= {*CLASS["KINDS"]}


# ---- what counts ----


def test_names_comments_and_layout_do_not_count():
    other = """
    def multiplied(self, second):   # another name
        \"\"\"What it does.\"\"\"

        second = as_value( second )
        return Value(self.data*second.data,
                     (self, second), "times")
    """
    assert tokens.grams(PRODUCT) == tokens.grams(tokens.dedented(other.split("\n"))) != frozenset()


def test_what_is_behind_a_dot_and_numbers_count():
    assert tokens.grams("a = x.exp() * 2 + 1") != tokens.grams("a = x.log() * 2 + 1")
    assert tokens.grams("a = x.exp() * 2 + 1") != tokens.grams("a = x.exp() * 3 + 1")
    assert tokens.grams("a = x.exp() * 2 + 1") == tokens.grams("b = y.exp() * 2.0 + 1")


def test_an_answer_that_python_cannot_read_is_compared_up_to_the_error():
    assert len(tokens.grams(PRODUCT + "    ''' never closed")) >= len(tokens.grams(PRODUCT)) > 10


def honest(count, exercises=20, text="return x.data * {0} + max(y.data, {0}) - sum(z.grad for z in zs) / len(zs)"):
    """A class in which everybody writes what nobody else does."""
    return {f"h{n:02}": {f"2.{ex}": text.format(100 * n + ex + 7) for ex in range(exercises)} for n in range(count)}


RARE = {
    f"2.{ex}": f"for k in range({ex}):\n    y.data += k * x.grad ** 2 - y.grad / (k + 1)\nreturn y" for ex in range(20)
}


def test_two_who_share_what_nobody_else_wrote_are_found():
    [pair] = ranked({**honest(20), "x": RARE, "y": dict(RARE)})
    assert (pair.one, pair.other) == ("x", "y") and {count for _, count in pair.shared} == {2}


@pytest.mark.parametrize("count", [5, 24, 44, 78, 200])
@pytest.mark.parametrize("exercises", [2, 3, 20])
def test_two_answers_that_nobody_else_wrote_are_enough_in_every_class_and_homework(count, exercises):
    """Not everybody answered everything; and somebody else may have one of two answers more."""
    others = {
        student: dict(list(found.items())[: 1 + n % exercises])
        for n, (student, found) in enumerate(honest(count, exercises).items())
    }
    copied = {id: RARE[id] for id in ("2.0", "2.1")}
    [pair] = ranked({**others, "x": copied, "y": copied})
    assert (pair.one, pair.other) == ("x", "y")
    if count > 5:
        assert len(ranked({**others, "x": copied, "y": copied, "z": {"2.0": RARE["2.0"]}})) == 1


def test_in_a_homework_of_one_exercise_one_answer_is_enough():
    alone = {student: {"2.0": found["2.0"]} for student, found in honest(20, 1).items()}
    assert len(ranked({**alone, "x": {"2.0": RARE["2.19"]}, "y": {"2.0": RARE["2.19"]}})) == 1


def test_what_the_reference_has_counts_nothing():
    assert ranked({**honest(20), "x": RARE, "y": RARE}, reference=RARE) == []


def test_what_many_wrote_counts_nothing():
    many = {f"m{n}": dict(RARE) for n in range(10)}
    assert ranked({**honest(20), **many}) == []
    assert len(ranked({**honest(60), **many})) == pairs.MOST


def test_short_answers_accuse_nobody():
    short = dict.fromkeys(RARE, "return x.data * 2")
    assert ranked({**honest(50), "x": short, "y": short}) == []


def test_one_exercise_alone_is_not_enough_however_long_it_is():
    long = {"2.1": "\n".join(RARE.values())}
    assert ranked({**honest(50), "x": long, "y": long}) == []


def test_a_class_of_two_or_three_is_not_accused_for_being_small():
    assert ranked({"x": RARE, "y": RARE}) == ranked({"x": {"2.1": RARE["2.1"]}, "y": {"2.1": RARE["2.1"]}}) == []


@pytest.mark.leg("push")
def test_the_order_does_not_depend_on_the_order_of_the_class():
    answers, _ = CLASS["imagined"](students=40, planted=6, seed=3)
    assert ranked(answers) == ranked(dict(reversed(answers.items())))


# ---- hand-ins ----


def handed_in(folder, student, answers):
    """A folder with value.py whose exercises have these answers."""
    text = stub_text((REFERENCE / "babygrad" / "value.py").read_text("utf-8"))

    def lines(region):
        body = answers[region.id].split("\n") if region.id in answers else region.body
        return wrapped(region, [region.indent + line for line in body] if region.id in answers else body)

    file = folder / student / "babygrad" / "value.py"
    file.parent.mkdir(parents=True)
    file.write_text(replaced(text, stub_regions(text), lines), encoding="utf-8")


@pytest.fixture
def settings():
    return Settings.of_the_whole_course()


def found_in(folder, settings):
    return compare.compare({source.student: source for source in find(folder)}, settings)


def ids_in_value():
    return sorted({region.id for region in stub_regions((ROOT / "babygrad/value.py").read_text("utf-8"))})


def a_class(folder, count=30):
    """Everybody for themselves, but for twin1 and twin2 (the same bytes), and copy, who wrote them anew."""
    ids = ids_in_value()
    for student, answers in honest(count).items():
        handed_in(folder, student, dict(zip(ids, answers.values())))
    own = dict(zip(ids, RARE.values()))
    handed_in(folder, "twin1", own)
    handed_in(folder, "twin2", own)
    handed_in(
        folder, "copy", {id: text.replace("k", "step").replace("\n", "  # mine\n", 1) for id, text in own.items()}
    )
    for student in ("idle1", "idle2"):
        handed_in(folder, student, {})


def test_hand_ins_are_compared(tmp_path, settings):
    a_class(tmp_path)
    found = found_in(tmp_path, settings)
    assert found.identical == [("twin1", "twin2")] and found.compared == 33  # who began nothing is alike to nobody
    [pair] = found.pairs
    assert pair.students == ("copy", "twin1") and len(pair.answers) == len(ids_in_value())
    shown = [answer for answer in pair.answers if answer.texts]
    assert len(shown) == compare.SHOWN
    for mine, theirs in (answer.texts for answer in shown):
        assert any(both for _, both in mine) and any(both for _, both in theirs)
        assert "step" in mine[0][0] and "step" not in theirs[0][0]


def test_a_pair_that_hands_in_the_same_does_not_hide_a_third(tmp_path, settings):
    """Ten times the same bytes are one text: who wrote it anew is found all the same."""
    a_class(tmp_path, 20)
    for number in range(10):
        handed_in(tmp_path, f"again{number}", dict(zip(ids_in_value(), RARE.values())))
    found = found_in(tmp_path, settings)
    assert len(found.identical[0]) == 12 and [pair.students for pair in found.pairs] == [("again0", "copy")]


@pytest.mark.parametrize(
    "body",
    [
        "x = '''" + "\n'" * 400_000,
        "(" * 500_000,
        "\n".join("    " * (n % 90) + "if x:" for n in range(50_000)),
        "a" * 900_000,
        "x" + " + x" * 200_000,
        "# end of exercise 2.1\n# exercise 2.1\nx = 1\n" * 9_000,
        "\x00\n\x0c\r\v",
    ],
    ids=["strings", "parentheses", "indents", "a name", "a sum", "regions", "controls"],
)
def test_no_more_of_a_strangers_file_is_looked_at_than_anybody_would_write(body):
    """Python's tokenizer takes the square of the length of some of these."""
    content = f"    # exercise 2.1\n{body}\n    # end of exercise 2.1\n".encode()
    [text] = tokens.answers({"value.py": content}, {"2.1"}).values() or [""]
    assert len(text) <= tokens.LONGEST and len(tokens.grams(text)) <= tokens.LONGEST


# ---- the page ----


@pytest.fixture
def page(tmp_path, settings):
    a_class(tmp_path)
    return sample_class.context(similar=found_in(tmp_path, settings), folders={}, names={"copy": "<b>Copy</b>"})


def test_page_shows_both_texts_and_what_they_do_not_prove(page):
    html = similar_page.html(page)
    read = sample_class.Page(html)
    assert read.faults == [] and "<b>Copy" not in html
    assert "What stands here proves nothing." in read.words and "twin1 twin2" in read.words
    assert "1. <b>Copy</b> and twin1 They share what few others wrote in" in read.words
    assert html.count("<mark>") >= 4 and "step" in read.words
    assert "twin1/feedback.html" in read.links


def test_page_of_a_class_in_which_nobody_is_alike():
    read = sample_class.Page(similar_page.html(sample_class.context(similar=Similar(compared=4))))
    assert read.faults == [] and "4 hand-ins compared" in read.words and "No pair has enough rare answers" in read.words


def test_page_hides_nothing_that_was_written(tmp_path, settings):
    """Code that wants to be HTML, or to turn the line around, is shown as what it is."""
    hostile = {id: f"{text}\ny.data = '</code><script>alert(1)</script>\u202e'" for id, text in RARE.items()}
    for student, answers in {**honest(20), "x": hostile, "y": hostile | {"2.0": "pass"}}.items():
        handed_in(tmp_path, student, dict(zip(ids_in_value(), answers.values())))
    html = similar_page.html(sample_class.context(similar=found_in(tmp_path, settings)))
    assert "&lt;script&gt;" in html and "<script>" not in html and "\\u202e" in html
    assert sample_class.Page(html).faults == []


def test_the_page_is_the_same_each_time(page):
    assert similar_page.html(page) == similar_page.html(page)


def test_a_zip_is_compared_as_a_folder_is(tmp_path, settings):
    a_class(tmp_path)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as zip:
        zip.write(tmp_path / "copy/babygrad/value.py", "babygrad/value.py")
    (tmp_path / "zipped.zip").write_bytes(packed.getvalue())
    assert ("copy", "zipped") in found_in(tmp_path, settings).identical
