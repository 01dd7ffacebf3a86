"""The questions of notebook 04."""

from numbers import Real

from grader.asking.answers import Form
from grader.asking.ask import kind_of
from grader.course.questions import probe
from grader.probes.probing import slopes_to

LIGHT = ("4.7",)  # without NumPy


def set_numbers(parameters, numbers):
    """Put plain numbers into the parameters, so that a question can name them."""
    for parameter, number in zip(parameters, numbers, strict=True):
        parameter.data = float(number)


def held_by(neurons):
    """The Values that neurons hold, in the order of parameters()."""
    return [p for neuron in neurons for p in [*neuron.weights, neuron.bias]]


def numbers_of(answer):
    """The same with the number inside each Value: of one Value, of a list, of lists in a list."""
    if isinstance(answer, (list, tuple)):
        return [numbers_of(each) for each in answer]
    return answer.data if hasattr(answer, "_prev") else answer


def form_of(answer):
    """What a layer or a network answered, without its numbers."""
    if isinstance(answer, (list, tuple)):
        return Form(f"a list of {len(answer)}")
    return Form("one Value" if hasattr(answer, "_prev") else kind_of(answer))


def slopes(out, leaves):
    """The slopes of one Value to the leaves; nothing for an answer of another form."""
    return slopes_to(out, leaves) if hasattr(out, "_prev") else None


def about_cost(cost, what, leaves, names):
    """The answers about a loss or a penalty: what it is, its number, and its slopes to some Values."""
    return {
        "returned": form_of(cost),
        f"the data of the {what}": numbers_of(cost),
        f"the list of slopes to the {names}": slopes(cost, leaves),
    }


def entries_of(found):
    """What stands in a list of parameters: the number of each Value, and the kind of anything else."""
    if isinstance(found, (list, tuple)):
        return [entries_of(each) for each in found]
    return found.data if hasattr(found, "_prev") else Form(kind_of(found))


def about_parameters(found, own):
    """The numbers of the parameters, and whether they are the very Values that the neurons hold."""
    the_same = isinstance(found, (list, tuple)) and {id(p) for p in found} == {id(p) for p in own}
    return {
        "the list of the parameters' numbers": entries_of(found),
        "the list": Form("one of " + ("the neurons' own Values" if the_same else "copies")),
    }


def two_digits(rng, count):
    """Random numbers that a sentence can show."""
    return rng.uniform(-1.5, 1.5, count).round(2).tolist()


# 4.1: Neuron.


def neuron_with(bg, nonlin, weights, bias):
    made = bg.scalar_nn.Neuron(len(weights), nonlin)
    set_numbers(held_by([made]), [*weights, bias])
    return made


@probe("4.1", asked="neuron([2.0, -3.0, 0.5]), twice, for a 'tanh' neuron with weights {weights} and bias {bias}")
def a_tanh_neuron(bg, rng):
    weights = rng.uniform(0.2, 0.9, 3).round(3) * [1, 1, -1]
    bias = round(float(rng.uniform(0.3, 0.8)), 3)
    asked = neuron_with(bg, "tanh", weights, bias)
    out = asked([2.0, -3.0, 0.5])
    return {
        "asked": {"weights": ", ".join(f"{w:g}" for w in weights), "bias": f"{bias:g}"},
        "neuron(x).data": out.data,
        "the list of slopes to the weights and the bias": slopes_to(out, held_by([asked])),
        "neuron(x).data the second time": asked([2.0, -3.0, 0.5]).data,
    }


def answer_and_slopes(bg, nonlin, weights, bias, x):
    """What a neuron of this kind answers to x, with the slopes to its weights and its bias."""
    asked = neuron_with(bg, nonlin, weights, bias)
    out = asked(x)
    return {
        f"neuron(x).data of the {nonlin} neuron": out.data,
        f"the list of slopes of the {nonlin} neuron": slopes_to(out, held_by([asked])),
    }


@probe("4.1", asked="neuron([4.0, 3.0]) for a 'linear' neuron with the weights 0.5, -1 and the bias 2.5")
def a_linear_neuron(bg, rng):
    return answer_and_slopes(bg, "linear", [0.5, -1.0], 2.5, [4.0, 3.0])


@probe("4.1", asked="neuron([1.0, 2.0]) with the weights 1, -2 and the bias 4.5, as a 'relu' and as a 'sigmoid' neuron")
def other_bends(bg, rng):
    relu, sigmoid = (answer_and_slopes(bg, nonlin, [1.0, -2.0], 4.5, [1.0, 2.0]) for nonlin in ("relu", "sigmoid"))
    return relu | sigmoid


