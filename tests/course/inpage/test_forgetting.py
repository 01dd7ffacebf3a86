"""What a dying node of the package holds is freed after it, not inside it; and all of it is freed."""

import builtins
import gc
import sys
import weakref

import pytest

from grader.inpage import forgetting

NODE = """
class Node:
    {slots}
    def __init__(self, first, inputs, last):
        self.first, self.inputs, self.last = first, inputs, last
        {more}
"""
KINDS = {
    "dictionary": NODE.format(slots="", more=""),
    "slots": NODE.format(slots='__slots__ = ("first", "inputs", "last", "__weakref__")', more=""),
    "subclass": NODE.format(slots="", more="") + "class Sub(Node):\n    pass\nNode = Sub",
    "cycle": NODE.format(slots="", more="self.own = lambda: self"),
}


WITH_A_METACLASS = """
class Meta(type):
    def __new__(cls, *how, colour):
        new = super().__new__(cls, *how)
        new.colour = colour
        return new

    def __init__(cls, *how, colour):
        super().__init__(*how)

class Node(metaclass=Meta, colour="red"):
    def __init__(self):
        super().__init__()
"""


class Told:
    """Notes when it dies."""

    def __init__(self, deaths, number):
        self.deaths, self.number = deaths, number

    def __del__(self):
        self.deaths.append(self.number)


@pytest.fixture(autouse=True)
def watched(monkeypatch, a_quick_collector):
    monkeypatch.setattr(builtins, "__build_class__", builtins.__build_class__)
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    forgetting.watch_classes()


def node_class(text, module="babygrad.value"):
    names = {"__name__": module}
    exec(text, names)
    return names["Node"]


def deaths_of_a_chain(node, nodes):
    deaths, root = [], None
    for number in range(nodes):
        root = node(Told(deaths, number), (root,), Told(deaths, number))
    last = weakref.ref(root)
    del root
    gc.collect()
    assert last() is None
    return deaths


@pytest.mark.parametrize("kind", KINDS)
def test_all_that_a_node_holds_dies_before_what_its_inputs_hold(kind):
    """Else they die inside it, and so on: as deep as the chain is long. (Of cycles the collector chooses the order.)"""
    deaths = deaths_of_a_chain(node_class(KINDS[kind]), 2000)
    twice = [number for number in reversed(range(2000)) for _ in range(2)]
    assert (sorted(deaths) == sorted(twice)) if kind == "cycle" else (deaths == twice)


def test_classes_of_others_are_left_alone():
    """03 counts what the collector finds of a class in a cell; a package of a similar name is not ours."""
    for module in ("__main__", "babygrading", "numpy"):
        assert not hasattr(node_class(KINDS["dictionary"], module), "__del__")


def test_a_del_of_their_own_stays():
    node = node_class("class Node:\n    def __del__(self):\n        raise SystemExit\nclass Node(Node):\n    pass")
    assert "__del__" not in vars(node)


def test_classes_are_made_as_before():
    made = node_class(WITH_A_METACLASS)
    assert made.colour == "red" and made().__dict__ == {}


def test_a_node_half_made_is_freed():
    """Its __init__ raised."""
    node = node_class("class Node:\n    def __init__(self, held):\n        self.held = held\n        raise KeyError")
    deaths = []
    with pytest.raises(KeyError):
        node(Told(deaths, 1))
    gc.collect()
    assert deaths == [1]


def test_nothing_is_said_where_there_is_no_room_for_a_call(capsys):
    node = node_class(KINDS["dictionary"])

    def down():
        node(1, (), 2)
        return down() + 1

    with pytest.raises(RecursionError):
        down()
    assert capsys.readouterr().err == ""
