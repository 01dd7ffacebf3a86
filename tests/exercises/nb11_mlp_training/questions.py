"""The questions of notebook 11."""

import weakref

import numpy as np

from grader.asking.answers import Form, raised
from grader.course.questions import probe
from grader.probes.probing import drawn
from grader.probes.tensors import as_lists, dtype_of, is_tensor, kind_of, labelled, signed

# What the questions have in common.


ABOVE = -1.5  # what the losses below are multiplied by before the backward pass, where a question says so
BACK = f", then called backward on {ABOVE} times the result"


def factor(rng):
    """What a loss is multiplied by before the backward pass: not 1, and negative."""
    return -round(rng.uniform(1.5, 3.5), 2)


def many_digits(rng, *shape):
    """Numbers of both signs with digits to the end: the product of two with two digits each has only four."""
    return signed(rng, *shape) * (np.pi / 3)


def kind(x):
    """What kind of thing x is, in words, with the shape of a Tensor or an array."""
    return kind_of(x) + (f" of shape {x.shape}" if is_tensor(x) or isinstance(x, np.ndarray) else "")


def walked_back(bg, out, above, **leaves):
    """What kind of thing came out, its numbers, and after a backward pass the gradients of the leaves.

    above: what out is multiplied by before the walk: an array of its shape.
    """
    answers = {"returned": Form(kind(out))}
    if not is_tensor(out) or np.shape(above) not in ((), out.data.shape):
        return answers
    answers["the result"] = out.data + 0.0
    for name, leaf in leaves.items():
        leaf.label = leaf.label or name
    if out.requires_grad:
        (out * above).backward()
    answers.update((f"the gradient of {name}", gradient_of(leaf)) for name, leaf in leaves.items())
    return answers | {"graph": drawn(bg, out)}


def gradient_of(leaf):
    return Form("None: no gradient reaches it") if leaf.grad is None else leaf.grad + 0.0


# 11.1: the parameters of a module.


def names_and_parameters(module):
    """What named_parameters gave: the names, and which Parameters stand beside them, known by their labels."""
    pairs = module.named_parameters()
    if not isinstance(pairs, list):
        return {"returned": Form(kind(pairs))}
    if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in pairs):
        odd = next(pair for pair in pairs if not isinstance(pair, (tuple, list)) or len(pair) != 2)
        return {"returned": Form(f"a list that holds {kind(odd)}")}
    return {
        "returned": Form("a list of pairs"),
        "the list of names": [name if isinstance(name, str) else Form(kind(name)) for name, _ in pairs],
        "the list of Parameters beside them": [
            Form(str(getattr(thing, "label", "") or kind(thing))) for _, thing in pairs
        ],
    }


def a_parameter(bg, label, numbers=(1.0,)):
    return labelled(bg.nn.Parameter(np.array(numbers)), label)


def a_module(bg, **attributes):
    """A module with these attributes, set in this order."""
    module = bg.nn.Module()
    for name, value in attributes.items():
        setattr(module, name, value)
    return module


@probe("11.1", asked="named_parameters() of a module with m.scale = s and m.offset = t, both Parameters")
def two_of_its_own(bg, rng):
    return names_and_parameters(a_module(bg, scale=a_parameter(bg, "s"), offset=a_parameter(bg, "t", [1.0, 2.0])))


@probe(
    "11.1",
    asked="named_parameters() of a module with m.size = 3, m.table = an array, m.fixed = Tensor([5.0]), m.bias = None "
    "and m.weight = Parameter w",
)
def what_is_no_parameter(bg, rng):
    fixed = labelled(bg.Tensor([5.0]), "fixed")
    return names_and_parameters(
        a_module(bg, size=3, table=np.ones(2), fixed=fixed, bias=None, weight=a_parameter(bg, "w"))
    )


