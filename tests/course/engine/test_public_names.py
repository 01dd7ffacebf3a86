"""What public_names.py promises is there, in both packages: the names and their signatures."""

import inspect
import runpy
from contextlib import nullcontext
from pathlib import Path
from pkgutil import resolve_name

import pytest

import toolbox
from grader.course.packages import private_copy
from grader.course.paths import LEARNER, REFERENCE

NAMES = runpy.run_path(str(Path(__file__).with_name("public_names.py")))


@pytest.fixture(scope="module", params=[REFERENCE, LEARNER, None], ids=["reference", "learner's package", "toolbox"])
def package(request):
    if request.param is None:
        pytest.importorskip("torch", reason="torch_bridge is one of the toolbox's files")
    with private_copy(request.param) if request.param else nullcontext(toolbox) as package:
        yield package


@pytest.fixture
def promises(package):
    return list(NAMES["promises"](*[NAMES["OF_THE_TOOLBOX"]] * (package is toolbox)))


def found(package, dotted):
    return resolve_name(f"{package.__name__}.{dotted}")


def is_method(dotted):
    """Value.exp, not ops.exp: what stands before the last dot is a class."""
    return dotted.count(".") > 0 and dotted.split(".")[-2][0].isupper()


def signature_of(package, dotted):
    """As whoever calls it sees it: without self."""
    thing = found(package, dotted)
    signature = inspect.signature(thing)
    parameters = list(signature.parameters.values())[is_method(dotted) :]
    return [(p.name, p.kind, p.default) for p in parameters]


def parsed(signature):
    function = eval(f"lambda {signature[1:-1]}: 0")
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]


def test_a_name_that_is_missing_is_noticed(package):
    for name in ("Nothing", "Tensor.nothing", "ops.nothing"):
        with pytest.raises(AttributeError):
            found(package, name)


def test_every_name_is_there_with_the_promised_signature(package, promises):
    others = {}
    for name, signature in promises:
        if signature and signature_of(package, name) != parsed(signature):
            others[name] = str(inspect.signature(found(package, name)))
        found(package, name)
    assert others == {}


def test_everything_promised_has_a_docstring(package, promises):
    assert [name for name, _ in promises if not (inspect.getdoc(found(package, name)) or "").strip()] == []


def test_the_shown_names_are_found_by_completion(package, promises):
    for name, _ in promises:
        head, *rest = name.split(".")
        assert head in dir(package)
        assert not rest or rest[-1] in dir(found(package, name.rpartition(".")[0]))


def test_every_operation_is_a_function_with_a_docstring(package):
    for name in () if package is toolbox else package.ops.__all__:
        thing = getattr(package.ops, name)
        assert callable(thing) and thing.__doc__, name
        assert not inspect.isclass(thing) or issubclass(thing, package.Function)


def test_no_public_name_is_promised_twice(promises):
    names = [name for name, _ in promises]
    assert len(names) == len(set(names))
