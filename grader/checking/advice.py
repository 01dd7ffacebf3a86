"""What to try after an exception, where its type and message show what is likely wrong."""

import re
from pathlib import Path

from ..course.regions import cause_above
from .written import UNKNOWN

# (type of the exception, pattern in its message, pattern in the answer or "", words), the first that fits counts.
_BY_MESSAGE = (
    (
        "TypeError",
        r"'float' object is not iterable",
        r"\bValue\(",
        "The local derivatives go into a tuple of their own, with brackets around it: (one, other). A tuple with one "
        "element is written with a comma: (slope,).",
    ),
    (
        "TypeError",
        r"'Value' object is not iterable",
        r"\bValue\(",
        "The inputs go into a tuple of their own, with brackets around it: (self, other), or (self,) for a single one.",
    ),
    (
        "TypeError",
        r"operand '(Array)?Expression' does not support ufuncs",
        "",
        "In a hunt the arguments are stand-ins that record what is done with them. NumPy's functions cannot be used on "
        "them: the docstring says what an expression may be made of.",
    ),
    (
        "TypeError",
        r"of type (Array)?Expression|a hunt computes with its leaves",
        "",
        "In a hunt the arguments are stand-ins that record what is done with them. Compute with them and with plain "
        "numbers, not with a Value or a Tensor of your own.",
    ),
    (
        "TypeError",
        r"must be real number, not Value|instances of .*'Value'",
        "",
        "This works on plain numbers: a Value's number is its .data.",
    ),
    (
        "AttributeError",
        r"'Tensor' object has no attribute '(std|var)'",
        "",
        "A Tensor has no std and no var. Compute them with what it has: mean, -, * and sqrt.",
    ),
    (
        "AttributeError",
        r"'(?!Tensor)\w+' object has no attribute '(out_grad|node)'",
        r"\bself\.(out_grad|node)\b",
        "out_grad and node are arguments of backward, so they have no self in front. Which of them, or which Tensor "
        "made from them, has what you need here?",
    ),
    (
        "AttributeError",
        r"'dict' object has no attribute 'add'",
        r"\{ *\}",
        "{} is an empty dict. An empty set is written set().",
    ),
    ("", r"invalid decimal literal", "", "Python needs a * between factors: 2 * h."),
    ("TypeError", r"for \^", "", "A power is written ** in Python."),
    (
        "IndexError",
        r"is out of bounds for axis",
        "",
        "An index is a whole number that says which row, or which number, is meant: from 0 to one less than the size. "
        "Print what you use as an index here. Is it one of those, or a result of your computation?",
    ),
)
_BY_TYPE = {
    "SystemExit": "Your code ended Python. A function of the course gives its answer with return.",
    "IndentationError": "Check that the line is indented like its neighbours.",
    "ModuleNotFoundError": "The package uses only NumPy and Python's own modules.",
    "EOFError": "Nothing can be typed in during a check. The function gets what it needs as arguments.",
    "NameError": "Python does not know this name here. Is it spelt right, and defined before this line?",
}


# {a name that people use: the line that makes it known}
_IMPORTS = {"np": "import numpy as np", "math": "import math", "random": "import random"}
_WITHOUT_NUMPY = ("warmup.py", "value.py")
_WITHOUT_TENSOR = ("transformer.py",)
_OF_THE_PACKAGE = {"Tensor": "tensor", "Value": "value"}  # {class: its module}
_METHODS = ("exp", "log", "sqrt", "abs", "tanh", "max", "sum", "mean")  # that a Tensor has under NumPy's name


def advice(stop, written=UNKNOWN):
    """A sentence about a Stopped; "" if nothing is known of it.  written: what the answer's text is."""
    code = own_line(stop, written).code if stop.frames else ""
    for about in _KINDS:
        if said := about(stop, code, written):
            return said
    return _BY_TYPE.get(stop.type, "")


def _about_numpy_on_tensors(stop, code, written):
    """A function of NumPy that was called with a Tensor."""
    if "operand 'Tensor' does not support ufuncs" not in stop.message:
        return ""
    called = re.search(r"\bnp\.(\w+)\(", code)
    of_a_tensor = called[1] if called and called[1] in _METHODS else "exp"
    in_forward = "; in forward you are given plain arrays" if stop.frames and written.file.startswith("ops/") else ""
    return (
        f"NumPy's functions work on arrays. Write x.{of_a_tensor}() for a Tensor x, so that the result remembers it"
        f"{in_forward}."
    )