@probe(
    "11.1",
    asked="named_parameters() of a module with m.first = Parameter p and m.hidden = a module with hidden.weight = w "
    "and hidden.bias = b, and m.last = Parameter q",
)
def a_module_in_a_module(bg, rng):
    hidden = a_module(bg, weight=a_parameter(bg, "w"), bias=a_parameter(bg, "b"))
    return names_and_parameters(a_module(bg, first=a_parameter(bg, "p"), hidden=hidden, last=a_parameter(bg, "q")))


@probe(
    "11.1",
    asked="named_parameters() of a module with m.head = a module with a weight v, and m.parts = a list of two modules, "
    "of which the second one holds a dict {'left': Parameter l, 'right': Parameter r}",
)
def lists_and_dicts(bg, rng):
    head = a_module(bg, weight=a_parameter(bg, "v"))
    first = a_module(bg, weight=a_parameter(bg, "w", [2.0]))
    second = a_module(bg, sides={"left": a_parameter(bg, "l", [3.0]), "right": a_parameter(bg, "r", [4.0])})
    return names_and_parameters(a_module(bg, head=head, parts=[first, second]))


@probe(
    "11.1",
    asked="named_parameters() of a module with m.a = Parameter p, m.b = Parameter q, m.c = p again, m.size = 3 and "
    "m.d = Parameter r, then m.part = a module with part.b = a Parameter w",
)
def one_parameter_twice(bg, rng):
    p, q, r = a_parameter(bg, "p"), a_parameter(bg, "q", [4.0]), a_parameter(bg, "r", [5.0])
    part = a_module(bg, b=a_parameter(bg, "w", [6.0]))
    return names_and_parameters(a_module(bg, a=p, b=q, c=p, size=3, d=r, part=part))


@probe(
    "11.1",
    asked="named_parameters() of a module with m.coder = a module with a weight w, and m.decoder = the same module",
)
def one_module_twice(bg, rng):
    part = a_module(bg, weight=a_parameter(bg, "w"))
    return names_and_parameters(a_module(bg, coder=part, decoder=part))


@probe("11.1", asked="named_parameters() of a module with m.a = Parameter([1, 2]) p and m.b = Parameter([1, 2]) q")
def equal_numbers(bg, rng):
    return names_and_parameters(a_module(bg, a=a_parameter(bg, "p", [1.0, 2.0]), b=a_parameter(bg, "q", [1.0, 2.0])))


@probe(
    "11.1",
    asked="named_parameters() of a module with m.left = a module with a weight v, and m.right = one with a weight w",
)
def equal_names(bg, rng):
    left, right = a_module(bg, weight=a_parameter(bg, "v")), a_module(bg, weight=a_parameter(bg, "w", [3.0]))
    return names_and_parameters(a_module(bg, left=left, right=right))


@probe(
    "11.1",
    asked="named_parameters() of a module with m.a = Parameter p, of which p.requires_grad was set to False, and "
    "m.b = Parameter q",
)
def one_that_is_held_fixed(bg, rng):
    p = a_parameter(bg, "p")
    p.requires_grad = False
    return names_and_parameters(a_module(bg, a=p, b=a_parameter(bg, "q")))


@probe(
    "11.1",
    asked="named_parameters() of a module with m.a = Parameter p, then set m.b = Parameter q and called it once more",
)
def a_part_that_came_later(bg, rng):
    module = a_module(bg, a=a_parameter(bg, "p"))
    names_and_parameters(module)
    module.b = a_parameter(bg, "q")
    return {f"the second time, {name}": answer for name, answer in names_and_parameters(module).items()}


@probe("11.1", asked="named_parameters() of a module without any attributes")
def an_empty_module(bg, rng):
    return names_and_parameters(bg.nn.Module())


