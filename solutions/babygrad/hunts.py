"""Bug hunts of all notebooks: inputs that give a broken engine away; and what is worked out by hand.

Yours: 0.3, 1.5, 2.2, 2.10, 3.5, 4.7, 5.2, 5.7, 6.10, 7.7, 9.7, 10.12, 11.9, 12.10, 13.1, 13.4, 14.7, 15.8, 16.10,
17.7.
"""

# Notebook 00


def three_measures(truth):
    """Predictions on which the measures A, B and C of notebook 00 are all wrong.

    truth: a list of two numbers, what came true.
    Returns a list of two numbers, what was predicted. With predictions that are both 2 too high, only C is wrong:

        return [truth[0] + 2, truth[1] + 2]

    Wrong: off by more than 1 % of the mean squared error.
    """
    ### BEGIN SOLUTION 0.3: three_measures
    return [truth[0] + 2, truth[1]]
    ### END SOLUTION


# Notebook 01


def three_nudgers(x):
    """An expression of x on which all three nudgers of notebook 01 are visibly wrong at x = 2.

    A nudges to one side only, by 0.1.  B nudges to both sides, by 1.  C nudges to both sides, by
    0.0000000001.
    x: a number.  Build the expression with + - * / and ** from x and numbers of your own, at most 3
    operations (5 * x + x has 2), and return it.
    Visibly wrong: off by more than 1 % of the right slope, which must not be 0. A and B must be wrong because of where
    they nudge, and not because they, too, have lost their digits.
    """
    ### BEGIN SOLUTION 1.5: three_nudgers
    return x**3 + 1e9
    ### END SOLUTION


# Notebook 02


def by_hand(a, b, c, d):
    """Backpropagation by hand: L = ((a * b) + c) * (a + d).

    a, b, c, d: numbers.  On paper they are 2, 3, 4, 5; half of the check's questions have others.
    The steps are t1 = a * b, t2 = t1 + c, t3 = a + d, L = t2 * t3.
    Returns a dict of twelve numbers.  Four results: "t1", "t2", "t3", "L".  Eight gradients: "L.grad", "t2.grad",
    "t3.grad", "t1.grad", "c.grad", "d.grad", "b.grad", "a.grad".  "t1.grad" is how much L changes for each unit
    that t1 changes.  What is not found yet may be missing, or ...
    """
    ### BEGIN SOLUTION 2.2: by_hand
    t1, t3 = a * b, a + d
    t2 = t1 + c
    return {
        "t1": t1, "t2": t2, "t3": t3, "L": t2 * t3,
        "L.grad": 1, "t2.grad": t3, "t3.grad": t2, "t1.grad": t3,
        "c.grad": t3, "d.grad": t2, "b.grad": a * t3, "a.grad": b * t3 + t2,
    }  # fmt: skip
    ### END SOLUTION


def blind_spots(a, b):
    """One expression for which the engines of Ada, Ben and Cleo (notebook 02) all find a wrong slope.

    a: the leaf 1.0.  b: the leaf 0.0.
    Returns an expression made of a, b and numbers with at most 6 operations, out of
    + - * / ** and .relu().  For a + b, which none of the three gets wrong: return a + b
    """
    ### BEGIN SOLUTION 2.10: blind_spots
    c = a + 1
    return 1 / c**2 + b.relu()
    ### END SOLUTION


# Notebook 03


def tell_them_apart(a, b):
    """One expression for which the engines A, B and C all give a wrong gradient.

    a: the leaf 2.0.  b: the leaf -3.0.
    Returns an expression made of a, b and numbers with at most 5 operations, out of + - * / **, exp, log,
    sin, tanh, sigmoid and relu.  For a + a, which only A gets wrong: return a + a
    """
    ### BEGIN SOLUTION 3.5: tell_them_apart
    y = a * a
    z = y + 0
    return y * z
    ### END SOLUTION


# Notebook 04