@probe(
    "4.1",
    asked="neuron([1.0, -2.0]), then neuron(np.array([0.5, 3.0])); 'tanh', with the weights 0.3, 0.7 and the bias -0.4",
)
def two_rows(bg, rng):
    import numpy as np

    asked = neuron_with(bg, "tanh", [0.3, 0.7], -0.4)
    answers = asked([1.0, -2.0]), asked(np.array([0.5, 3.0]))
    return {f"neuron(x).data of the {which} row": out.data for which, out in zip(("first", "second"), answers)}


@probe("4.1", asked="neuron([a, b]) for Values a = 1, b = -2 and a 'tanh' neuron with weights 0.3, 0.7, bias 0.9")
def inputs_that_are_values(bg, rng):
    inputs = [bg.Value(1.0), bg.Value(-2.0)]
    out = neuron_with(bg, "tanh", [0.3, 0.7], 0.9)(inputs)
    return {"neuron(x).data": out.data, "the list of slopes to a and b": slopes_to(out, inputs)}


# 4.2: parameters_of.


def layer_of_neurons(bg, nin, nout, nonlin="tanh"):
    """A layer whose parameters are 0.1, -0.2, 0.3, -0.4, ... in order."""
    made = bg.scalar_nn.Layer(nin, nout, nonlin)
    own = held_by(made.neurons)
    set_numbers(own, [0.1 * (i + 1) * (-1) ** i for i in range(len(own))])
    return made, own


@probe("4.2", asked="parameters_of([n, m]) for neurons n, m with weights 0.1, -0.2 and 0.4, -0.5, biases 0.3 and -0.6")
def parameters_of_two_neurons(bg, rng):
    made, own = layer_of_neurons(bg, 2, 2)
    set_numbers(own, [0.1, -0.2, 0.3, 0.4, -0.5, -0.6])
    return about_parameters(bg.scalar_nn.parameters_of(made.neurons), own)


@probe("4.2", asked="parameters_of(layers) for the layers of MLP(2, [2, 1]), whose nine parameters hold 1, 2, ... 9")
def parameters_of_two_layers(bg, rng):
    layers = bg.scalar_nn.MLP(2, [2, 1]).layers
    own = held_by([neuron for layer in layers for neuron in layer.neurons])
    set_numbers(own, range(1, 10))
    return about_parameters(bg.scalar_nn.parameters_of(layers), own)


@probe("4.2", asked="parameters_of(neurons) for 3 neurons; weight and bias of each in turn: {numbers}")
def parameters_of_random_neurons(bg, rng):
    made, own = layer_of_neurons(bg, 1, 3)
    *numbers, _ = two_digits(rng, 6)
    numbers.append(numbers[1])  # two biases are equal, as all are at first
    set_numbers(own, numbers)
    found = bg.scalar_nn.parameters_of(made.neurons)
    return {"asked": {"numbers": numbers}, "the list of the parameters' numbers": entries_of(found)}


# 4.3: MLP.


def neurons_of(model):
    return [neuron for layer in model.layers for neuron in layer.neurons]


def network(bg, nin, nouts, rng, **options):
    """A network with random weights and random biases."""
    made = bg.scalar_nn.MLP(nin, nouts, rng=rng, **options)
    for neuron in neurons_of(made):
        neuron.bias.data = float(rng.uniform(-0.5, 0.5))
    return made


@probe("4.3", asked="model([0.5, -1.0]) for MLP(2, [2, 2, 2], last='linear') with random weights and biases")
def a_square_network(bg, rng):
    out = network(bg, 2, [2, 2, 2], rng, last="linear")([0.5, -1.0])
    return {"the network's answer": form_of(out), "the list of the numbers in it": numbers_of(out)}


@probe("4.3", asked="model([2.0, 3.0, -1.0]) for MLP(3, [4, 4, 1]) with random weights and biases")
def a_network(bg, rng):
    model = network(bg, 3, [4, 4, 1], rng)
    out = model([2.0, 3.0, -1.0])
    first = model.layers[0].neurons[0]
    return {
        "the network's answer": form_of(out),
        "model(x).data": numbers_of(out),
        "the list of slopes to the first neuron's weights and bias": slopes(out, held_by([first])),
    }


@probe("4.3", asked="model(x) for MLP(2, [1, 3, 1]) with random weights and biases, x = np.array([0.5, -1.0])")
def a_hidden_layer_of_one_neuron(bg, rng):
    import numpy as np

    out = network(bg, 2, [1, 3, 1], rng)(np.array([0.5, -1.0]))
    return {"the network's answer": form_of(out), "model(x).data": numbers_of(out)}


