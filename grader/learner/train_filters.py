"""What make train says and draws of a net of filters: what it does of any net, and the filters, epoch by epoch."""

from toolbox.films.filters import filters_film

from .compiled_steps import can_be_compiled
from .train_net import draw, introduction, outcome

__all__ = ["draw", "extras", "film", "introduction", "outcome"]


def extras(run, split, seed):
    """What else the Trainer is given: the filters are kept after each epoch; the compiled step, where there is one."""
    return {"compile": can_be_compiled(run, split), "after_epoch": Filters(run.model(seed))}


class Filters:
    """Called after each epoch.  .moments: {epoch: the first filters}, of this fit.  model: as it is at its start."""

    def __init__(self, model):
        self.moments = {0: filters_of(model)}

    def __call__(self, trainer):
        self.moments[trainer.done] = filters_of(trainer.model)


def filters_of(model):
    return model.layers[1].weight.data[:, 0].copy()


def film(trainer, run):
    """How the filters have become what they are. Of a resumed run only what came after is known."""
    moments, epochs = trainer.after_epoch.moments, len(trainer.history["loss"])
    if len(moments) <= epochs:
        moments = {epoch: filters for epoch, filters in moments.items() if epoch}
    return filters_film(moments, trainer.history["val_accuracy"])
