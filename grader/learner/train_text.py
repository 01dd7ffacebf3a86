"""What make train says and draws of a transformer that learns to continue a text."""

from toolbox.data import text
from toolbox.drawing import plots
from toolbox.films.curves import Panel, curves_film
from toolbox.training.runs import transformer

from .compiled_steps import can_be_compiled

WIDTH = 100  # of a line that it wrote
LETTERS = 12  # that look at each other in the picture
CAPTION = "Look at how what it writes changes while the bits fall, and when they fall below those of models that count."


def introduction(run, split, epochs):
    """What is trained on what."""
    corpus = run.corpus
    line = f"{run.name}: {len(corpus.train):,} characters to train on, {len(corpus.validation):,} to validate, "
    line += f"{len(corpus.test):,} for the end. {run.net}; {epochs} epochs."
    return "\n".join([line, split.note]) if split.note else line


def extras(run, split, seed):
    """What else the Trainer is given: samples after each epoch, and the compiled step, where there is one."""
    return {"compile": can_be_compiled(run, split), "after_epoch": Samples(run, seed)}


class Samples:
    """Called after each epoch: what the model writes then, in lines.  .texts: {epoch: texts}, of this fit."""

    def __init__(self, run, seed):
        self.run, self.seed, self.texts = run, seed, {}

    def __call__(self, trainer):
        texts = self.texts[trainer.done] = self.run.sample(trainer.model, (self.seed, trainer.done))
        return f"epoch {trainer.done}\n{in_lines(texts)}"


def in_lines(texts, between=", "):
    """What it wrote: several short texts in one line, or the lines of a long one, indented."""
    lines = between.join(texts).splitlines()
    return "\n".join([f"    {line[:WIDTH]}" for line in lines if line.strip()])


def outcome(run, model, split, history):
    """The result beside that of models that count, all on the same text."""
    tokens = run.corpus.test
    costs = {f"after {len(history['loss'])} epochs": text.bits_per_character(model, tokens)}
    costs |= {f"a {name}": counts.bits(tokens) for name, counts in run.counts.items()}
    listed = "; ".join([f"{cost:.2f} {name}" for name, cost in costs.items()])
    return f"Bits per character of {len(tokens):,} that it was not trained on: {listed}."


def curves(run, history):
    """{name: bits per character, epoch by epoch}; those of models that count stay, on the validation part."""
    losses = plots.both(history, "loss")
    found = {name: [text.bits(loss) for loss in values] for name, values in losses.items()}
    epochs = len(history["loss"])
    return found | {name: epochs * [counts.bits(run.corpus.validation)] for name, counts in run.counts.items()}


def draw(run, model, split, history, left, right):
    """The curves in bits; what it writes, and who looks at whom in its last block."""
    drawn = curves(run, history)
    plots.draw_curves(left.subplots(), drawn, "epoch", "bits per character", first=1)
    above, below = right.subfigures(2, 1)
    lines = in_lines(run.sample(model, len(history["loss"])), "\n").replace("$", r"\$")
    above.text(0, 0.9, lines, va="top", family="monospace", fontsize="small")
    above.suptitle("what it writes", fontsize="medium")
    tokens = run.corpus.validation[:LETTERS]
    for number, weights in enumerate(transformer.attention_of(model, tokens)[-1]):
        draw_attention(below.add_subplot(1, run.heads, number + 1), weights, run.corpus.vocabulary.decode(tokens))
    below.suptitle("last block, each head: how much a row looks at a column", fontsize="medium")


def draw_attention(axes, weights, letters):
    """weights: (letters, letters), a row for each that looks."""
    axes.imshow(weights, cmap="Blues", vmin=0, vmax=1)
    shown = letters.replace("\n", "↵").replace(" ", "␣")
    axes.set_xticks(range(len(letters)), shown, fontsize="x-small")
    axes.set_yticks(range(len(letters)), shown, fontsize="x-small")
    axes.tick_params(length=0)


def film(trainer, run):
    """The curves grow, and each epoch says what the model wrote. Of a resumed run only what came after is known."""
    drawn, texts = curves(run, trainer.history), trainer.after_epoch.texts

    def sentence(epoch):
        said = ", ".join(f"{drawn[name][epoch - 1]:.2f} in {name}" for name in ("training", "validation"))
        wrote = " ".join(", ".join(texts.get(epoch, ())).split())
        return f"Epoch {epoch}: bits per character {said}." + (f" It writes: {wrote}" if wrote else "")

    panel = Panel("bits per character", drawn, close=True)
    title = f"A transformer learns to write: {run.name}, {len(trainer.history['loss'])} epochs"
    return curves_film(title, [panel], sentence, CAPTION)
