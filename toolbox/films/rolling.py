"""A weight that rolls down its loss, once for each learning rate (notebook 04)."""

from typing import NamedTuple

from ..drawing.colours import LINE, LINES
from ..player.player import Frame, Player
from ..player.stage import Stage, side_by_side

COUNTED = {2: "two", 3: "three", 4: "four"}


class Place(NamedTuple):
    """Where a weight is, how high its loss is there, and how steep."""

    w: float
    loss: float
    slope: float


def rolled(loss, start, rate, steps):
    """The Places of a weight that takes so many steps of gradient descent, on Values of yours.

    loss(w): of a Value, a Value.
    """
    from babygrad.value import Value

    w, places = Value(float(start)), []
    for _ in range(steps + 1):
        height = loss(w)
        w.grad = 0.0
        height.backward()
        places.append(Place(w.data, height.data, w.grad))
        w.data -= rate * w.grad
    return places


def roll(loss, start, rates, between, steps=8):
    """A film of a weight that goes down its loss in steps of gradient descent, once for each learning rate.

    loss: a function of a Value that returns a Value, such as lambda w: (w - 3) ** 2. Your own backward() finds slopes.
    start: where the weight begins.  rates: the learning rates.  steps: how many each of them takes.
    between: (low, high), the weights that the picture shows.
    Returns a Player: a notebook shows it.
    """
    runs = {rate: rolled(loss, start, rate, steps) for rate in rates}
    bowls = [Bowl(loss, between, rate, places, f"{n}.") for n, (rate, places) in enumerate(runs.items())]
    frames = [Frame(told(runs, step), **moved(bowls, step)) for step in range(steps + 1)]
    title = "A weight rolls down its loss"
    caption = f"Watch the {COUNTED.get(len(rates), len(rates))} dots: which of them come to rest at the bottom?"
    return Player(title, frames, side_by_side([bowl.stage for bowl in bowls]), caption=caption, pace=1.2)


def told(runs, step):
    """Such as: Step 1. Rate 0.05: w = 1.80, loss 5.76; rate 0.3: w = 5.80, loss 31.36."""
    paths = list(runs.values())
    if step == 0:
        first = paths[0][0]
        return (
            f"All begin at w = {short(first.w)}, where the loss is {short(first.loss)}, its slope {short(first.slope)}."
        )
    ends = [f", {end_of(path)}" if step == len(path) - 1 else "" for path in paths]
    parts = [
        f"rate {r:g}: w = {short(p[step].w)}, loss {short(p[step].loss)}{e}" for (r, p), e in zip(runs.items(), ends)
    ]
    return f"Step {step}. {'; '.join(parts).capitalize()}."


def end_of(path):
    """How a run ended, in a few words."""
    first, last = path[0].loss, path[-1].loss
    if last > 1.01 * first:
        return "higher than at any step before" if last == max(place.loss for place in path) else "higher than at first"
    if last > 0.99 * first:
        return "as high as at first"
    return "practically at the bottom" if last < 0.01 * first else "still on its way down"


def moved(bowls, step):
    """What a Frame says of all bowls."""
    places, texts = {}, {}
    for bowl in bowls:
        places |= bowl.moved(step)
        texts |= bowl.told(step)
    return {"moved": places, "texts": texts}


class Bowl:
    """The loss for every w, and one weight on it.  prefix: of the keys of what moves."""

    def __init__(self, loss, between, rate, places, prefix):
        (left, right), self.places, self.prefix = between, places, prefix
        across = [left + (right - left) * i / 40 for i in range(41)]
        curve = [(w, height_of(loss, w)) for w in across]
        self.between, self.top = between, max(height for _, height in curve)
        self.stage = Stage(
            f"learning rate {rate:g}", between, (-0.06 * self.top, self.top), xlabel="w", wide=250, high=190
        )
        self.stage.curve(curve, colour=LINE)
        self.stage.curve([], f"{prefix}path", colour=LINES[1], width=1.5, dashes="4 3")
        self.stage.dot(places[0].w, places[0].loss, f"{prefix}dot", colour=LINES[1], r=6)
        for height, (key, text) in zip((0.88, 0.74), self.told(0).items()):
            self.stage.words((left + right) / 2, height * self.top, text, key, anchor="middle")

    def told(self, step):
        """What stands in the picture: {key: words}."""
        place = self.places[step]
        inside = self.between[0] <= place.w <= self.between[1] and place.loss <= self.top
        return {
            f"{self.prefix}words": f"w = {short(place.w)}, loss {short(place.loss)}",
            f"{self.prefix}out": "" if inside else "out of the picture",
        }

    def moved(self, step):
        way = [(place.w, place.loss) for place in self.places[: step + 1]]
        return {f"{self.prefix}dot": self.stage.to(*way[-1]), f"{self.prefix}path": self.stage.curve_to(way)}


def height_of(loss, w):
    from babygrad.value import Value

    return loss(Value(w)).data


def short(number):
    """Two digits behind the point, and none for what is large."""
    return f"{number:.2f}" if abs(number) < 100 else f"{number:,.0f}" if abs(number) < 1e6 else f"{number:.1e}"
