"""The exercises of notebook 04: neurons, layers, a network of Values, the loop that trains it, and a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook("04", "scalar_mlp", "A network of numbers", files=("scalar_nn.py", "hunts.py"))

neuron = Exercise(
    "4.1",
    "Neuron",
    file="scalar_nn.py",
    points=2,
    difficulty=2,
    needs=("2.1", "2.8", "2.9"),
    hints=[
        "Take the neuron of the table to pieces. With all inputs at 0, tanh(0.5) came out: so what does the bias "
        "go through? And 200 gave 1.00: what comes last?",
        "The bias and all products make one sum, and the sum is bent once, after the loop. Keep the Values "
        "themselves: with .data in it the sum forgets what it was made from. Which bend it is, self.nonlin says.",
        "A name for the sum, which is self.bias at first. For each pair of zip(self.weights, x) it becomes itself plus "
        "the product of the two. Then return its tanh(), relu(), sigmoid() or the sum itself, one if for each "
        "self.nonlin.",
    ],
)

parts = Exercise(
    "4.2",
    "parameters_of",
    file="scalar_nn.py",
    points=1,
    difficulty=1,
    hints=[
        "Look at the classes Neuron and Layer: what can you ask of both? And what comes out of [[1, 2], [3]] when no "
        "list may be left in the list?",
        "Ask each part for its parameters(), with the brackets: without them it is not asked. Then join the lists: "
        "found.extend(more) puts everything from the list `more` on the list `found`.",
        "Start with an empty list, and for each part extend it by part.parameters(). Return it after the loop.",
    ],
)

mlp = Exercise(
    "4.3",
    "MLP",
    file="scalar_nn.py",
    points=1,
    difficulty=1,
    needs=("4.1",),
    hints=[
        "MLP(3, [4, 1]) has a Layer(3, 4) and a Layer(4, 1). Which 3 numbers can the first one read, and which 4 the "
        "second?",
        "Think of a relay: whatever a layer answers is what the next one reads. So a loop over self.layers, with one "
        "variable that holds what is being handed on.",
        "In the loop over self.layers ask the layer with x, and let x be the name of what it answers. After the loop "
        "x is the answer.",
    ],
)

step = Exercise(
    "4.4",
    "squared_error and train_step",
    file="scalar_nn.py",
    points=3,
    difficulty=3,
    needs=("2.3", "2.4", "2.5", "3.4", "4.2", "4.3"),
    stuck="The loss does not fall",
    hints=[
        "Put the five verbs in order by what each one needs: who needs a loss, who needs a gradient, and who would "
        "destroy one? And several errors: should one of 2 and one of -2 together cost nothing?",
        "Two lists, then one number: predictions = one model(x) for each x, and loss = loss_fn(predictions, ys). "
        "The order of the rest: forget (zero_grad), walk back (backward), and only then the parameters move. "
        "Change the number inside a parameter, its .data; the Value itself must stay the one that the model holds.",
        "squared_error: a sum over zip(predictions, targets) of (p - t) ** 2. "
        "train_step ends with: for parameter in model.parameters(): parameter.data -= (how far?), and then"
        " the number inside the loss is returned.",
    ],
)

hinge = Exercise(
    "4.5",
    "hinge_loss",
    file="scalar_nn.py",
    points=2,
    difficulty=2,
    needs=("2.4", "2.5", "2.9"),
    hints=[
        "Look at the rows of the table by label * score: 3, 1, 0.3, -0.3, 5. What does each of them cost? So one rule "
        "does for both labels.",
        "What label * score falls short of 1, and never less than 0: a Value has a method that cuts off below 0. Each "
        "sample needs its own. Then add the costs up and divide by how many samples there are.",
        "costs = [(1 - label * score).relu() for score, label in zip(scores, labels)], and its mean.",
    ],
)

batches = Exercise(
    "4.6",
    "minibatches",
    file="scalar_nn.py",
    points=2,
    difficulty=2,
    hints=[
        "order is the shuffled list of row numbers, say [2, 0, 3, 1, 4], and batch_size is 2. Which three "
        "pieces of it do you want?",
        "A piece begins at 0, batch_size, 2 * batch_size, ...: range takes a step as its third argument. A"
        " slice that reaches past the end "
        "simply stops there, so the small last piece comes by itself. An array takes a whole list of row "
        "numbers at once: xs[piece].",
        "for start in range(0, len(order), batch_size): piece = order[start : start + batch_size]. Then "
        "put the pair (xs[piece], the same rows of ys) on the list.",
    ],
)

hunt = Exercise(
    "4.7",
    "three_data_sets",
    file="hunts.py",
    points=3,
    difficulty=3,
    hints=[
        "First find out what each loop does wrong: run each on one sample for one step, then two steps, "
        "then on two samples. When does a loop still agree with the right one?",
        "Ada's loop needs a second step to show. Ben's bias stays 0: he is right whenever the right bias "
        "stays 0 too, so make the errors "
        "cancel each other. Cleo gives the first label to the last sample: she is right whenever the "
        "labels read the same backwards.",
        "For Ben: one sample, one step. For Cleo: one step, two samples whose errors cancel, with two "
        "different labels. "
        "For Ada: two steps, and the label 0 twice, so that Cleo is right; then choose the two x so that "
        "the errors cancel.",
    ],
)