@probe(
    "11.1",
    asked="named_parameters() of a module with the Parameters {first}, then m.{part} = a module with the Parameters "
    "{inside}, then m.{last} = m.{again} once more, and a last Parameter m.{more}",
)
def names_from_a_hat(bg, rng):
    names = ["abcdefghk"[place] for place in rng.permutation(9)]
    first, part, inside, last, more = names[:3], names[3], names[4:7], names[7], names[8]
    own = {name: a_parameter(bg, f"p{place}") for place, name in enumerate(first)}
    inner = a_module(bg, **{name: a_parameter(bg, f"q{place}") for place, name in enumerate(inside)})
    module = a_module(bg, **own, **{part: inner, last: own[first[0]], more: a_parameter(bg, "r")})
    asked = {"first": ", ".join(first), "part": part, "inside": ", ".join(inside)}
    return {"asked": {**asked, "last": last, "again": first[0], "more": more}, **names_and_parameters(module)}


# 11.3: MLP.


class Dice:
    """Takes the place of a random generator: notes what is drawn; the n-th array that it gives is all n."""

    def __init__(self):
        self.drawn = []

    def uniform(self, low, high, size):
        self.drawn.append(list(size) if isinstance(size, (tuple, list)) else size)
        return np.full(size, float(len(self.drawn)))


def layer_in_words(layer):
    """Such as "Linear 2 to 5"."""
    if isinstance(layer, type):
        return Form(f"the class {layer.__name__}")
    weight = getattr(layer, "weight", None)
    return Form(f"Linear {' to '.join(map(str, weight.shape))}" if hasattr(weight, "shape") else type(layer).__name__)


def about_layers(bg, dims, activation):
    """The layers in words, what was drawn for them, and whether each is an object of its own."""
    dice = Dice()
    made = bg.nn.mlp_layers(dims, activation, dice)
    if not isinstance(made, (list, tuple)):
        return {"returned": Form(kind(made))}
    first_numbers = [layer.weight.data.flat[0] for layer in made if hasattr(layer, "weight")]
    return {
        "returned": Form("a list of layers"),
        "the list of layers": [layer_in_words(layer) for layer in made],
        "the list of shapes that were drawn from rng": dice.drawn,
        "the list of draws that made the weights": first_numbers if dice.drawn else Form("none"),
        "the number of layers that are the same object as an earlier one": len(made) - len(set(map(id, made))),
    }


def ask_layers(name, dims, activation):
    """Register a question: which layers does this MLP get?"""

    @probe("11.3", asked=f"mlp_layers({dims}, {activation}, rng)", name=name)
    def about(bg, rng):
        return about_layers(bg, list(dims), getattr(bg.nn, activation))


ask_layers("one_hidden_layer", [2, 5, 3], "Tanh")
ask_layers("three_hidden_layers", [4, 3, 6, 5, 2], "ReLU")
ask_layers("hidden_layers_of_one_size", [3, 3, 3, 3], "Sigmoid")
ask_layers("no_hidden_layer", [4, 1], "Tanh")


@probe("11.3", asked="mlp_layers(dims, Tanh, rng) for dims = [2, 5, 4, 3], then looked at dims")
def the_sizes_are_left_alone(bg, rng):
    dims = [2, 5, 4, 3]
    bg.nn.mlp_layers(dims, bg.nn.Tanh, Dice())
    return {"the list dims afterwards": dims}


@probe("11.3", asked="mlp_layers({dims}, ReLU, rng)")
def layers_of_any_size(bg, rng):
    dims = rng.integers(2, 10, 5).tolist()
    return {"asked": {"dims": str(dims)}, **about_layers(bg, dims, bg.nn.ReLU)}


# 11.4: mse_loss.


def dtype_of_loss(bg, rng, loss_name, targets):
    """The dtype of a loss, where what is compared with the targets is float32."""
    return dtype_of(getattr(bg.losses, loss_name)(bg.Tensor(signed(rng, len(targets)), dtype="float32"), targets))


def loss_answers(bg, loss_name, numbers, targets, above, leaf="predictions"):
    """A loss, and after a walk back from above times it the gradient of its first argument, which is called leaf."""
    tensor = bg.Tensor(np.asarray(numbers))
    return walked_back(bg, getattr(bg.losses, loss_name)(tensor, targets), above, **{leaf: tensor})