def three_data_sets(x):
    """For each of three broken training loops, data that gives this loop away and no other.

    x: a number from 0.5 to 3, the x of the first sample in all three data sets.
    Returns a dict {"Ada": (samples, steps), "Ben": (samples, steps), "Cleo": (samples, steps)}.
    samples: a list of 1 to 4 pairs (x, y) of numbers from -10 to 10.  steps: from 1 to 5.
    Two samples and five steps, for example: ([(x, 2), (3, 4)], 5)

    After that many steps on these samples the named loop must end with a different weight or bias
    than the right loop, and the two others exactly where the right loop ends.
    """
    ### BEGIN SOLUTION 4.7: three_data_sets
    return {
        "Ada": ([(x, 0), (-x, 0)], 2),
        "Ben": ([(x, x + 2)], 1),
        "Cleo": ([(x, 3 * x), (-x, -3 * x)], 1),
    }
    ### END SOLUTION


# Notebook 05


def three_broadcasters(size):
    """Two shapes for which the broadcasters A, B and C of notebook 05 all give a wrong answer.

    size: a number from 2 to 20 that must be one of the sizes.
    Returns a pair of shapes, each of at most 4 sizes. A pair that only A gets wrong:

        return (2, size), (size,)

    A wrong answer is a shape other than the right one, a ValueError where there is a shape, or a shape
    where a ValueError is right.
    """
    ### BEGIN SOLUTION 5.2: three_broadcasters
    return (size, 1), (0,)
    ### END SOLUTION


def three_tables(x):
    """One expression for which the operator tables A, B and C of notebook 05 all find wrong numbers.

    x: a leaf that holds [2.0, -3.0].
    Returns an expression made of x and plain numbers with at most 5 of the operations + - * / **. A number
    may stand on either side, but not to the left of **.  What is not part of the expression is not computed.
    For 5 - x, which only A gets wrong, write: return 5 - x
    """
    ### BEGIN SOLUTION 5.7: three_tables
    return (x + 1) / (5 - x) ** -1
    ### END SOLUTION


# Notebook 06


def three_wrong_rules(place):
    """One test for which the rules of Ada, Ben and Cleo (notebook 06) all give a wrong gradient.

    place: a number other than 0 that must be in x.
    Returns two lists of equal length, of one or two numbers from -10 to 10 each: x, and out_grad, the
    upstream gradient. With one test that none of the three gets wrong:

        return [place, -2], [1, 1]

    Ada's rule is for relu, Ben's for sigmoid, Cleo's for abs. All three get the same x and the same out_grad.
    """
    ### BEGIN SOLUTION 6.10: three_wrong_rules
    return [0, place], [1, -1]
    ### END SOLUTION


# Notebook 07


def three_sums(left):
    """One sum for which the rules A, B and C of notebook 07 all fail.

    left: how many numbers the sum must leave, from 2 to 40.
    Returns a pair: the shape of x, and the axes that are summed. The shape has 1 to 4 sizes, from 1 to 40. The axes
    are a tuple. With one sum that none of the three gets wrong:

        return (2, 3, left), (0, 1)

    To fail is to stop with an error, or to give another gradient than the right one.

    1. for each of the three: for which sums is it right? Find one for which it is not
    2. one sum for which all three fail
    """
    ### BEGIN SOLUTION 7.7: three_sums
    return (left, left, left), (1, -3)
    ### END SOLUTION


# Notebook 09


def one_test_each(a, b):
    """For each of the engines A, B, C and D of notebook 09, an expression that gives away this one and no other.

    a, b: leaves, arrays of three numbers.
    Returns a dict {"A": expression, "B": expression, "C": expression, "D": expression}. Each expression is made of
    a, b and numbers with at most 3 operations, out of + - * / ** and .exp() .log() .sin() .tanh() .sigmoid() .relu().
    A number may be on either side, but not to the left of **. An expression need not use both leaves.
    For example the same product for all four, which no engine gets wrong:

        return {"A": a * b, "B": a * b, "C": a * b, "D": a * b}

    backward is called twice on each. The named engine must leave a wrong gradient in a or in b (or none
    where there should be one), and the three others must leave the right ones in both.

    1. D: what can be beside a leaf in an operation?  C: what inputs may an operation have?
    2. A and B: which operation passes an array on as it is, so that two nodes refer to the same one?
    """
    ### BEGIN SOLUTION 9.7: one_test_each
    return {"A": (a + b) + a, "B": a + b, "C": a * a, "D": a + 1}
    ### END SOLUTION


