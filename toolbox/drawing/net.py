"""A network of Values as circles and lines: what each of its parameters is just now."""

import html
from functools import cached_property
from typing import NamedTuple

from ..graphs.graph import counted
from .colours import CARD, EDGE_OF_CARD, INK, LINES, RESULT, SOFT_INK
from .svg import FONTS, as_html

POSITIVE, NEGATIVE = LINES[0], LINES[1]
DASHES = "5 3"  # of what is negative
WIDEST, THINNEST = 5.0, 0.5  # pixels
MANY = 100  # lines, above which they are drawn at half that width
FEW = 12  # lines, of which each can bear its number
COLUMN, ROW, RADIUS, EDGE = 190, 42, 11, 56  # pixels: between layers, between neurons, a circle, the margins
MOST_HIGH = 560  # where a layer is larger, its neurons move closer


def draw_net(net):
    """A picture of a network: a circle for each neuron, and a line for each weight, from what it is multiplied by.

    The wider a line, the larger its weight; a negative one is dashed, and orange instead of blue. The rim of a circle
    shows the neuron's bias in the same way. A small network's lines bear their numbers; str() of it has all of them.

    net: an MLP, a Layer or a Neuron of Values.
    Returns a NetDrawing: a notebook shows it, and it stays as it is when you train on.
    Raises TypeError if net is something else.
    """
    return NetDrawing(layers_of(net))


class Unit(NamedTuple):
    """A neuron's numbers just now."""

    weights: tuple
    bias: float
    nonlin: str


class Line(NamedTuple):
    """A weight: from which input of which layer, or neuron of the one before it, to which neuron."""

    weight: float
    layer: int
    source: int
    neuron: int


def layers_of(net):
    """The Units of each layer."""
    if hasattr(net, "layers"):
        layers = [layer.neurons for layer in net.layers]
    elif hasattr(net, "neurons"):
        layers = [net.neurons]
    elif hasattr(net, "weights") and hasattr(net, "bias"):
        layers = [[net]]
    else:
        raise TypeError(f"draw_net draws an MLP, a Layer or a Neuron, but it got a {type(net).__name__}")
    return [[Unit(tuple(w.data for w in n.weights), n.bias.data, n.nonlin) for n in neurons] for neurons in layers]


