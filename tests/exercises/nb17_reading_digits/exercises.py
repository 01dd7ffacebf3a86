"""The exercises of notebook 17: a convolution, from windows of a picture to a net that reads digits, and is fooled."""

from grader.course.exercise import Exercise, Notebook
from grader.course.tracks import STRETCH

NOTEBOOK = Notebook(
    "17",
    "reading_digits",
    "Reading digits: a convolution, and what it sees",
    files=("conv.py", "hunts.py"),
    track=STRETCH,
)

cut = Exercise(
    "17.1",
    "places, Windows.forward",
    file="conv.py",
    points=3,
    difficulty=2,
    track="stretch",
    hints=[
        "places: let a window of 3 slide along 7 numbers. In how many places can it begin? Now it may begin at every "
        "second place alone. And what do zeros on both sides change? Windows.forward: cut at all places, then leave "
        "out.",
        "places: the last window begins at the padded length less its size, and the first one at 0. How many steps of "
        "stride fit between them? Round down, and count the first one too. Windows.forward: sliding_window_view "
        "has the windows at all places; slices leave out those between.",
        "places: (padded length - size) // stride, plus 1; the padded length has the padding twice. Windows.forward: "
        "sliding_window_view over (size, size) along axis=(2, 3), then every stride-th along axes 2 and 3, by slices.",
    ],
)

back = Exercise(
    "17.2",
    "Overlay.forward, Windows.backward",
    file="conv.py",
    points=4,
    difficulty=3,
    track="stretch",
    needs=("5.3", "17.1"),
    hints=[
        "Follow one number of the picture: it lies in several windows, and from each of them comes a share. Overlay "
        "puts each window back to its place, and adds. That is what the rule of Windows needs.",
        "Overlay.forward: `padded` has the zeros. The numbers in corner (0, 0) of all windows are "
        "windows[..., 0, 0], of shape (N, C, rows, columns). They belong to the places 0, stride, 2 * stride, ... "
        "down and to the right. Do this for each (i, j) of a window, with +=.",
        "For each i and j: the slice i : i + rows * stride : stride of axis 2, and the same with j and columns of axis "
        "3, gets += windows[..., i, j]. The rule: `overlay` of out_grad, with the pictures' last two sizes, "
        "the stride and the padding.",
    ],
)

product = Exercise(
    "17.3",
    "conv2d",
    file="conv.py",
    points=4,
    difficulty=3,
    track="stretch",
    needs=("7.1", "7.2", "7.6", "8.1", "9.4", "9.5", "17.1", "17.2"),
    hints=[
        "Write the filters as the rows of one matrix, and the windows as the columns of another. Then all answers are "
        "one product. What must be the order of the numbers in a row, and in a column?",
        "A row has channels * size * size numbers. `cut` is (N, C, rows, columns, size, size): with transpose "
        "bring the axes of a column (C, size, size) to the front, those that count columns (N, rows, columns) behind "
        "them, and reshape to a matrix. The product is (out_channels, N * rows * columns).",
        "The axes in the order (1, 4, 5, 0, 2, 3), then reshape to (C * size * size, N * rows * columns). "
        "weight, reshaped to (out_channels, C * size * size), @ that. The bias, if there is one, as a column: "
        "reshape(out_channels, 1). Then reshape to (out_channels, N, rows, columns), and transpose with (1, 0, 2, 3).",
    ],
)

pool = Exercise(
    "17.4",
    "max_pool2d",
    file="conv.py",
    points=2,
    difficulty=2,
    track="stretch",
    needs=("7.1", "7.2", "7.3", "9.4", "10.9", "17.1", "17.2"),
    hints=[
        "Nothing new: you have windows, and an operation of an earlier notebook that makes one number of many. Its "
        "rule is there too.",
        "`windows` with stride, or with size where stride is None. Of the six axes the last two are the numbers of one "
        "window. `in_front` brings them to axis 0, where NumPy is quicker.",
        "in_front(windows(pictures, size, stride or size)), and of that .max(0). Or .max((4, 5)) without in_front.",
    ],
)

sees = Exercise(
    "17.5",
    "saliency",
    file="conv.py",
    points=2,
    difficulty=2,
    track="stretch",
    needs=("5.5", "6.7", "9.5", "10.8", "11.1", "17.3"),
    hints=[
        "For once it is the picture that wants a gradient, and not the weights. Of which number? One score of each "
        "picture. Since no picture has a part in another one's scores, they can all be asked at once.",
        "Make a Tensor of the pictures. Pick the score of its label for each row of the answers: an index of two "
        "arrays, row numbers and labels. Add the picked scores up; grad gives the gradient of the sum, and touches no "
        ".grad.",
        "x = Tensor(pictures), scores = model(x), then scores[np.arange(len(labels)), labels].sum(). grad of this with "
        "respect to x is a Tensor: return its array.",
    ],
)

fool = Exercise(
    "17.6",
    "fooled",
    file="conv.py",
    points=2,
    difficulty=2,
    track="stretch",
    needs=("9.5", "11.1", "11.5", "17.3"),
    hints=[
        "Training goes downhill with the weights. Here the weights stay, and the picture goes uphill. Every pixel goes "
        "equally far: what of its gradient still counts?",
        "The gradient of cross_entropy(model(x), labels) with respect to x, then np.sign of it. A pixel must stay "
        "between 0 (paper) and 1 (ink): np.clip.",
        "pictures plus step times np.sign of the array of grad(loss, x), and all of it clipped to 0 and 1.",
    ],
)

hunt = Exercise(
    "17.7",
    "three_convolutions",
    file="hunts.py",
    points=3,
    difficulty=3,
    track="stretch",
    hints=[
        "For each of them ask: for which questions does the mistake do no harm? Ada's needs a filter that looks the "
        "same when it is turned round, Ben's windows that do not overlap, Cleo's a picture without padding.",
        "Ben's question stands in the docstring: for the others, change it in as few things as you can. Neither of "
        "them may have overlapping windows.",
        "So Ada: a filter that does not look the same, a stride as large as the filter, no padding. Cleo: a filter of "
        "2 by 2 ones, stride 2, padding 1.",
    ],
)