# Notebook 10


def three_wrong_softmaxes(first):
    """One test for which the softmaxes of Ada, Ben and Cleo (notebook 10) all fail.

    first: the number that out_grad must begin with.
    Returns two lists of rows of the same shape, up to 3 rows of up to 4 numbers from -1000 to 1000: the scores (logits)
    and out_grad, the gradient from above. For a test that none of the three gets wrong, write:

        return [[0]], [[first]]

    To fail is to give wrong probabilities or a wrong gradient (nan is wrong too).
    """
    ### BEGIN SOLUTION 10.12: three_wrong_softmaxes
    return [[1000, 0], [0, 1]], [[first, 2], [3, -1]]
    ### END SOLUTION


# Notebook 11


def four_wrong_losses(first):
    """One batch for which the cross-entropies A, B, C and D of notebook 11 all give a wrong loss.

    first: the number that the scores must begin with, from 2 to 40.
    Returns a pair: scores, a list of 1 to 3 rows of 1 to 4 numbers from -1000 to 1000, all of the same
    length; and targets, the number of a class for each row. For a batch that none of the four gets wrong:

        return [[first, 1]], [0]

    Wrong is a loss that is off by more than 1 %, infinite or nan. Each of the four is right on most batches.
    """
    ### BEGIN SOLUTION 11.9: four_wrong_losses
    return [[first, first + 50], [0, 0], [-1000, -1000]], [0, 0, 1]
    ### END SOLUTION


# Notebook 12


def four_wrong_momentums(first):
    """One run for which the momentums A, B, C and D of notebook 12 all end at a wrong place.

    first: the first gradient, a number from 1 to 9.
    Returns a list of up to 3 steps. A step is a pair (gradient, lr): a number from -10 to 10, and a learning rate above
    0 and up to 1. The number that is moved begins at 0, and momentum is 0.5. With this run only C is wrong:

        return [(first, 0.1)]
    """
    ### BEGIN SOLUTION 12.10: four_wrong_momentums
    return [(first, 0.5), (2, 0.1), (-3, 0.2)]
    ### END SOLUTION


# Notebook 13


def names_on_the_way():
    """Two orders, on paper: that of the walk over grad_fn, and that in which backward() calls the rules.

    The walk starts at the result's grad_fn. It prints the name of a Function when it first gets there, then goes on
    to the Functions behind it, from left to right, each with all that is behind it. A leaf has no Function: nothing is
    printed there. No Function is printed twice.

        A: ((x @ w).abs() / (y.exp() + 1)).sum()
        B: z + z.exp()                 with   z = x * x
        C: t * (t + t * 2).tanh()      with   t = x.exp()

    x, y and w are leaves. Returns a dict of lists of names, the names of our operations, such as "AddScalar": the walks
    over A and B, and the orders of backward() for B and C. Copy these lines and fill in the lists:

        return {
            "A": [],
            "B": [],
            "B backward": [],
            "C backward": [],
        }
    """
    ### BEGIN SOLUTION 13.1: names_on_the_way
    return {
        "A": ["Summation", "Div", "Abs", "MatMul", "AddScalar", "Exp"],
        "B": ["Add", "Mul", "Exp"],
        "B backward": ["Add", "Exp", "Mul"],
        "C backward": ["Mul", "Tanh", "Add", "MulScalar", "Exp"],
    }
    ### END SOLUTION


def expressions_for_twelve_engines(x, row, col, w, batch):
    """Expressions that together give away all twelve broken engines of notebook 13.

    x (2, 3), row (3,), col (2, 1), w (3, 2), batch (2, 2, 3): leaves. Some of their numbers are negative, one is 0,
    and some are equal.
    Returns a list of at most 8 expressions, each with at most 5 operations, out of + - * / ** @ and .exp() .log()
    .tanh() .sigmoid() .relu(), and .sum() and .max() of all numbers or along one axis, as in x.sum(0). A number may
    stand on either side, but not to the left of **. No expression needs all leaves. One that gives away no engine:

        return [x.exp()]

    backward is called twice on each, with 1, 2, 3, ... as the gradient from above. An engine is given away if the
    result or a leaf's gradient is not the right one, or if it stops with an error.
    """
    ### BEGIN SOLUTION 13.4: expressions_for_twelve_engines
    square, another = x * x, x.exp()
    return [
        (5 - x) / col,
        x.tanh() + x.relu(),
        x.sum(0) * row,
        x.max() * col,
        batch @ w,
        square * (square * 3),
        (x + another) + x,
    ]
    ### END SOLUTION