def _about_inputs(stop, code, written):
    """The tuple of a node's inputs, where its only one is meant."""
    whole = re.search(r"^ *(\w+) *= *(\w+\._inputs)$", written.text or "", re.MULTILINE)
    taken_for_it = stop.type == "TypeError" or stop.message.startswith("'tuple' object has no attribute")
    if not whole or not taken_for_it:
        return ""
    return f"{whole[2]} is a tuple, also if there is only one input: ({whole[1]},) = {whole[2]} unpacks it."


def _about_a_truth_value(stop, code, written):
    """An array where one truth value is needed: mostly it is asked whether something is there at all."""
    if "truth value of an array" not in stop.message:
        return ""
    if not re.search(r"[<>]|\b(max|min|abs|sorted)\(", code):
        return (
            "An array has many truth values, and one is needed here. To ask whether something is there at all, write "
            "`is None` or `is not None`."
        )
    return (
        "if, max and `and` need one truth value, and an array has many. To decide for each number, use np.where(x > "
        "0, a, b), np.maximum(x, 0), or x > 0 as a factor."
    )


def _about_no_value_yet(stop, code, written):
    """A name of a function that was used before anything was assigned to it."""
    if stop.type != "UnboundLocalError":
        return ""
    name = (re.findall(r"'(\w+)'", stop.message) or ["it"])[0]
    if written.assigned_outside(name):
        return (
            "A name that is assigned with = anywhere in a function belongs to that function. To change a list or set "
            "made outside it, use append or add; = would make a new one."
        )
    return f"No line that gives {name} a value was reached before this one. Does it stand in a loop, or below an if?"


def _about_none(stop, code, written):
    if not re.search(r"'NoneType'|but it is None", stop.message):
        return ""
    end = " A function without a return statement returns None." if written.may_lack_a_return() else ""
    return f"Something is None here. Where does it come from?{end}"


def _about_a_recursion(stop, code, written):
    """Python gave up. A loop is the remedy for a walk that goes deep, and for nothing else."""
    if stop.type != "RecursionError":
        return ""
    walks = [frame.function for frame in stop.frames if written.walks_down(frame.function)]
    if walks:
        return (
            "Even a recursion that would end fails if it is too deep: Python stops after about 1,000 nested calls, or "
            "at the limit that your code sets. A loop with a list of your own has no such limit."
        )
    return (
        "Something calls itself again and again: for example an operator that uses itself where plain numbers are "
        "meant."
    )


def _about_a_key(stop, code, written):
    if stop.type != "KeyError" or not re.search(r"\w\[|\]\[|\)\[", code):
        return ""
    return (
        "This dict has no such key. Where a key may be missing, d.get(key, other) gives other in its place, and "
        "`key in d` says whether it is there."
    )


def _about_set_numbers(stop, code, written):
    """Numbers of a Tensor that are set: with an array as the index, Python says something else."""
    said = re.search(r"'Tensor' object does not support item assignment|converted to a scalar index", stop.message)
    if stop.type != "TypeError" or not said or not re.search(r"\] *[-+*/]?=(?!=)", code):
        return ""
    return (
        "The numbers of a Tensor cannot be set: the graph would know nothing of it. Compute a new Tensor from it, with "
        "an array that says where something changes."
    )


def _about_an_import(stop, code, written):
    """A name that is known elsewhere, and not imported in this file."""
    name = re.fullmatch(r"name '(\w+)' is not defined.*", stop.message)
    if stop.type != "NameError" or not name or not stop.frames:
        return ""
    file = own_line(stop, written).file
    if name[1] == "np" and file in _WITHOUT_NUMPY:
        return f"{file} works on plain numbers, without NumPy: Python's own operators and its module math are enough."
    if name[1] == "Tensor" and file in _WITHOUT_TENSOR:
        return (
            f"{file} does not import it, and needs none of its own: operations make Tensors by themselves, even from a "
            "plain number or array. One that is made of another's numbers would not lead back to it."
        )
    if name[1] in _IMPORTS:
        return f"{file} does not import it. Put this at the top of the file: {_IMPORTS[name[1]]}"
    if name[1] in _OF_THE_PACKAGE:
        line = f"from {'.' * (file.count('/') + 1)}{_OF_THE_PACKAGE[name[1]]} import {name[1]}"
        by_themselves = " Operations make Tensors by themselves, even from a plain number or array." * (
            name[1] == "Tensor"
        )
        return f"{file} does not import it.{by_themselves} If you need one here, begin the function with: {line}"
    return ""


