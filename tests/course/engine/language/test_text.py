"""Text as numbers, held-out text, and count models, against hand computations."""

import math
import re
from zoneinfo import available_timezones

import numpy as np
import pytest

from babygrad import losses, transformer
from toolbox.data import text
from toolbox.data.text import Counts, Vocabulary

CORPORA = {"cities": text.read_cities, "manual": text.read_manual}


@pytest.fixture(scope="module", params=CORPORA)
def corpus(request):
    return CORPORA[request.param]()


# ---- the names ----


def test_the_list_of_cities():
    names = text.cities()
    assert len(names) == 471 and names == sorted(set(names))
    assert all(re.fullmatch(r"[a-z]+([ -][a-z]+)*", name) for name in names)
    assert {"abidjan", "buenos aires", "port-au-prince", "zurich"} < set(names)


def test_every_name_is_that_of_a_public_time_zone():
    zones = {name.rpartition("/")[2].replace("_", " ").lower() for name in available_timezones()}
    if not zones:
        pytest.skip("no time zone database on this machine")
    unknown = set(text.cities()) - zones
    assert len(unknown) <= 10, f"zones are renamed now and then, but these are many: {sorted(unknown)}"


def test_the_manual_has_each_paragraph_once_and_is_of_this_python():
    paragraphs = text.manual().split("\n\n")
    assert len(paragraphs) == len(set(paragraphs)) > 1000
    assert "statement" in text.manual()
    assert re.search(r"Python \d+\.\d+\.\d+;", text.read_manual().note)


# ---- characters and numbers ----


def test_encode_and_decode_are_inverse(corpus):
    vocabulary, tokens = corpus.vocabulary, corpus.train
    np.testing.assert_array_equal(vocabulary.encode(vocabulary.decode(tokens)), tokens)
    assert tokens.dtype == np.int64 and tokens.min() >= 0 and tokens.max() < len(vocabulary)


def test_a_vocabulary_by_hand():
    vocabulary = Vocabulary("banana\n")
    assert vocabulary.characters == "\nabn" and len(vocabulary) == 4
    assert vocabulary.encode("nab\n").tolist() == [3, 1, 2, 0]
    assert vocabulary.decode(np.array([2, 1, 3])) == "ban"
    assert vocabulary.encode("").shape == (0,)
    with pytest.raises(ValueError, match=r"'x' is not among the 4 characters"):
        vocabulary.encode("nax")


# ---- what is held out ----


def test_held_out_names_are_names_that_were_not_trained_on():
    corpus = text.read_cities()
    parts = [corpus.vocabulary.decode(part) for part in (corpus.train, corpus.validation, corpus.test)]
    assert all(part.startswith("\n") and part.endswith("\n") for part in parts)
    names = [part.strip("\n").split("\n") for part in parts]
    assert [len(part) for part in names] == [377, 47, 47]
    assert sorted([*names[0], *names[1], *names[2]]) == text.cities()


def test_held_out_paragraphs_of_the_manual_were_not_trained_on():
    corpus = text.read_manual()
    train, *others = (corpus.vocabulary.decode(part) for part in (corpus.train, corpus.validation, corpus.test))
    assert len(train) + sum(map(len, others)) == len(text.manual())
    for other in others:
        assert 0.09 < len(other) / len(text.manual()) < 0.11
        long = [paragraph for paragraph in other.split("\n\n") if len(paragraph) > 200]
        assert len(long) > 30 and not any(paragraph in train for paragraph in long)


# ---- models that count ----


def test_a_bigram_model_by_hand():
    """In a a b a there are a-a, a-b and b-a once each; 0 is a, 1 is b, and c is never seen."""
    tokens = np.array([0, 0, 1, 0])
    one = Counts(tokens, 3, order=1, strength=2)
    np.testing.assert_allclose(one.table, [(3 + 2 / 3) / 6, (1 + 2 / 3) / 6, (2 / 3) / 6])
    two = Counts(tokens, 3, order=2, strength=0.5, lower=one)
    after_a = (np.array([1, 1, 0]) + 0.5 * one.table) / 2.5
    after_b = (np.array([1, 0, 0]) + 0.5 * one.table) / 1.5
    np.testing.assert_allclose(two.table, [after_a, after_b, one.table])
    assert two.bits(np.array([0, 1, 0])) == pytest.approx(-(math.log2(after_a[1]) + math.log2(after_b[0])) / 2)


