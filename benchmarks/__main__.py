"""python -m benchmarks [checks scalar engine]: print each table."""

import sys

from . import checks, engine, machine, scalar_engine

PARTS = {"checks": checks.main, "scalar": scalar_engine.main, "engine": engine.main}


def main(names):
    unknown = set(names) - PARTS.keys()
    if unknown:
        print(f"There is no benchmark {' or '.join(sorted(unknown))}. There are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    print(machine.line())
    results = [PARTS[name]() for name in names or PARTS]
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
