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
        "backward needs something that forward had. What is it, and so what must forward keep? Then take the sizes N "
        "= 4, in = 3, out = 2 and write down all the shapes: x, weight, bias, dout. What shape must dweight have, and "
        "which product of two of the others has that shape? A row of the batch is a path like any other, and paths "
        "add up.",
        "forward keeps x: self.kept = x. The rest is the matrix product of 8.1: each gradient is dout times the other "
        "factor, transposed. The bias was added to each of the N rows, so its gradient is the sum over all N rows.",
        "dweight is (in, out) = (in, N) @ (N, out): which factor is transposed, and on which side does it stand? The "
        "gradient of x is (N, in) = (N, out) @ (out, in). dbias is a sum over one axis of dout: the one that bias "
        "does not have.",
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
        "All three work number by number, so backward is dout times a derivative of the same shape. What does each "
        "derivative need: x, or the answer? That is what forward must keep.",
        "ReLU keeps x, and its derivative is the truth value x > 0. Tanh and Sigmoid keep their answer. For Sigmoid "
        "at -1000, look at what you wrote in 6.8.",
        "Each forward has two steps: keep, then answer. NumPy has maximum and tanh for arrays. Each backward has one: "
        "dout times the derivative, in brackets. The three derivatives: a question about x; 1 minus the square of the "
        "answer; the answer times what is missing from it to 1.",
    ],
)

softmax = Exercise(
    "10.3",
    "Softmax",
    file="layers.py",
    points=3,
    difficulty=3,
    hints=[
        "Each row stands alone: it has its own largest score and its own sum. Which axis of (N, C) is reduced, and "
        "how does the result still broadcast with (N, C)? In the Jacobian, try products of two probabilities, and for "
        "the diagonal remember the derivative of sigmoid. For backward, multiply the Jacobian by dout on paper, with "
        "letters: the same sum comes up in each row.",
        "The largest of each row is scores.max(axis=1, keepdims=True). For one row, the Jacobian has -p[i] * p[j] "
        "everywhere (an outer product), plus p[i] on the diagonal. So i gets p[i] * dout[i], less p[i] times a number "
        "that the whole row shares: its sum of p * dout.",
        "np.diag puts a row on the diagonal of a matrix, np.outer has a number for each pair: subtract one from the "
        "other. softmax_rows: the exponentials of the shifted scores, over their sum in the row. backward is p times "
        "a bracket: dout, less the row's sum of p * dout, with its axis kept.",
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
        "each row, at a different place each time? Its logarithm is log(exp(s) / S): take that apart before you "
        "compute it. For the gradient, compare the two printed lines, gradient and probabilities. And the loss is a "
        "mean.",
        "Row 0 with target 2, row 1 with target 0: log_p[[0, 1], [2, 0]] picks the two. np.arange(N) lists the rows. "
        "log_p is the score less the logarithm of the row's sum of exponentials, with the row's largest score "
        "subtracted first. backward is (softmax - one-hot) / N * dout, on a copy; the one-hot is 1 at the target and "
        "0 elsewhere.",
        "forward: lower = scores - the row's largest; log_p = lower - np.log(np.exp(lower).sum(axis=1, "
        "keepdims=True)). backward: a copy of the probabilities, `copy[np.arange(N), targets] -= 1`, then / N * dout.",
    ],
)

by_nudging = Exercise(
    "10.6",
    "eval_numerical_gradients",
    file="layers.py",
    points=3,
    difficulty=3,
    track="stretch",
    needs=("1.2",),
    hints=[
        "numerical_gradient needs a function of one array that returns one number. forward returns an array. How do "
        "you make one number of it, such that its gradient is just what backward(dout) should return? And what do all "
        "those calls of forward do to what the layer holds?",
        "The number is the sum of dout times forward's answer. For x it is a function of the array x. For a "
        "parameter, the nudged array must first get into the layer: parameter[...] = array writes other numbers into "
        "the same array, and afterwards the old ones are put back in the same way. The gradients by hand are copied "
        "before any nudging.",
        "First the gradients by hand: forward, a random dout of the answer's shape, backward, and copies of "
        "layer.gradients() under the names of layer.named_parameters(). Then, for each parameter: keep a copy; write "
        "a small function of one array that puts it into the layer and returns the weighted sum; call "
        "numerical_gradient with that function; write the copy back; compare. Finally the same for x, which need not "
        "be put anywhere.",
    ],
)