# Notebook 14


def three_products(x, y, speed):
    """One question for which the Hessian-vector products of Ada, Ben and Cleo (notebook 14) are all wrong.

    x: the leaf 2.0.  y: the leaf 3.0.  speed: how fast x must move, a number from 2 to 9.
    Returns a pair: an expression made of x, y and numbers with at most 2 operations, out of + - * / **, exp, log, sin,
    tanh, sigmoid and relu; and the vector, two numbers from -10 to 10: how fast x moves, and how fast y does. A
    question that nobody gets wrong:

        return x * y, (speed, speed)
    """
    ### BEGIN SOLUTION 14.7: three_products
    return x.exp() * y, (speed, 0)
    ### END SOLUTION


# Notebook 15


def four_compilers(x, y):
    """One function for which the programs of Ada, Ben, Cleo and Dora (notebook 15) all give wrong numbers.

    x, y: leaves of shape (3, 3). All of their numbers are positive.
    Returns an expression made of x, y and numbers with at most 4 operations, out of + - * / ** @ and .exp() .log()
    .tanh() .sigmoid() .relu(), and .sum() and .max() of all numbers or along one axis, as in x.sum(0). A result
    with a name counts once, however often it is used. A function with which nobody has trouble:

        return x * y
    """
    ### BEGIN SOLUTION 15.8: four_compilers
    part = 2 / x
    return part**3 @ part**4
    ### END SOLUTION


# Notebook 16


def three_attentions():
    """For each of three broken causal attentions, an input that gives this one away and no other.

    Returns a dict {"Ada": (query, key, value), "Ben": (query, key, value), "Cleo": (query, key, value)}.
    query, key, value: each a list with a row for each position, 1 to 3 rows of 1 or 2 numbers from -10 to 10. Rows of
    query and key are equally long. For example the same input for all three, which gives nobody away:

        one = ([[1]], [[1]], [[1]])
        return {"Ada": one, "Ben": one, "Cleo": one}

    An attention is given away if one of the numbers that it returns is off by more than 0.0001.
    """
    ### BEGIN SOLUTION 16.10: three_attentions
    value = [[1], [0]]
    return {
        "Ada": ([[10, 0], [0, 1]], [[10, 0], [0, 1]], value),
        "Ben": ([[10], [1]], [[-1], [-10]], value),
        "Cleo": ([[10], [1]], [[10], [10]], value),
    }
    ### END SOLUTION


# Notebook 17


def three_convolutions():
    """For each of three broken convolutions, a question that gives this one away and no other.

    Returns a dict {"Ada": (picture, filter, stride, padding), "Ben": ..., "Cleo": ...}.
    picture: a list of 1 to 4 rows, equally long, of 1 to 4 numbers from -10 to 10.  filter: a list of 1 to 3 rows of as
    many numbers.  stride: 1, 2 or 3.  padding: 0, 1 or 2. For example the same question for all three, which gives
    Ben away alone:

        one = ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 1], [1, 1]], 1, 0)
        return {"Ada": one, "Ben": one, "Cleo": one}

    A convolution gives an answer, and the gradient of the picture where the numbers of the answer have the gradients
    1, 2, 3, ... It is given away if a number of either is off.
    """
    ### BEGIN SOLUTION 17.7: three_convolutions
    picture, ones = [[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 1], [1, 1]]
    return {
        "Ada": (picture, [[1, 0], [0, 0]], 2, 0),
        "Ben": (picture, ones, 1, 0),
        "Cleo": ([[1, 2], [3, 4]], ones, 2, 1),
    }
    ### END SOLUTION
