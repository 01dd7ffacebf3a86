"""The exercises of notebook 04: neurons, layers, a network of Values, the loop that trains it, and a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook("04", "scalar_mlp", "A network of numbers", minutes=60, files=("scalar_nn.py", "hunts.py"))

neuron = Exercise(
    "4.1",
    "Neuron",
    file="scalar_nn.py",
    points=2,
    minutes=7,
    difficulty=2,
    needs=("2.1", "2.8", "2.9"),
    hints=[
        "Do it by hand first: weights 0.5 and -1, bias 2, inputs 4 and 3. What is the sum? Only then comes"
        " the bend, and only once.",
        "Start the sum with the bias. Walk through weights and inputs together with zip and add one "
        "product at a time. "
        "Keep the Values themselves: with .data in it the sum forgets what it was made from.",
        "A name for the sum, which is self.bias at first. For each pair of zip(self.weights, x) it becomes itself plus "
        "the product of the two. Then return its tanh(), relu(), sigmoid() or the sum itself, one if for each "
        "self.nonlin. And parameters is one list, self.weights + [something].",
    ],
)

layer = Exercise(
    "4.2",
    "Layer",
    file="scalar_nn.py",
    points=1,
    minutes=3,
    difficulty=1,
    needs=("4.1",),
    hints=[
        "A layer is only a list of neurons, self.neurons. Everybody in it is asked the same question.",
        "Ask each neuron with the whole x and collect the answers in a list. If the list holds one answer,"
        " give it back without the list.",
        "answers = [neuron(x) for neuron in self.neurons]; return answers[0] if there is only one. "
        "For parameters: start with an empty list, and for each neuron extend it by neuron.parameters().",
    ],
)

mlp = Exercise(
    "4.3",
    "MLP",
    file="scalar_nn.py",
    points=2,
    minutes=4,
    difficulty=2,
    needs=("4.2",),
    hints=[
        "Think of a relay: whatever a layer answers is what the next one reads. What does the first one "
        "read, and what becomes of the last answer?",
        "A loop over self.layers with one variable that holds what is being handed on. parameters works as"
        " in Layer. "
        "zero_grad walks through self.parameters() and changes each one's grad.",
        "In the loop over self.layers ask the layer with x, and let x be the name of what it answers. After the loop "
        "x is the answer. In zero_grad the loop over self.parameters() sets each grad to 0.0, biases too.",
    ],
)

step = Exercise(
    "4.4",
    "squared_error and train_step",
    file="scalar_nn.py",
    points=3,
    minutes=12,
    difficulty=3,
    needs=("2.3", "2.4", "2.5", "3.4", "4.3"),
    stuck="The loss does not fall",
    hints=[
        "You did all of it by hand for one weight: predict, compare, forget, walk back, move. Which of "
        "these lines would change if there were 41 weights?",
        "Two lists, then one number: predictions = one model(x) for each x, and loss = "
        "loss_fn(predictions, ys). "
        "The order of the rest: forget (zero_grad), walk back (backward), and only then the parameters move. "
        "Change the number inside a parameter, its .data; the Value itself must stay the one that the model holds.",
        "squared_error: a sum over zip(predictions, targets) of (p - t) ** 2. "
        "train_step ends with: for parameter in model.parameters(): parameter.data -= (how far?), and then"
        " the number inside the loss is returned.",
    ],
)

hinge = Exercise(
    "4.5",
    "hinge_loss and l2_penalty",
    file="scalar_nn.py",
    points=2,
    minutes=4,
    difficulty=2,
    needs=("2.4", "2.5", "2.9"),
    hints=[
        "One sample first: label -1, score 0.3. By how much does label * score fall short of 1? And for a "
        "score of -5, does it fall short at all?",
        "Make a list with one cost for each sample, each with its own relu(), then add the list up and "
        "divide by how many there are. "
        "For the penalty: square each parameter first, then add up, then take strength times that.",
        "costs = [(1 - label * score).relu() for score, label in zip(scores, labels)], and its mean. "
        "l2_penalty: strength * (the sum of p * p for all p in parameters).",
    ],
)

batches = Exercise(
    "4.6",
    "minibatches",
    file="scalar_nn.py",
    points=2,
    minutes=4,
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
    minutes=7,
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