def _about_a_call(stop, code, written):
    """Arguments that do not fit the function that is called, or a tuple that is none."""
    unexpected = re.search(r"unexpected keyword argument '(\w+)'", stop.message)
    if unexpected and stop.frames:
        name = unexpected[1]
        axis = " In a Tensor's sum and mean it is called axis." if name == "axes" else ""
        return f"The function that this line calls has no argument {name}: look at its def.{axis}"
    if stop.type != "TypeError":
        return ""
    if stop.message.startswith("transpose()") and stop.frames:
        return (
            "transpose takes the new order of all axes, in one tuple: x.transpose((1, 0)) for a matrix x. Without it, "
            "the last two axes change places."
        )
    if re.search(r"positional argument|keyword argument|required", stop.message):
        return _about_arguments(stop, written)
    single = re.search(r"(?<!\w)\((\w+)\)", code)
    if "not iterable" in stop.message and single:
        return f"({single[1]}) is just {single[1]}; a tuple with one element is written ({single[1]},)."
    return ""


def _about_arguments(stop, written):
    if stop.frames:
        return "The call in this line does not match the function that it calls: count the arguments."
    called = re.match(r"(?:[\w.<>]*\.)?(\w+)\(\)", stop.message)
    if called and not written.may_be_around(called[1]):
        return ""
    return "Keep the def line as the stub has it: the names and order of the arguments are part of the task."


def _by_message(stop, code, written):
    for type, pattern, in_the_answer, words in _BY_MESSAGE:
        if type in ("", stop.type) and re.search(pattern, stop.message) and written.may_have(in_the_answer):
            return words
    return ""


def _about_a_missing_name(stop, code, written):
    if stop.frames and is_gone(stop):
        return f"{stop.used[5:]} has no {missing_name(stop)}. What is it called there?"
    if missing := re.search(r"No module named 'babygrad\.([\w.]+)'", stop.message):
        file = missing[1].replace(".", "/") + ".py"
        return f"There is no babygrad/{file}. If the course came with it: python -m grader reset {file} brings it back."
    return ""


def noticed_below(line, exercise, file, last):
    """Where to look if Python could not read a line of the course's.  last: where the exercise's region ends."""
    return (
        f"Python notices it at line {line}, which is the course's. The cause stands above it, in what you wrote for "
        f"exercise {exercise}: see babygrad/{file}, line {last} and the lines before it."
    )


def noticed_at(path, line, file):
    """The same for a file on this disk; "" if the line is the learner's, or nothing above it explains it."""
    region = cause_above(Path(path), line) if line else None
    return noticed_below(line, region.id, file, region.end - 1) if region else ""


def is_gone(stop):
    """Does the learner's file no longer have what the check asks of it?"""
    return stop.type == "AttributeError" and stop.used.startswith("file ")


def missing_name(stop):
    """The name that an AttributeError is about."""
    names = re.findall(r"'(\w+)'", stop.message)
    return names[-1] if names else stop.message


def own_line(stop, written=UNKNOWN):
    """The line to speak of: the innermost that the learner wrote. If given code refused what it was handed, the
    innermost of the exercise at hand. In given code if there is none. In a recursion that does not end any line may
    be the innermost: there the first in its file is spoken of."""
    endless = stop.type == "RecursionError"
    frames = sorted(stop.frames, key=lambda frame: (frame.file, frame.line)) if endless else stop.frames[::-1]
    at_hand = [frame for frame in frames if written.has_line(frame)] if endless or not frames[0].own else []
    return next(iter([*at_hand, *(frame for frame in frames if frame.own)]), frames[0])


_KINDS = (
    _about_a_call,
    _about_numpy_on_tensors,
    _about_set_numbers,
    _about_inputs,
    _about_a_truth_value,
    _about_no_value_yet,
    _about_none,
    _about_a_recursion,
    _about_a_key,
    _by_message,
    _about_an_import,
    _about_a_missing_name,
)
