"""The exercises of notebook 07: operations that move numbers, repeat them or add them up; stretched shapes; a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook("07", "shape_ops", "Shape operations", files=("ops/shape.py", "hunts.py"))

reshape = Exercise(
    "7.1",
    "Reshape.backward",
    file="ops/shape.py",
    points=1,
    difficulty=1,
    needs=("5.3",),
    hints=[
        "Number the cells of x from 0 to 5 and reshape them. Which cell of the result holds number 4? The "
        "upstream gradient of that cell belongs to cell 4 of x. In what order are the gradients, read row by row?",
        "No number changes, and none overtakes another. So the gradients are already in the right order, just in "
        "another shape. What shape must the gradient of a have, and which operation brings it there?",
        "The rule of a reshape is a reshape: call the function at the end of the file with the Tensor out_grad. The "
        "shape is that of a.",
    ],
)

transpose = Exercise(
    "7.2",
    "Transpose.backward",
    file="ops/shape.py",
    points=3,
    difficulty=2,
    needs=("5.3",),
    hints=[
        "Take axes (1, 2, 0) on paper, with a name for each axis: days, rooms, hours become rooms, hours, days. Which "
        "axes bring the old order back? For each axis of x, write down where it is now.",
        "With order = self.order(node.ndim), axis i of the result came from axis order[i]. So on the way back axis "
        "order[i] has to come from axis i: a list in which place order[i] holds i. The order has no None and no "
        "negative numbers in it.",
        "Three ways to the list: a loop with back[order[i]] = i; [order.index(axis) for axis in range(node.ndim)]; or "
        "np.argsort(order): the place of the 0 in order, then that of the 1, and so on. Then transpose(out_grad, that "
        "list).",
    ],
)

summation = Exercise(
    "7.3",
    "Summation.backward, shape_with_ones",
    file="ops/shape.py",
    points=4,
    difficulty=3,
    needs=("5.3",),
    hints=[
        "Sum [[1, 2], [3, 4]] over axis 1: [3, 7]. Say the upstream gradient is 10 for the 3 and 20 for the 7. Write "
        "the gradient down as a table. What shape would the pair 10, 20 need for NumPy to repeat it in this way and in "
        "no other?",
        "The gradient of x is out_grad repeated along the axes that were summed. Before broadcast_to can repeat it, "
        "each summed axis must be there again, with size 1: that is what shape_with_ones is for. Negative axes count "
        "from the end: axis % len(shape) is the same axis without the minus.",
        "shape_with_ones: all 1s if axes is None; otherwise take the set {axis % len(shape) for axis in axes}, and "
        "return a tuple with 1 at the places in this set and the old size elsewhere. Backward: reshape out_grad to "
        "that shape, then broadcast_to a.shape. With keepdims it already has that shape, and the reshape does no harm.",
    ],
)

mean = Exercise(
    "7.4",
    "Mean.backward, count",
    file="ops/shape.py",
    points=2,
    difficulty=2,
    needs=("5.3", "7.3"),
    hints=[
        "The mean of 2, 3 and 7 is 4. One of them grows by 1: by how much does the mean grow? Compare with the sum, "
        "which grows by 1. And of a shape (2, 3, 4), averaged over axes 0 and 2: how many numbers share each mean?",
        "A mean is a sum divided by a number. So each input gets what the rule of the sum would give it, divided by "
        "the same number: the product of the sizes that are averaged over. None means all of them.",
        "count: math.prod of a list of sizes, shape[axis] for each of self.axes, or all of shape for None. The rule: "
        "super().backward(...) is what you wrote for the sum. Give it the divided out_grad, and node.",
    ],
)

stretched = Exercise(
    "7.6",
    "unbroadcast, stretched_axes",
    file="ops/shape.py",
    points=6,
    difficulty=3,
    needs=("5.3", "6.1", "6.2", "6.3"),
    hints=[
        "A row of 3 numbers is broadcast to 2 rows. Each number now has two copies, and each copy gets a gradient. The "
        "number itself answers for both. What does that mean for the table of gradients? And along which axis?",
        "Write the small shape below the large one, with their right ends in line. Copies lie along an axis that has "
        "nothing below it, or a size different from its own (a 1). Sum grad over all these axes. Then the numbers are "
        "right; is the shape right too, when (2, 3, 4) has to become (3, 1)? An operation in this file can put an "
        "axis of size 1 back.",
        "stretched_axes: new = len(large) - len(small) axes stand in front, and below number axis of large is "
        "small[axis - new], if axis is not smaller than new. Collect the axes that are new or differ. unbroadcast: "
        "the summation of grad over stretched_axes(shape, grad.shape), then reshape to shape. If unbroadcast is right "
        "but mul, div or sub fails, its rule in ops/arithmetic.py does some adding up of its own, too early.",
    ],
)

hunt = Exercise(
    "7.7",
    "three_sums",
    file="hunts.py",
    points=3,
    difficulty=3,
    track="stretch",
    hints=[
        "Take them one at a time, with the cell above. Change one thing about a harmless sum: the sizes, the order of "
        "the axes, or the way they are written.",
        "Which of the three is lost when all sizes are equal? Which does not know that -1 is the last axis? And A puts "
        "the axes back in the order given: for x of shape (2, 3, 4) and the axes (1, 0), where does its first axis of "
        "size 1 go?",
        "Three equal sizes, and two axes, one of them negative. One axis stays: not the first, so that C looks in the "
        "wrong place. Write the larger axis first. Is A still right? Then write the smaller one as a negative number.",
    ],
)
