"""One query of attention: its scores, divided, masked, made weights, and the values mixed with them."""

import numpy as np

from babygrad.tensor import Tensor

from ..drawing.colours import LINES
from ..player.player import Frame, Player
from ..player.stage import Stage, side_by_side

CAPTION = "Look at the last bar: when does it go? And where does the walk among the values end?"
HIGH, WIDE = 230, 260  # pixels of a panel


def one_query_looks(weights_of, attention, query, key, value, mask, at):
    """A Player: what the query of one position does.

    weights_of, attention: attention_weights and scaled_dot_product_attention; they say the weights and the mixture.
    query, key: (length, d), value: (length, 2), lists of rows.  mask: (length, length), truth values.
    at: the position that looks.
    """
    query, key, value = (np.array(rows, float) for rows in (query, key, value))
    seen = np.asarray(mask, bool)[at]
    rows = [Tensor(numbers, requires_grad=False) for numbers in (query, key, value)]
    weights, mixture = weights_of(*rows[:2], mask).data[at], attention(*rows, mask).data[at]
    scores = key @ query[at]
    panels = drawn(at, scores, value)
    frames = [
        Frame(f"Position {at} looks. Its query is {row(query[at])}, and it meets each key.", texts=names(len(key))),
        *compared(query[at], key, scores, panels[0]),
        *scaled_and_masked(scores / np.sqrt(len(query[at])), len(query[at]), seen, panels[0]),
        shared_out(weights, panels[1]),
        *mixed(at, weights, value, mixture, seen, panels[2]),
    ]
    return Player(f"Position {at} looks at {len(key)} positions", frames, side_by_side(panels), caption=CAPTION)


def row(numbers, digits=""):
    """Such as (2, 1), or with digits ".2f" (5.02, 4.00)."""
    return f"({', '.join(format(number, digits or 'g') for number in numbers)})"


def drawn(at, scores, value):
    """The three panels: scores, weights, values."""
    places, size = (-0.6, len(scores) - 0.4), {"wide": WIDE, "high": HIGH}
    low, high = min(0, 1.2 * scores.min()), max(1, 1.2 * scores.max())
    bars = Stage(f"Scores of query {at}", places, (low, high), xlabel="position looked at", **size)
    shares = Stage("Weights", places, (0, 1.15), xlabel="position looked at", **size)
    low, high = min(0, value.min()), max(1, value.max())
    room = 0.22 * (high - low)  # for the words
    reach = low - room, high + room
    plane = Stage("Values, mixed step by step", reach, reach, **size)
    for stage, name in ((bars, "score"), (shares, "weight")):
        for place in range(len(scores)):
            stage.bar(place, 0, 0, f"{name}{place}", width=26, colour=LINES[0])
            stage.words(place, 0, "", f"{name}_of{place}", anchor="middle")
    for place, (x, y) in enumerate(value):
        plane.dot(x, y, colour=LINES[0], marker="s")
        plane.words(x, y + 0.25 * room, f"value {place}", anchor="middle")
    plane.curve([(0, 0)] * (len(value) + 1), "walk", colour=LINES[1], width=3)
    plane.dot(0, 0, "here", colour=LINES[1], marker="o", r=6)
    return bars, shares, plane


def names(count):
    """Nothing stands above the bars at first."""
    return {f"{name}_of{place}": "" for name in ("score", "weight") for place in range(count)}


def bar(stage, name, place, number, words):
    """(texts, moved) for a bar of this height, and the words above it."""
    above = stage.to(place, max(0, number) + 0.03 * (stage.y.high - stage.y.low))
    key = f"{name}_of{place}"
    return {key: words}, {f"{name}{place}": stage.size_to(0, number), key: above}


def bars_of(stage, name, numbers, words):
    """(texts, moved) for all bars."""
    texts, moved = {}, {}
    for place, (number, said) in enumerate(zip(numbers, words)):
        for all_of, one in zip((texts, moved), bar(stage, name, place, number, said)):
            all_of |= one
    return texts, moved


def compared(query, key, scores, stage):
    """A frame for each key."""
    for place, (each, score) in enumerate(zip(key, scores)):
        sum_of = " + ".join(f"{a:g} · {b:g}" for a, b in zip(query, each))
        texts, moved = bar(stage, "score", place, score, f"{score:g}")
        yield Frame(f"Key {place} is {row(each)}. The inner product: {sum_of} = {score:g}.", texts, moved=moved)


def scaled_and_masked(scores, d, seen, stage):
    """Two frames: divided by the root of d, then without what is hidden."""
    words = [f"{score:.2f}" for score in scores]
    texts, moved = bars_of(stage, "score", scores, words)
    yield Frame(f"Divided by the root of {d}, for there are {d} features: {', '.join(words)}.", texts, moved=moved)
    hidden = [place for place, may in enumerate(seen) if not may]
    if hidden:
        places = ", ".join(map(str, hidden))
        texts, moved = bars_of(stage, "score", np.where(seen, scores, 0), np.where(seen, words, "-inf"))
        yield Frame(f"The mask hides what comes later. Score {places} becomes -inf.", texts, moved=moved)


def shared_out(weights, stage):
    words = [f"{weight:.3f}" for weight in weights]
    texts, moved = bars_of(stage, "weight", weights, words)
    return Frame(f"Softmax: the weights {', '.join(words)}. Together {weights.sum():.3f}.", texts, moved=moved)


def mixed(at, weights, value, mixture, seen, stage):
    """A frame for each value that may be seen, and the last one."""
    path, count = [(0.0, 0.0)], len(value) + 1
    for place in np.flatnonzero(seen):
        path.append(tuple(path[-1] + weights[place] * value[place]))
        part = row(weights[place] * value[place], ".2f")
        told = f"{weights[place]:.3f} of value {place}, {row(value[place])}, is {part}. So far: {row(path[-1], '.2f')}."
        walk = path + [path[-1]] * (count - len(path))
        yield Frame(told, moved={"walk": stage.curve_to(walk), "here": stage.to(*path[-1])})
    told = f"That is what position {at} takes from there: {row(mixture, '.2f')}."
    yield Frame(told, moved={"here": stage.to(*mixture)})
