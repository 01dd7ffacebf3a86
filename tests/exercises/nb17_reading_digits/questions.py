"""The questions of notebook 17."""

import numpy as np

from grader.asking.answers import Form
from grader.course.questions import probe
from grader.probes.arrays import STILL_NONE, WRITTEN, asked_again, condensed, held
from grader.probes.probing import LARGE, SLOPES_RTOL, TOO_MANY_TO_NUDGE
from grader.probes.tensors import (
    NO_RETURN,
    array_in,
    array_of,
    as_lists,
    asked_of_rule,
    dtype_of,
    from_above,
    kind_of,
    share_as_answers,
    share_of,
    signed,
)

# What the questions have in common.


def leaf(bg, rng, *shape):
    return bg.Tensor(signed(rng, *shape))


def finely(bg, rng, *shape):
    """A leaf with numbers of many digits: a rounded answer shows."""
    return bg.Tensor(rng.normal(size=shape))


def counted(height, width):
    """A picture whose numbers say where they lie: 11, 12, 13 / 21, 22, 23."""
    return np.add.outer(10.0 * np.arange(1, height + 1), np.arange(1.0, width + 1))


def shown_picture(rng, height, width):
    """A picture of small whole numbers of both signs, no two alike."""
    count = height * width
    return rng.permutation(np.r_[-(count // 2) : 0, 1 : count - count // 2 + 1]).reshape(height, width).astype(float)


def asked_for(**arrays):
    """What the message shows of these arrays."""
    return {"asked": {name: str(np.asarray(array).tolist()) for name, array in arrays.items()}}


# 17.1: windows.


def ask_places(name, *arguments):
    @probe("17.1", asked=f"places({', '.join(map(str, arguments))})", name=name)
    def how_many(bg, rng):
        return {"returned": whole(bg.conv.places(*arguments))}


def whole(x):
    """An int as it is; a float is told apart."""
    return x if isinstance(x, (int, np.integer)) and not isinstance(x, bool) else Form(f"{kind_of(x, NO_RETURN)}: {x}")


ask_places("side_by_side", 9, 3, 3)
ask_places("each_place", 7, 3)
ask_places("some_are_left_over", 8, 3, 2)
ask_places("with_zeros_around", 5, 3, 1, 1)
ask_places("with_zeros_and_steps", 9, 4, 3, 2)
ask_places("one_fits_exactly", 4, 4, 3)


@probe("17.1", asked="places(3, 6): not even one window fits")
def none_fits(bg, rng):
    returned = whole(bg.conv.places(3, 6))
    return {"returned": returned if isinstance(returned, Form) or returned > 0 else Form("0 or less")}


@probe("17.1", asked="places({length}, {size}, {stride}, {padding})")
def places_drawn(bg, rng):
    length, size, stride, padding = (int(rng.integers(*ends)) for ends in ((11, 60), (2, 9), (2, 6), (1, 4)))
    asked = {"length": length, "size": size, "stride": stride, "padding": padding}
    return {"asked": asked, "returned": whole(bg.conv.places(length, size, stride, padding))}


def ask_windows(name, asked, pictures, *arguments):
    @probe("17.1", asked=asked, name=name)
    def cut(bg, rng):
        array = pictures(rng)
        before = array.copy()
        returned = array_of(bg.conv.Windows(*arguments).forward(array))
        shown = asked_for(pictures=before) if before.size < 10 else {}
        return shown | {"returned": returned} | held("pictures", np.array_equal(array, before))


def one_counted(height, width):
    return lambda rng: counted(height, width)[None, None] * rng.choice([-1.0, 1.0])


def some(*shape):
    return lambda rng: rng.normal(size=shape).round(2)


ask_windows("two_by_two", "Windows(2).forward(pictures) for pictures = {pictures}", one_counted(2, 3), 2)
ask_windows(
    "with_padding", "Windows(2, padding=1).forward(pictures) for pictures = {pictures}", one_counted(1, 2), 2, 1, 1
)
ask_windows("with_a_stride", "Windows(2, 2).forward(pictures), pictures of shape (1, 1, 5, 4)", some(1, 1, 5, 4), 2, 2)
ask_windows("a_batch", "Windows(3).forward(pictures), pictures of shape (2, 3, 4, 5)", some(2, 3, 4, 5), 3)
ask_windows("all_of_it", "Windows(3, 2, 1).forward(pictures), of shape (2, 2, 6, 5)", some(2, 2, 6, 5), 3, 2, 1)
ask_windows("of_nobody", "Windows(2).forward(pictures), pictures of shape (0, 1, 3, 3)", some(0, 1, 3, 3), 2)


@probe("17.1", asked="Windows(3).forward(pictures), pictures of shape (1, 1, 6, 6), then looked at its memory")
def a_view(bg, rng):
    pictures = rng.normal(size=(1, 1, 6, 6))
    returned = bg.conv.Windows(3).forward(pictures)
    if not isinstance(returned, np.ndarray):
        return {"it": Form(kind_of(returned, NO_RETURN))}
    if np.shares_memory(returned, pictures):
        return {"it": Form("a view")}
    overlapping = returned.strides[:2] + returned.strides[2:4] * 2 == returned.strides
    return {"it": Form("a view of a copy of the pictures" if overlapping else "a copy of each window")}


# 17.2: and back.


def ask_overlay(name, asked, arrays, shape, *arguments):
    @probe("17.2", asked=asked, name=name)
    def laid(bg, rng):
        array = arrays(rng)
        before = array.copy()
        returned = array_of(bg.conv.Overlay(shape, *arguments).forward(array))
        shown = asked_for(windows=before) if before.size < 13 else {}
        return shown | {"returned": returned} | held("windows", np.array_equal(array, before))


def some_windows(*shape):
    return lambda rng: rng.permutation(np.arange(1.0, np.prod(shape) + 1)).reshape(shape)


ask_overlay(
    "two_windows_overlap",
    "Overlay((2, 3), 2).forward(windows) for windows = {windows}",
    some_windows(1, 1, 1, 2, 2, 2),
    (2, 3),
    2,
)
ask_overlay(
    "onto_the_padding",
    "Overlay((1, 1), 2, padding=1).forward(windows), windows of shape (1, 1, 2, 2, 2, 2)",
    some_windows(1, 1, 2, 2, 2, 2),
    (1, 1),
    2,
    1,
    1,
)
ask_overlay(
    "side_by_side_with_a_rest",
    "Overlay((5, 4), 2, 2).forward(windows), windows of shape (1, 1, 2, 2, 2, 2)",
    some_windows(1, 1, 2, 2, 2, 2),
    (5, 4),
    2,
    2,
)
ask_overlay(
    "far_apart",
    "Overlay((4, 7), 2, 3).forward(windows), windows of shape (1, 1, 1, 2, 2, 2)",
    some_windows(1, 1, 1, 2, 2, 2),
    (4, 7),
    2,
    3,
)
ask_overlay(
    "all_at_once",
    "Overlay((6, 5), 3, 2, 1).forward(windows), windows of shape (2, 2, 3, 3, 3, 3)",
    some(2, 2, 3, 3, 3, 3),
    (6, 5),
    3,
    2,
    1,
)


def cut_windows(*arguments):
    return lambda bg, pictures: bg.conv.Windows(*arguments)(pictures)


def asked_back(bg, operation, array, out_grad_of):
    """The numbers, what the rule gives, and what neither may change."""
    asked = asked_of_rule(bg, operation, {"x": bg.Tensor(array)}, out_grad_of, "the result")
    gradient = share_as_answers(share_of(asked.returned), "the gradient", "what the rule returned")
    return {"the result": asked.result, **gradient, **asked.changed}


@probe("17.2", asked="Windows(2)(x) with x of shape (1, 1, 2, 3), and then its rule with out_grad = {out_grad}")
def the_rule_of_windows(bg, rng):
    above = rng.permutation(np.arange(1.0, 9)).reshape(1, 1, 1, 2, 2, 2)
    return asked_for(out_grad=above) | asked_back(
        bg, cut_windows(2), signed(rng, 1, 1, 2, 3), lambda _: bg.Tensor(above)
    )


def ask_rule(name, asked, operation, *shape):
    @probe("17.2", asked=f"{asked}, and then its rule with a random out_grad", name=name)
    def back(bg, rng):
        return asked_back(bg, operation, signed(rng, *shape), lambda out: bg.Tensor(from_above(rng, *out)))


ask_rule("of_strides", "Windows(3, 2)(x) with x of shape (1, 1, 6, 7)", cut_windows(3, 2), 1, 1, 6, 7)
ask_rule("of_padding", "Windows(3, 2, 1)(x) with x of shape (2, 2, 6, 5)", cut_windows(3, 2, 1), 2, 2, 6, 5)


@probe("17.2", asked="the rule of Windows(2, 1, 1), differentiated again", rtol=SLOPES_RTOL)
def differentiable_again(bg, rng):
    x = bg.Tensor(signed(rng, 1, 1, 2, 3))
    out = bg.conv.Windows(2, 1, 1)(x)
    above = bg.Tensor(from_above(rng, *out.shape))
    share = share_of(out._op.backward(above, out))
    answers = {"the gradient": getattr(share, "data", None)}
    return answers | asked_again({"the gradient": share}, {"x": x, "out_grad": above}, rng)


@probe(
    "17.2", asked=f"Windows(3)(x) with x of shape (1, 1, {LARGE[0]}, {LARGE[1]}), then its rule", slow=TOO_MANY_TO_NUDGE
)
def a_large_picture(bg, rng):
    x = bg.Tensor(rng.normal(size=(1, 1, *LARGE)))
    out = bg.conv.Windows(3)(x)
    share = share_of(out._op.backward(bg.Tensor(rng.normal(size=out.shape)), out))
    return condensed(share_as_answers(share, "the gradient", "what the rule returned"))


# 17.3: the convolution.


@probe("17.3", asked="conv2d(pictures, weight) for pictures = {pictures}, weight = {weight}")
def one_window(bg, rng):
    pictures = shown_picture(rng, 2, 2)[None, None]
    weight = rng.permutation([-2.0, 1.0, 3.0, 5.0]).reshape(1, 1, 2, 2)  # in no order the answer is 0
    returned = array_in(bg.conv.conv2d(bg.Tensor(pictures), bg.Tensor(weight)))
    return asked_for(pictures=pictures, weight=weight) | {"returned": returned}


@probe("17.3", asked="conv2d(pictures, weight) for pictures = {pictures}, weight = {weight}")
def four_windows(bg, rng):
    pictures, weight = shown_picture(rng, 3, 3)[None, None], shown_picture(rng, 2, 2)[None, None]
    returned = array_in(bg.conv.conv2d(bg.Tensor(pictures), bg.Tensor(weight)))
    return asked_for(pictures=pictures, weight=weight) | {"returned": returned}


@probe(
    "17.3", asked="conv2d(pictures, weight, bias), two channels, two filters of size 1: {pictures}, {weight}, {bias}"
)
def two_of_each(bg, rng):
    pictures = np.array([[shown_picture(rng, 1, 2), shown_picture(rng, 1, 2)]]) * rng.integers(2, 6, (1, 2, 1, 1))
    weight, bias = rng.permutation([2.0, 3.0, -1.0, 5.0]).reshape(2, 2, 1, 1), rng.permutation([100.0, 200.0])
    returned = array_in(bg.conv.conv2d(bg.Tensor(pictures), bg.Tensor(weight), bg.Tensor(bias)))
    return asked_for(pictures=pictures, weight=weight, bias=bias) | {"returned": returned}


def ask_conv(name, pictures, weight, stride=1, padding=0, bias=True):
    settings = "".join(
        f", {key}={x}" for key, x, usual in (("stride", stride, 1), ("padding", padding, 0)) if x != usual
    )
    given = "pictures, weight, bias" if bias else "pictures, weight"
    asked = f"conv2d({given}{settings}), pictures of shape {pictures}, weight of shape {weight}"

    def leaves(bg, rng):
        return [finely(bg, rng, *pictures), finely(bg, rng, *weight)] + ([finely(bg, rng, weight[0])] * bias)

    @probe("17.3", asked=asked, name=name)
    def answers(bg, rng):
        return {"returned": array_in(bg.conv.conv2d(*leaves(bg, rng), stride=stride, padding=padding))}

    @probe("17.3", asked=f"{asked}, then backward: all gradients", name=f"{name}_backward")
    def gradients(bg, rng):
        given = leaves(bg, rng)
        return gradients_of(bg, rng, given, bg.conv.conv2d(*given, stride=stride, padding=padding))


NAMES = "the pictures", "weight", "bias"


def gradients_of(bg, rng, leaves, returned, names=NAMES):
    """The gradient of each leaf; words if there is none."""
    if not hasattr(returned, "_inputs"):
        return {"it": Form(kind_of(returned, NO_RETURN))}
    if not returned.requires_grad:
        return {"it": Form("a Tensor that was not recorded")}
    returned.backward(from_above(rng, *returned.shape))
    found = {name: array_of(x.grad) if x.grad is not None else Form("none") for name, x in zip(names, leaves)}
    return {f"the gradient of {name}": x for name, x in found.items()}


ask_conv("without_bias", (2, 1, 4, 5), (3, 1, 2, 2), bias=False)
ask_conv("channels", (2, 3, 5, 4), (2, 3, 3, 3))
ask_conv("steps", (1, 2, 7, 6), (2, 2, 3, 3), stride=2)
ask_conv("padded", (2, 2, 4, 3), (3, 2, 3, 3), stride=2, padding=1)


@probe("17.3", asked="conv2d of no pictures, (0, 2, 4, 4), weight of shape (3, 2, 2, 2): the result, and all gradients")
def no_pictures(bg, rng):
    leaves = [finely(bg, rng, 0, 2, 4, 4), finely(bg, rng, 3, 2, 2, 2), finely(bg, rng, 3)]
    returned = bg.conv.conv2d(*leaves)
    return {"returned": array_in(returned)} | gradients_of(bg, rng, leaves, returned)


@probe("17.3", asked="conv2d of pictures (1, 1, 3, 3) and weight (1, 1, 2, 2), and gradients of gradients")
def gradients_of_gradients(bg, rng):
    pictures, weight = finely(bg, rng, 1, 1, 3, 3), finely(bg, rng, 1, 1, 2, 2)
    out = bg.conv.conv2d(pictures, weight)
    if not (hasattr(out, "requires_grad") and out.requires_grad):
        return {"it": Form(kind_of(out, NO_RETURN))}
    first = bg.grad((out * out).sum(), (pictures, weight), create_graph=True)
    second = bg.grad(sum((g * g).sum() for g in first), (pictures, weight))
    return {f"the second gradient of {name}": array_in(g) for name, g in zip(NAMES, second)}


@probe("17.3", asked="conv2d(pictures, weight, bias), all of dtype float32")
def conv_of_float32(bg, rng):
    shapes = (1, 2, 3, 3), (2, 2, 2, 2), (2,)
    return {"the dtype": dtype_of(bg.conv.conv2d(*[bg.Tensor(rng.normal(size=s), dtype="float32") for s in shapes]))}


# 17.4: pooling.


def ask_pool(name, asked, pictures, *arguments):
    words = f"max_pool2d(pictures, {', '.join(map(str, arguments))})"

    @probe("17.4", asked=f"{words}, then backward: {asked}", name=f"max_{name}")
    def pooled(bg, rng):
        array = pictures(rng)
        x = bg.Tensor(array)
        returned = bg.conv.max_pool2d(x, *arguments)
        shown = asked_for(pictures=array) if "{pictures}" in asked else {}
        return shown | {"returned": array_in(returned)} | gradients_of(bg, rng, [x], returned)


def below_zero(rng):
    """All numbers negative: an empty place must not count as 0."""
    return -np.abs(shown_picture(rng, 2, 4))[None, None] - rng.integers(1, 9) / 10


def with_ties(rng):
    return rng.permutation([3.0, 3.0, 3.0, 1.0]).reshape(1, 1, 2, 2) + float(rng.integers(0, 5))


SHAPED = "pictures of shape {}"
ask_pool("of_one_picture", "pictures = {pictures}", below_zero, 2)
ask_pool("with_a_rest", SHAPED.format((2, 3, 5, 7)), some(2, 3, 5, 7), 2)
ask_pool("overlapping", SHAPED.format((1, 2, 5, 7)), some(1, 2, 5, 7), 3, 2)
ask_pool("with_equal_numbers", "pictures = {pictures}", with_ties, 2)
ask_pool("with_gaps", SHAPED.format((1, 1, 7, 8)), some(1, 1, 7, 8), 2, 3)


# 17.5: saliency.


def linear_net(bg, rng, features, classes):
    """A net of one linear layer, whose weights are far from 0."""
    net = bg.nn.Linear(features, classes, rng=rng)
    net.weight.data[...] = signed(rng, features, classes)
    net.bias.data[...] = signed(rng, classes)
    return net


def small_net(bg, rng, normalised=True):
    """A net for pictures of 1 x 4 x 4, with three classes; with batch norm, and gradients of before, if normalised."""
    conv, nn = bg.conv_net, bg.nn
    layers = [conv.Conv2d(1, 3, 3, padding=1, rng=rng), nn.ReLU(), conv.Flatten(), nn.Linear(48, 3, rng=rng)]
    net = nn.Sequential(*layers)
    if normalised:
        norm = conv.BatchNorm2d(3)
        norm.running_mean.data[...], norm.running_var.data[...] = rng.normal(size=3), rng.uniform(0.5, 2, 3)
        net.layers.insert(1, norm)
        for p in net.parameters():
            p.grad = np.ones(p.shape)
    return net


def untouched(net, pictures, before, is_new):
    """Answers: is what must stay as it was?  is_new: has the net no gradients? Else they are ones."""
    grads = [p.grad for p in net.parameters()]
    about = "the .grad of the model's parameters"
    if is_new:
        same = {about: STILL_NONE if all(grad is None for grad in grads) else WRITTEN}
    else:
        same = held(about, all(grad is not None and np.all(grad == 1) for grad in grads))
    modes = Form("in training" if all(m.training for m in net.modules()) else "in use")
    return held("pictures", np.array_equal(pictures, before)) | same | {"the model afterwards": modes}


def ask_about(id, call, name, asked, made):
    """Register a question. made(bg, rng): the net, pictures, labels, and what the message shows."""

    @probe(id, asked=asked, name=name)
    def question(bg, rng):
        net, pictures, labels, shown = made(bg, rng)
        before, is_new = pictures.copy(), all(p.grad is None for p in net.parameters())
        returned = call(bg, net, pictures, labels)
        returned = array_of(returned) if isinstance(returned, np.ndarray) else Form(kind_of(returned, NO_RETURN))
        return shown | {"returned": returned} | untouched(net, pictures, before, is_new)


def with_a_linear_net(labels):
    def made(bg, rng):
        net = linear_net(bg, rng, 2, 3)
        pictures = rng.uniform(0.2, 0.8, (len(labels), 2)).round(2)
        shown = asked_for(pictures=pictures, weight=net.weight.data, bias=net.bias.data)
        return net, pictures, np.array(labels), shown

    return made


def with_a_small_net(normalised):
    def made(bg, rng):
        labels = rng.permutation([0, 1, 2, 2, 0])
        return small_net(bg, rng, normalised), rng.uniform(0.2, 0.8, (5, 1, 4, 4)), labels, {}

    return made


def gradients_shown(bg, net, pictures, labels):
    return bg.conv.saliency(net, pictures, labels)


LINEAR = "of a Linear with the weight {weight} and the bias {bias}"
ask_about(
    "17.5",
    gradients_shown,
    "of_one",
    f"saliency(model, {{pictures}}, [1]) {LINEAR}",
    with_a_linear_net([1]),
)
ask_about(
    "17.5",
    gradients_shown,
    "of_three",
    f"saliency(model, {{pictures}}, [2, 0, 2]) {LINEAR}",
    with_a_linear_net([2, 0, 2]),
)
ask_about(
    "17.5",
    gradients_shown,
    "of_filters",
    "saliency(model, pictures, labels) of a small net with filters, pictures of shape (5, 1, 4, 4)",
    with_a_small_net(False),
)
ask_about(
    "17.5",
    gradients_shown,
    "with_batch_norm",
    "saliency(model, pictures, labels) of a net with BatchNorm2d and gradients of before, pictures (5, 1, 4, 4)",
    with_a_small_net(True),
)


def ask_dtype(id, call, asked):
    @probe(id, asked=f"{asked}, model and pictures of dtype float32", name=f"of_float32_{id}".replace(".", "_"))
    def dtype(bg, rng):
        net, pictures = linear_net(bg, rng, 2, 3), rng.uniform(0.2, 0.8, (2, 2)).astype("float32")
        for p in net.parameters():
            p.data = p.data.astype("float32")
        return {"the dtype": dtype_of(call(bg, net, pictures, np.array([0, 2])))}


ask_dtype("17.5", gradients_shown, "saliency(model, pictures, [0, 2]) of a Linear")


# 17.6: fooled.


def moved_by(step):
    return lambda bg, net, pictures, labels: bg.conv.fooled(net, pictures, labels, step)


def at_the_ends(bg, rng):
    """Pixels that are nearly paper, or nearly ink, and that the step would move beyond it."""
    net, label = linear_net(bg, rng, 4, 2), rng.integers(0, 2)
    pictures = rng.permutation([0.02, 0.97, 0.0, 1.0])
    weights = net.weight.data
    apart = np.abs(weights[:, 0] - weights[:, 1]) + 0.1  # the loss of a label grows where the other's score does
    weights[:, 1 - label] = weights[:, label] + np.where(pictures > 0.5, apart, -apart)
    return net, pictures[None], np.array([label]), asked_for(pictures=pictures[None])


def without_slope(bg, rng):
    """The second pixel has no part in the scores."""
    net = linear_net(bg, rng, 3, 2)
    net.weight.data[1] = 0
    pictures = rng.uniform(0.3, 0.7, (1, 3)).round(2)
    return net, pictures, np.array([1]), asked_for(pictures=pictures, weight=net.weight.data, bias=net.bias.data)


def steep(bg, rng):
    """Slopes of very different sizes."""
    net = linear_net(bg, rng, 3, 2)
    net.weight.data *= np.array([[100.0], [1.0], [0.01]])
    pictures = rng.uniform(0.3, 0.7, (1, 3)).round(2)
    return net, pictures, rng.integers(0, 2, 1), asked_for(pictures=pictures)


ask_about(
    "17.6",
    moved_by(0.1),
    "one_is_fooled",
    f"fooled(model, {{pictures}}, [1], 0.1) {LINEAR}",
    with_a_linear_net([1]),
)
ask_about(
    "17.6",
    moved_by(0.05),
    "three_are_fooled",
    f"fooled(model, {{pictures}}, [2, 0, 2], 0.05) {LINEAR}",
    with_a_linear_net([2, 0, 2]),
)
ask_about(
    "17.6",
    moved_by(0.1),
    "paper_and_ink",
    "fooled(model, {pictures}, labels, 0.1), where some pixels are nearly 0 or 1",
    at_the_ends,
)
ask_about(
    "17.6",
    moved_by(0.1),
    "one_pixel_has_no_part",
    f"fooled(model, {{pictures}}, [1], 0.1) {LINEAR}",
    without_slope,
)
ask_about(
    "17.6",
    moved_by(0.1),
    "slopes_of_all_sizes",
    "fooled(model, {pictures}, labels, 0.1), where one slope is 10,000 times another",
    steep,
)
ask_about(
    "17.6",
    moved_by(0.02),
    "fooled_with_batch_norm",
    "fooled(model, pictures, labels, 0.02) of a net with BatchNorm2d and gradients of before, pictures (5, 1, 4, 4)",
    with_a_small_net(True),
)


ask_dtype("17.6", moved_by(0.1), "fooled(model, pictures, [0, 2], 0.1) of a Linear")


# 17.7: the hunt.


def ask_hunt(name):
    @probe("17.7", asked=f"three_convolutions()[{name!r}]", name=f"only_{name}", secret=True)
    def recorded(bg, rng):
        given = bg.hunts.three_convolutions()
        if isinstance(given, dict) and name in given:
            return {f"the question for {name}": as_lists(given[name])}
        return {"the answer": Form(no_questions(given))}


def no_questions(given):
    """What came instead of a dict with all three names."""
    if not isinstance(given, dict):
        return kind_of(given)
    return f"a dict with the keys {', '.join(map(repr, list(given)[:6]))}" if given else "an empty dict"


for _name in ("Ada", "Ben", "Cleo"):
    ask_hunt(_name)
