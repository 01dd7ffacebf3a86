"""What make train says and draws of a transformer that learns to continue a text."""

import numpy as np

from ..course.stub_message import unfilled_by

COUNTED = {2: "a bigram model", 3: "a trigram model"}
WIDTH = 100  # of a line that it wrote


def introduction(run, split, epochs):
    """What is trained on what."""
    corpus = run.corpus
    line = f"{run.name}: {len(corpus.train):,} characters to train on, {len(corpus.validation):,} to validate, "
    line += f"{len(corpus.test):,} for the end. {run.net}; {epochs} epochs."
    return "\n".join([line, split.note]) if split.note else line


def extras(package, run, split, model, seed):
    """What else the Trainer is given: samples after each epoch, and the compiled step, where there is one."""
    why = why_not_compiled(package, run, split)
    if why:
        print(f"{why} So the steps are not compiled: the same numbers, only slower.")

    def written(trainer):
        return f"epoch {trainer.done}\n{in_lines(run.sample(model, (seed, trainer.done)))}"

    return {"compile": not why, "after_epoch": written}


def why_not_compiled(package, run, split):
    """A sentence; "" if two compiled steps come to the numbers of two that are not."""
    states = [state_after_two_steps(package, run, split, compile=False)]
    try:
        states.append(state_after_two_steps(package, run, split, compile=True))
    except Exception as error:  # a compiler that a learner wrote can raise anything
        stub = unfilled_by(error)
        return (
            f"Exercise {stub.id} {stub.title} is not filled in yet."
            if stub
            else f"The compiler stopped with {error!r}."
        )
    eager, compiled = states
    same = all(np.allclose(eager[name], compiled[name], rtol=0, atol=1e-8) for name in eager)
    return "" if same else "The compiled step came to other numbers."


def state_after_two_steps(package, run, split, compile):
    """The parameters after two steps with the same batch."""
    model = run.model()
    trainer = package.trainers.Trainer(model, run.loss_fn, run.optimizer(model), progress=False, compile=compile)
    trainer.fit([(split.x_train[: run.batch], split.y_train[: run.batch])], 2)
    return model.state_dict()


def in_lines(texts):
    """What it wrote: several short texts in one line, or the lines of a long one, indented."""
    lines = ", ".join(texts).splitlines()
    return "\n".join([f"    {line[:WIDTH]}" for line in lines])


def outcome(package, run, model, split, history):
    """The result beside that of models that count, all on the same text; and what it writes now."""
    corpus, text = run.corpus, package.text
    costs = {f"after {len(history['loss'])} epochs": text.bits_per_character(model, corpus.test)}
    costs |= {name: text.best_counts(corpus, order).bits(corpus.test) for order, name in COUNTED.items()}
    listed = "; ".join([f"{cost:.2f} {name}" for name, cost in costs.items()])
    return f"Bits per character of {len(corpus.test):,} that it was not trained on: {listed}."


def draw(package, run, model, split, history, left, right):
    """The curves in bits, beside those of models that count; and what it writes."""
    axes, corpus, text = left.subplots(), run.corpus, package.text
    curves = {
        name: [text.bits(loss) for loss in losses] for name, losses in package.plots.both(history, "loss").items()
    }
    package.plots.draw_curves(axes, curves, "epoch", "bits per character", first=1)
    for order, name in COUNTED.items():
        cost = text.best_counts(corpus, order).bits(corpus.validation)
        axes.axhline(cost, color="0.4", linestyle=":")
        axes.annotate(f"{name}, validation", (1, cost), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    written = in_lines(run.sample(model, len(history["loss"]))).replace(", ", "\n    ")
    right.text(0.05, 0.95, written.replace("$", r"\$"), va="top", family="monospace", fontsize="small", wrap=True)
    right.suptitle("what it writes", fontsize="medium")
