"""The exercises of notebook 14: what can be done with a gradient that can be differentiated again."""

from grader.course.exercise import Exercise, Notebook
from grader.course.tracks import STRETCH

NOTEBOOK = Notebook(
    "14",
    "gradients_of_gradients",
    "Gradients of gradients",
    files=("higher.py", "hunts.py"),
    track=STRETCH,
)

forward = Exercise(
    "14.1",
    "jvp",
    file="higher.py",
    points=3,
    difficulty=3,
    track="stretch",
    needs=("5.3", "6.2", "6.6", "6.8", "7.1", "7.2", "7.3", "7.6", "8.3", "9.2", "9.3", "9.5"),
    hints=[
        "A backward pass gives Jᵀu for an upstream gradient u. How does Jᵀu change if u changes? And what is the "
        "derivative of the number v · (Jᵀu) with respect to u?",
        "So there are two calls of grad. The first is a recorded backward pass from output, with an upstream gradient "
        "that is a leaf; which numbers it holds does not matter. inner_product, given below, makes one number of the "
        "gradients and the tangents. The second call differentiates that number.",
        "The upstream gradient is a Tensor of zeros of output's shape and dtype. The first grad gets output, inputs, "
        "this Tensor, and create_graph=True. The second one gets the inner product of what comes out and tangents, "
        "and asks for the gradient of the upstream Tensor. Return a pair: output.detach(), and that gradient.",
    ],
)

product = Exercise(
    "14.2",
    "hvp",
    file="higher.py",
    points=2,
    difficulty=2,
    track="stretch",
    needs=("5.3", "6.2", "6.4", "6.6", "6.8", "7.1", "7.3", "7.4", "7.6", "8.1", "9.2", "9.3", "9.5"),
    hints=[
        "The Hessian is the Jacobian of the gradient, and it is symmetric. So Hv is the gradient of which number?",
        "Of the inner product of the gradient and v, where v is a constant. Call grad twice: the first time so that "
        "its answers can be differentiated again.",
        "First the gradients of output with respect to inputs, with create_graph=True. Then products is what grad "
        "finds for inputs from the inner_product of the gradients and vectors, a tuple. `single` says whether the only "
        "one of it is to be returned.",
    ],
)

matrix = Exercise(
    "14.3",
    "hessian",
    file="higher.py",
    points=2,
    difficulty=2,
    track="stretch",
    needs=("5.3", "6.2", "6.4", "6.8", "7.1", "7.2", "7.3", "7.6", "8.1", "9.2", "9.3", "9.5", "10.8"),
    hints=[
        "The gradient holds one number for each number of x. Each of these numbers can be differentiated on its own. "
        "What does its gradient tell?",
        "A row of the Hessian. np.ndindex(x.shape) gives all places of x, as tuples, in their order; slopes[place] is "
        "one number of the gradient, a Tensor. In the end the rows must get the shape x.shape + x.shape.",
        "slopes is a recorded gradient (create_graph=True). A list with, for each place, the .data of what grad finds "
        "for slopes[place] and x. np.reshape gives the list its shape, and result makes a Tensor of an array.",
    ],
)

newton = Exercise(
    "14.4",
    "newton_step",
    file="higher.py",
    points=2,
    difficulty=2,
    track="stretch",
    needs=("5.5", "6.4", "6.6", "8.3", "14.3"),
    hints=[
        "Near x the gradient is about g + H d, if d is the step. Where the function is flat, it is 0. Solve for d.",
        "The gradient needs no recording here; hessian gives H. np.linalg.solve(H, g) finds the d for which H @ d is "
        "g, "
        "without an inverse. Both are arrays: take .data.",
        "slopes = what grad finds for one_number(fn(x)) and x. A new Tensor: x.data minus np.linalg.solve of the "
        "Hessian's array and slopes.data.",
    ],
)

penalty = Exercise(
    "14.5",
    "gradient_penalty",
    file="higher.py",
    points=2,
    difficulty=2,
    track="stretch",
    needs=("5.3", "6.2", "6.8", "7.2", "7.3", "7.6", "8.3", "9.2", "9.3", "9.4", "9.5"),
    hints=[
        "Here the points get a gradient, not the weights. There is a score for each point. "
        "Does it mix the points if you add up all scores and begin with the sum?",
        "Make a Tensor of the points, and take the gradient of the sum of the scores with respect to it, recorded, "
        "since training will differentiate it again. Row i is the gradient of score i. Square, add up, divide by the "
        "number of points.",
        "x = Tensor(points), then slopes = grad of model(x).sum() with respect to x, with create_graph=True. Return "
        "the sum of slopes * slopes, divided by len(points): all of it with operations on Tensors.",
    ],
)

unrolled = Exercise(
    "14.6",
    "descended",
    file="higher.py",
    points=2,
    difficulty=2,
    track="stretch",
    needs=("5.3", "5.5", "6.2", "6.4", "6.6", "7.3", "7.6", "9.2", "9.3", "9.5"),
    hints=[
        "It is the training loop of notebook 04, but nothing is changed in place. What must be recorded, so that the "
        "last weights know how they depend on lr?",
        "Everything: the gradients (create_graph=True), and the subtraction, made of Tensors, not of .data. Each step "
        "makes new weights. All gradients of a step are taken before any weight moves.",
        "In a loop over range(steps): slopes = grad(...) of loss_fn(*weights) with respect to all weights, recorded; "
        "then a new tuple of w - lr * slope, for the pairs in zip(weights, slopes). After the loop return weights.",
    ],
)

hunt = Exercise(
    "14.7",
    "three_products",
    file="hunts.py",
    points=3,
    difficulty=3,
    track="stretch",
    hints=[
        "Write down the Hessian of your expression, four numbers, and multiply it by your vector, by hand. When does "
        "each of the three get the same two numbers?",
        "Ada adds up each row, then multiplies: right if the Hessian is diagonal, or if both rates are equal. Cleo's "
        "answer has the direction of your vector: let the right one have another. Ben needs a function whose local "
        "derivative changes; products he has right.",
        "A vector in which only one of the two moves, such as (speed, 0), is wrong for Ada and Cleo as soon as x and y "
        "are multiplied. For Ben put one function of x, such as its exp, into the product.",
    ],
)
