"""draw_net: circles and lines that tell the numbers of a network of Values, in the picture and in words."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from babygrad import Value
from babygrad.scalar_nn import MLP, Layer, Neuron
from toolbox import draw_net

SVG = "{http://www.w3.org/2000/svg}"


def net(*sizes, seed=7, **options):
    return MLP(sizes[0], list(sizes[1:]), rng=np.random.default_rng(seed), **options)


def drawn(drawing, kind):
    """The elements of a kind, in order: the lines are paths, the neurons circles."""
    return list(ElementTree.fromstring(drawing.svg).iter(SVG + kind))


def widths(elements):
    return [float(element.get("stroke-width")) for element in elements]


@pytest.mark.parametrize("sizes", [(1, 2, 1), (3, 4, 4, 1), (2, 16, 16, 1), (2, 1)])
def test_a_line_for_each_weight_and_a_circle_for_each_neuron(sizes):
    drawing = draw_net(net(*sizes))
    assert len(drawn(drawing, "path")) == sum(m * n for m, n in pairwise(sizes))
    assert len(drawn(drawing, "circle")) == sum(sizes[1:])
    assert f"A net of {len(net(*sizes).parameters()):,} parameters" in str(drawing)


def test_each_line_is_as_wide_as_its_weight_and_dashed_where_it_is_negative():
    model = net(3, 4, 4, 1)
    weights = sorted((w.data for layer in model.layers for n in layer.neurons for w in n.weights), key=abs)
    lines = drawn(draw_net(model), "path")
    assert [line.get("stroke-dasharray") is not None for line in lines] == [w < 0 for w in weights]
    assert np.corrcoef(widths(lines), np.abs(weights))[0, 1] > 0.99
    assert len({(line.get("stroke"), w < 0) for line, w in zip(lines, weights)}) == 2  # the sign has a colour, too


def test_a_rim_shows_the_bias():
    model = net(2, 3)
    for neuron, bias in zip(model.layers[0].neurons, (0.0, 2.0, -1.0)):
        neuron.bias.data = bias
    rims = drawn(draw_net(model), "circle")
    assert widths(rims)[1] > widths(rims)[2] > widths(rims)[0]
    assert [rim.get("stroke-dasharray") is not None for rim in rims] == [False, False, True]


def test_the_text_has_every_number():
    model = net(3, 4, 1)
    model.layers[0].neurons[2].bias.data = -1.25
    numbers = [float(n) for n in re.findall(r"-?\d+\.\d\d", str(draw_net(model)))]
    assert numbers == [round(p.data, 2) for p in model.parameters()]


def test_who_cannot_see_it_is_told_the_most():
    model = net(1, 2, 1)
    model.layers[1].neurons[0].weights[1].data = -3.0
    label = ElementTree.fromstring(draw_net(model).svg).get("aria-label")
    assert "The widest line, -3.00, leads from neuron 1 of layer 0 to neuron 0 of layer 1." in label
    negative = sum(w.data < 0 for layer in model.layers for n in layer.neurons for w in n.weights)
    assert "1 input," in label and f"Negative weights: {negative} of 4." in label


def test_numbers_stand_on_the_lines_of_a_small_network_alone():
    texts = lambda drawing: "".join(element.text for element in drawn(drawing, "text"))
    assert texts(draw_net(net(1, 2, 1, seed=1))).count("0.90") == 3  # two weights, and the widest below
    assert "0.25" in str(draw_net(net(3, 4, 4, 1))) and "0.25" not in texts(draw_net(net(3, 4, 4, 1)))


def test_it_stays_as_it_was_when_the_network_learns_on():
    model = net(2, 3, 1)
    drawing = draw_net(model)
    before = str(drawing)
    for parameter in model.parameters():
        parameter.data = 7.0
    assert str(drawing) == before and "7.00" not in drawing.svg


def test_a_neuron_and_a_layer_are_networks_too():
    rng = np.random.default_rng(0)
    assert str(draw_net(Neuron(3, rng=rng))).startswith("A net of 4 parameters: 3 inputs, then a layer of 1 neuron.")
    assert str(draw_net(Layer(3, 4, rng=rng))).startswith(
        "A net of 16 parameters: 3 inputs, then a layer of 4 neurons."
    )
    with pytest.raises(TypeError, match="got a Value"):
        draw_net(Value(1.0))


def test_a_network_of_zeros_is_drawn():
    model = net(2, 2, 1)
    for parameter in model.parameters():
        parameter.data = -0.0
    assert "-0.00" not in str(draw_net(model)) and len(drawn(draw_net(model), "path")) == 6


def test_it_fits_half_a_window():
    for sizes in [(3, 4, 4, 1), (2, 16, 16, 1)]:
        assert float(ElementTree.fromstring(draw_net(net(*sizes)).svg).get("width")) <= 700


def test_a_notebook_gets_an_image_with_its_words_and_the_numbers_as_text():
    drawing = draw_net(net(3, 4, 1))
    bundle = drawing._repr_mimebundle_()
    assert bundle["text/plain"] == str(drawing)
    assert "<img" in bundle["text/html"] and "A net of 21 parameters" in bundle["text/html"]
