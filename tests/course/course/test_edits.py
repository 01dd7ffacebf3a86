"""Edits of answers: what they change, what is refused and in which words, and how they are written."""

import pytest

from grader.asking.ask import stopped
from grader.course import catalogue, edit_files, regions
from grader.course.edits import Change, DoesNotFit, Edit
from grader.course.packages import private_copy
from grader.course.paths import REFERENCE, package_folder

FILE = '''"""A file."""


def one(x, y):
    ### BEGIN SOLUTION 9.1: one
    total = x + y
    for _ in range(2):
        total = total * x
    return total
    ### END SOLUTION


class Two:
    def up(self):
        ### BEGIN SOLUTION 9.2: Two.up
        return self.size + 1
        ### END SOLUTION

    def down(self):
        ### BEGIN SOLUTION 9.2: Two.down
        return self.size - 1
        ### END SOLUTION
'''


def edited(id, *changes):
    """The bodies of the exercise's regions, as a learner's file has them afterwards."""
    text = Edit(id, "a.py", changes).applied(FILE)
    return ["\n".join(region.body) for region in regions.stub_regions(text) if region.id == id]


def read(tmp_path, text):
    (tmp_path / "mistakes.md").write_text(text, encoding="utf-8")
    return edit_files.read(tmp_path / "mistakes.md")


def test_a_text_becomes_another():
    assert edited("9.1", Change("x + y", "x - y"))[0].splitlines()[0] == "    total = x - y"


def test_all_changes_are_made_at_once():
    first, last = Change("x + y", "total * x"), Change("total * x", "x + y")
    assert edited("9.1", first, last)[0].count("total * x") == edited("9.1", first, last)[0].count("x + y") == 1


def test_new_lines_are_indented_as_the_line_that_they_stand_in():
    new = edited("9.1", Change("total = total * x", "total = total * x\ntotal += 1"))[0]
    assert "        total = total * x\n        total += 1\n" in new


def test_a_line_that_becomes_nothing_is_gone():
    assert edited("9.1", Change("total = x + y", ""))[0].startswith("    for")


def test_a_pattern_changes_every_place():
    new = edited("9.2", Change(r"return (.*)", r"found = \1" + "\nreturn found", pattern=True))
    assert new[0] == "        found = self.size + 1\n        return found"
    assert new[1] == "        found = self.size - 1\n        return found"


def test_a_whole_answer_takes_the_place_of_one_part():
    new = edited("9.2", Change(None, "if self:\n    return 3", part="Two.down"))
    assert new == ["        return self.size + 1", "        if self:\n            return 3"]


@pytest.mark.parametrize(
    ("id", "changes", "words"),
    [
        ("9.1", [Change("x * y", "x")], "'x * y' does not stand there. The line most like it:\n    total = x + y"),
        (
            "9.1",
            [Change("total = ", "t = ")],
            "stands there 2 times; write more of the line that is meant:\n    t",
        ),
        ("9.2", [Change(None, "return 3")], "one of In `Two.up`: and In `Two.down`:"),
        ("9.2", [Change("self", "me", part="Two.left")], "no part is called 'Two.left': there are Two.up and Two.down"),
        ("9.1", [Change("x + y", "x"), Change("total = x", "t = x")], "two changes are about the same place: 'x'"),
    ],
)
def test_an_edit_that_does_not_fit_is_refused_in_words_that_help(id, changes, words):
    with pytest.raises(DoesNotFit) as error:
        edited(id, *changes)
    assert words in str(error.value)


def test_an_entry_is_read(tmp_path):
    [entry] = read(
        tmp_path,
        "# 9.2 9.3, two of them\n\n## a name\nIn `Two.up`:\n    self.size + 1 =>\n        self.size\n    return =>"
        " return -\nWords about\n`it`.\n> More: The sign is wrong\n> Same as another: both add.\n",
    )
    assert (entry.ids, entry.name, entry.words) == (["9.2", "9.3"], "a name", "Words about `it`.")
    assert (entry.more, entry.same_as) == ("The sign is wrong", {"another": "both add."})
    assert entry.changes == [
        Change("self.size + 1", "self.size", part="Two.up"),
        Change("return", "return -", part="Two.up"),
    ]


