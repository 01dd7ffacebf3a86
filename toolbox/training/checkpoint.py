"""Checkpoints of a Trainer: all that a run needs to go on to the same numbers, bit for bit. An npz file, no pickle."""

import json
import shutil

import numpy as np

from babygrad.nn import load, save, walk


class CheckpointError(ValueError):
    """Training cannot be resumed from a checkpoint: it is damaged, or of another model or optimizer."""


def write_checkpoint(trainer):
    """The file is whole at any time. One of an earlier run is kept beside it, as name.before.npz."""
    path = trainer.checkpoint
    if not trainer.saved and path.exists():
        shutil.copyfile(path, path.with_name(f"{path.stem}.before{path.suffix}"))
    save(joined(state_of(trainer)), path)
    trainer.saved = trainer.done


def read_checkpoint(trainer):
    """Take over what the checkpoint holds.  Raises CheckpointError; then the model is as it was."""
    before = trainer.model.state_dict()
    try:
        take_over(trainer, parted(load(trainer.checkpoint)))
    except (ValueError, TypeError, KeyError) as error:
        trainer.model.load_state_dict(before)
        raise CheckpointError(
            f"training cannot go on from {trainer.checkpoint}: {error}. "
            "Train with what it was written with, or name another file to start anew"
        ) from error


def state_of(trainer):
    """All that a run needs to go on: {part: {name: value}}."""
    return {
        "kind": kinds(trainer),
        "model": trainer.model.state_dict(),
        "best": trainer.best,
        "optimizer": trainer.optimizer.state_dict(),
        "scheduler": trainer.scheduler.state_dict() if trainer.scheduler is not None else {},
        "generator": {name: as_text(rng) for name, rng in generators(trainer.model)},
        "passes": {name: loader.epoch for name, loader in trainer.loaders.items() if hasattr(loader, "epoch")},
        "history": trainer.history,
    }


def take_over(trainer, state):
    """Restore everything. What may not fit is checked first."""
    if not {"kind", "model", "optimizer", "history"} <= state.keys():
        raise ValueError("it is not a checkpoint of a Trainer")
    rngs, their_states = generators(trainer.model), state.get("generator", {})
    refuse_other_kinds(kinds(trainer), state["kind"])
    refuse_other_generators([name for name, _ in rngs], their_states)
    trainer.model.load_state_dict(state["model"])
    if trainer.scheduler is not None:
        trainer.scheduler.load_state_dict(state["scheduler"])
    trainer.optimizer.load_state_dict(state["optimizer"])
    for name, rng in rngs:
        rng.bit_generator.state = json.loads(str(their_states[name]))
    for name, passes in state.get("passes", {}).items():
        if hasattr(trainer.loaders[name], "epoch"):
            trainer.loaders[name].epoch = int(passes)
    trainer.best = state.get("best", {})
    trainer.history = {name: values.tolist() for name, values in state["history"].items()}
    trainer.saved = trainer.done


def kinds(trainer):
    """What must be the same when a run is resumed."""
    return {
        "optimizer": type(trainer.optimizer).__name__,
        "scheduler": type(trainer.scheduler).__name__,
        "each epoch": "validated" if trainer.loaders["validation"] is not None else "not validated",
    }


def joined(parts):
    """{part: {name: value}} as {"part/name": value}."""
    return {f"{part}/{name}": value for part, values in parts.items() for name, value in values.items()}


def parted(state):
    """The inverse of `joined`."""
    parts = {}
    for key, value in state.items():
        part, _, name = key.partition("/")
        parts.setdefault(part, {})[name] = value
    return parts


def generators(model):
    """Pairs (name, Generator) of the random generators that the model's modules hold."""
    return [(name, thing) for name, thing in walk(model) if isinstance(thing, np.random.Generator)]


def as_text(rng):
    """A generator's state: a text that json reads."""
    return json.dumps(rng.bit_generator.state, default=np.ndarray.tolist)


def refuse_other_kinds(here, there):
    """Raises ValueError if a run of these kinds cannot go on."""
    for name, kind in here.items():
        if str(there.get(name)) != kind:
            raise ValueError(f"{name}: {kind} here, {there.get(name)} in the checkpoint".replace("NoneType", "none"))


def refuse_other_generators(here, there):
    """Raises ValueError that names the random generators which are not on both sides."""
    alone = sorted(set(here) ^ set(there))
    if alone:
        raise ValueError(f"random generators that are not both in the model and in the checkpoint: {', '.join(alone)}")
