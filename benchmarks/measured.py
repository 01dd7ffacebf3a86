"""What `make bench` measured last, in measured.json: ratios, the machine, the date. README.md quotes it."""

import json
from datetime import date
from pathlib import Path

from . import machine

FILE = Path(__file__).with_suffix(".json")


def read():
    """{part: {"date", "machine", "measured": its MEASURED}}."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def keep(name, module):
    """Write down what a part measured, if it is one whose figures are quoted."""
    if hasattr(module, "MEASURED"):
        parts = read() if FILE.exists() else {}
        parts[name] = {"date": str(date.today()), "machine": machine.line(), "measured": module.MEASURED}
        FILE.write_text(json.dumps(parts, indent=1) + "\n", encoding="utf-8")