@probe("11.4", asked="mse_loss(predictions, targets) for predictions = [1, -2, 0.5, 3], targets = [1, 1, 0, -1]" + BACK)
def four_errors(bg, rng):
    return loss_answers(bg, "mse_loss", [1.0, -2.0, 0.5, 3.0], np.array([1.0, 1.0, 0.0, -1.0]), ABOVE)


@probe(
    "11.4",
    asked="mse_loss(predictions, targets) for two arrays of shape (3, 2), times {above}, then called backward",
)
def errors_of_a_table(bg, rng):
    above = factor(rng)
    answers = loss_answers(bg, "mse_loss", many_digits(rng, 3, 2), many_digits(rng, 3, 2)[::-1].copy(), above)
    return {"asked": {"above": str(above)}, **answers}


@probe("11.4", asked="mse_loss(predictions, [1, 0, 1]) for predictions of shape (3,): the targets are a list of ints")
def targets_in_a_list(bg, rng):
    return loss_answers(bg, "mse_loss", signed(rng, 3), [1, 0, 1], factor(rng))


@probe("11.4", asked="mse_loss(predictions, targets) for predictions of shape (4, 1) and targets of shape (4,)")
def a_column_and_a_row(bg, rng):
    def call():
        return Form(kind(bg.losses.mse_loss(bg.Tensor(signed(rng, 4, 1)), signed(rng, 4))))

    return {"the call": raised(call, naming="(4, 1)")}


@probe("11.4", asked="mse_loss(p, t) for p of shape (3,), and t = [1, -1, 1] as a Tensor")
def targets_in_a_tensor(bg, rng):
    targets = bg.Tensor([1.0, -1.0, 1.0], requires_grad=False)
    return loss_answers(bg, "mse_loss", signed(rng, 3), targets, factor(rng))


@probe("11.4", asked="mse_loss(p, t) for p of dtype float32, and t = [1, -1, 1] as a list")
def small_floats(bg, rng):
    return {"the dtype of the loss": dtype_of_loss(bg, rng, "mse_loss", [1, -1, 1])}


@probe("11.4", asked="mse_loss(p, t), then looked at p and t")
def arguments_are_left_alone(bg, rng):
    p, t = bg.Tensor(signed(rng, 3)), np.array([1.0, -1.0, 1.0])
    bg.losses.mse_loss(p, t).backward()
    return {"p afterwards": p.data, "t afterwards": t}


# 11.5: nll_loss and cross_entropy.


def entropy_answers(bg, loss_name, numbers, targets, above):
    return loss_answers(bg, loss_name, numbers, targets, above, "scores")


def log_probabilities(rng, *shape):
    """The logarithms of numbers that add up to 1 in each row."""
    scores = signed(rng, *shape)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


@probe("11.5", asked="nll_loss(p, [1, 0]) for p = [[-3, -2, -0.5], [-1, -0.25, -4]]" + BACK)
def two_rows_of_logarithms(bg, rng):
    return entropy_answers(bg, "nll_loss", [[-3.0, -2.0, -0.5], [-1.0, -0.25, -4.0]], np.array([1, 0]), ABOVE)


@probe("11.5", asked="nll_loss(p, targets) for p of shape (4, 3), times {above}, then called backward")
def rows_of_logarithms(bg, rng):
    above = factor(rng)
    answers = entropy_answers(bg, "nll_loss", log_probabilities(rng, 4, 3), np.array([2, 0, 2, 1]), above)
    return {"asked": {"above": str(above)}, **answers}


@probe("11.5", asked="nll_loss(p, targets) for p of shape (3, 3), then called backward")
def a_square_of_logarithms(bg, rng):
    return entropy_answers(bg, "nll_loss", log_probabilities(rng, 3, 3), np.array([1, 2, 2]), factor(rng))


