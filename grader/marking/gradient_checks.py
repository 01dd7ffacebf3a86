"""How several checks of gradients ended, compared. What is asked stands in probes/gradient_checks.py."""

from ..asking.describe import describe
from ..probes.gradient_checks import RAISED, RETURNED

SHOULD = {RETURNED: "it should return True", RAISED: "it should raise a GradcheckError"}


def ended_well(expected, got):
    """The comparison for several checks of rules, each of which had to end in one way."""
    for name, want in expected.items():
        have = got.get(name)
        if name != "asked" and not (isinstance(have, str) and have == want):
            have = have if isinstance(have, str) and have else f"the answer is {describe(have)}"
            said = said_about(name, got)
            told = f", saying {describe(said[:200])}" if isinstance(said, str) and said else ""
            return f"For {name} {have}{told}; {SHOULD[want]}."
    return None


def said_about(name, got):
    """What a check said, beside the answers; None if it cannot be found."""
    asked = got.get("asked")
    return asked.get(name) if isinstance(asked, dict) else None
