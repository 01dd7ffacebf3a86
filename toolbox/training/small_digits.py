"""For notebook 17: scikit-learn's digits of 8 x 8 pixels, nets that learn to read them, and digits that were moved."""

import numpy as np
from threadpoolctl import threadpool_limits  # scikit-learn brings it

from babygrad.arrays import DataLoader
from babygrad.losses import cross_entropy
from babygrad.nn import predict
from babygrad.optim import SGD, CosineLR
from babygrad.tensor import Tensor

from .quick import quick
from .runs import digits

x, y, x_new, y_new, _ = digits(seed=0)
on_one_thread = threadpool_limits.wrap(limits=1, user_api="blas")  # products as small as these: others only wait


@on_one_thread
def trained(model, x, epochs=10, lr=0.1, batches=None):
    """The model, trained on x and y with momentum and half a cosine of learning rates.

    batches(x, y): what a step is given in place of a batch; None leaves batches as they are.
    """
    optimizer = SGD(model.parameters(), lr, momentum=0.9)
    schedule = CosineLR(optimizer, epochs)

    def step(x, y):
        loss = cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    step, loader = quick(step), DataLoader(x, y, 64, drop_last=True)
    for _ in range(epochs):
        model.train()
        for rows, labels in loader:
            rows, labels = (rows, labels) if batches is None else batches(rows, labels)
            step(Tensor(rows, requires_grad=False), labels)
        schedule.step()
    return model


@on_one_thread
def right(model, x):
    """The share of the new digits that are read right, if they look like x."""
    return np.mean(predict(model, x).argmax(axis=1) == y_new)


def moved(x, columns):
    """The digits, moved to the right. What leaves the picture there is lost."""
    return np.pad(x.reshape(-1, 8, 8), ((0, 0), (0, 0), (columns, 0)))[:, :, :8].reshape(-1, 64)