@probe(
    "11.5",
    asked="nll_loss(p, [1, 0, 2]) for p = [[-inf, 0, -inf], [-0.25, -2, -inf], [-inf, -1, -0.5]]" + BACK,
)
def impossible_classes(bg, rng):
    logarithms = [[-np.inf, 0.0, -np.inf], [-0.25, -2.0, -np.inf], [-np.inf, -1.0, -0.5]]
    with np.errstate(all="ignore"):
        return entropy_answers(bg, "nll_loss", logarithms, np.array([1, 0, 2]), ABOVE)


@probe("11.5", asked="cross_entropy(scores, [1, 0]) for scores = [[1, 2, 0], [0, 3, 1]]" + BACK)
def two_rows_of_scores(bg, rng):
    return entropy_answers(bg, "cross_entropy", [[1.0, 2.0, 0.0], [0.0, 3.0, 1.0]], np.array([1, 0]), ABOVE)


@probe("11.5", asked="cross_entropy(scores, targets) for scores of shape (4, 3), times {above}, then called backward")
def rows_of_scores(bg, rng):
    above = factor(rng)
    answers = entropy_answers(bg, "cross_entropy", signed(rng, 4, 3), np.array([2, 0, 2, 1]), above)
    return {"asked": {"above": str(above)}, **answers}


@probe("11.5", asked="cross_entropy(scores, [1, 2, 2]) for scores of shape (3, 3), then called backward")
def a_square_of_scores(bg, rng):
    return entropy_answers(bg, "cross_entropy", signed(rng, 3, 3), [1, 2, 2], factor(rng))


@probe(
    "11.5",
    asked="cross_entropy(scores, [1, 0, 2]) for scores = [[1000, 999, 0], [-1000, -1001, -1002], [5, -inf, 4]]" + BACK,
)
def far_out(bg, rng):
    scores = [[1000.0, 999.0, 0.0], [-1000.0, -1001.0, -1002.0], [5.0, -np.inf, 4.0]]
    with np.errstate(all="ignore"):
        return entropy_answers(bg, "cross_entropy", scores, np.array([1, 0, 2]), ABOVE)


@probe("11.5", asked="cross_entropy(scores, [0, 1]) for scores = [[-800, 0], [0, 0]], where p is tiny" + BACK)
def almost_impossible(bg, rng):
    with np.errstate(all="ignore"):
        return entropy_answers(bg, "cross_entropy", [[-800.0, 0.0], [0.0, 0.0]], np.array([0, 1]), ABOVE)


@probe("11.5", asked="cross_entropy(scores, [0, 0, 0]) for scores of shape (3, 1): there is only one class")
def one_class(bg, rng):
    return entropy_answers(bg, "cross_entropy", signed(rng, 3, 1), np.array([0, 0, 0]), factor(rng))


def ask_to_refuse(loss_name):
    """Register a question: what does the loss say to targets that do not fit?"""

    def refuses(bg, rng):
        def call(targets):
            scores = bg.Tensor(log_probabilities(rng, 2, 3))
            return lambda: Form(kind(getattr(bg.losses, loss_name)(scores, np.array(targets))))

        return {
            "the call with targets [0, 3]": raised(call([0, 3]), naming="3"),
            "the call with targets [0, -1]": raised(call([0, -1]), naming="-1"),
            "the call with targets [[0], [1]]": raised(call([[0], [1]]), naming="(2, 1)"),
            "the call with targets [0.0, 1.0]": raised(call([0.0, 1.0])),
        }

    asked = f"{loss_name}(p, targets) for p of shape (2, 3), and wrong targets of four kinds"
    probe("11.5", asked=asked, name=f"{loss_name}_refuses_targets_that_do_not_fit")(refuses)


ask_to_refuse("nll_loss")
ask_to_refuse("cross_entropy")


