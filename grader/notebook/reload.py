"""After a file of the package was saved, the next cell of a notebook runs on the new code.

The saved file runs again in the module that is there, and each of its class statements gives back the class
that was there, filled with the new body. So hardly anything has to be searched for: every object, subclass,
list and import that knows the class goes on with the new methods, and isinstance stays true. A function also
stays the object it was, and gets the new code. Other modules do not run again: their state is not touched. (A
plain number or text that was imported by name stays what it was, as always in Python.)

IPython.extensions.autoreload is not used: it moves objects to a new class while the notebook's name goes on
meaning the old one, so isinstance fails, and its functions are not a public interface (IPython 9 rewrote them).
"""

import builtins
import gc
import linecache
import sys
import time
import traceback
from abc import ABCMeta
from dataclasses import dataclass
from importlib.util import module_from_spec
from pathlib import Path
from types import CellType, CodeType, FunctionType, GetSetDescriptorType, MemberDescriptorType

from ..checking.advice import noticed_at
from ..course.phrases import listed

PACKAGE = "babygrad"
FUNCTION_PARTS = ("__code__", "__defaults__", "__kwdefaults__", "__doc__", "__annotations__")
# Python puts these on a class by itself: the first for __eq__ without __hash__, the second since 3.14.
MADE_BY_PYTHON = ("__hash__", "__annotations_cache__")


def install(shell):
    """From now on each cell of this shell runs on the files as they were last saved."""
    watch = Watch(shell)
    shell.events.register("pre_run_cell", watch.before_cell)
    shell.events.register("post_run_cell", watch.after_cell)


def name_in_package(path):
    """value.py or ops/shape.py for a file of the imported package, None for any other file."""
    for folder in getattr(sys.modules.get(PACKAGE), "__path__", ()):
        if Path(path).is_relative_to(folder):
            return Path(path).relative_to(folder).as_posix()
    return None


@dataclass
class Text:
    """What a module's file said when it was last read, and what the module runs: the same or an older text.

    stamp: time and size of the file.  Without stamp and source it is not known what the module runs.
    """

    stamp: tuple | None
    source: bytes | None
    running: bytes


class Watch:
    """Knows what the files of the loaded modules said, and runs those that were saved since."""

    def __init__(self, shell):
        self.shell = shell
        self.texts = {}
        self.cell_began = time.time_ns()
        self.meet_new_modules()

    def before_cell(self, info):
        self.meet_new_modules()
        saved = [module for module, text in self.texts.items() if _was_saved(module, text)]
        if saved:
            self.load(saved)
            self.meet_new_modules()
        self.cell_began = time.time_ns()

    def after_cell(self, result):
        self.meet_new_modules()

    def meet_new_modules(self):
        modules = [module for name, module in list(sys.modules.items()) if _is_watched(name, module)]
        self.texts = {module: self.texts.get(module) or self.first_text(module) for module in modules}

    def first_text(self, module):
        """A file that was saved while the cell ran may be newer than what the cell imported."""
        stamp = _stamp(module)
        if stamp is None or self.cell_began <= stamp[0] <= time.time_ns():
            return Text(None, None, b"")
        source = Path(module.__file__).read_bytes()
        return Text(stamp, source, source)

    def load(self, saved):
        """Run the saved files, and those that failed before; say which were loaded and what went wrong."""
        waiting = [module for module, text in self.texts.items() if text.source not in (None, text.running)]
        loaded, errors, replaced = [], {}, {}
        while waiting:  # a file may need what another one defines: after the others it gets another try
            errors = {module: error for module in waiting if (error := self.run(module, replaced))}
            loaded += [module for module in waiting if module not in errors]
            if len(errors) == len(waiting):
                break
            waiting = list(errors)
        left_behind = self.put_in_place(replaced)
        if loaded:
            print(f"Loaded your changes in {_listed(loaded)}.")
        for name in left_behind:
            print(f"{name} has different slots or base classes now: create your objects of that class again.")
        for module in saved:
            if module in errors:
                print(_in_words(errors[module], module))

    def run(self, module, replaced):
        text = self.texts[module]
        rerun = Rerun(module, text)
        error = rerun.run()
        if error is None:
            text.running = text.source
            replaced.update(rerun.replaced)
        return error

    def put_in_place(self, replaced):
        """Put functions and classes that are new objects in place of the old ones, in notebook and package.

        Gives the names of classes whose objects could not follow.
        """
        by_id = {id(old): new for old, new in replaced.items()}
        for namespace in [self.shell.user_ns, *map(vars, self.texts)]:
            for name, value in list(namespace.items()):
                if id(value) in by_id:
                    namespace[name] = by_id[id(value)]
        return [old.__name__ for old, new in replaced.items() if not _objects_follow(old, new)]


