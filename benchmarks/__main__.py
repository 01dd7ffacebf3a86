"""python -m benchmarks [checks scalar engine runs ...]: print each table; with no name, all."""

import sys
from importlib import import_module
from pathlib import Path

from . import machine, measured

FILES = {
    "checks": "checks",
    "scalar": "scalar_engine",
    "engine": "engine",
    "runs": "training_runs",
    "language": "language",
    "reading": "reading",
    "versus": "versus_pytorch",
    "players": "players",
    "grading": "grading",
    "playground": "playground",
}
HERE = Path(__file__).parent
PARTS = {name: file for name, file in FILES.items() if (HERE / f"{file}.py").exists()}


def main(names):
    unknown = set(names) - PARTS.keys()
    if unknown:
        print(f"There is no benchmark {' or '.join(sorted(unknown))}. There are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    print(machine.line())
    results = [printed(name) for name in names or PARTS]
    return 0 if all(results) else 1


def printed(name):
    """Print a part's table, and keep its figures if README.md quotes them.  Returns whether its promises are kept."""
    module = part(name)
    kept = module.main()
    measured.keep(name, module)
    return kept


def part(name):
    """The file with this table. No other is imported: one that is broken stops only its own."""
    return import_module(f".{PARTS[name]}", __package__)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
