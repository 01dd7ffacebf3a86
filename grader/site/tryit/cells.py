"""A notebook's cells, as the page shows them: which code runs in it, and what is shown as the course recorded it."""

import ast
import re
import symtable
from dataclasses import dataclass

MISSING = ("numpy", "matplotlib")  # packages that Python in the page does not have
BET = re.compile(r"# bet (?P<key>\S+)\n%bet\b.*", re.DOTALL)
NOTE = re.compile(r"%%note (?P<key>\S+).*", re.DOTALL)
CHECK = re.compile(r"%check (?P<exercise>\d+\.\d+)\s*")
LEFT_OUT = re.compile(r"%(load_ext|progress)\b")


@dataclass(frozen=True)
class Cell:
    """One cell.  kind: words, code, bet, note, check or bets.

    source: Markdown or code.  key: of a bet, note or check.  number: of code.  runs: the part of the code that runs in
    the page, if it is not all of it.  recorded: outputs of the rest, as the notebook has them.
    """

    kind: str
    source: str = ""
    key: str = ""
    number: int = 0
    runs: str | None = None
    recorded: tuple = ()


def cells(notebook):
    """The Cells of an executed notebook (its JSON)."""
    missing, number = set(), 0
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield Cell("words", source)
        elif found := BET.fullmatch(source) or NOTE.fullmatch(source):
            yield Cell("bet" if found.re is BET else "note", key=found["key"])
        elif found := CHECK.fullmatch(source):
            yield Cell("check", key=found["exercise"])
        elif source.startswith("%bets"):
            yield Cell("bets")
        elif not LEFT_OUT.match(source) and "open_course" not in source:
            number += 1
            runs, left_out = split(source, missing)
            recorded = tuple(_recorded(cell["outputs"], runs, left_out)) if left_out else ()
            yield Cell("code", source, number=number, runs=runs if left_out else None, recorded=recorded)


def split(source, missing):
    """The code that runs without MISSING, and the statements that do not.

    missing: names that stand for nothing in the page; those that these statements bind are added to it.
    """
    kept, left_out, lines = [], [], source.splitlines()
    for statement in ast.parse(source).body:
        first = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", ()))])
        text = "\n".join(lines[first - 1 : statement.end_lineno])
        bound, read = _names(symtable.symtable(text, "cell", "exec"))
        needs = bool((read - bound) & missing) or _imports(statement)
        (left_out if needs else kept).append(text)
        (missing.update if needs else missing.difference_update)(bound)
    return "\n".join(kept), left_out


def _imports(statement):
    """Whether a statement imports a package that is missing."""
    if isinstance(statement, ast.ImportFrom):
        return not statement.level and (statement.module or "").split(".")[0] in MISSING
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


def _recorded(outputs, runs, left_out):
    """Outputs that only the code left out can have made: pictures, and what is printed if nothing else prints."""
    prints = any("print(" in text for text in left_out) and "print(" not in runs
    for output in outputs:
        if "image/png" in output.get("data", {}) or (prints and output["output_type"] == "stream"):
            yield output
