"""%quiz: the questions that are due, as a form below the cell; without widgets, as text with its answers folded."""

import html
import os
from datetime import UTC, datetime

from IPython import get_ipython
from IPython.display import HTML, display

from ..course.phrases import counted
from ..quiz import log
from ..quiz.asked import Asked
from ..quiz.comparing import RIGHT, UNREADABLE, judged
from ..quiz.words import leads_back, told
from . import this_notebook
from .running import answers

USAGE = "Say %quiz, %quiz more, %quiz 03 for the questions of a notebook, or %quiz before 04."
RECORDED = "BABYGRAD_RECORDED"  # is set where outputs are recorded, which must be the same each time
MOST = 3  # answers to one question
STYLE = """<style onload="{script}">
.babygrad-quiz {{ max-width: 56em; padding: 4px }}
.babygrad-quiz .style {{ display: none }}
.babygrad-quiz .widget-html-content {{ white-space: normal; line-height: 1.45 }}
.babygrad-quiz pre {{ margin: 4px 0 4px 2em; white-space: pre-wrap }}
.babygrad-quiz .widget-radio, .babygrad-quiz .widget-radio-box {{ width: auto; max-height: none; height: auto }}
.babygrad-quiz :focus-visible {{ outline: 3px solid {lit}; outline-offset: 1px }}
.jp-OutputArea-child:has(.babygrad-quiz-still):has(~ .jp-OutputArea-child .babygrad-quiz) {{ display: none }}
</style>"""


def quiz(line):
    """%quiz    asks what is due today; %quiz before 04 three questions of earlier notebooks."""
    words = _words(line.split())
    if words is None:
        print(USAGE)
        return
    if os.environ.get(RECORDED):
        words += ["--seed", f"recorded {line.strip()}"]
    for data in answers("quiz", *words, "--data", "--package", str(this_notebook.package)):
        display(data["bundle"], raw=True)
        asked = [Asked.from_data(each) for each in data["asked"]]
        if asked and not os.environ.get(RECORDED) and (form := _form(asked)):
            view = {"version_major": 2, "version_minor": 0, "model_id": form.box.model_id}
            display({"application/vnd.jupyter.widget-view+json": view}, raw=True)


def _words(said):
    """The command's arguments; None if there is no sense in what was said."""
    match said:
        case []:
            return []
        case ["more"]:
            return ["--more"]
        case ["before", number]:
            return ["--before", number]
        case [number] if number.isdecimal():
            return [number]
    return None


def _form(asked):
    """The Form; None where there is no kernel, or nothing to make it of."""
    try:
        return Form(asked) if hasattr(get_ipython(), "kernel") else None
    except ImportError:
        return None


class Form:
    """Questions, one after the other, each with its fields and a button. .box: the widget that holds all of it."""

    def __init__(self, asked, keep=None):
        import ipywidgets as widgets

        from toolbox.drawing.colours import LIT
        from toolbox.player.page import of_widgets

        self.asked, self.at, self.right, self.is_answered = asked, 0, 0, False
        self.keep = keep or _keep
        script = f"const me = this.closest('.babygrad-quiz');{of_widgets('Quiz')}".replace('"', "&quot;")
        style = widgets.HTML(STYLE.format(script=script, lit=LIT)).add_class("style")
        wide = {"layout": widgets.Layout(width="auto"), "style": {"description_width": "initial"}}
        self.question, self.said = widgets.HTML(), widgets.HTML().add_class("said")
        self.texts = [widgets.Text(**wide) for _ in range(MOST)]
        self.choice = widgets.RadioButtons(**wide)
        self.button, self.link = widgets.Button(), widgets.Output()
        self.button.on_click(lambda _: self.press())
        for text in self.texts:
            text.on_msg(lambda _, content, buffers: self.press() if content.get("event") == "submit" else None)
        parts = [style, self.question, *self.texts, self.choice, self.button, self.said, self.link]
        self.box = widgets.VBox(parts).add_class("babygrad-quiz")
        self.show()

    def show(self):
        """The question that is next."""
        asked, self.is_answered = self.asked[self.at], False
        self.question.value = question_html(asked, f"Question {self.at + 1} of {len(self.asked)}")
        for text, name in zip(self.texts, [*asked.names, *[""] * MOST]):
            text.value, text.description, text.layout.display = "", name, "" if name else "none"
        self.choice.options, self.choice.value = asked.choices, None
        self.choice.description = "Your answer"
        self.choice.layout.display = "" if asked.choices else "none"
        self.button.description = "Check"
        self.said.value, self.link.outputs = "", ()

    def press(self):
        """Check the answer; after it was checked, go on."""
        if self.at == len(self.asked):
            return
        if self.is_answered:
            self.show()
            self.texts[0].focus()
            return
        asked = self.asked[self.at]
        typed = [self.choice.value or ""] if asked.choices else [text.value for text in self.texts[: len(asked.names)]]
        verdict = judged(asked, typed)
        self.said.value = "".join(f"<p>{html.escape(line)}</p>" for line in told(asked, verdict))
        if verdict.kind != UNREADABLE:
            self.answered(asked, verdict)

    def answered(self, asked, verdict):
        self.is_answered, self.at = True, self.at + 1
        self.right += verdict.kind == RIGHT
        if trouble := self.keep(asked.id, verdict.kind == RIGHT):
            self.said.value += f"<p>{html.escape(trouble)}</p>"
        if leads_back(verdict):
            self.link.append_display_data(HTML(link_html(asked)))
        if self.at == len(self.asked):
            self.said.value += f"<p>{self.right} of {counted(len(self.asked), 'question')} right.</p>"
            self.button.description = "Done"  # it keeps the focus
        else:
            self.button.description = "Next question"


def question_html(asked, heading):
    code = f"<pre><code>{html.escape(asked.code)}</code></pre>" if asked.code else ""
    return f"<p><b>{heading}</b>, about notebook {asked.number}</p>{code}<p>{html.escape(asked.text)}</p>"


def link_html(asked):
    """The notebook's section that tells it, as a link from another notebook."""
    return f"Look at <a href='{html.escape(asked.link)}'>{html.escape(asked.place)}</a>."


def _keep(id, right):
    """Note an answer.  Returns a sentence if that cannot be; "" if it went well."""
    try:
        log.add(log.Event(datetime.now(UTC), question=id, right=right))
    except OSError as error:
        return f".babygrad/{log.FILE} cannot be written: {error.strerror}. This answer is not kept."
    return ""
