"""After a file of the package was saved, the next cell runs on the new code.

Each test has a small package of its own in a temporary folder.
"""

import builtins
import os
import sys
import textwrap
from collections import Counter

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient
from traitlets.config import Config

from grader.course.paths import ROOT
from grader.notebook import reload

LAZY = """
    from importlib import import_module

    _HOME = {"Value": "value", "double": "value", "Neuron": "scalar_nn"}
    __all__ = sorted(_HOME)

    def __getattr__(name):
        if name in _HOME:
            return getattr(import_module("." + _HOME[name], __name__), name)
        raise AttributeError(name)
"""
VALUE = """
    class Value:
        def __init__(self, data):
            self.data = data

        def __add__(self, other):
            return Value(self.data + other.data)

        def name(self):
            return "old"

    def double(x):
        return 2 * x
"""
NEW_VALUE = VALUE.replace('"old"', '"new"').replace("2 * x", "x + x + 0.5")
NEURON = """
    from .value import Value, double

    seen = []

    class Neuron:
        def __call__(self):
            return Value(1).name(), double(1)
"""
SAID = "Loaded your changes in value.py.\n"
STAYS = "The notebook keeps using the last version that worked."


def text(source):
    return textwrap.dedent(source).lstrip("\n")


def with_lines(*lines, source=VALUE):
    """The file value.py with more lines in the body of its class."""
    body = "\n".join(" " * 8 + line for line in lines)
    return source.replace("        def name", f"{body}\n\n        def name")


class Layout:
    """A notebook (a shell in this process) beside an editor (a folder with the package)."""

    def __init__(self, shell, folder, capsys):
        self.shell = shell
        self.folder = folder
        self.capsys = capsys
        self.clock = 1_000_000_000_000_000_000  # the file system's own is too coarse for saves in a row

    def save(self, name, source):
        path = self.folder / "babygrad" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source if isinstance(source, bytes) else text(source).encode())
        self.touch(name)

    def touch(self, name):
        self.clock += 1_000_000_000
        os.utime(self.folder / "babygrad" / name, ns=(self.clock, self.clock))

    def run(self, code="None"):
        """What the cell printed."""
        self.capsys.readouterr()
        result = self.shell.run_cell(text(code) + "\nNone")
        result.raise_error()
        return self.capsys.readouterr().out

    def __getitem__(self, expression):
        return eval(expression, self.shell.user_ns)