@probe("4.3", asked="model([0.5, -1.0]) for MLP(2, [1]) with random weights and bias")
def a_network_of_one_neuron(bg, rng):
    out = network(bg, 2, [1], rng)([0.5, -1.0])
    return {"the network's answer": form_of(out), "model(x).data": numbers_of(out)}


# 4.4: squared_error and train_step.


@probe("4.4", asked="squared_error([Value(2.0), Value(-1.0), Value(0.5)], [3.0, -3.0, 0.0])")
def three_errors(bg, rng):
    predictions = [bg.Value(p) for p in (2.0, -1.0, 0.5)]
    loss = bg.scalar_nn.squared_error(predictions, [3.0, -3.0, 0.0])
    return about_cost(loss, "loss", predictions, "predictions")


# Three samples of two numbers each: no parameter is the only one of its kind, and no two numbers are the same.
XS, YS = [[2.0, 1.0], [-1.0, 2.0], [0.5, -2.0]], [3.0, -1.0, 2.0]
A_PLANE = "model is MLP(2, [1], 'linear') with the weights 0.5, 0.25 and the bias 0.75"
MOVED = "[weight, weight, bias] afterwards"


def plane_model(bg):
    """The model of A_PLANE, and its parameters."""
    model = bg.scalar_nn.MLP(2, [1], "linear")
    own = model.parameters()
    set_numbers(own, [0.5, 0.25, 0.75])
    return model, own


def sum_of_squares(predictions, targets):
    """The loss of the questions: the learner's own squared_error is asked above."""
    first, *others = (predictions[i] - targets[i] for i in range(len(targets)))
    total = first * first
    for error in others:
        total = total + error * error
    return total


def after_two_steps(bg, model, *given):
    """What two train_steps returned, and where the parameters are afterwards."""
    held = held_by(neurons_of(model))
    losses = [bg.scalar_nn.train_step(model, *given) for _ in range(2)]
    kept = all(one is other for one, other in zip(held, held_by(neurons_of(model)), strict=True))
    return {
        "the list of what the two steps returned": [
            Form("a number" if is_number(loss) else kind_of(loss)) for loss in losses
        ],
        "the list of the two losses": numbers_of(losses),
        MOVED: numbers_of(model.parameters()),
        "whether the model holds the same Values as before": kept,
    }


def is_number(x):
    return isinstance(x, Real) and not isinstance(x, bool)


A_GRADIENT_AWAY = [9.5, -10.75, 2.25]  # where the parameters of A_PLANE are after a step by their whole gradients


@probe(
    "4.4",
    asked=f"train_step(model, {XS}, {YS}, sum of squares, 0.02), then, with an equal model, the same with 0.03; "
    f"{A_PLANE}",
)
def another_learning_rate(bg, rng):
    """A rate of one's own moves both equally far, whatever it is. What else may be wrong is asked below."""
    ends = [after_a_step(bg, rate) for rate in (0.02, 0.03)]
    alike = ends[0] == ends[1] != numbers_of(plane_model(bg)[1])
    end = "equal to that after the step with 0.02" if alike else "other than that after the step with 0.02"
    return {f"{MOVED}, with 0.03,": Form(end + ", one whole gradient away" * (alike and ends[0] == A_GRADIENT_AWAY))}


def after_a_step(bg, rate):
    model, _ = plane_model(bg)
    bg.scalar_nn.train_step(model, XS, YS, sum_of_squares, rate)
    return numbers_of(model.parameters())


@probe("4.4", asked=f"train_step(model, {XS}, {YS}, sum of squares, 0.04), twice; {A_PLANE}")
def two_steps(bg, rng):
    return after_two_steps(bg, plane_model(bg)[0], XS, YS, sum_of_squares, 0.04)


@probe(
    "4.4",
    asked="train_step(model, [[2.0, -0.5]], [4.0], loss_fn, 0.1), twice, loss_fn = 3 * prediction + target; "
    f"{A_PLANE}, and another backward pass has left 5.0 in the first weight's grad",
)
def another_loss(bg, rng):
    model, own = plane_model(bg)
    own[0].grad = 5.0

    def loss_fn(predictions, targets):
        return 3 * predictions[0] + targets[0]

    return after_two_steps(bg, model, [[2.0, -0.5]], [4.0], loss_fn, 0.1)


@probe("4.4", asked=f"train_step(model, {XS}, {YS}, mean of squares, 0.15), twice; {A_PLANE}")
def a_mean_as_loss(bg, rng):
    def mean_of_squares(predictions, targets):
        return sum_of_squares(predictions, targets) / len(targets)

    return after_two_steps(bg, plane_model(bg)[0], XS, YS, mean_of_squares, 0.15)