def test_a_whole_answer_keeps_its_empty_lines(tmp_path):
    [entry] = read(tmp_path, "# 9.1\n## a name\n    a = 1\n\n    return a\n\nWords.\n")
    assert entry.changes == [Change(None, "a = 1\n\nreturn a")] and entry.words == "Words."


def test_an_empty_line_may_stand_among_new_lines_and_between_changes(tmp_path):
    [entry] = read(tmp_path, "# 9.1\n## a name\n    a =>\n        b = 1\n\n        c = b\n\n    d => e\n")
    assert entry.changes == [Change("a", "b = 1\n\nc = b"), Change("d", "e")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("## a name\n    a => b\nWords.\n", "there is no exercise: a line `# 2.1` above it"),
        ("# 9.1\n## a name\nWords.\n", "mistakes.md, 9.1, 'a name': there is no change of the answer"),
        ("# 9.1\n## a name\n    a => b\n    c\n", "'c' has no => as the lines around it have"),
        (
            "# 9.1\n## a name\n        a =>\n            b\n",
            "'a =>' stands too deep: an edit begins with four spaces, no more",
        ),
        (
            "# 9.1\n## a name\n    a => b\n> Mroe: The sign\n",
            "after > comes More: or Same as ...:, not 'Mroe:",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_words_that_help(tmp_path, text, words):
    with pytest.raises(DoesNotFit) as error:
        read(tmp_path, text)
    assert words in str(error.value)


def test_a_copy_with_an_edit_runs_as_a_learners_file_does():
    """With the line numbers of the edited text; what was not edited is as it was, and so is the next copy."""
    ex = catalogue.exercise("1.2")
    edit = Edit(ex.id, ex.file, (Change("return gradient", "# a line more\nreturn 1 / 0"),))
    text = edit.applied((package_folder(REFERENCE) / ex.file).read_text(encoding="utf-8"))
    with private_copy(REFERENCE, [edit]) as package:
        with pytest.raises(ZeroDivisionError) as error:
            package.numerical_gradient(lambda x: 0.0, package.derivatives.np.zeros(2))
        assert stopped(error.value, package).frames[-1].code == "return 1 / 0"
    assert text.splitlines()[error.traceback[-1].lineno].strip() == "return 1 / 0"
    with private_copy(REFERENCE) as package:
        assert package.numerical_gradient(lambda x: 0.0, package.derivatives.np.zeros(2)).shape == (2,)


def edits():
    """(Exercise, Misconception or OtherAnswer) of all that are edits."""
    for ex in catalogue.all_exercises():
        for idea in (*catalogue.misconceptions_of(ex), *catalogue.other_answers_of(ex)):
            if idea.edit:
                yield ex, idea


def test_names_are_given_once():
    for ex in catalogue.all_exercises():
        for ideas in (catalogue.misconceptions_of(ex), catalogue.other_answers_of(ex)):
            names = [idea.name for idea in ideas]
            assert sorted(names) == sorted(set(names)), ex.id


def test_every_edit_fits_and_changes_something():
    for ex, idea in edits():
        text = (package_folder(REFERENCE) / ex.file).read_text(encoding="utf-8")
        assert idea.edit.applied(text) != Edit(ex.id, ex.file, ()).applied(text), (ex.id, idea.name)


def test_an_edit_shows_its_lines_beside_the_right_ones():
    lines = Edit("9.1", "a.py", (Change("x + y", "x - y"), Change("return total", ""))).difference(FILE)
    assert lines == ["- total = x + y", "+ total = x - y", "- return total"]
