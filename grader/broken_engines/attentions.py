"""Four causal attentions, a right one and three broken ones, for the hunt of notebook 16.

attention(query, key, value): lists with a row for each position. Returns an array with a row for each position.
"""

import math

import numpy as np

MOST_ROWS, MOST_NUMBERS, LARGEST, ENOUGH = 3, 2, 10, 1e-4


def _mixed(scores, value):
    """Softmax of each row, and the values mixed."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ np.array(value, float)


def _scores(query, key):
    return np.array(query, float) @ np.array(key, float).T


def _earlier(n, ahead=0):
    """True where a row may look: at itself, at those before it, and at so many ahead."""
    return np.tril(np.ones((n, n), bool), ahead)


def _right(query, key, value):
    scores = _scores(query, key) / math.sqrt(len(query[0]))
    return _mixed(np.where(_earlier(len(query)), scores, -np.inf), value)


def _ada(query, key, value):
    """The scores are not divided by anything."""
    return _mixed(np.where(_earlier(len(query)), _scores(query, key), -np.inf), value)


def _ben(query, key, value):
    """The scores are multiplied by the mask: what may not be seen gets the score 0."""
    scores = _scores(query, key) / math.sqrt(len(query[0]))
    return _mixed(scores * _earlier(len(query)), value)


def _cleo(query, key, value):
    """The mask is shifted: each position also sees the next one."""
    scores = _scores(query, key) / math.sqrt(len(query[0]))
    return _mixed(np.where(_earlier(len(query), 1), scores, -np.inf), value)


ATTENTIONS = {"right": _right, "Ada": _ada, "Ben": _ben, "Cleo": _cleo}
WRONG = ("Ada", "Ben", "Cleo")


def differ(inputs, name):
    """Is an attention off by more than ENOUGH for these inputs, (query, key, value)?"""
    return bool(np.abs(ATTENTIONS[name](*inputs) - ATTENTIONS["right"](*inputs)).max() > ENOUGH)


def complaint(answer):
    """What is wrong with the form of (query, key, value), in words; "" if nothing. Takes anything."""
    if not isinstance(answer, (list, tuple)) or len(answer) != 3:
        return "it should be three lists (query, key, value)"
    if not all(_is_table(table) for table in answer):
        return (
            f"each of query, key and value should be a list of 1 to {MOST_ROWS} rows, "
            f"each row a list of 1 or {MOST_NUMBERS} numbers from -{LARGEST} to {LARGEST}"
        )
    query, key, value = answer
    if not len(query) == len(key) == len(value):
        return "query, key and value should have a row for each position, so as many rows"
    if len(query[0]) != len(key[0]):
        return "the rows of query and of key should be equally long"
    return ""


def _is_table(table):
    if not isinstance(table, (list, tuple)) or not 1 <= len(table) <= MOST_ROWS:
        return False
    if not all(isinstance(row, (list, tuple)) and 1 <= len(row) <= MOST_NUMBERS for row in table):
        return False
    return len({len(row) for row in table}) == 1 and all(_is_number(number) for row in table for number in row)


def _is_number(x):
    return type(x) in (int, float) and abs(x) <= LARGEST