class NetDrawing:
    """A drawn network.  svg: the picture.  str(drawing): all of its numbers."""

    def __init__(self, layers):
        self.layers = layers
        self.inputs = len(layers[0][0].weights)

    def headline(self):
        """Such as: A net of 41 parameters: 3 inputs, then layers of 4, 4 and 1 neurons."""
        *first, last = [str(len(layer)) for layer in self.layers]
        sizes = (
            f"layers of {', '.join(first)} and {last} neurons"
            if first
            else f"a layer of {counted(int(last), 'neuron')}"
        )
        parameters = counted(len(list(self.numbers())), "parameter")
        return f"A net of {parameters}: {counted(self.inputs, 'input')}, then {sizes}."

    def numbers(self):
        """All weights and biases."""
        for layer in self.layers:
            for unit in layer:
                yield from (*unit.weights, unit.bias)

    def __repr__(self):
        lines = [self.headline()]
        for number, layer in enumerate(self.layers):
            lines.append(f"layer {number} ({layer[0].nonlin}), weights and bias of each neuron")
            lines += [f"  {' '.join(map(in_column, u.weights))}  bias {in_column(u.bias)}" for u in layer]
        return "\n".join(lines)

    def most(self):
        """What is seen at once, such as: The widest line, -1.2, leads from input 0 to neuron 3 of layer 0."""
        widest = self.lines[-1]
        layer = widest.layer
        origin = f"neuron {widest.source} of layer {layer - 1}" if layer else f"input {widest.source}"
        negative = sum(line.weight < 0 for line in self.lines)
        return (
            f"The widest line, {told(widest.weight)}, leads from {origin} to neuron {widest.neuron} of layer {layer}. "
            f"Negative weights: {negative} of {len(self.lines)}."
        )

    @cached_property
    def lines(self):
        """A Line for each weight, the widest last."""
        found = [
            Line(weight, layer, source, place)
            for layer, units in enumerate(self.layers)
            for place, unit in enumerate(units)
            for source, weight in enumerate(unit.weights)
        ]
        return sorted(found, key=lambda line: abs(line.weight))

    @cached_property
    def svg(self):
        """The picture."""
        parts = [*self.strokes(), *self.circles(), *self.words()]
        label = html.escape(f"{self.headline()} {self.most()}")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.wide}" height="{self.high}" '
            f'viewBox="0 0 {self.wide} {self.high}" style="max-width: 100%; height: auto" role="img" '
            f'aria-label="{label}" font-family="{FONTS}" font-size="12">'
            f'<rect width="100%" height="100%" rx="8" fill="{CARD}" stroke="{EDGE_OF_CARD}"/>{"".join(parts)}</svg>'
        )

    @property
    def sizes(self):
        return [self.inputs, *map(len, self.layers)]

    @property
    def wide(self):
        return 2 * EDGE + COLUMN * len(self.layers)

    @property
    def high(self):
        return round(70 + self.row * (max(self.sizes) - 1) + 2 * RADIUS + 20)

    @property
    def row(self):
        """Pixels from one neuron to the next."""
        return max(2 * RADIUS + 2, min(ROW, MOST_HIGH / max(self.sizes)))

    def place(self, column, number):
        """Where a circle's centre lies; column 0 is the inputs."""
        middle = 44 + RADIUS + self.row * (max(self.sizes) - 1) / 2
        return EDGE + COLUMN * column, middle + self.row * (number - (self.sizes[column] - 1) / 2)

    def looks(self, number):
        """The stroke that shows a number."""
        largest = max(map(abs, self.numbers())) or 1
        widest = WIDEST / 2 if len(self.lines) > MANY else WIDEST
        width = THINNEST + (widest - THINNEST) * abs(number) / largest
        dashed = f' stroke-dasharray="{DASHES}"' if number < 0 else ""
        return f'stroke="{NEGATIVE if number < 0 else POSITIVE}" stroke-width="{width:.1f}"{dashed}'

    def strokes(self):
        """The lines, and above them their numbers if they are few."""
        words = []
        for line in self.lines:
            (x, y), (right, down) = self.place(line.layer, line.source), self.place(line.layer + 1, line.neuron)
            yield f'<path d="M{x} {y:.0f}L{right} {down:.0f}" {self.looks(line.weight)}/>'
            if len(self.lines) <= FEW:
                share = 0.36 if line.source % 2 else 0.6  # so that the numbers of crossing lines do not meet
                words.append(word(x + share * (right - x), y + share * (down - y) - 5, told(line.weight), INK))
        yield from words

    def circles(self):
        for number in range(self.inputs):
            x, y = self.place(0, number)
            looks = f'rx="4" fill="{RESULT}" stroke="{SOFT_INK}"'
            yield f'<rect x="{x - 15}" y="{y - 11:.0f}" width="30" height="22" {looks}/>'
            yield word(x, y + 4, f"x{number}", INK)
        for column, layer in enumerate(self.layers, 1):
            for place, unit in enumerate(layer):
                x, y = self.place(column, place)
                yield f'<circle cx="{x}" cy="{y:.0f}" r="{RADIUS}" fill="{RESULT}" {self.looks(unit.bias)}/>'

    def words(self):
        names = ["inputs", *(f"layer {n}: {layer[0].nonlin}" for n, layer in enumerate(self.layers))]
        yield from (word(self.place(column, 0)[0], 22, name, SOFT_INK) for column, name in enumerate(names))
        largest = max(map(abs, self.numbers()))
        key = f"solid: positive · dashed: negative · widest: {told(largest)}"
        yield word(self.wide / 2, self.high - 12, key, SOFT_INK)

    def _repr_mimebundle_(self, include=None, exclude=None):
        """For Jupyter."""
        return {"text/html": as_html(self.svg), "text/plain": str(self)}


def word(x, y, text, colour):
    """A text, its middle at x, on a rim of the card's colour."""
    rim = f'stroke="{CARD}" stroke-width="4" paint-order="stroke"'
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" fill="{colour}" {rim}>{html.escape(text)}</text>'


def told(number):
    """Two digits behind the point, and no -0.00."""
    return f"{round(number, 2) + 0.0:.2f}"


def in_column(number):
    return f"{told(number):>6}"
