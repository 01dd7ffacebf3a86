"""A softmax while one of its logits moves."""

import numpy as np

from ..player.player import Frame, Player
from ..player.stage import Stage, side_by_side
from .curves import legend, looks, until, up_to

CAPTION = "Look at the bars whose logits stay the same. And where does the moving one grow fastest?"


def one_logit_moves(softmax, jacobian, logits=(1.0, 2.0, 4.0), low=-4.0, high=4.0, frames=33):
    """A Player: the last logit goes from low to high, the others stay.

    softmax: gives a batch of rows (N, C) their probabilities, softmax_rows.
    jacobian: gives the Jacobian of one row of probabilities, softmax_jacobian.
    logits: those of one row, two at least; the last one moves.
    """
    moving = np.linspace(low, high, frames)
    rows = np.array([[*logits[:-1], logit] for logit in moving])
    p = np.vstack([softmax(row[None]) for row in rows])
    rates = [float(jacobian(row)[-1, -1]) for row in p]
    bars, curves = stages(moving, p)
    told = [sentence(row, found, rate) for row, found, rate in zip(rows, p, rates)]
    told[int(np.argmax(rates))] += " Here it grows fastest."
    shots = [Frame(told[n], labels(p[n]), moved=moved(n, moving, p, bars, curves)) for n in range(frames)]
    title = f"The last of {len(logits)} logits goes from {low:g} to {high:g}"
    return Player(title, shots, side_by_side([bars, curves]), caption=CAPTION, pace=0.5)


def sentence(logits, p, rate):
    """Such as: Logits 1, 2, 4: probabilities 0.042, 0.114, 0.844; p₁ is 2.72 times p₀. p₂ grows by 0.132 per unit."""
    given = ", ".join(f"{logit:g}" for logit in logits)
    found = ", ".join(f"{each:.3f}" for each in p)
    ratio = f"; p₁ is {p[1] / p[0]:.2f} times p₀" if len(p) > 2 else ""
    grows = f"{name(len(p) - 1)} grows by {rate:.3f} for each unit of its logit."
    return f"Logits {given}: probabilities {found}{ratio}. {grows}"


def name(index):
    """Such as p₂."""
    return "p" + "".join(chr(ord("₀") + int(digit)) for digit in str(index))


def stages(moving, p):
    """The bars of now, and the curves so far."""
    low, high, count = moving[0], moving[-1], p.shape[1]
    bars = Stage("The probabilities", (-0.6, count - 0.4), (0, 1.1), xlabel="class")
    curves = Stage("The same, so far", (low, high), (0, 1.1), xlabel="the last logit")
    until(curves, "curves", [(zip(moving, p[:, index]), *looks(index)[:2]) for index in range(count)])
    for index in range(count):
        colour, _, marker = looks(index)
        bars.bar(index, 0, p[0, index], f"bar{index}", width=60, colour=colour)
        bars.words(index, p[0, index] + 0.03, "", f"p{index}", anchor="middle")
        curves.dot(low, p[0, index], f"dot{index}", colour=colour, marker=marker)
    legend(curves, [name(index) for index in range(count)], "upper left")
    return bars, curves


def labels(p):
    """What stands above the bars."""
    return {f"p{index}": f"{each:.3f}" for index, each in enumerate(p)}


def moved(frame, moving, p, bars, curves):
    """Where everything is in a frame."""
    there = {"curves": up_to(curves, moving[frame])}
    for index, each in enumerate(p[frame]):
        there[f"bar{index}"] = bars.size_to(0, each)
        there[f"p{index}"] = bars.to(index, each + 0.03)
        there[f"dot{index}"] = curves.to(moving[frame], each)
    return there