@probe(
    "11.5",
    asked="cross_entropy(scores, targets), set all targets to 0, and only then called backward on -1.5 times the "
    "result",
)
def targets_changed_before_the_walk(bg, rng):
    scores, targets = bg.Tensor(signed(rng, 3, 4)), np.array([3, 1, 2])
    loss = bg.losses.cross_entropy(scores, targets)
    targets[:] = 0
    return walked_back(bg, loss, ABOVE, scores=scores) | {"scores afterwards": scores.data}


# 11.6: binary cross-entropy.


def binary_answers(bg, scores, targets, above):
    return loss_answers(bg, "binary_cross_entropy_with_logits", scores, targets, above, "scores")


@probe("11.6", asked="binary_cross_entropy_with_logits(scores, [1, 0, 1, 0]) for the scores [2, 2, -1, 0]" + BACK)
def four_scores(bg, rng):
    """Each of two samples alone first: so a slip in the algebra is seen where it was made."""

    def alone(target):
        loss = bg.losses.binary_cross_entropy_with_logits(bg.Tensor([2.0]), np.array([target]))
        return loss.data + 0.0 if is_tensor(loss) else Form(kind(loss))

    parts = {f"for the score 2 alone, what it costs if the target is {target}": alone(target) for target in (1, 0)}
    return parts | binary_answers(bg, [2.0, 2.0, -1.0, 0.0], np.array([1, 0, 1, 0]), ABOVE)


@probe(
    "11.6",
    asked="binary_cross_entropy_with_logits(scores, targets) for shape (3, 2), times {above}, then called backward",
)
def a_table_of_pairs(bg, rng):
    above, targets = factor(rng), np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    return {"asked": {"above": str(above)}, **binary_answers(bg, signed(rng, 3, 2), targets, above)}


@probe("11.6", asked="binary_cross_entropy_with_logits(scores, [0.3, 0.9]), whose targets are probabilities")
def probabilities_as_targets(bg, rng):
    return binary_answers(bg, signed(rng, 2), np.array([0.3, 0.9]), factor(rng))


@probe("11.6", asked="binary_cross_entropy_with_logits([1000, 1000, -1000, -1000], [1, 0, 1, 0])" + BACK)
def thousands(bg, rng):
    with np.errstate(all="ignore"):
        return binary_answers(bg, [1000.0, 1000.0, -1000.0, -1000.0], np.array([1, 0, 1, 0]), ABOVE)


@probe("11.6", asked="binary_cross_entropy_with_logits(scores, targets) for scores (4, 1) and targets (4,)")
def a_column_of_logits(bg, rng):
    def call():
        scores = bg.Tensor(signed(rng, 4, 1))
        return Form(kind(bg.losses.binary_cross_entropy_with_logits(scores, np.array([1, 0, 1, 1]))))

    return {"the call": raised(call, naming="(4, 1)")}


@probe("11.6", asked="binary_cross_entropy_with_logits(scores, [1, 0, 1]) for scores of dtype float32")
def small_floats_as_logits(bg, rng):
    return {"the dtype of the loss": dtype_of_loss(bg, rng, "binary_cross_entropy_with_logits", [1, 0, 1])}


@probe("11.6", asked="binary_cross_entropy_with_logits(scores, targets), then looked at both")
def both_are_left_alone(bg, rng):
    scores, targets = bg.Tensor(signed(rng, 3)), np.array([1.0, 0.0, 1.0])
    bg.losses.binary_cross_entropy_with_logits(scores, targets).backward()
    return {"scores afterwards": scores.data, "targets afterwards": targets}


# 11.8: train_epoch.


def numbers_of(x):
    """The array of a batch, which may be a Tensor or not."""
    return np.asarray(x.data if is_tensor(x) else x)


def alive(references):
    """How many of the things are still in memory."""
    return sum(each() is not None for each in references)


def at_most_one(count):
    return Form("at most one" if count <= 1 else str(count))


