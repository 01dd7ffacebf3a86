"""Text to learn from, as numbers, and the models to compare with: those that count what followed what."""

import math
import platform
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from babygrad.autograd import no_grad
from babygrad.nn import modes_kept

from .cities import NAMES

END = "\n"  # stands before and after each city's name: what a name begins from, and how it ends
PIECES = 50  # the manual is held out in pieces, so that each part has something of everything
STRENGTHS = 2.0 ** np.arange(-8, 11)


class Vocabulary:
    """The characters of a text, numbered in the order of their code points.

    .characters: a string of all of them.  len(vocabulary): how many.
    """

    def __init__(self, text):
        self.characters = "".join(sorted(set(text)))
        self.numbers = {character: number for number, character in enumerate(self.characters)}

    def __len__(self):
        return len(self.characters)

    def encode(self, text):
        """The text as an array (N,) of ints.  Raises ValueError that names a character it does not know."""
        unknown = sorted(set(text) - self.numbers.keys())
        if unknown:
            raise ValueError(f"{unknown[0]!r} is not among the {len(self)} characters: {self.characters!r}")
        return np.array([self.numbers[character] for character in text], np.int64)

    def decode(self, tokens):
        """The text of a sequence of ints."""
        return "".join([self.characters[token] for token in tokens])


class Corpus(NamedTuple):
    """A text in three parts: arrays of ints. What is chosen is chosen on the second; the third only measures."""

    vocabulary: Vocabulary
    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    note: str = ""


def cities():
    """Some 470 names of cities and other places, lower case, in alphabetical order: a list."""
    return NAMES.replace("\n", " ").strip().split(", ")


def manual():
    """Python's own help texts as one string, each paragraph once. It differs with Python's version."""
    from pydoc_data.topics import topics  # imported here because it is half a million characters

    return "\n\n".join(dict.fromkeys("\n\n".join(topics.values()).split("\n\n")))


def read_cities():
    """The names of cities, a Corpus: four fifths of the names to train on, a tenth in each other part.

    The names' order is drawn, always the same: in alphabetical order a name would tell how the next begins.
    """
    names = np.random.default_rng(0).permutation(cities())
    tenth = len(names) // 10
    parts = names[2 * tenth :], names[:tenth], names[tenth : 2 * tenth]
    vocabulary = Vocabulary(END + "".join(names))
    return Corpus(vocabulary, *(vocabulary.encode(END + END.join(part) + END) for part in parts))


def read_manual():
    """Python's manual, a Corpus: of its PIECES four fifths to train on, a tenth in each other part."""
    text = manual()
    size = -(-len(text) // PIECES)
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    validation, test = pieces[4::10], pieces[9::10]
    train = [piece for place, piece in enumerate(pieces) if place % 10 not in (4, 9)]
    vocabulary = Vocabulary(text)
    note = f"The text is that of Python {platform.python_version()}; other versions have another one."
    return Corpus(vocabulary, *(vocabulary.encode("".join(part)) for part in (train, validation, test)), note)


# ---- models that count ----


class Counts:
    """A count model: how likely each character is after the `order - 1` before it. 2 is a bigram model, 3 a trigram.

    Its probabilities are those of the model of a lower order, mixed with what was counted: as if `strength` more
    characters had been seen, dealt as that model says. Below order 1 all characters are equally likely.
    tokens: an array of ints below `characters`, which is how many there are.
    .table: the probabilities, an array with `order` axes; the last is the next character.
    Source: MacKay and Peto 1995, a hierarchical Dirichlet language model, with given strengths.
    """

    def __init__(self, tokens, characters, order, strength, lower=None):
        self.order, self.strength, self.lower = order, strength, lower
        counts = np.zeros((characters,) * order)
        np.add.at(counts, tuple(sliding_window_view(tokens, order).T), 1)
        below = lower.table if lower else 1 / characters
        self.table = (counts + strength * below) / (counts.sum(axis=-1, keepdims=True) + strength)

    def costs(self, tokens):
        """-log2 of the probability of each token, (N,). The first have less before them: those are lower models'."""
        early = self.lower.costs(tokens[: self.order - 1]) if self.lower else np.empty(0)
        seen = sliding_window_view(tokens, self.order) if len(tokens) >= self.order else np.empty((0, self.order), int)
        return np.concatenate([early, -np.log2(self.table[tuple(seen.T)])])

    def bits(self, tokens):
        """Bits per character: the mean cost of each token but the first."""
        return float(self.costs(tokens)[1:].mean())


def best_counts(corpus, order):
    """The Counts of the corpus's train part with the strengths that are best for its validation part.

    The lower model's strength is chosen first.  Returns None for order 0.
    """
    if order == 0:
        return None
    lower, characters = best_counts(corpus, order - 1), len(corpus.vocabulary)
    models = [Counts(corpus.train, characters, order, strength, lower) for strength in STRENGTHS]
    return min(models, key=lambda model: model.costs(corpus.validation)[order:].mean())


# ---- a network's bits ----


def bits(loss):
    """Bits per character of a mean cross-entropy, which is in nats."""
    return loss / math.log(2)


def bits_per_character(model, tokens):
    """What a language model's predictions of a text cost: the mean over all its characters but the first, a float.

    model: a Transformer.  tokens: an array of ints.  Each character is predicted from those before it: from half a
    context at least, except in the first half.
    """
    length = min(model.context_length, len(tokens) - 1)
    last = len(tokens) - 1 - length
    costs = np.empty(len(tokens) - 1)
    with modes_kept(model), no_grad():
        model.eval()
        for start in reversed([*range(0, last, -(-length // 2)), last]):  # of two windows the earlier one knows more
            read, wanted = tokens[start : start + length], tokens[start + 1 : start + 1 + length]
            scores = model(read[None]).data[0]
            costs[start : start + length] = np.logaddexp.reduce(scores, axis=-1) - scores[np.arange(length), wanted]
    return bits(float(costs.mean()))
