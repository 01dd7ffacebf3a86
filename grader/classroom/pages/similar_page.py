"""similar.html: for the teacher alone, whose answers are alike, with both texts side by side."""

from ...course.atomic import write_atomically
from ...html.pages import render
from . import words


def write(out, context):
    """Write out/similar.html.  context["similar"]: a Similar, as similar/compare.py finds it."""
    write_atomically(out / "similar.html", html(context))


def html(context):
    """The page."""
    return render(
        "similar.html",
        title=f"{context['course']['course']}: similar hand-ins",
        context=context,
        similar=context["similar"],
        words=words,
    )
