"""A notebook's cells, as the page shows them: which code runs in it, and what is shown as the course recorded it."""

import ast
import re
import symtable
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MISSING = ("numpy", "matplotlib")  # packages that Python in the page does not have
# What of the course is of no use without them: all that a module has, or these names.
NEED_THEM = ("toolbox.films.boundaries",)
NAMES_THAT_NEED_THEM = {
    "toolbox": {"make_moons", "playground", "plot_decision_boundary", "plot_losses"},
    "babygrad.scalar_nn": {"MLP", "Layer", "Neuron", "fit", "minibatches"},
}
PREDICTION = re.compile(r"# prediction (?P<key>\S+)\n%predict\b.*", re.DOTALL)
NOTE = re.compile(r"%%note (?P<key>\S+).*", re.DOTALL)
CHECK = re.compile(r"%check (?P<exercise>\d+\.\d+)\s*")
LEFT_OUT = re.compile(r"%(load_ext|progress|quiz)\b")


@dataclass(frozen=True)
class Cell:
    """One cell.  kind: words, code, prediction, note, check or predictions.

    source: Markdown or code.  key: of a prediction, note or check.  number: of code.  runs: what of the code runs in
    the page, if it is not all of it.  recorded: outputs of the rest, as the notebook has them.  cut: imports of what
    the page lacks are not in the source.
    """

    kind: str
    source: str = ""
    key: str = ""
    number: int = 0
    runs: str | None = None
    recorded: tuple = ()
    cut: bool = False


def cells(notebook):
    """The Cells of an executed notebook (its JSON)."""
    missing, number = set(), 0
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield Cell("words", in_the_page(source))
        elif found := PREDICTION.fullmatch(source) or NOTE.fullmatch(source):
            yield Cell("prediction" if found.re is PREDICTION else "note", key=found["key"])
        elif found := CHECK.fullmatch(source):
            yield Cell("check", key=found["exercise"])
        elif source.startswith("%predictions"):
            yield Cell("predictions")
        elif not LEFT_OUT.match(source) and "open_course" not in source:
            runs, left_out = split(source, missing)
            cut = bool(left_out) and all(map(_only_imports, left_out))
            if cut and not runs:
                continue
            number += 1
            if cut:
                yield Cell("code", runs, number=number, cut=True)
                continue
            recorded = tuple(_recorded(cell["outputs"], runs)) if left_out else ()
            yield Cell("code", source, number=number, runs=runs if left_out else None, recorded=recorded)


def split(source, missing):
    """The code that runs without MISSING, and the statements that do not.

    missing: names that stand for nothing in the page; those that these statements bind are added to it.
    """
    kept, left_out, lines, above = [], [], source.splitlines(), 0
    for statement in ast.parse(source).body:
        first = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", ()))])
        text = "\n".join(lines[first - 1 : statement.end_lineno])
        gap, above = lines[above : first - 1], statement.end_lineno
        if without := _names_that_need_them(statement):
            left_out.append(text)
            missing.update(without)
            text = _import_of_others(statement, without)
            if not text:
                continue
        bound, read = _names(symtable.symtable(text, "cell", "exec"))
        # a function reads itself; in xs = xs + 1 it is before
        own = set() if isinstance(statement, ast.Assign) else bound
        needs = bool((read - own) & missing) or _imports(statement)
        (left_out if needs else kept).append(text if needs else "\n".join([*gap, text]))
        (missing.update if needs else missing.difference_update)(bound | _grown(statement) if needs else bound)
    return "\n".join(kept).strip("\n"), left_out


def _only_imports(code):
    return all(isinstance(statement, (ast.Import, ast.ImportFrom)) for statement in ast.parse(code).body)


def _grown(statement):
    """Names of lists that a statement puts something into."""
    calls = [each.func for each in ast.walk(statement) if isinstance(each, ast.Call)]
    found = [each.value for each in calls if isinstance(each, ast.Attribute) and each.attr in ("append", "extend")]
    return {each.id for each in found if isinstance(each, ast.Name)}


def _names_that_need_them(statement):
    """What a statement imports from the course and the page has no use for."""
    if not isinstance(statement, ast.ImportFrom):
        return set()
    return {each.name for each in statement.names} & NAMES_THAT_NEED_THEM.get(statement.module, set())


def _import_of_others(statement, without):
    """The same import without these names; "" if there are no others."""
    names = [each for each in statement.names if each.name not in without]
    return ast.unparse(ast.ImportFrom(statement.module, names, 0)) if names else ""


def _imports(statement):
    """Whether a statement imports a package that is missing, or what is made of it."""
    if isinstance(statement, ast.ImportFrom):
        module = statement.module or ""
        return not statement.level and (module.split(".")[0] in MISSING or module in NEED_THEM)
    return isinstance(statement, ast.Import) and any(each.name.split(".")[0] in MISSING for each in statement.names)


def _names(table):
    """The global names that a statement binds, and those that it reads, in functions too."""
    symbols = table.get_symbols()
    bound = {each.get_name() for each in symbols if each.is_assigned() or each.is_imported() or each.is_namespace()}
    read = {each.get_name() for each in symbols if each.is_referenced()}
    inside = [_global_reads(child) for child in table.get_children()]
    return bound, read.union(*inside)


def _global_reads(table):
    own = {each.get_name() for each in table.get_symbols() if each.is_global()}
    return own.union(*map(_global_reads, table.get_children()))


def _recorded(outputs, runs):
    """Outputs that only the code left out can have made: plots, and what is printed or drawn if nothing else can."""
    for output in outputs:
        data = output.get("data", {})
        if "image/png" in data or (("text/html" in data or output["output_type"] == "stream") and not _calls(runs)):
            yield output


def _calls(source):
    """Whether the code calls anything, other than in functions that it only defines."""
    done = [each for each in ast.parse(source).body if not isinstance(each, (ast.FunctionDef, ast.ClassDef))]
    return any(isinstance(each, ast.Call) for statement in done for each in ast.walk(statement))


def in_the_page(markdown):
    """The Markdown of a cell as the page says it."""
    for pattern, instead in rules():
        markdown = pattern.sub(instead, markdown)
    return markdown


@cache
def rules():
    """(pattern of what a notebook says, what the page says instead) of each rule in words.toml."""
    found = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))["instead"]
    return [(re.compile(rule["of"].replace(" ", r"\s+")), rule["say"]) for rule in found]
