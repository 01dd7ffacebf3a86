"""%bet, %bets and %%note: what a learner expects, and thinks, kept in answers/ beside the notebooks.

A bet's cell says in its first line which question it answers: "# bet 3.C1". Nothing is graded, nothing is needed:
with nothing behind %bet the cell does nothing.
"""

import re

from ..course.catalogue import notebook
from ..course.usage import UsageError
from . import answers

CELL = re.compile(r"\s*# bet (?P<key>\S+)[ \t]*\n\s*%bet(?P<text>.*)", re.S)


class Bets:
    """The bets of one kernel.  course: the folder above the notebook."""

    def __init__(self, course):
        self.course = course
        self.said = ""  # the bet that the next output begins with

    def install(self, shell):
        """Give a shell the three magics."""
        shell.input_transformers_cleanup.append(as_it_was_typed)
        shell.register_magic_function(self.bet, "line_cell", "bet")
        shell.register_magic_function(self.bets, "line", "bets")
        shell.register_magic_function(self.note, "cell", "note")
        shell.events.register("pre_run_cell", self.before_cell)

    def before_cell(self, info):
        """The output of the first cell after a bet begins with it."""
        if self.said and info.raw_cell.strip() and not CELL.fullmatch(info.raw_cell):
            print(f"You bet: {self.said}")
            self.said = ""

    def bet(self, line, cell=None):
        """%bet 162 486    keeps what you expect, before you run the next cell; a sentence will do as well."""
        if cell is None and line.strip():
            print("Which question is it about? The first line of a bet's cell says it, such as: # bet 3.C1")
        elif cell and cell.strip():
            self.said = cell.strip()
            self._keep("Bet", line, self.said)

    def note(self, line, cell):
        """%%note 3.2b    keeps the lines below it, your answer to a question."""
        if cell.strip() and self._keep("Note", line.strip(), cell):
            print(f"Kept in {answers.FOLDER}/{answers.path_of(line.split('.')[0], self.course).name}.")

    def bets(self, line):
        """%bets 03    shows what you bet in a notebook, in order."""
        if not re.fullmatch(r"\s*\d{1,2}\s*", line):
            print("Say which notebook: %bets 03.")
            return
        kept = answers.kept(line.strip(), self.course, "Bet")
        print("\n".join(f"{bet.key:>6}  {' '.join(bet.text.split())}" for bet in kept) or "No bets in this notebook.")

    def _keep(self, kind, key, text):
        """Put it into its file.  Returns whether it is there; if not, says why."""
        try:
            answers.keep(kind, key, text, _title(key), self.course)
        except UsageError as error:
            print(f"{error} Your {kind.lower()} is not kept.")
            return False
        return True


def as_it_was_typed(lines):
    """A bet's cell as a call: IPython itself would fill in {braces}, and take a question mark for a question to it."""
    found = CELL.fullmatch("".join(lines))
    return [f"get_ipython().run_cell_magic('bet', {found['key']!r}, {found['text']!r})\n"] if found else lines


def _title(key):
    """The first line of the file that this question's answers are in."""
    number = key.split(".")[0].zfill(2)
    try:
        return f"{number} · {notebook(number).title}"
    except UsageError:
        return number