class Diary:
    """A training in which everybody writes down what happens: the model, the loss, and the optimizer."""

    def __init__(self, bg, weights=(0.5, -1.0), lr=0.1):
        self.bg, self.lr = bg, lr
        self.parameter = bg.nn.Parameter(np.array(weights).reshape(-1, 1))
        self.parameter.grad = np.array([[0.3], [-0.2]])  # left over from somebody else
        self.gradients, self.inputs, self.targets, self.modes = [], [], [], []
        self.walks, self.walks_before_each_step = 0, []
        self.losses, self.answered, self.alive = [], [], {}
        diary = self

        class Model(bg.nn.Module):
            def __init__(self):
                self.weight = diary.parameter

            def forward(self, x):
                diary.inputs.append(x)
                diary.modes.append(self.training)
                diary.alive["answers"] = alive(diary.answered)
                out = (x if is_tensor(x) else bg.Tensor(x, requires_grad=False)) @ self.weight
                diary.answered.append(weakref.ref(out))
                return out

        self.model = Model()

    def loss(self, answers, targets):
        """The mean of the squared errors."""
        if not is_tensor(answers):
            raise TypeError(f"loss_fn(answers, targets) gets the model's answers first, but was given {kind(answers)}")
        self.targets.append(targets)
        errors = answers - numbers_of(targets).reshape(-1, 1)
        loss = (errors**2).mean()
        self.alive["losses"] = alive(self.losses)
        self.losses.append(weakref.ref(loss))
        loss.backward = self.walk_back_from(weakref.ref(loss))
        return loss

    def walk_back_from(self, loss):
        """The loss's own backward, counted."""

        def backward():
            self.walks += 1
            self.bg.Tensor.backward(loss())

        return backward

    def zero_grad(self):
        """The optimizer's: forget."""
        self.parameter.grad = None

    def step(self):
        """The optimizer's: notes the gradient that it sees, and goes downhill."""
        self.walks_before_each_step.append(self.walks)
        gradient = self.parameter.grad
        self.gradients.append(None if gradient is None else gradient.ravel().copy())
        if gradient is not None:
            self.parameter.data -= self.lr * gradient

    def train(self, batches):
        return self.bg.training.train_epoch(self.model, self.loss, self, batches)

    def answers(self, returned):
        """What was returned, what each step saw, and where the weights ended."""
        return {
            "returned": float(returned) if isinstance(returned, float) else Form(kind(returned)),
            "the list of gradients that the steps saw": [
                Form("None") if gradient is None else gradient.tolist() for gradient in self.gradients
            ],
            "the weights afterwards": self.parameter.data.ravel(),
            "the list of walks back before each step": self.walks_before_each_step,
        }


def dealt(rng, *sizes):
    """Batches of these sizes: pairs (x of shape (size, 2), y of shape (size,))."""
    return [(signed(rng, size, 2), signed(rng, size)) for size in sizes]


@probe(
    "11.8",
    asked="train_epoch(model, loss_fn, optimizer, loader) with batches of 3, 3 and 1 samples. The weights begin at 0.5 "
    "and -1, and their gradient still holds [0.3, -0.2] from somewhere else",
)
def three_batches(bg, rng):
    diary = Diary(bg)
    batches = ([[1, 2], [3, -1], [0, 2]], [1, 0, 2]), ([[2, 0.5], [-1, 1], [1, 0]], [0, 3, -1]), ([[1, 1]], [2])
    return diary.answers(diary.train([(np.array(x, float), np.array(y, float)) for x, y in batches]))


@probe("11.8", asked="train_epoch(...) with three batches of 4 samples each")
def three_equal_batches(bg, rng):
    diary = Diary(bg)
    return diary.answers(diary.train(dealt(rng, 4, 4, 4)))


@probe("11.8", asked="train_epoch(...) with two batches of 4 samples and a last one of 1")
def a_small_last_batch(bg, rng):
    diary = Diary(bg)
    return diary.answers(diary.train(dealt(rng, 4, 4, 1)))


