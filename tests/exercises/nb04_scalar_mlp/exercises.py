"""The exercises of notebook 04: neurons, layers, a network of Values, the loop that trains it, and a hunt."""

from grader.course.exercise import Exercise, Notebook
from grader.course.tracks import EVENING, STRETCH

NOTEBOOK = Notebook("04", "scalar_mlp", "A network of numbers", files=("scalar_nn.py", "hunts.py"))

neuron = Exercise(
    "4.1",
    "Neuron",
    file="scalar_nn.py",
    points=2,
    difficulty=2,
    track=EVENING,
    needs=("2.1", "2.8", "2.9"),
    hints=[
        "Take the neuron of the table apart. With all inputs at 0 it answered 0.46, which is tanh(0.5): so what "
        "does the bias go through? And 200 gave 1.00: what comes last?",
        "The bias and all products make one sum, and the activation is applied to it once, after the loop. Keep the "
        "Values themselves: with .data the sum forgets what it was made from. self.nonlin says which activation it "
        "is.",
        "Give the sum a name; it starts as self.bias. For each pair of zip(self.weights, x) it becomes itself plus "
        "the product of the two. Then return its tanh(), relu(), sigmoid(), or the sum itself, with an `if` for "
        "each text that self.nonlin can be.",
    ],
)

parts = Exercise(
    "4.2",
    "parameters_of",
    file="scalar_nn.py",
    points=1,
    difficulty=1,
    track=EVENING,
    hints=[
        "Look at the classes Neuron and Layer: what can you ask both of them for? And what should come out of [[1, "
        "2], [3]] if no list may be left inside the list?",
        "Ask each part for its parameters(), with the brackets: without them the method is not called. Then join "
        "the lists: found.extend(more) adds everything in the list `more` to the list `found`.",
        "Start with an empty list. For each part, extend it by part.parameters(). Return it after the loop.",
    ],
)

mlp = Exercise(
    "4.3",
    "MLP",
    file="scalar_nn.py",
    points=1,
    difficulty=1,
    track=EVENING,
    needs=("4.1",),
    hints=[
        "MLP(3, [4, 1]) has a Layer(3, 4) and a Layer(4, 1). Which 3 numbers can the first one read, and which 4 "
        "can the second?",
        "Think of a relay: what one layer answers, the next one reads. So a loop over self.layers, with one "
        "variable that holds what is passed on.",
        "In the loop over self.layers, call the layer with x, and let x be the name of its answer. After the loop x "
        "is the answer of the network.",
    ],
)

step = Exercise(
    "4.4",
    "squared_error and train_step",
    file="scalar_nn.py",
    points=3,
    difficulty=3,
    track=EVENING,
    needs=("2.3", "2.4", "3.4", "4.2", "4.3"),
    stuck="The loss does not fall",
    hints=[
        "Put the five verbs in order by what each one needs: which needs a loss, which needs gradients, and which "
        "would destroy them? And squared_error: should an error of 2 and one of -2 together cost nothing?",
        "Two lists, then one number: predictions = one model(x) for each x, and loss = loss_fn(predictions, ys). "
        "The order of the rest: forget (zero_grad), walk back (backward), and only then the parameters move. Change "
        "the number inside a parameter, its .data; the Value itself must stay the one that the model holds.",
        "squared_error: a sum over zip(predictions, targets) of (p - t) ** 2. train_step ends with: for parameter "
        "in model.parameters(): parameter.data -= (how far?), and then it returns the number inside the loss.",
    ],
)

batches = Exercise(
    "4.5",
    "minibatches",
    file="scalar_nn.py",
    points=2,
    difficulty=2,
    track=EVENING,
    hints=[
        "order is the shuffled list of row numbers, say [2, 0, 3, 1, 4], and batch_size is 2. Which three "
        "pieces of it do you want?",
        "A piece begins at 0, batch_size, 2 * batch_size, ...: range takes the step as its third argument. A slice "
        "that reaches past the end simply stops there, so the small last piece comes by itself. An array takes a "
        "whole list of row numbers at once: xs[piece].",
        "for start in range(0, len(order), batch_size): piece = order[start : start + batch_size]. Then add the "
        "pair (xs[piece], the same rows of ys) to the list.",
    ],
)

hinge = Exercise(
    "4.6",
    "hinge_loss",
    file="scalar_nn.py",
    points=2,
    difficulty=2,
    track=STRETCH,
    needs=("2.4", "2.5", "2.9"),
    hints=[
        "Write down label * score for each row of the table: 3, 1, 0.3, -0.3, 0.5, 5. What does each of them cost? "
        "So one rule does for both labels.",
        "A sample costs what label * score falls short of 1, and never less than 0: one of a Value's methods cuts "
        "off below 0. Each sample needs it for itself. Then take the mean.",
        "costs = [(1 - label * score).relu() for score, label in zip(scores, labels)], and their mean.",
    ],
)

hunt = Exercise(
    "4.7",
    "three_data_sets",
    file="hunts.py",
    points=3,
    difficulty=3,
    track=STRETCH,
    hints=[
        "First find out what each loop does wrong: run each on one sample for one step, then for two steps, then on "
        "two samples. When does a loop still agree with the right one?",
        "Ada's loop needs a second step to show. Ben's bias stays 0: he is right whenever the right bias stays 0 "
        "too, so make the errors cancel each other. Cleo gives the first label to the last sample: she is right "
        "whenever the labels read the same backwards.",
        "For Ben: one sample, one step. For Cleo: one step, two samples whose errors cancel, with two "
        "different labels. "
        "For Ada: two steps, and the label 0 twice, so that Cleo is right; then choose the two x so that "
        "the errors cancel.",
    ],
)
