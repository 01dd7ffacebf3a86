"""The exercises of notebook 10: layers by hand; then indexing, max and the softmax family as Functions; a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook(
    "10",
    "layers_by_hand",
    "Layers by hand",
    files=("layers.py", "ops/gather.py", "ops/stable.py", "hunts.py"),
)

linear = Exercise(
    "10.1",
    "Linear",
    file="layers.py",
    points=3,
    difficulty=2,
    hints=[
        "backward needs something that forward had. What, and so what must forward keep? Then take the sizes N = 4, "
        "in = 3, out = 2 and write all the shapes down: x, weight, bias, dout. What shape must dweight have, and which "
        "product of two of the others has it? A row of the batch is a path like any other, and paths add up.",
        "forward keeps x: self.kept = x. The rest is the product of matrices of 8.1: each gradient is dout times the "
        "other factor turned round. bias was added to each of the N rows, so the gradients of all N rows add up for "
        "it.",
        "dweight is (in, out) = (in, N) @ (N, out): who is turned, and on which side does it stand? The gradient of x "
        "is (N, in) = (N, out) @ (out, in). dbias is a sum over one axis of dout: the one that bias does not have.",
    ],
    stuck="A gradient has the wrong shape",
)

activations = Exercise(
    "10.2",
    "ReLU, Tanh, Sigmoid",
    file="layers.py",
    points=2,
    difficulty=2,
    hints=[
        "All three work number by number, so backward is dout times a slope of the same shape. What does each slope "
        "need: x, or the answer? That is what forward must keep.",
        "ReLU keeps x, and its slope is the truth value x > 0. Tanh and Sigmoid keep their answer. For Sigmoid at "
        "-1000 look at what you wrote in 6.8.",
        "Each forward has two steps: keep, then answer. NumPy has maximum and tanh for arrays. Each backward has one: "
        "dout times the slope, in brackets. The three slopes: a question about x, 1 minus the answer's square, the "
        "answer times what it lacks to 1.",
    ],
)

softmax = Exercise(
    "10.3",
    "Softmax",
    file="layers.py",
    points=3,
    difficulty=3,
    hints=[
        "Each row is a world of its own: its largest score, its sum. Which axis of (N, C) does that reduce, and how "
        "does the result still fit beside (N, C)? In the table: try products of two probabilities, and for the "
        "diagonal remember the slope of sigmoid. For the way back multiply the table by dout on paper, with letters: "
        "one and the same sum comes up in each row.",
        "The largest of each row: scores.max(axis=1, keepdims=True). For one row the Jacobian has -p[i] * p[j] "
        "everywhere, that is an outer product, and p[i] more on the diagonal. So i gets p[i] * dout[i], less p[i] "
        "times a number that the whole row shares: its sum of p * dout.",
        "np.diag puts a row on the diagonal of a table, np.outer has a number for each pair: take one off the other. "
        "softmax_rows: exponentials of what is left of the scores, over their sum in the row. backward is p times a "
        "bracket: dout, less the row's sum of p * dout, with its axis kept.",
    ],
)

entropy = Exercise(
    "10.4",
    "CrossEntropyLoss",
    file="layers.py",
    points=3,
    difficulty=3,
    needs=("10.3",),
    hints=[
        "For the loss only one number of each row matters: that of the right class. How do you pick one number from "
        "each row, another place each time? Its logarithm is log(exp(s) / S): take that apart before you compute it. "
        "For the gradient: compare what was printed, gradient and probabilities. And the loss is a mean.",
        "Row 0 with target 2, row 1 with target 0: log_p[[0, 1], [2, 0]] picks the two. np.arange(N) is the list of "
        "rows. log_p is the score less the logarithm of the row's sum, with the row's largest taken off first. "
        "backward is (softmax - one-hot) / N * dout, on a copy; one-hot is 1 at the target, else 0.",
        "forward: lower = scores - the row's largest; log_p = lower - np.log(np.exp(lower).sum(axis=1, "
        "keepdims=True)). backward: a copy of the probabilities, `copy[np.arange(N), targets] -= 1`, then / N * dout.",
    ],
)

net = Exercise(
    "10.5",
    "Net",
    file="layers.py",
    points=1,
    difficulty=1,
    hints=[
        "In forward each layer gets what the one before it answered. Who is the first to know the gradient on the way "
        "back, and what does the next one get?",
        "Two loops over the same list. The second one goes from the end to the beginning: reversed(self.layers) gives "
        "that order and leaves the list alone.",
        "In the loop of forward, what a layer answers gets the name x, and so it is what the next one is given. After "
        "the loop x is the net's answer. backward is the same with dout, from the last layer to the first.",
    ],
)

by_nudging = Exercise(
    "10.6",
    "eval_numerical_gradients",
    file="layers.py",
    points=3,
    difficulty=3,
    needs=("1.1", "1.2"),
    hints=[
        "numerical_gradient wants a function of one array that gives one number. forward gives an array. What makes "
        "one number of it, such that its slope is just what backward(dout) should answer? And what do all those calls "
        "of forward do to what the layer holds?",
        "The number is the sum of dout times forward's answer. For x it is a function of the array x. For a parameter "
        "the nudged array must first get into the layer: parameter[...] = array writes other numbers into the same "
        "array, and at the end the old ones come back in the same way. What is by hand is copied before any nudging.",
        "First all that is by hand: forward, a random dout of the answer's shape, backward, and copies of "
        "layer.gradients() under the names of layer.named_parameters(). Then, for each parameter: keep a copy, write a "
        "small function of one array that puts it into the layer and gives the weighted sum, ask numerical_gradient "
        "with that function, write the copy back, compare. At the end the same for x, which need not be put anywhere.",
    ],
)

step = Exercise(
    "10.7",
    "train_step",
    file="layers.py",
    points=2,
    difficulty=2,
    needs=("10.1", "10.2", "10.3", "10.4", "10.5"),
    hints=[
        "Four things, always in this order: forward, loss, backward, downhill. Who knows the gradient first, the net "
        "or the loss? And in which direction does the gradient point?",
        "loss.backward() gives the gradient of the net's answer, which is what net.backward takes. net.parameters() "
        "and net.gradients() are two lists in the same order: zip them.",
        "Keep what loss.forward answers: it is returned at the end. What loss.backward answers goes into net.backward, "
        "and only then are the net's gradients there. In the loop change each parameter in place, with -=.",
    ],
    stuck="The loss does not fall",
)

picking = Exercise(
    "10.8",
    "Gather and Scatter",
    file="ops/gather.py",
    points=2,
    difficulty=2,
    needs=("5.3",),
    hints=[
        "For out = a[[2, 0, 2]]: where did each number of out come from? So where does each number of out_grad go, and "
        "what do the places get that nobody asked for? And a[2], which two asked for?",
        "Gather's forward is NumPy's own indexing, with self.index. Its way back is scatter with that index and "
        "a.shape. Scatter's way back is gather with the same index. To add one by one, np.add has the method at.",
        "Scatter.forward has three lines: an array of zeros of self.shape and a's dtype; np.add.at, which is given "
        "that array, the places and the numbers, and adds every one; and the array is returned. The two rules are one "
        "call each, of scatter and of gather, with self.index.",
    ],
)

largest = Exercise(
    "10.9",
    "Max",
    file="ops/stable.py",
    points=2,
    difficulty=3,
    way="stretch",
    needs=("5.3", "7.1", "7.3"),
    hints=[
        "If the largest number grows a little, the result grows as much. If another one grows a little, nothing "
        "happens. What are the slopes, then? And if two tie for the first place?",
        "In the shape with the axes kept, the result stands beside its own numbers, and equal tells which of them are "
        "as large. What it gives broadcasts with out_grad in that shape. How many winners are there along the axes?",
        "Reshape node and out_grad to shape_with_ones(a.shape, self.axes). The winners are where a and that node are "
        "equal; summation along self.axes, with keepdims=True, counts them. out_grad times winners, over their count.",
    ],
)

log_sum = Exercise(
    "10.10",
    "LogSumExp",
    file="ops/stable.py",
    points=2,
    difficulty=3,
    needs=("5.3", "5.5", "6.1", "6.2", "6.6", "7.1", "7.3", "7.6"),
    hints=[
        "e to the power of 1000 is too large, e to the power of 0 is not. If you take the same number off all of a, "
        "what happens to the logarithm of the sum? And the slope to each number: which fraction of the sum is it?",
        "top = highest(a, self.axes) has the axes kept. The sum must have them too (keepdims=True), or the two do not "
        "fit when you add them. A logarithm of 0 is right for a row of -inf alone: np.errstate stands around it. For "
        "the rule: the slopes are the softmax, and exp(a - result) is e^a over the whole sum, without any division.",
        "forward, from the inside: take top off a, exp, sum along self.axes with the axes kept, log, top again. Unless "
        "self.keepdims, np.squeeze takes the axes out at the end. backward: node and out_grad in the shape "
        "shape_with_ones(a.shape, self.axes); exp of a less that node, times that out_grad.",
    ],
)

family = Exercise(
    "10.11",
    "LogSoftmax and Softmax",
    file="ops/stable.py",
    points=3,
    difficulty=3,
    needs=("5.3", "5.5", "6.1", "6.2", "6.6", "7.1", "7.3", "7.6"),
    hints=[
        "softmax is exp over the sum of exp, and you have its way back from 10.3. What is its logarithm, if you never "
        "write log(softmax)? And what does the sum in the way back become, if you divide by the softmax?",
        "log_softmax: lower = a - highest(a, self.axes), minus the logarithm of the sum of exp(lower), axes kept. Its "
        "rule has a sum of out_grad alone, which each number gets as often as its probability says. Of the "
        "probabilities node knows the logarithm.",
        "Each rule needs one summation along self.axes, with keepdims=True: LogSoftmax of out_grad itself, Softmax of "
        "node * out_grad. In LogSoftmax that sum, times the probabilities, is taken off out_grad; what are they, if "
        "node is their logarithm? In Softmax the sum, times node, is taken off node * out_grad.",
    ],
    stuck="The loss is nan or explodes",
)

hunt = Exercise(
    "10.12",
    "three_wrong_softmaxes",
    file="hunts.py",
    points=2,
    difficulty=2,
    hints=[
        "Take them one at a time, with the smallest test that you can think of. One of them reacts to the size of the "
        "scores, one to the number of rows, one to out_grad.",
        "One adds up along the wrong axis: with one row its probabilities are all 1. One computes exp of the scores as "
        "they are: which number is too large for that? One knows of each score only what it does to its own "
        "probability: that is seen in a row of two or more.",
        "One row of two scores is enough: one of them 1000, and two numbers in out_grad. But try it: does a 1000 "
        "beside a 0 leave any slope at all for the third one to get wrong? A second row, of small scores, may help.",
    ],
)
