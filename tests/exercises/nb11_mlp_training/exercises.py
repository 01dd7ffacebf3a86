"""The exercises of notebook 11: modules, layers and losses on Tensors, the training of an MLP, and a hunt."""

from grader.course.exercise import Exercise, Notebook
from grader.course.tracks import STRETCH

NOTEBOOK = Notebook(
    "11",
    "mlp_training",
    "Training an MLP",
    files=("nn.py", "losses.py", "training.py", "hunts.py"),
)

names_of_all = Exercise(
    "11.1",
    "Module.named_parameters",
    file="nn.py",
    points=2,
    difficulty=2,
    hints=[
        "walk(self) does the walking: `for name, thing in walk(self)`. Print what it gives for `odd`. Which of "
        "these pairs do you want? And when are two of them the same Parameter: if their numbers are equal, or their "
        "names, or what?",
        "isinstance(thing, Parameter) says whether a thing is a Parameter. Some come twice, so keep a record of "
        "what you have seen. Two Parameters may hold equal numbers, so what you record is id(thing).",
        "Begin with an empty dict. For each Parameter that walk gives: if id(thing) is not a key yet, store the "
        "pair (name, thing) under it. A dict keeps the order in which its keys came in, so list(its.values()) is "
        "the answer.",
    ],
)

mlp = Exercise(
    "11.3",
    "MLP",
    file="nn.py",
    points=2,
    difficulty=2,
    hints=[
        "Write the layers of [2, 5, 3] and of [2, 5, 4, 3] down, one below the other. How many linear layers does a "
        "list of n sizes give? Which of them has no activation after it?",
        "A linear layer stands between two neighbours of dims. An activation stands between two linear layers, so "
        "there is one fewer of them. activation is a class: activation() makes an object.",
        "layers = [Linear(dims[0], dims[1], rng=rng)]. Then for i in range(1, len(dims) - 1): add activation() and "
        "Linear(dims[i], dims[i + 1], rng=rng). Every Linear gets the same rng.",
    ],
)

distances = Exercise(
    "11.4",
    "mse_loss",
    file="losses.py",
    points=1,
    difficulty=1,
    needs=("5.3", "5.5", "6.1", "6.2", "6.4", "7.3", "7.4", "9.4"),
    hints=[
        "hinge_loss, just above it, is given: what does it check first, and what does it do last? In between: what "
        "does one number cost? Write it down for prediction 3 and target 1.",
        "same_shape first. The error is a difference, each one is squared, and the mean is over all of them.",
        "Take what same_shape returns for the targets, then subtract, square, .mean(), with brackets around each "
        "step. Only operations on Tensors.",
    ],
    stuck="x.grad is None",
)

entropy = Exercise(
    "11.5",
    "nll_loss and cross_entropy",
    file="losses.py",
    points=3,
    difficulty=2,
    needs=("5.3", "5.5", "6.1", "7.1", "7.3", "7.4", "9.4", "10.8", "10.10", "10.11"),
    hints=[
        "For one row: what log_softmax says about its target, with a minus sign. For three rows with targets 2, 0, 2 "
        "you want the numbers at (0, 2), (1, 0) and (2, 2). How did 10.8 pick one number of each row?",
        "Indexing with two arrays of equal length picks pairs: t[rows, columns]. The rows are 0, 1, 2, ..., which "
        "np.arange gives; the columns are the targets. A colon in place of the rows would mean: every row with every "
        "target.",
        "nll_loss: targets = class_numbers(log_probabilities, targets), then minus the mean of "
        "log_probabilities[np.arange(len(targets)), targets]. cross_entropy: nll_loss(scores.log_softmax(), targets).",
    ],
    stuck="The loss is nan or explodes",
)

binary = Exercise(
    "11.6",
    "binary_cross_entropy_with_logits",
    file="losses.py",
    points=2,
    difficulty=3,
    track=STRETCH,
    needs=("5.3", "5.5", "6.1", "6.2", "6.8", "7.3", "7.4", "9.4"),
    hints=[
        "First the table: by how much does softplus(s) differ from -log(p), in each row? So what is log(p), in "
        "terms of s and softplus(s)? Put both logarithms into the formula, on paper, and multiply it out. What "
        "becomes of t * softplus(s)?",
        "log(p) is s - softplus(s), and log(1 - p) is -softplus(s). In -(t * (s - softplus(s)) + (1 - t) * "
        "(-softplus(s))) the two t * softplus(s) cancel: softplus(s) - t * s is left. Then take the mean over all "
        "numbers.",
        "The first line is the same as in mse_loss. The second takes ops.softplus of the scores, subtracts the "
        "product from the last hint, and takes the .mean() of the whole bracket.",
    ],
    stuck="The loss is nan or explodes",
)

epoch = Exercise(
    "11.8",
    "train_epoch",
    file="training.py",
    points=4,
    difficulty=3,
    needs=("5.3", "5.5", "6.1", "6.4", "7.3", "7.4", "8.1", "9.4", "11.1"),
    hints=[
        "You wrote such a loop in 4.4 and in 10.7. What did Ada, Ben and Cleo each do wrong? And two batches of 4 "
        "and one of 1 hold nine samples: how often should each of the three losses count in the mean of the nine?",
        "For each batch: its loss, then forget, walk back, step. Two of these three calls are the optimizer's, one "
        "is the loss's. Meanwhile keep two numbers: the sum of the losses of all samples so far, and how many "
        "samples there were. loss.item() is a mean over the batch.",
        "Two numbers begin at 0 before the loop: a total, and how many samples there were. In the loop the model is "
        "given Tensor(x, requires_grad=False), and loss_fn its answers and y; then the three calls; then both numbers "
        "grow, the total by loss.item() for each of the len(x) samples. After the loop divide one by the other.",
    ],
    stuck="The loss does not fall",
)

hunt = Exercise(
    "11.9",
    "four_wrong_losses",
    file="hunts.py",
    points=2,
    difficulty=3,
    track=STRETCH,
    hints=[
        "Try A with two rows and two different targets, and again with two equal targets. Try B and C with one large "
        "number, in different places. For D let one class have more rows than the other.",
        "A uses the targets of all rows for every row. B subtracts the largest score of the whole batch from each "
        "row: what if a row lies far below it? C adds 0.0000001 to the probability: when does that matter? D takes "
        "the mean of each class first.",
        "Three rows, with targets such as 0, 0, 1. One row whose target has a tiny probability, for C. One row whose "
        "scores all lie 1000 below the others, for B. Two of the three rows in one class, with different losses, "
        "for D.",
    ],
)