def test_a_trigram_models_first_characters_have_the_history_that_there_is():
    tokens = np.array([0, 1, 2, 0, 1, 1])
    one = Counts(tokens, 3, 1, 1.0)
    two = Counts(tokens, 3, 2, 1.0, one)
    three = Counts(tokens, 3, 3, 1.0, two)
    text_of_three = np.array([2, 0, 1])
    wanted = [one.table[2], two.table[2, 0], three.table[2, 0, 1]]
    np.testing.assert_allclose(three.costs(text_of_three), -np.log2(wanted))
    np.testing.assert_allclose(three.costs(text_of_three[:1]), -np.log2(wanted[:1]))


@pytest.mark.leg("push")
def test_probabilities_add_up_to_1(corpus):
    for order in (1, 2):
        np.testing.assert_allclose(text.best_counts(corpus, order).table.sum(axis=-1), 1)


def test_a_strength_is_chosen_on_the_validation_part_alone():
    rng = np.random.default_rng(0)
    train, validation, test = (rng.integers(0, 5, n) for n in (300, 200, 100))
    corpus = text.Corpus(Vocabulary("abcde"), train, validation, test)
    chosen = text.best_counts(corpus, 2)
    tried = [Counts(train, 5, 2, strength, chosen.lower).bits(validation) for strength in text.STRENGTHS]
    assert chosen.bits(validation) == pytest.approx(min(tried), abs=1e-3)
    again = text.best_counts(corpus._replace(test=test[::-1]), 2)
    assert again.strength == chosen.strength
    assert len(text.STRENGTHS) > 10 and chosen.strength > 1, "chance has no pairs: the counts deserve little trust"


@pytest.mark.leg("night")
def test_more_history_helps(corpus):
    uniform = math.log2(len(corpus.vocabulary))
    costs = [text.best_counts(corpus, order).bits(corpus.test) for order in (1, 2, 3)]
    assert uniform > costs[0] > costs[1] > costs[2] > 1


# ---- a network's bits ----


def model(vocabulary=7, context=6):
    return transformer.Transformer(vocabulary, context, 8, 2, 1, np.random.default_rng(0))


def test_the_bits_of_a_text_that_fits_into_the_context_are_its_loss():
    net, tokens = model(), np.random.default_rng(1).integers(0, 7, 7)
    loss = losses.cross_entropy(net(tokens[None, :-1]).reshape(-1, 7), tokens[1:]).item()
    assert text.bits_per_character(net, tokens) == pytest.approx(loss / math.log(2), rel=1e-12)
    assert text.bits(math.log(8)) == pytest.approx(3)


@pytest.mark.parametrize("size", [3, 8, 13, 14, 40])
def test_each_character_of_a_longer_text_counts_once_with_half_a_context_before_it(size):
    net, tokens = model(), np.random.default_rng(size).integers(0, 7, size)
    costs = []
    starts = [*range(0, max(0, size - 1 - 6), 3), max(0, size - 1 - 6)]
    for place in range(1, size):
        start = next(start for start in starts if place <= start + 6)
        logits = net(tokens[None, start:place]).data[0, -1]
        costs.append(np.log2(np.exp(logits - logits[tokens[place]]).sum()))
        assert place - start >= min(place, 3)
    assert text.bits_per_character(net, tokens) == pytest.approx(np.mean(costs), rel=1e-12)


def test_measuring_changes_neither_the_model_nor_its_mode():
    net = model()
    before = net.state_dict()
    net.train()
    text.bits_per_character(net, np.arange(7))
    assert net.training and all(np.array_equal(before[name], x) for name, x in net.state_dict().items())