@probe("4.4", asked=f"train_step(model, {XS}, {YS}, square of the mean error, 0.15), twice; {A_PLANE}")
def a_loss_that_looks_at_all(bg, rng):
    def square_of_the_mean(predictions, targets):
        total = predictions[0] - targets[0]
        for i in range(1, len(targets)):
            total = total + (predictions[i] - targets[i])
        return (total / len(targets)) ** 2

    return after_two_steps(bg, plane_model(bg)[0], XS, YS, square_of_the_mean, 0.15)


@probe("4.4", asked="squared_error([Value(2.5), Value(-1.0)], np.array([1.0, -3.0]))")
def targets_in_an_array(bg, rng):
    import numpy as np

    predictions = [bg.Value(p) for p in (2.5, -1.0)]
    loss = bg.scalar_nn.squared_error(predictions, np.array([1.0, -3.0]))
    return about_cost(loss, "loss", predictions, "predictions")


@probe("4.4", asked=f"train_step(model, np.array({XS}), np.array({YS}), sum of squares, 0.04), twice; {A_PLANE}")
def samples_in_arrays(bg, rng):
    import numpy as np

    return after_two_steps(bg, plane_model(bg)[0], np.array(XS), np.array(YS), sum_of_squares, 0.04)


@probe("4.4", asked="squared_error(predictions, {targets}) for the Values {predictions}")
def random_errors(bg, rng):
    numbers, targets = two_digits(rng, 3), two_digits(rng, 3)
    predictions = [bg.Value(number) for number in numbers]
    loss = bg.scalar_nn.squared_error(predictions, targets)
    asked = {"predictions": numbers, "targets": targets}
    return {"asked": asked, **about_cost(loss, "loss", predictions, "predictions")}


@probe(
    "4.4",
    asked="train_step(model, {xs}, {ys}, sum of squares, {rate}), twice; model is MLP(2, [1], 'linear') with "
    "[weight, weight, bias] = {numbers}",
)
def two_steps_of_a_random_model(bg, rng):
    model, rate = bg.scalar_nn.MLP(2, [1], "linear"), round(float(rng.uniform(0.02, 0.08)), 2)
    own = model.parameters()
    xs, ys, numbers = [two_digits(rng, 2), two_digits(rng, 2)], two_digits(rng, 2), two_digits(rng, 3)
    set_numbers(own, numbers)
    asked = {"xs": xs, "ys": ys, "rate": rate, "numbers": numbers}
    return {"asked": asked, **after_two_steps(bg, model, xs, ys, sum_of_squares, rate)}


@probe(
    "4.4",
    asked="train_step(model, [[2.0], [-1.0]], [3.0, 1.0], sum of squares, 0.02), twice; model is MLP(1, [2, 1], "
    "'linear') whose seven parameters hold 0.5, 0.25, -0.5, 0.75, 0.6, -0.4, 0.1",
)
def two_steps_of_two_layers(bg, rng):
    model = bg.scalar_nn.MLP(1, [2, 1], "linear")
    set_numbers(held_by(neurons_of(model)), [0.5, 0.25, -0.5, 0.75, 0.6, -0.4, 0.1])
    return after_two_steps(bg, model, [[2.0], [-1.0]], [3.0, 1.0], sum_of_squares, 0.02)


# 4.5: minibatches.


AFTERWARDS, BATCH_SIZE = "xs and ys afterwards", "the batch size"


def deal_with_labels(bg, rng, labels, size):
    import numpy as np

    numbers, ys = np.arange(float(len(labels))), np.array(labels)
    xs = np.stack([numbers, numbers + 0.5], axis=1)
    dealt = rows_of(bg.scalar_nn.minibatches(xs, ys, size, rng))
    return {"the batches": dealt, AFTERWARDS: [xs[:, 0].tolist(), ys.tolist()], BATCH_SIZE: size}


def deal(bg, rng, samples, size):
    """Rows [n, n + 0.5] with the label 10 * n, so that a row and its label are known by their numbers."""
    return deal_with_labels(bg, rng, [10.0 * row for row in range(samples)], size)


def rows_of(dealt):
    """The batches as plain lists: [[x, ...], [y, ...]] for each. Whatever is no batch stays as it is."""
    return [plain(batch) for batch in dealt] if hasattr(dealt, "__iter__") else dealt


def plain(rows):
    if hasattr(rows, "tolist"):
        return rows.tolist()
    return [plain(row) for row in rows] if isinstance(rows, (list, tuple)) else rows


