"""Whether the steps of a run can be compiled: two of them are tried, and compared with two that are not."""

import numpy as np

from toolbox.training.trainer import Trainer

from ..course.stub_message import unfilled_by


def can_be_compiled(run, split):
    """Says why not, in a sentence."""
    why = why_not_compiled(run, split)
    if why:
        print(f"{why} So the steps are not compiled: the same numbers, only slower.")
    return not why


def why_not_compiled(run, split):
    """A sentence; "" if two compiled steps come to the numbers of two that are not."""
    states = [state_after_two_steps(run, split, compile=False)]
    try:
        states.append(state_after_two_steps(run, split, compile=True))
    except Exception as error:  # a compiler that a learner wrote can raise anything
        if stub := unfilled_by(error):
            return f"Exercise {stub.id} {stub.title} is not filled in yet."
        return f"The compiler stopped with {error!r}."
    eager, compiled = states
    same = all(np.allclose(eager[name], compiled[name], rtol=0, atol=1e-8) for name in eager)
    return "" if same else "The compiled step came to other numbers."


def state_after_two_steps(run, split, compile):
    """The parameters after two steps with the same batch."""
    model = run.model()
    trainer = Trainer(model, run.loss_fn, run.optimizer(model), progress=False, compile=compile)
    trainer.fit([(split.x_train[: run.batch], split.y_train[: run.batch])], 2)
    return model.state_dict()