step = Exercise(
    "10.7",
    "train_step",
    file="layers.py",
    points=2,
    difficulty=2,
    needs=("10.1", "10.2", "10.3", "10.4"),
    hints=[
        "Four things, always in this order: forward, loss, backward, a step downhill. Which knows its gradient first, "
        "the net or the loss? And in which direction does the gradient point?",
        "loss.backward() returns the gradient of the net's answer, which is what net.backward takes. net.parameters() "
        "and net.gradients() are two lists in the same order: zip them.",
        "Keep what loss.forward returns: it is returned at the end. What loss.backward returns goes into "
        "net.backward, and only then are the net's gradients there. In the loop, change each parameter in place, with "
        "-=.",
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
        "For out = a[[2, 0, 2]]: where did each number of out come from? So where does each number of out_grad go? "
        "What do the places get that were never picked? And what does a[2] get, which was picked twice?",
        "Gather's forward is NumPy's own indexing, with self.index. Its backward is scatter with that index and "
        "a.shape. Scatter's backward is gather with the same index. To add one by one, np.add has the method at.",
        "Scatter.forward has three lines: make an array of zeros of self.shape and a's dtype; call np.add.at with "
        "that array, the places and the numbers, which adds every one; return the array. The two rules are one call "
        "each, of scatter and of gather, with self.index.",
    ],
)

largest = Exercise(
    "10.9",
    "Max",
    file="ops/stable.py",
    points=2,
    difficulty=3,
    track="stretch",
    needs=("5.3", "7.3"),
    hints=[
        "If the largest number grows a little, the result grows by as much. If another one grows a little, nothing "
        "happens. So what are the derivatives? And if two tie for first place?",
        "In the shape with the axes kept, the result broadcasts with the numbers it came from, and equal tells which "
        "of them are as large. What equal returns broadcasts with out_grad in that shape. How many winners are there "
        "along the axes?",
        "Reshape node and out_grad to shape_with_ones(a.shape, self.axes). The winners are where a equals that node; "
        "summation along self.axes, with keepdims=True, counts them. Then out_grad times the winners, over their "
        "count.",
    ],
)

log_sum = Exercise(
    "10.10",
    "LogSumExp",
    file="ops/stable.py",
    points=2,
    difficulty=3,
    needs=("5.3", "5.5", "7.3"),
    hints=[
        "e to the power of 1000 is too large, e to the power of 0 is not. If you subtract the same number from all of "
        "a, what happens to the logarithm of the sum? And the derivative with respect to each number: which fraction "
        "of the sum is it?",
        "top = highest(a, self.axes) has the axes kept. The sum must have them too (keepdims=True), or the two do not "
        "fit when you add them. For a row of nothing but -inf the logarithm of 0 is right: put np.errstate around it. "
        "For the rule: the derivatives are the softmax, and exp(a - result) is e^a over the whole sum, without any "
        "division.",
        "forward, from the inside out: subtract top from a, exp, sum along self.axes with the axes kept, log, add top "
        "again. Unless self.keepdims is set, np.squeeze removes the axes at the end. backward: reshape node and "
        "out_grad to shape_with_ones(a.shape, self.axes); then exp of a less that node, times that out_grad.",
    ],
)

family = Exercise(
    "10.11",
    "LogSoftmax and Softmax",
    file="ops/stable.py",
    points=3,
    difficulty=3,
    needs=("5.3", "5.5"),
    hints=[
        "softmax is exp over the sum of exp, and you have its backward from 10.3. What is its logarithm, if you never "
        "write log(softmax)? And what becomes of the sum in that backward if you divide by the softmax?",
        "log_softmax: lower = a - highest(a, self.axes), minus the logarithm of the sum of exp(lower), axes kept. Its "
        "rule has the plain sum of out_grad, and each number gets a fraction of it: its probability. node is the "
        "logarithm of the probabilities.",
        "Each rule needs one summation along self.axes, with keepdims=True: of out_grad itself in LogSoftmax, of node "
        "* out_grad in Softmax. In LogSoftmax that sum, times the probabilities, is subtracted from out_grad; what "
        "are the probabilities, if node is their logarithm? In Softmax the sum, times node, is subtracted from node * "
        "out_grad.",
    ],
    stuck="The loss is nan or explodes",
)

hunt = Exercise(
    "10.12",
    "three_wrong_softmaxes",
    file="hunts.py",
    points=2,
    difficulty=2,
    track="stretch",
    hints=[
        "Take them one at a time, with the smallest test you can think of. One of them is sensitive to the size of "
        "the scores, one to the number of rows, one to out_grad.",
        "One adds up along the wrong axis: with one row its probabilities are all 1. One computes exp of the scores "
        "as they are: which number is too large for that? One knows only what each score does to its own probability: "
        "that shows in a row of two or more.",
        "One row of two scores is enough, one of them 1000, with two numbers in out_grad. But try it: does a 1000 "
        "beside a 0 leave any derivative at all for the third one to get wrong? A second row, of small scores, may "
        "help.",
    ],
)
