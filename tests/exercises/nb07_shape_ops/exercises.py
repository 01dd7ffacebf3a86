"""The exercises of notebook 07: operations that move numbers, repeat them or add them up; stretched shapes; a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook(
    "07", "shape_ops", "Shape operations", minutes=75, files=("ops/shape.py", "operators.py", "hunts.py")
)

reshape = Exercise(
    "7.1",
    "Reshape",
    file="ops/shape.py",
    points=2,
    minutes=4,
    difficulty=1,
    needs=("5.3",),
    hints=[
        "Number the cells of x from 0 to 5 and reshape them. Which cell of the result holds number 4? What arrives at "
        "that cell belongs to cell 4 of x. In which order do the gradients stand, read row by row?",
        "No number changes and none overtakes another. So the gradients are in the right order already, only in "
        "another shape. What shape must the gradient of a have, and which operation brings it there?",
        "Forward: NumPy's reshape of the array a, to self.shape. Backward: the function reshape (at the end of this "
        "file) of out_grad, to a.shape.",
    ],
)

transpose = Exercise(
    "7.2",
    "Transpose",
    file="ops/shape.py",
    points=3,
    minutes=6,
    difficulty=2,
    needs=("5.3",),
    hints=[
        "Take axes (1, 2, 0) on paper, with a name for each axis: days, rooms, hours become rooms, hours, days. Which "
        "axes bring that back? For each axis you want, write down where it stands now.",
        "Axis i of the result came from axis order[i]. So on the way back axis order[i] has to come from axis i: a "
        "list in which place order[i] holds i. `self.order(node.ndim)` gives the order without None and without "
        "negative numbers.",
        "Three ways to the list: a loop with back[order[i]] = i; [order.index(axis) for axis in range(node.ndim)]; or "
        "np.argsort(order), which sorts the places by what they hold. Then transpose(out_grad, that list). For axes "
        "None transpose(out_grad) is enough.",
    ],
)

summation = Exercise(
    "7.3",
    "Summation",
    file="ops/shape.py",
    points=4,
    minutes=9,
    difficulty=3,
    needs=("5.3", "7.1"),
    hints=[
        "Sum [[1, 2], [3, 4]] over the rows: [4, 6]. Say 10 arrives at the 4 and 7 at the 6. Which numbers of x went "
        "into the 4, and how much does each of them matter? Now write the gradient down as a table.",
        "The gradient of x is out_grad repeated along the axes that were summed. Before broadcast_to can repeat it, "
        "each summed axis must stand there again, with size 1. So first find that shape: the sizes of x, with a 1 at "
        "each summed axis. Negative axes count from the end: axis % len(shape) is the same axis without the minus.",
        "shape_with_ones: all 1s if axes is None; else the set {axis % len(shape) for axis in axes}, and a tuple with "
        "1 at the places in this set and the old size elsewhere. Backward: reshape out_grad to that shape, then "
        "broadcast_to a.shape. Forward: a.sum with axis=self.axes and keepdims=self.keepdims.",
    ],
)

broadcast_to = Exercise(
    "7.8",
    "BroadcastTo",
    file="ops/shape.py",
    points=3,
    minutes=7,
    difficulty=3,
    needs=("5.3", "7.1", "7.3"),
    hints=[
        "A row of 3 numbers is laid over 2 rows. Each number has two copies now, and each copy gets a gradient. The "
        "number itself answers for both of them. For the matrix of gradients, what is that?",
        "Lay the small shape below the large one, the right ends in line. An axis was stretched if nothing stands "
        "below it, or another size than its own (that is a 1). Over all these axes out_grad is summed; then it has the "
        "right numbers, and reshape gives it the right shape.",
        "new = len(large) - len(small) axes stand in front. Axis number axis of large has small[axis - new] below it, "
        "if axis is not smaller than new. Collect the axes with axis < new or small[axis - new] != large[axis]. "
        "Backward: summation(out_grad, these axes), then reshape to a.shape.",
    ],
)

mean = Exercise(
    "7.4",
    "Mean",
    file="ops/shape.py",
    points=2,
    minutes=3,
    difficulty=2,
    needs=("5.3", "5.8", "5.5", "7.1", "7.3"),
    hints=[
        "The mean of 2, 3 and 7 is 4. One of them grows by 1: by how much does the mean grow? Compare with the sum, "
        "which grows by 1.",
        "A mean is a sum divided by a number, and that number is self.count(a.shape). So each input gets what the rule "
        "of the sum would give it, divided by the same number.",
        "Mean is a kind of Summation: super().backward(out_grad, node) is the rule that you have written for the sum. "
        "Hand it out_grad / self.count(a.shape) in place of out_grad.",
    ],
)

stretched = Exercise(
    "7.6",
    "Elementwise backward, stretched",
    file="ops/shape.py",
    points=4,
    minutes=6,
    difficulty=3,
    needs=("5.3", "5.4", "5.8", "5.5", "6.1", "6.2", "6.3", "7.1", "7.3", "7.8"),
    hints=[
        "In a * b NumPy stretched b, just as broadcast_to would have done it, only without a node of its own. So what "
        "is missing in the gradient of b is what the rule of BroadcastTo does. Can you use it here?",
        "unbroadcast gets the gradient in the large shape and has to bring it to the small one. Which axes were "
        "stretched? You have a function for that. Over these it is summed, and then the shape has to be right, axes of "
        "size 1 included.",
        "Two steps: summation(grad, stretched_axes(shape, grad.shape)), and reshape that to shape. If unbroadcast is "
        "right and mul, div or sub still fails, then its rule in ops/arithmetic.py adds up by itself, and too early: a "
        "rule is about one place, and what was stretched is added up after it.",
    ],
)

methods = Exercise(
    "7.5",
    "x.reshape, x.T",
    file="operators.py",
    points=1,
    minutes=2,
    difficulty=1,
    needs=("5.3", "7.1", "7.2"),
    hints=[
        "A star in front of the last argument, *sizes, collects all that was given in a tuple. What is in it for "
        "x.reshape(2, 3), and what for x.reshape((2, 3))?",
        "In the first case sizes is the shape, in the second it holds one thing, and that is the shape. For x.T you "
        "need the numbers of the axes from the last to the first, for as many axes as x has.",
        "shape.reshape(x, ...) with sizes[0] if len(sizes) == 1, else sizes. shape.transpose(x, ...) with "
        "range(x.ndim)[::-1], or tuple(reversed(range(x.ndim))).",
    ],
)

hunt = Exercise(
    "7.7",
    "three_sums",
    file="hunts.py",
    points=3,
    minutes=5,
    difficulty=3,
    hints=[
        "Take them one at a time, with the cell above. Change one thing of a harmless sum: the sizes, the order of the "
        "axes, or the way they are written.",
        "Which of the three is lost when all sizes are equal? Which does not know that -1 is the last axis? And A puts "
        "the axes back in the order given: for x of shape (2, 3, 4) and the axes (1, 0), where does its first axis of "
        "size 1 go?",
        "Three equal sizes, and two axes of which one is negative. One axis stays: not the first one, so that C looks "
        "in the wrong place. Write the larger axis first. Is A still right? Then write the smaller one as a negative "
        "number.",
    ],
)