class Rerun:
    """One more run of a module's file, in the same module."""

    def __init__(self, module, text):
        self.module = module
        self.text = text
        self.before = dict(vars(module))
        self.bodies = _names_in_classes(text.running)
        self.filled = []  # (class, its attributes before)
        self.replaced = {}  # old definition: new one, if it could not stay the same object

    def run(self):
        """None if it went well. Otherwise the error that stopped it, and everything is as it was."""
        self.build_class = builtins.__build_class__
        builtins.__build_class__ = self.class_statement
        try:
            code = compile(self.text.source, self.module.__file__, "exec", dont_inherit=True)
            self.forget_names()
            exec(code, vars(self.module))
            self.keep_definitions()
        except BaseException as error:  # a sys.exit() in the file must not end the notebook
            self.undo()
            return error
        finally:
            builtins.__build_class__ = self.build_class

    def forget_names(self):
        """So that what was deleted from the file is gone. The modules inside a package stay."""
        prefix = self.module.__name__ + "."
        inside = {name: value for name, value in self.before.items() if prefix + name in sys.modules}
        as_created = vars(module_from_spec(self.module.__spec__))
        vars(self.module).clear()
        vars(self.module).update(as_created, **inside)

    def class_statement(self, body, name, *bases, **keywords):
        """What Python calls for `class name(bases): body` while the file runs."""
        new = self.build_class(body, name, *bases, **keywords)
        old = self.before.get(name)
        in_this_file = body.__globals__ is vars(self.module) and body.__qualname__ == name
        if not (in_this_file and _can_become(old, new)):
            return new
        self.filled.append((old, dict(vars(old))))
        _fill(old, vars(new), gone=[key for key in vars(old) if self.comes_from_file(old, key)])
        self.bodies[name] = tuple(vars(new))
        if "__class__" in body.__code__.co_cellvars:  # super() in a method looks in this cell
            for cell in gc.get_referrers(new):
                if isinstance(cell, CellType):
                    cell.cell_contents = old
        return old

    def comes_from_file(self, cls, key):
        """Not what other files or the notebook put on the class (operators, an experiment): that stays."""
        made_here = getattr(vars(cls)[key], "__module__", None) == cls.__module__
        return made_here or key in self.bodies.get(cls.__name__, ()) or key in MADE_BY_PYTHON

    def keep_definitions(self):
        namespace = vars(self.module)
        for name, old in self.before.items():
            new = namespace.get(name, old)
            if new is old or not _is_definition(old, name, self.module):
                continue
            if _take_code(old, new):
                namespace[name] = old
            else:
                self.replaced[old] = new

    def undo(self):
        for cls, attributes in reversed(self.filled):
            _fill(cls, attributes, gone=list(vars(cls)))
        vars(self.module).clear()
        vars(self.module).update(self.before)


def _is_watched(name, module):
    inside = name == PACKAGE or name.startswith(PACKAGE + ".")
    return inside and str(getattr(module, "__file__", None)).endswith(".py")


def _stamp(module):
    try:
        status = Path(module.__file__).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _was_saved(module, text):
    """Read the file again if it was saved since the last time."""
    stamp = _stamp(module)
    if stamp in (None, text.stamp):
        return False
    text.stamp, text.source = stamp, Path(module.__file__).read_bytes()
    return True


def _names_in_classes(source):
    """For each class of a file the names in its body: all that it sets are among them."""
    constants = compile(source, PACKAGE, "exec", dont_inherit=True).co_consts
    return {code.co_name: code.co_names for code in constants if isinstance(code, CodeType)}


def _can_become(old, new):
    """Can the old class take over the body of the new one?"""
    if type(old) is not type(new) or type(new) not in (type, ABCMeta):
        return False
    same_place = old.__module__ == new.__module__
    same_slots = vars(old).get("__slots__") == vars(new).get("__slots__")
    return same_place and same_slots and old.__bases__ == new.__bases__


def _fill(cls, attributes, gone):
    for name in gone:
        if name not in attributes:
            delattr(cls, name)
    for name, value in attributes.items():
        if not isinstance(value, GetSetDescriptorType | MemberDescriptorType):  # these belong to the slots
            setattr(cls, name, value)


def _is_definition(thing, name, module):
    """A class or function of this module under its own name: neither imported nor a second name for it."""
    named = (getattr(thing, "__module__", None), getattr(thing, "__name__", None))
    return callable(thing) and named == (module.__name__, name)


def _take_code(old, new):
    """Give the old function the new code; False if they are not two plain functions of one file."""
    if not (isinstance(old, FunctionType) and isinstance(new, FunctionType)):
        return False
    if old.__globals__ is not new.__globals__ or old.__closure__ or new.__closure__:
        return False
    for part in FUNCTION_PARTS:
        setattr(old, part, getattr(new, part))
    vars(old).clear()
    vars(old).update(vars(new))
    return True


def _objects_follow(old, new):
    """Make the objects and subclasses of a replaced class those of the new one, where Python allows it."""
    if not (isinstance(old, type) and isinstance(new, type)):
        return True
    try:
        for thing in gc.get_referrers(old):
            if type(thing) is old:
                object.__setattr__(thing, "__class__", new)
        for subclass in old.__subclasses__():
            subclass.__bases__ = tuple(new if base is old else base for base in subclass.__bases__)
    except TypeError:
        return False
    return True


def _listed(modules):
    return listed(name_in_package(module.__file__) or Path(module.__file__).name for module in modules)


def _in_words(error, module):
    """One line that says what is wrong and where, and below it the learner's own line."""
    path, number = _place(error, module)
    if isinstance(error, SyntaxError):
        what = f"has a syntax error: {error.msg}"
    else:
        what = f"stopped with {traceback.format_exception_only(error)[-1].splitlines()[0]}"
    where = name_in_package(path) or Path(path).name
    line = f", line {number}" if number else ""
    linecache.checkcache(path)
    own_line = linecache.getline(path, number or 0).strip()
    said = f"{where}{line} {what.rstrip('.')}. The notebook keeps using the last version that worked."
    above = noticed_at(path, number, where) if isinstance(error, SyntaxError) else ""
    return "\n".join(filter(None, [said, own_line and f"    {own_line}", above]))


def _place(error, module):
    """(path, line) of the error: the last of its lines that is in the package."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    ours = [(frame.filename, frame.lineno) for frame in frames if name_in_package(frame.filename)]
    return ours[-1] if ours else (module.__file__, None)
