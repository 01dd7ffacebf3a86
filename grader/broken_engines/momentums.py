"""Gradient descent with momentum for a single number: a right one and four wrong ones, for the hunt of notebook 12.

Each is a generator function: it is sent (gradient, lr), step by step, and yields by how much the number moves.
"""

MOMENTUM = 0.5


def right():
    """The velocity is momentum times the old one, plus the gradient."""
    velocity, move = 0.0, None
    while True:
        gradient, lr = yield move
        velocity = MOMENTUM * velocity + gradient
        move = -lr * velocity


def _one_gradient_back():
    """A remembers the gradient of the step before, and nothing older."""
    before, move = 0.0, None
    while True:
        gradient, lr = yield move
        move = -lr * (MOMENTUM * before + gradient)
        before = gradient


def _learning_rate_inside():
    """B has the learning rate inside the velocity."""
    velocity, move = 0.0, None
    while True:
        gradient, lr = yield move
        velocity = MOMENTUM * velocity + lr * gradient
        move = -velocity


def _always_nesterov():
    """C looks ahead along the velocity, unasked."""
    velocity, move = 0.0, None
    while True:
        gradient, lr = yield move
        velocity = MOMENTUM * velocity + gradient
        move = -lr * (gradient + MOMENTUM * velocity)


def _a_mean_after_the_first():
    """D begins with the gradient, then takes a mean of the velocity and the gradient."""
    velocity, move = None, None
    while True:
        gradient, lr = yield move
        velocity = gradient if velocity is None else MOMENTUM * velocity + (1 - MOMENTUM) * gradient
        move = -lr * velocity


ENGINES = {
    "A": _one_gradient_back,
    "B": _learning_rate_inside,
    "C": _always_nesterov,
    "D": _a_mean_after_the_first,
}


def places(momentum, run):
    """Where the number stands after each step of the run, pairs (gradient, lr). It begins at 0."""
    walker, place, visited = momentum(), 0.0, []
    next(walker)
    for gradient, lr in run:
        place += walker.send((gradient, lr))
        visited.append(place)
    return visited