ROWS = "list(minibatches(xs, ys, {size}, rng)), xs with rows [0, 0.5], [1, 1.5], ...; ys = 0, 10, ... {last}"


@probe("4.5", asked=ROWS.format(size=4, last=110))
def three_full_batches(bg, rng):
    return deal(bg, rng, 12, 4)


@probe("4.5", asked=ROWS.format(size=4, last=90))
def a_smaller_last_batch(bg, rng):
    return deal(bg, rng, 10, 4)


@probe("4.5", asked=ROWS.format(size=4, last=80))
def a_last_batch_of_one(bg, rng):
    return deal(bg, rng, 9, 4)


@probe("4.5", asked=ROWS.format(size=20, last=90))
def a_batch_for_all(bg, rng):
    return deal(bg, rng, 10, 20)


@probe("4.5", asked=ROWS.format(size=4, last=110) + ", twice, each time with a new rng of seed 5")
def the_same_seed_twice(bg, rng):
    import numpy as np

    first, second = (deal(bg, np.random.default_rng(5), 12, 4)["the batches"] for _ in range(2))
    return {"whether the same seed dealt the same batches": first == second}


@probe(
    "4.5",
    asked="list(minibatches(xs, ys, {size}, rng)), xs with rows [0, 0.5], [1, 1.5], ...; ys = {labels}",
)
def random_labels(bg, rng):
    labels = (rng.permutation(100)[: int(rng.integers(9, 15))] / 4).tolist()
    size = int(rng.integers(2, 6))
    return {"asked": {"size": size, "labels": labels}, **deal_with_labels(bg, rng, labels, size)}


# 4.6: hinge_loss.


def hinge_answers(bg, scores, labels):
    values = [bg.Value(score) for score in scores]
    cost = bg.scalar_nn.hinge_loss(values, labels)
    return about_cost(cost, "loss", values, "scores")


@probe("4.6", asked="hinge_loss(scores, [1, -1, -1, 1, 1]) for the scores 0.3, 0.3, -9.0, -2.0, 4.0")
def both_sides(bg, rng):
    return hinge_answers(bg, [0.3, 0.3, -9.0, -2.0, 4.0], [1, -1, -1, 1, 1])


@probe("4.6", asked="hinge_loss(scores, [1, 1]) for the scores 3.0 and 0.5")
def all_on_their_side(bg, rng):
    return hinge_answers(bg, [3.0, 0.5], [1, 1])


@probe("4.6", asked="hinge_loss(scores, labels) for scores -1.5, 0.25, 0.75, the labels a NumPy array [-1, 1, -1]")
def labels_in_an_array(bg, rng):
    import numpy as np

    return hinge_answers(bg, [-1.5, 0.25, 0.75], np.array([-1, 1, -1]))


@probe("4.6", asked="hinge_loss(scores, [1, 1, -1]) for the scores 1.0, 0.4 and -1.0")
def just_on_their_side(bg, rng):
    return hinge_answers(bg, [1.0, 0.4, -1.0], [1, 1, -1])


@probe("4.6", asked="hinge_loss(scores, [1, -1]) for the scores 3.0 and -2.5, which cost nothing")
def nothing_costs(bg, rng):
    return hinge_answers(bg, [3.0, -2.5], [1, -1])


@probe("4.6", asked="hinge_loss(scores, {labels}) for the scores {scores}")
def random_scores(bg, rng):
    sizes = rng.uniform([0.1, 0.1, 0.1, 1.1, 1.1], [0.9, 0.9, 0.9, 3.0, 3.0]).round(2)  # never 1, where relu bends
    scores, labels = (sizes * rng.choice([-1, 1], 5)).tolist(), rng.choice([-1, 1], 5).tolist()
    return {"asked": {"scores": scores, "labels": labels}, **hinge_answers(bg, scores, labels)}


# 4.7: the hunt.


def ask_hunt(name):
    @probe("4.7", asked=f"three_data_sets({{x}})[{name!r}]", name=f"only_{name}", secret=True)
    def recorded(bg, rng):
        x = round(float(rng.uniform(0.5, 3)), 2)
        given = bg.hunts.three_data_sets(x)
        if isinstance(given, dict) and name in given:
            return {"asked": {"x": x}, f"the data for {name}": given[name]}
        return {"asked": {"x": x}, "the answer": Form(no_data(given))}


def no_data(given):
    """What came instead of a dict with all three names."""
    if not isinstance(given, dict):
        return kind_of(given)
    return f"a dict with the keys {', '.join(map(repr, list(given)[:6]))}" if given else "an empty dict"


for _name in ("Ada", "Ben", "Cleo"):
    ask_hunt(_name)