@pytest.fixture
def layout(tmp_path, monkeypatch, capsys):
    others = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "babygrad"}
    for name in [*others, "__main__"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    config = Config(HistoryManager={"enabled": False}, InteractiveShell={"colors": "nocolor"})
    layout = Layout(InteractiveShell(config=config), tmp_path, capsys)
    for name, source in {"__init__.py": LAZY, "value.py": VALUE, "scalar_nn.py": NEURON}.items():
        layout.save(name, source)
    reload.install(layout.shell)
    yield layout
    for name in [name for name in sys.modules if name.split(".")[0] == "babygrad"]:
        del sys.modules[name]


# ------------------------------------------------------------------ what is new after a save


def test_next_cell_runs_on_the_saved_code_and_one_line_says_so(layout):
    layout.run("from babygrad.value import Value, double")
    layout.save("value.py", NEW_VALUE)
    assert layout.run("print(Value(1).name(), double(1))") == SAID + "new 2.5\n"


@pytest.mark.parametrize(
    ("imported", "value"),
    [
        ("from babygrad.value import Value", "Value"),
        ("from babygrad.value import Value as V", "V"),
        ("from babygrad import *", "Value"),
        ("from babygrad import Value", "Value"),
        ("import babygrad as bg; bg.Value", "bg.Value"),
        ("import babygrad.value", "babygrad.value.Value"),
        ("from babygrad import value", "value.Value"),
    ],
)
def test_however_it_was_imported_the_new_code_is_used(layout, imported, value):
    layout.run(imported)
    layout.save("value.py", NEW_VALUE)
    assert layout.run() == SAID
    assert layout[f"{value}(1).name()"] == "new"


def test_objects_made_before_have_the_new_methods(layout):
    layout.run("from babygrad.value import Value\na = Value(1); kept = {'in': [Value(2)]}; method = Value")
    layout.save("value.py", with_lines("def twice(self):", "    return 2 * self.data"))
    layout.run()
    assert layout["a.twice(), kept['in'][0].twice(), method(3).twice()"] == (2, 4, 6)


def test_old_objects_and_the_new_class_belong_together(layout):
    layout.run("from babygrad.value import Value\nimport babygrad as bg\nold = Value(1)")
    layout.save("value.py", NEW_VALUE)
    layout.run("new = Value(2); mixed = old + new, new + old")
    assert layout["isinstance(old, Value) and type(old) is type(new) is Value is bg.Value is type(mixed[0])"]
    assert layout["[sum.data for sum in mixed]"] == [3, 3]


def test_subclass_of_the_notebook_goes_on_with_the_new_methods(layout):
    layout.run("""
        from babygrad.value import Value
        class Named(Value):
            def name(self):
                return "my " + super().name()
        mine = Named(1)
    """)
    layout.save("value.py", NEW_VALUE)
    layout.run()
    assert layout["mine.name()"] == "my new"
    assert layout["isinstance(mine, Value)"]


def test_super_works_in_a_class_that_was_loaded_again(layout):
    named = """
    class Named(Value):
        def name(self):
            return "my " + super().name()
    """
    layout.save("value.py", VALUE + named)
    layout.run("from babygrad.value import Named\nbefore = Named(1)")
    layout.save("value.py", VALUE + named.replace("my ", "your "))
    layout.run("after = Named(1)")
    assert layout["before.name(), after.name()"] == ("your old", "your old")


def test_other_files_of_the_package_use_the_new_code(layout):
    layout.run("from babygrad import Neuron\nneuron = Neuron()")
    layout.save("value.py", NEW_VALUE)
    assert layout.run("print(*neuron(), *Neuron()())") == SAID + "new 2.5 new 2.5\n"


def test_state_of_a_file_that_was_not_saved_is_not_touched(layout):
    layout.run("from babygrad import scalar_nn\nscalar_nn.seen.append(1); seen = scalar_nn.seen")
    layout.save("value.py", NEW_VALUE)
    layout.run()
    assert layout["scalar_nn.seen is seen and seen == [1]"]


def test_function_kept_in_a_container_has_the_new_code(layout):
    layout.run("from babygrad.value import double\ntable = {'d': (double,)}")
    layout.save("value.py", NEW_VALUE)
    layout.run()
    assert layout["table['d'][0](1)"] == 2.5


def test_function_that_becomes_another_kind_of_thing_is_exchanged_by_name(layout):
    wrapped = """
    from functools import cache, wraps

    def through(function):
        @wraps(function)
        def call(x):
            return function(x)
        return call

    @through
    def double"""
    wrapped = VALUE.replace("    def double", wrapped)
    cached = wrapped.replace("@through", "@cache")
    thrice = wrapped.replace("2 * x", "3 * x")
    elsewhere = VALUE.replace("def double", "from statistics import mode as double\n    def other")
    layout.run("from babygrad.value import double as d\nfrom babygrad import Neuron")
    for source, result in [(cached, 2), (wrapped, 2), (thrice, 3), (NEW_VALUE, 2.5), (elsewhere, 1)]:
        layout.save("value.py", source)
        assert layout.run() == SAID
        assert layout["d([1]) if d.__name__ == 'mode' else d(1)"] == result


def test_two_names_for_one_function_can_become_two_functions(layout):
    layout.save("value.py", VALUE + "\n    twice = double\n")
    layout.run("from babygrad.value import double")
    layout.save("value.py", VALUE + "\n    def twice(x):\n        return 'twice'\n")
    layout.run("from babygrad.value import twice")
    assert layout["double(1), twice(1)"] == (2, "twice")


def test_class_inside_a_function_is_another_class(layout):
    layout.run("from babygrad.value import Value\na = Value(1)")
    inside = """
    def make():
        class Value:
            def name(self):
                return "inside"
        return Value()

    made = make()
    """
    layout.save("value.py", NEW_VALUE + inside)
    layout.run("from babygrad.value import made")
    assert layout["a.name(), made.name()"] == ("new", "inside")


def test_second_class_of_one_name_in_a_file_counts(layout):
    layout.run("from babygrad.value import Value\na = Value(1)")
    layout.save("value.py", with_lines("extra = 1") + NEW_VALUE)
    layout.run()
    assert layout["a.name(), hasattr(a, 'extra')"] == ("new", False)


def test_two_names_for_one_method_can_become_two_methods(layout):
    layout.save("value.py", with_lines("__radd__ = __add__"))
    layout.run("from babygrad.value import Value\na = Value(1)")
    layout.save("value.py", with_lines("def __radd__(self, other):", "    return 'r'"))
    layout.run()
    assert layout["a.__radd__(a), (a + a).data"] == ("r", 2)


def test_new_fields_of_a_dataclass_are_taken(layout):
    record = "from dataclasses import dataclass\n@dataclass\nclass Value:\n    data: float\n"
    layout.save("value.py", record)
    layout.run("from babygrad.value import Value\nold = Value(1)")
    layout.save("value.py", record + "    grad: float = 0.0\n")
    layout.run()
    assert layout["repr(Value(1, 2)), isinstance(old, Value)"] == ("Value(data=1, grad=2)", True)


def test_class_is_hashable_again_after_eq_was_removed(layout):
    layout.save("value.py", with_lines("def __eq__(self, other):", "    return True"))
    layout.run("from babygrad.value import Value\na = Value(1)")
    layout.save("value.py", VALUE)
    layout.run()
    assert layout["{a: 1}[a], a == Value(1)"] == (1, False)


def test_class_with_slots_is_filled_too(layout):
    slots = with_lines("__slots__ = ('data',)")
    layout.save("value.py", slots)
    layout.run("from babygrad.value import Value\na = Value(1)")
    layout.save("value.py", slots.replace('"old"', '"new"'))
    layout.run()
    assert layout["a.name(), a.data, type(a) is Value"] == ("new", 1, True)


def test_objects_follow_a_class_that_got_a_base_class(layout):
    based = NEW_VALUE.replace("class Value:", "class Base:\n        base = 'base'\n\n    class Value(Base):")
    layout.run("""
        from babygrad.value import Value
        class Mine(Value):
            pass
        a, kept, mine = Value(1), [Value(2)], Mine(3)
    """)
    layout.save("value.py", based)
    assert layout.run() == SAID
    assert layout["a.name(), kept[0].name(), mine.name(), Value(1).name()"] == ("new",) * 4
    assert layout["a.base, kept[0].base, mine.base"] == ("base",) * 3
    assert layout["isinstance(a, Value) and isinstance(mine, Value)"]


def test_objects_that_cannot_follow_are_mentioned(layout):
    layout.run("from babygrad.value import Value\na = Value(1)")
    layout.save("value.py", with_lines("__slots__ = ('data',)", source=NEW_VALUE))
    assert (
        layout.run()
        == SAID + "Value has different slots or base classes now: create your objects of that class again.\n"
    )
    assert layout["a.name(), Value(1).name()"] == ("old", "new")


# ------------------------------------------------------------------ several files


def test_several_files_are_named_in_one_line(layout):
    layout.run("from babygrad import Neuron, value")
    layout.save("value.py", NEW_VALUE)
    layout.save("scalar_nn.py", NEURON + "\n    again = True\n")
    layout.save("__init__.py", LAZY + "\n    again = True\n")
    listed = layout.run().removeprefix("Loaded your changes in ").removesuffix(".\n")
    assert sorted(listed.replace(" and ", ", ").split(", ")) == ["__init__.py", "scalar_nn.py", "value.py"]
    assert listed.count(" and ") == 1


def test_file_in_a_folder_of_the_package_is_named_with_its_folder(layout):
    layout.save("ops/__init__.py", "from .shape import f")
    layout.save("ops/shape.py", "def f():\n    return 1")
    layout.run("from babygrad.ops import f")
    layout.save("ops/shape.py", "def f():\n    return 2")
    assert layout.run("print(f())") == "Loaded your changes in ops/shape.py.\n2\n"


@pytest.mark.parametrize(("one", "other"), [("value", "tools"), ("tools", "value")])
def test_file_may_need_a_name_that_another_saved_file_defines(layout, one, other):
    layout.save("tools.py", "tool = 1")
    layout.run("from babygrad import tools, value")
    layout.save(f"{one}.py", f"from .{other} import triple")
    layout.save(f"{other}.py", "triple = 3")
    layout.run()
    assert layout[f"{one}.triple"] == 3


def test_operators_that_another_file_bound_stay_on_the_class(layout):
    layout.save("signs.py", "from .value import Value\nValue.__neg__ = lambda self: Value(-self.data)")
    layout.run("from babygrad.signs import Value\na = Value(1)")
    layout.save("value.py", NEW_VALUE)
    layout.run()
    assert layout["(-a).data, a.name()"] == (-1, "new")


def test_operators_that_are_bound_anew_reach_old_objects(layout):
    layout.save("signs.py", "from .value import Value\nValue.__neg__ = lambda self: Value(-self.data)")
    layout.run("from babygrad.signs import Value\na = Value(1)")
    layout.save("signs.py", "from .value import Value\nValue.__neg__ = lambda self: Value('minus')")
    layout.run()
    assert layout["(-a).data"] == "minus"


def test_new_name_in_the_table_of_the_package_can_be_used(layout):
    layout.run("import babygrad as bg\nold = bg.Value(1)")
    layout.save("__init__.py", LAZY.replace('"Neuron":', '"plus": "value", "Neuron":'))
    layout.save("value.py", VALUE + "\n    plus = Value.__add__\n")
    layout.run()
    assert layout["bg.plus(old, old).data, bg.value.Value is bg.Value"] == (2, True)


# ------------------------------------------------------------------ what was deleted


def test_deleted_function_is_gone_from_its_module_but_not_from_the_notebook(layout):
    layout.run("from babygrad import value\nfrom babygrad.value import double")
    layout.save("value.py", VALUE.split("def double")[0])
    layout.run()
    assert layout["hasattr(value, 'double'), double(1)"] == (False, 2)


def test_deleted_methods_and_attributes_are_gone_from_old_objects(layout):
    layout.save("value.py", with_lines("kind = 1", "@property", "def shape(self):", "    return ()"))
    layout.run("from babygrad.value import Value\na = Value(1)")
    layout.save("value.py", VALUE.replace("def name", "def other_name"))
    layout.run()
    assert layout["[hasattr(a, name) for name in ('name', 'kind', 'shape', 'other_name')]"] == [0, 0, 0, 1]


def test_method_that_the_notebook_put_on_the_class_stays(layout):
    layout.run("from babygrad.value import Value\nValue.mine = lambda self: 'mine'\na = Value(1)")
    layout.save("value.py", NEW_VALUE)
    layout.run()
    assert layout["a.mine(), a.name()"] == ("mine", "new")


# ------------------------------------------------------------------ when nothing is to be said


def test_nothing_is_said_when_nothing_was_saved(layout):
    layout.run("from babygrad import Neuron")
    assert layout.run() == layout.run() == ""


def test_nothing_is_said_when_only_the_time_of_a_file_changed(layout):
    layout.run("from babygrad.value import Value\nbefore = Value.name")
    layout.touch("value.py")
    assert layout.run() == ""
    assert layout["Value.name is before"]


def test_file_that_was_not_imported_is_imported_as_it_is(layout):
    layout.run("import babygrad as bg")
    layout.save("value.py", NEW_VALUE)
    assert layout.run("print(bg.Value(1).name())") == "new\n"
    assert layout.run() == ""


def test_looking_for_saved_files_looks_at_each_file_once_and_reads_none(layout):
    for number in range(20):
        layout.save(f"file{number}.py", VALUE)
        layout.run(f"import babygrad.file{number}")
    watch = reload.Watch(layout.shell)
    done = Counter()

    def count(frame, event, called):
        if event == "c_call":
            done[called.__name__] += 1

    sys.setprofile(count)
    watch.before_cell(None)
    sys.setprofile(None)
    assert done["stat"] == len(watch.texts) >= 20
    assert not done.keys() & {"open", "open_code", "read", "listdir", "scandir", "exec", "compile", "get_objects"}


def test_save_during_a_long_cell_is_seen_by_the_next_one(layout):
    layout.run("""
        from babygrad import value, Value
        import os, time, pathlib
        file = pathlib.Path(value.__file__)
        _ = file.write_text(file.read_text().replace("old", "newer"))
        os.utime(file, ns=(time.time_ns(), time.time_ns()))
    """)
    assert layout.run("print(Value(1).name())") == SAID + "newer\n"
    assert layout.run() == ""


# ------------------------------------------------------------------ files with a mistake


def test_syntax_error_keeps_the_last_good_code_and_says_where_it_is(layout):
    layout.run("from babygrad.value import Value\na = Value(1)")
    layout.save("value.py", VALUE.replace("Value(self.data + other.data)", "Value(self.data + (other.data"))
    said = f"value.py, line 6 has a syntax error: '(' was never closed. {STAYS}\n"
    assert layout.run("print(a.name())") == said + "    return Value(self.data + (other.data\nold\n"


def test_an_error_noticed_below_a_region_leads_to_the_region(layout):
    layout.run("from babygrad.value import Value")
    region = "# exercise 2.1\nif 1 < 2:\n# end of exercise 2.1\n"
    layout.save("value.py", region + VALUE.lstrip())
    assert layout.run().endswith(
        "Python notices it at line 4, which is the course's. The cause stands above it, in what you wrote for exercise "
        "2.1: see babygrad/value.py, line 2 and the lines before it.\n"
    )


def test_mistake_is_told_once_per_save(layout):
    layout.run("from babygrad.value import Value")
    layout.save("value.py", "def")
    assert "value.py, line 1" in layout.run()
    assert layout.run() == ""
    layout.save("value.py", "class")
    assert layout.run().endswith("\n    class\n")


def test_nothing_is_said_when_the_mistake_is_taken_back(layout):
    layout.run("from babygrad.value import Value")
    layout.save("value.py", "def")
    layout.run()
    layout.save("value.py", VALUE)
    assert layout.run("print(Value(1).name())") == "old\n"


def test_correcting_the_mistake_loads_the_file(layout):
    layout.run("from babygrad.value import Value\na = Value(1)")
    layout.save("value.py", "def")
    layout.run()
    layout.save("value.py", NEW_VALUE)
    assert layout.run("print(a.name())") == SAID + "new\n"


def test_file_that_raises_leaves_module_and_classes_exactly_as_they_were(layout):
    layout.run("from babygrad import value\na = value.Value(1)")
    module, cls = layout["dict(vars(value)), dict(vars(value.Value))"]
    layout.save("value.py", with_lines("more = 1", source=NEW_VALUE) + "\n    nunpy.zeros(3)\n")
    said = f"value.py, line 16 stopped with NameError: name 'nunpy' is not defined. {STAYS}\n"
    assert layout.run("print(a.name())") == said + "    nunpy.zeros(3)\nold\n"
    assert list(vars(layout["value"]).items()) == list(module.items())
    assert dict(vars(layout["value.Value"])) == cls


def test_line_of_the_package_is_shown_when_the_error_is_raised_elsewhere(layout):
    layout.run("from babygrad import value")
    layout.save("value.py", "import textwrap\nx = 1\ntextwrap.dedent(x)\n")
    assert layout.run().startswith("value.py, line 3 stopped with TypeError: ")


def test_exit_in_a_file_does_not_end_the_notebook(layout):
    layout.run("from babygrad.value import Value")
    layout.save("value.py", "import sys\nsys.exit()\n")
    said = layout.run("print(Value(1).name())")
    assert said == f"value.py, line 2 stopped with SystemExit. {STAYS}\n    sys.exit()\nold\n"


def test_python_makes_classes_as_before_whatever_a_file_did(layout):
    before = builtins.__build_class__
    layout.run("from babygrad.value import Value")
    for source in (NEW_VALUE, "def", "1 / 0"):
        layout.save("value.py", source)
        layout.run()
        assert builtins.__build_class__ is before


def test_file_that_is_no_text_is_told_in_words(layout):
    layout.run("from babygrad.value import Value")
    layout.save("value.py", b"x = '\xe9'\n")
    assert layout.run().startswith("value.py")
    assert layout["Value(1).name()"] == "old"


def test_mistake_in_one_file_does_not_hold_back_another(layout):
    layout.run("from babygrad import Neuron, value")
    layout.save("scalar_nn.py", "def")
    layout.save("value.py", NEW_VALUE)
    said = layout.run("print(*Neuron()())").splitlines()
    assert said[0] == SAID.strip()
    assert said[1].startswith("scalar_nn.py, line 1 has a syntax error")
    assert said[-1] == "new 2.5"
    layout.save("value.py", VALUE)
    assert layout.run() == SAID


def test_file_held_back_by_a_missing_name_is_loaded_when_the_name_comes(layout):
    layout.run("from babygrad import Neuron")
    layout.save("scalar_nn.py", NEURON.replace("Value, double", "Value, triple as double"))
    assert "stopped with ImportError: cannot import name 'triple'" in layout.run()
    layout.save("value.py", VALUE + "\n    triple = lambda x: 3 * x\n")
    assert layout.run() == "Loaded your changes in value.py and scalar_nn.py.\n"
    assert layout["Neuron()()[1]"] == 3


def test_tracebacks_show_the_new_lines_after_a_save(layout):
    layout.run("from babygrad.value import Value\nValue(1).name()")
    layout.save("value.py", VALUE.replace('return "old"', 'raise ValueError("told")  # my new line'))
    with pytest.raises(ValueError, match="told"):
        layout.run("Value(1).name()")
    assert "# my new line" in layout.capsys.readouterr().out


# ------------------------------------------------------------------ in a real kernel


def test_in_a_kernel_the_line_stands_before_the_output_of_the_cell(tmp_path):
    file = tmp_path / "babygrad" / "value.py"
    file.parent.mkdir()
    file.with_name("__init__.py").write_text(text(LAZY))
    file.write_text(text(VALUE))
    cells = [
        "import grader.notebook.reload as r; r.install(get_ipython())",
        "from babygrad import Value; a = Value(1)",
        f"from pathlib import Path; _ = Path({str(file)!r}).write_text({text(NEW_VALUE)!r})",
        "print(a.name())",
        "print(a.name())",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    env = dict(os.environ, PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]))
    NotebookClient(notebook, timeout=600, startup_timeout=600, coalesce_streams=True).execute(env=env)
    printed = ["".join(output.text for output in cell.outputs) for cell in notebook.cells]
    assert printed == ["", "", "", SAID + "new\n", "new\n"]
