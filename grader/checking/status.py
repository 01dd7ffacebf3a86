"""What a check may find of an exercise: each status in words, and the kind that pages count and colour it as."""

from typing import NamedTuple


class Status(NamedTuple):
    words: str
    kind: str


STATUSES = {
    "passed": Status("passed", "passed"),
    "failed": Status("failed", "failed"),
    "error": Status("error", "stopped"),
    "timeout": Status("timeout", "stopped"),
    "crashed": Status("crashed", "stopped"),
    "given": Status("given", "given"),
    "not_started": Status("not started", "waiting"),
}
# What a page says of each kind, in the order of its bars. Their colours are in templates/palette.html.
KINDS = {"passed": "passed", "failed": "failed", "stopped": "stopped", "given": "filled in", "waiting": "not begun"}
