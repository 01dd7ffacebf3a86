"""How a check of gradients ended: what questions about check_rule and gradgradcheck have in common."""

from ..asking.describe import describe
from ..course.stub_message import is_stub

RETURNED, RAISED = "it returned True", "it raised GradcheckError"


def ended(bg, check, *arguments, **options):
    """How a check of gradients ended, in words that do not depend on its own; and what it said."""
    try:
        returned = check(*arguments, **options)
    except Exception as error:
        if is_stub(error):
            raise
        own = isinstance(error, bg.GradcheckError)
        return RAISED if own else f"it raised {type(error).__name__}", str(error)
    return RETURNED if returned is True else f"it returned {describe(returned)}", ""
