"""Notebook 02: Value, its operators and functions, and the graph it remembers."""

from grader.exercise import Exercise, Notebook
from grader.probing import slopes_to

NOTEBOOK = Notebook("02", "scalar_value", "A number that remembers", minutes=60, files=("value.py", "hunts.py"))

mul = Exercise(
    "2.1",
    "Value.__mul__",
    file="value.py",
    points=2,
    minutes=5,
    difficulty=1,
    hints=[
        "If b is 3, how much does a * b grow when a grows by 1? And the other way round?",
        "The slope to self is the other one's number, and the slope to other is self's number.",
        "Value(self.data * other.data, (self, other), '*', (slope to self, slope to other))",
    ],
)


@mul.probe(asked="a * b for a = Value({a}), b = Value({b})")
def product_of_two(bg, rng):
    a, b = (bg.Value(float(x)) for x in rng.uniform(1, 4, 2).round(2) * [1, -1])
    out = a * b
    slope_a, slope_b = slopes_to(out, [a, b])
    return {
        "asked": {"a": a.data, "b": b.data},
        "(a * b).data": out.data,
        "the slope to a": slope_a,
        "the slope to b": slope_b,
    }


@mul.probe(asked="a * a for a = Value(3.0)")
def product_with_itself(bg, rng):
    a = bg.Value(3.0)
    out = a * a
    return {"(a * a).data": out.data, "the number of inputs": len(out._prev), "both slopes together": slopes_to(out, [a])[0]}


@mul.probe(asked="a * 10 for a = Value(-2.0)")
def product_with_a_number(bg, rng):
    a = bg.Value(-2.0)
    out = a * 10
    return {"(a * 10).data": out.data, "the slope to a": slopes_to(out, [a])[0]}
