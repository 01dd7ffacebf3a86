"""How answers to notebook 04 are compared. What is not here is compared as grader/marking/compare.py does."""

from itertools import zip_longest

from grader.asking.describe import describe
from grader.broken_engines import training_loops
from grader.marking.compare import Sentence, same

from .questions import AFTERWARDS, BATCH_SIZE

# 4.5: minibatches.

DEALS = ("three_full_batches", "a_smaller_last_batch", "a_last_batch_of_one", "a_batch_for_all", "random_labels")


def about_batches(expected, got):
    """The comparison: all rows in batches of the size that was asked for, each once, with its own label, shuffled."""
    dealt = got.get("the batches")
    if not is_a_deal(dealt):
        words = f"{about_form(dealt)}, but a list of pairs (rows of xs, rows of ys) was expected."
        return Sentence(words, nothing=dealt is None)
    changed = not same(expected[AFTERWARDS], got.get(AFTERWARDS))
    found = complaints(dealt, expected[AFTERWARDS][1], expected[BATCH_SIZE])
    return next(found, "It changed xs or ys themselves." if changed else None)


def is_a_deal(dealt):
    return isinstance(dealt, list) and all(
        isinstance(batch, list) and len(batch) == 2 and all(isinstance(rows, list) for rows in batch) for batch in dealt
    )


def about_form(dealt):
    """What came instead of a deal, in a few words: not all its numbers."""
    if not isinstance(dealt, list):
        return f"It returned {describe(dealt)}"
    odd = next(batch for batch in dealt if not is_a_deal([batch]))
    words = describe(odd) if not isinstance(odd, list) else "other pairs" if len(odd) == 2 else f"a list of {len(odd)}"
    return f"It returned a list of {len(dealt)} that holds {words}"


def complaints(dealt, labels, size):
    """What is wrong with a deal, in words: what a reader can see first comes first.  labels: of row 0, 1, ..."""
    samples = len(labels)
    xs = [row for batch, _ in dealt for row in batch]
    ys = [label for _, batch in dealt for label in batch]
    numbers = [row[0] for row in xs if is_row(row, samples)]
    if len(numbers) < len(xs):
        strange = next(row for row in xs if not is_row(row, samples))
        yield f"The rows of a batch hold {describe(strange)}, but rows of xs such as [3.0, 3.5] were expected."
    yield from about_sizes([len(batch) for batch, _ in dealt], samples, size)
    yield from about_rows(numbers, samples)
    strays = [(x, y) for x, y in zip_longest(numbers, ys) if x is None or not is_number(y) or y != labels[int(x)]]
    if strays:
        yield about_a_stray(*strays[0], labels)
    if numbers == sorted(numbers) or numbers == sorted(numbers, reverse=True):
        yield "All samples came, but they were not shuffled."


def about_sizes(sizes, samples, size):
    wanted = [min(size, samples - start) for start in range(0, samples, size)]
    if sizes != wanted:
        yield f"The batches hold {in_a_row(sizes)} samples, but {in_a_row(wanted)} was expected."


def about_rows(numbers, samples):
    missing = [row for row in range(samples) if row not in numbers]
    twice = [row for row in range(samples) if numbers.count(row) > 1]
    if twice:
        count = numbers.count(twice[0])
        yield f"Row {twice[0]} was dealt {count} times, and {len(missing)} of the {samples} rows were not dealt at all."
    if missing:
        yield f"Row {missing[0]} was not dealt."


def about_a_stray(row, label, labels):
    if row is None:
        return f"The label {describe(label)} came without a row of xs."
    own = describe(labels[int(row)])
    return f"Row {describe(row)} of xs came together with the label {describe(label)}, but its own is {own}."


def is_row(row, samples):
    """Is it one of the rows [n, n + 0.5]?"""
    if not isinstance(row, list) or len(row) != 2 or not all(map(is_number, row)):
        return False
    return row[0] in range(samples) and row[1] == row[0] + 0.5


def is_number(x):
    return type(x) in (int, float)


def in_a_row(sizes):
    return ", ".join(map(str, sizes)) or "no"


# 4.7: the hunt.

WANTED_KEYS = 'Return a dict with the keys "Ada", "Ben" and "Cleo", written like this.'


def gives_away_only(name):
    """A comparison: on this data the loop differs from the right one, and none of the others does."""

    def compare(expected, got):
        if "the answer" in got:
            return f"It returned {describe(got['the answer'])}. {WANTED_KEYS}"
        answer = got.get(f"the data for {name}")
        complaint = training_loops.complaint(answer)
        if complaint:
            return f"For {name} you gave {describe(answer)}: {complaint}."
        samples, count = answer
        x = expected["asked"]["x"]
        if samples[0][0] != x:
            return f"For {name} you gave {describe(answer)}: its first sample must have x = {x}."
        right = training_loops.LOOPS["right"](samples, count)
        given_away = [each for each in training_loops.WRONG if training_loops.differ(samples, count, each)]
        return about_the_hunt(name, samples, count, given_away, right)

    return compare


def about_the_hunt(name, samples, count, given_away, right):
    data = f"{count} step{'s' if count > 1 else ''} on {[tuple(sample) for sample in samples]}"
    others = [each for each in given_away if each != name]
    where = training_loops.place(*right)
    if name not in given_away:
        return f"After {data}, {name}'s loop ends at {where}, just as the right one does: this does not give it away."
    if others:
        astray = training_loops.place(*training_loops.LOOPS[others[0]](samples, count))
        verb, too = "gives" if count == 1 else "give", " and ".join(f"{each}'s" for each in others)
        return (
            f"{data} {verb} {name}'s loop away, but {too} too: "
            f"{others[0]}'s loop ends at {astray}, the right one at {where}."
        )
    return None


COMPARISONS = {
    "4.5": dict.fromkeys(DEALS, about_batches),
    "4.7": {f"only_{name}": gives_away_only(name) for name in ("Ada", "Ben", "Cleo")},
}
