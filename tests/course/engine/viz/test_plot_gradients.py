"""The picture of a net's gradients: every layer named, told apart without colour, and clear about what is missing."""

import matplotlib
import numpy as np
import pytest

from babygrad import Tensor
from babygrad.nn import MLP, Linear, Module, Parameter
from babygrad.optim import SGD
from toolbox import GradientMonitor, plot_gradients

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def monitored(model, steps=3):
    """A monitor that has seen some steps of a training."""
    rng, optimizer, monitor = np.random.default_rng(0), SGD(model.parameters(), lr=0.1), GradientMonitor(model)
    for _ in range(steps):
        loss = (model(Tensor(rng.normal(size=(4, 2)))) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        monitor.record()
    return monitor


def net(*dims):
    return MLP(dims, "tanh", rng=np.random.default_rng(0))


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_axes_are_named_and_the_norm_is_on_a_log_scale():
    ax = plot_gradients(monitored(net(2, 3, 1)))
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_yscale()) == ("step", "norm of the gradient", "log")


def test_each_layer_has_one_curve_with_its_name():
    ax = plot_gradients(monitored(net(2, 3, 3, 1)))
    assert legend_of(ax) == ["layers.0", "layers.2", "layers.4"]


def test_weight_and_bias_of_a_layer_count_together():
    monitor = monitored(net(2, 3, 1))
    first = plot_gradients(monitor).lines[0].get_ydata()
    weight, bias = (np.array(monitor.history[f"layers.0.{name}"]["norm"]) for name in ("weight", "bias"))
    np.testing.assert_allclose(first, np.sqrt(weight**2 + bias**2))


def test_curves_of_many_layers_are_told_apart_by_colour_and_dashes():
    lines = plot_gradients(monitored(net(2, *[3] * 11, 1))).lines
    assert len({(line.get_color(), str(line.get_linestyle())) for line in lines}) == 12
    assert len({line.get_linestyle() for line in lines[:4]}) == 4


def test_a_model_that_is_one_layer_has_a_curve_for_each_parameter():
    ax = plot_gradients(monitored(Linear(2, 1, rng=np.random.default_rng(0))))
    assert legend_of(ax) == ["weight", "bias"]


def test_a_single_step_can_be_seen():
    (line, _) = plot_gradients(monitored(net(2, 3, 1), steps=1)).lines
    assert line.get_marker() not in ("", "None", None)


def test_a_long_training_has_no_dots():
    (line, _) = plot_gradients(monitored(net(2, 3, 1), steps=40)).lines
    assert line.get_marker() in ("", "None", None)


def test_a_step_without_a_gradient_is_a_gap():
    monitor = monitored(net(2, 3, 1), steps=2)
    for p in monitor.model.parameters():
        p.grad = None
    monitor.record()
    for line in plot_gradients(monitor).lines:
        assert np.isfinite(line.get_ydata()).tolist() == [True, True, False]


def test_zero_and_infinite_norms_are_left_out_without_a_warning(recwarn):
    monitor = monitored(net(2, 3, 1), steps=3)
    for name in ("weight", "bias"):
        monitor.history[f"layers.0.{name}"]["norm"][:2] = [0.0, float("inf")]
    ax = plot_gradients(monitor)
    ax.figure.canvas.draw()
    assert np.isnan(ax.lines[0].get_ydata()).tolist() == [True, True, False]
    assert list(recwarn) == []


def test_nothing_but_gaps_is_drawn_too():
    monitor = monitored(net(2, 3, 1), steps=1)
    for seen in monitor.history.values():
        seen["norm"][:] = [float("nan")]
    plot_gradients(monitor).figure.canvas.draw()


def test_an_empty_monitor_gives_a_clear_error():
    with pytest.raises(ValueError, match=r"recorded nothing yet: call its record\(\)"):
        plot_gradients(GradientMonitor(net(2, 3, 1)))


def test_something_else_than_a_monitor_is_named():
    with pytest.raises(TypeError, match="GradientMonitor, but got a list"):
        plot_gradients([1.0, 2.0])


def test_it_draws_on_the_axes_that_it_is_given():
    import matplotlib.pyplot as plt

    _, ax = plt.subplots()
    assert plot_gradients(monitored(net(2, 3, 1)), ax=ax) is ax


def test_the_card_has_a_colour_of_its_own():
    ax = plot_gradients(monitored(net(2, 3, 1)))
    assert {matplotlib.colors.to_hex(c) for c in (ax.get_facecolor(), ax.figure.get_facecolor())} == {"#ffffff"}


def test_the_legend_lies_beside_the_curves():
    ax = plot_gradients(monitored(net(2, *[3] * 7, 1)))
    ax.figure.canvas.draw()
    legend, inside, page = (x.get_window_extent() for x in (ax.get_legend(), ax, ax.figure))
    assert legend.x0 >= inside.x1
    assert legend.x1 <= page.x1 and legend.y0 >= page.y0 and legend.y1 <= page.y1


def test_a_parameter_outside_of_any_layer_has_its_own_name():
    class Scaled(Module):
        def __init__(self):
            self.scale = Parameter([1.0, 1.0])
            self.inner = Linear(2, 1, rng=np.random.default_rng(0))

        def forward(self, x):
            return self.inner(x * self.scale)

    assert legend_of(plot_gradients(monitored(Scaled()))) == ["scale", "inner"]
