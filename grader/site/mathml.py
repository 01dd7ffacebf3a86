"""Formulas: LaTeX becomes MathML, which browsers draw themselves. No script, no fonts."""

import html


def mathml(latex, block=False):
    """The <math> element of a formula, as text.  block: on a line of its own."""
    from latex2mathml.converter import convert

    # What a reader without pictures hears, and what a copy gives, where MathML is not understood.
    made = convert(latex.strip(), display="block" if block else "inline")
    return made.replace("<math ", f'<math alttext="{html.escape(latex.strip())}" ', 1)
