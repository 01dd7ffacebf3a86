"""%predict, %predictions and %%note: what a learner expects, and thinks, kept in answers/ beside the notebooks.

A prediction's cell says in its first line which question it answers: "# prediction 3.C1". Nothing is graded or needed:
with nothing behind %predict, or below %%note, the cell does nothing.
"""

import re
import textwrap
from pathlib import Path

from IPython.display import display

from ..course.catalogue import notebook
from ..course.folders import number_of
from ..course.safe_text import cut
from ..course.sections import cells
from ..course.usage import UsageError
from . import answers

PREDICTION = re.compile(r"\s*# prediction (?P<key>\S+)[ \t]*\n\s*%%?predict\b(?P<text>.*)", re.S)
NOTE = re.compile(r"\s*%%?note\b[ \t]*(?P<key>\S*)(?P<text>.*)", re.S)
LIST = re.compile(r"\s*%predictions\b[^\n]*\s*")
A_PREDICTION = {"babygrad": "prediction"}  # the metadata of the output that says it
WIDTH, LONGEST = 88, 400  # characters of a line, and of one prediction in the list


ASKS = re.compile(r"(\s*%(check|hint|progress|quiz)\b[^\n]*)+\s*")  # what says nothing about a prediction


def only_predictions(cell):
    """Is a cell about nothing but predictions or notes?  cell: its source."""
    return any(form.fullmatch(cell) for form in (PREDICTION, NOTE, LIST))


class Predictions:
    """The predictions of one kernel.

    course: the folder above the notebook.  kept_in: the folder that answers/ is in, if that is another.
    """

    def __init__(self, course, kept_in=None):
        self.course, self.kept_in = Path(course), Path(kept_in or course)
        self.said = ""  # the prediction that the next output begins with

    def install(self, shell):
        """Give a shell the three magics."""
        shell.input_transformers_cleanup.append(self.as_it_was_typed)
        shell.register_magic_function(self.prediction, "line_cell", "predict")
        shell.register_magic_function(self.predictions, "line", "predictions")
        shell.register_magic_function(self.note, "cell", "note")
        shell.events.register("pre_run_cell", self.before_cell)

    @staticmethod
    def as_it_was_typed(lines):
        """A prediction's or a note's cell as a call.

        IPython itself would fill in {braces}, take a question mark for a question to it, and refuse an empty cell.
        """
        cell = "".join(lines)
        for name, form in {"predict": PREDICTION, "note": NOTE}.items():
            if found := form.fullmatch(cell):
                return [f"get_ipython().find_cell_magic({name!r})({found['key']!r}, {found['text']!r})\n"]
        return lines

    def before_cell(self, info):
        """The output of the first cell after a prediction begins with it: of the first that is no check and no hint."""
        cell = info.raw_cell
        if self.said and cell.strip() and not only_predictions(cell) and not ASKS.fullmatch(cell):
            display({"text/plain": f"You predicted: {self.said}"}, raw=True, metadata=A_PREDICTION)
            self.said = ""

    def prediction(self, line, cell=None):
        """%predict 162 486    keeps what you expect, before you run the next cell; a sentence will do as well."""
        if cell is None and line.strip():
            print(
                "Which question is it about? The first line of a prediction's cell says it, such as: # prediction 3.C1"
            )
        self.said = answers.tidy(cell or "")
        if self.said:
            self._keep("Prediction", line, self.said)

    def note(self, line, cell):
        """%%note 3.R1    keeps the lines below it, your answer to a question."""
        if cell.strip() and self._keep("Note", line.strip(), cell):
            print(f"Kept in {self._file(line.split('.')[0])}.")

    def predictions(self, line):
        """%predictions 03    shows what you predicted in a notebook, in order."""
        if not re.fullmatch(r"\s*\d{1,2}\s*", line):
            print("Say which notebook: %predictions 03.")
            return
        kept = answers.kept(line, self.kept_in, "Prediction")
        print("\n".join(self._list(kept, line)).strip("\n") if kept else "No predictions in this notebook yet.")

    def _list(self, kept, number):
        """Lines: each prediction below the heading of its section, in the notebook's order."""
        headings, above = _headings(self.course, number), ""
        places = {key: place for place, key in enumerate(headings)}
        for prediction in sorted(kept, key=lambda prediction: places.get(prediction.key, len(places))):
            heading = headings.get(prediction.key, "Not in the notebook") if headings else ""
            if heading != above:
                yield from ("", heading)
            above, indent = heading, f"  {prediction.key:<7}"
            for line in filter(str.strip, cut(prediction.text, LONGEST).split("\n")):
                yield textwrap.fill(line.strip(), WIDTH, initial_indent=indent, subsequent_indent=" " * 9)
                indent = " " * 9
        yield from ("", f"They are kept in {self._file(number)}.")

    def _file(self, number):
        return f"{answers.FOLDER}/{answers.path_of(number, self.kept_in).name}"

    def _keep(self, kind, key, text):
        """Put it into its file.  Returns whether it is there; if not, says why."""
        try:
            answers.keep(kind, key, text, _title(key), self.kept_in)
        except UsageError as error:
            print(f"{error} Your {kind.lower()} is not kept.")
            return False
        return True


def _headings(course, number):
    """{key of a prediction: the heading of its section} in the notebook of this number; {} if none can be read."""
    found = {}
    for heading, kind, source in cells(number, course / "notebooks"):
        if key := kind != "markdown" and PREDICTION.fullmatch(source):
            found.setdefault(key["key"], heading)
    return found


def _title(key):
    """The first line of the file that this question's answers are in."""
    number = number_of(key)
    try:
        return f"{number} · {notebook(number).title}"
    except UsageError:
        return number