@probe("11.8", asked="train_epoch(...) with two batches whose losses are tiny: the model is nearly right")
def tiny_losses(bg, rng):
    diary = Diary(bg)
    inputs = signed(rng, 3, 2), signed(rng, 2, 2)
    return diary.answers(diary.train([(x, x @ [0.5, -1.0] + 1e-4 * signed(rng, len(x))) for x in inputs]))


@probe("11.8", asked="train_epoch(...) for parameters that still have the gradient [100, 100] from somewhere else")
def a_gradient_from_before(bg, rng):
    diary = Diary(bg)
    diary.parameter.grad = np.full((2, 1), 100.0)
    return diary.answers(diary.train(dealt(rng, 3, 2)))


@probe("11.8", asked="train_epoch(...) with two batches, twice: two epochs")
def two_epochs(bg, rng):
    diary, batches = Diary(bg), dealt(rng, 3, 2)
    first = diary.train(batches)
    return {"the first epoch": diary.answers(first)["returned"], **diary.answers(diary.train(batches))}


def given_to_model(x):
    """What kind of thing the model was given."""
    if not is_tensor(x):
        return Form(kind(x))
    return Form(f"{kind(x)} that requires {'a' if x.requires_grad else 'no'} grad")


@probe("11.8", asked="train_epoch(...) with two batches, and noted what the model and the loss function were given")
def what_they_are_given(bg, rng):
    diary, batches = Diary(bg), dealt(rng, 3, 2)
    diary.train(batches)
    return {
        "what the model was given": [given_to_model(x) for x in diary.inputs],
        "the list of first rows that it saw": [numbers_of(x)[0].tolist() for x in diary.inputs],
        "what the loss function was given as targets": [
            Form("the batch's own y" if y is own else kind(y)) for y, (_, own) in zip(diary.targets, batches)
        ],
        "the list of the model's modes": [Form("training" if mode else "inference") for mode in diary.modes],
        "the mode afterwards": Form("training" if diary.model.training else "inference"),
    }


@probe("11.8", asked="train_epoch(...) with a loader that gives its three batches once, and then no more")
def batches_that_come_once(bg, rng):
    diary = Diary(bg)
    return diary.answers(diary.train(iter(dealt(rng, 3, 2, 2))))


@probe(
    "11.8",
    asked="train_epoch(...) with five batches, and counted at the fifth how many losses and answers of the model were "
    "still in memory",
)
def graphs_in_memory(bg, rng):
    diary = Diary(bg)
    diary.train(dealt(rng, 2, 2, 2, 2, 2))
    return {
        f"the number of {things} in memory": at_most_one(diary.alive.get(things, 0)) for things in ("losses", "answers")
    }


@probe("11.8", asked="train_epoch(...), and counted the losses and answers that were still in memory afterwards")
def graphs_that_outlive_the_epoch(bg, rng):
    diary = Diary(bg)
    diary.train(dealt(rng, 2, 2))
    return {
        "the number of losses in memory after the epoch": alive(diary.losses),
        "the number of answers in memory after the epoch": alive(diary.answered),
    }


@probe("11.8", asked="train_epoch(...) with the batches of a DataLoader, then looked at the data")
def a_real_loader(bg, rng):
    diary, (x, y) = Diary(bg), dealt(rng, 7)[0]
    before = x.copy(), y.copy()
    returned = diary.train(bg.DataLoader(x, y, batch_size=3, seed=1))
    same = np.array_equal(x, before[0]) and np.array_equal(y, before[1])
    return diary.answers(returned) | {"the content of the data": Form("the one from before" if same else "another one")}


# 11.9: the hunt.


def the_batch(bg, rng):
    first = int(rng.integers(2, 41))
    return {"asked": {"first": first}, "the batch": as_lists(bg.hunts.four_wrong_losses(first))}


for _loss in "ABCD":
    _asked = f"four_wrong_losses({{first}}), for {_loss}"
    probe("11.9", asked=_asked, name=f"catches_{_loss}", secret=True)(the_batch)
