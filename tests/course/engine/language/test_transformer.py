"""The transformer of notebook 16: against PyTorch, its causality, compiled, and what it writes."""

import math

import numpy as np
import pytest
import torch

import babygrad as bg
from babygrad import transformer
from babygrad.optim import AdamW, CosineLR, clip_grad_norm_

VOCABULARY, LENGTH, FEATURES, HEADS, LAYERS = 11, 7, 12, 3, 2


def a_model(seed=0):
    """A small one whose weights are all far from 0, so that each part matters."""
    model = transformer.Transformer(VOCABULARY, LENGTH, FEATURES, HEADS, LAYERS, np.random.default_rng(seed))
    rng = np.random.default_rng(seed + 1)
    for parameter in model.parameters():
        parameter.data += rng.normal(0, 0.3, parameter.shape)
    return model


def a_batch(seed=0, count=3, length=LENGTH):
    tokens = np.random.default_rng(seed).integers(0, VOCABULARY, (count, length + 1))
    return tokens[:, :-1], tokens[:, 1:]


# ------------------------------------------------------------------ against PyTorch


def twin_logits(torch, model, tokens):
    """(logits of PyTorch's functions, {name: its leaf}) with the weights of our model."""
    functional = torch.nn.functional
    p = {name: torch.tensor(x.data, requires_grad=True) for name, x in model.named_parameters()}

    def normed(x, name):
        return functional.layer_norm(x, x.shape[-1:], p[f"{name}.weight"], p[f"{name}.bias"])

    def linear(x, name):
        return functional.linear(x, p[f"{name}.weight"].T, p.get(f"{name}.bias"))

    def cut(x):
        return x.unflatten(-1, (HEADS, -1)).transpose(1, 2)

    x = functional.embedding(torch.tensor(tokens), p["tokens.weight"]) + p["positions.weight"][: tokens.shape[1]]
    for i in range(LAYERS):
        part, inside = f"blocks.{i}", normed(x, f"blocks.{i}.norm1")
        heads = [cut(linear(inside, f"{part}.attention.{name}")) for name in ("query", "key", "value")]
        mixed = functional.scaled_dot_product_attention(*heads, is_causal=True)
        x = x + linear(mixed.transpose(1, 2).flatten(2), f"{part}.attention.output")
        hidden = linear(normed(x, f"{part}.norm2"), f"{part}.mlp.layers.0").relu()
        x = x + linear(hidden, f"{part}.mlp.layers.2")
    return normed(x, "norm") @ p["tokens.weight"].T, p


@pytest.mark.parametrize("length", [LENGTH, 1, 4])
def test_logits_and_every_gradient_are_those_of_torch(length):
    model, (x, y) = a_model(), a_batch(length=length)
    logits = model(x)
    loss = transformer.language_loss(logits, y)
    loss.backward()
    theirs, leaves = twin_logits(torch, model, x)
    their_loss = torch.nn.functional.cross_entropy(theirs.flatten(0, 1), torch.tensor(y).flatten())
    their_loss.backward()
    assert np.abs(logits.data - theirs.detach().numpy()).max() < 1e-10
    assert abs(loss.item() - their_loss.item()) < 1e-10
    assert {name for name, _ in model.named_parameters()} == leaves.keys()
    for name, parameter in model.named_parameters():
        assert np.abs(parameter.grad - leaves[name].grad.numpy()).max() < 1e-10, name


def test_attention_is_that_of_torch():
    rng = np.random.default_rng(3)
    query, key, value = rng.normal(size=(2, 3, 4, 5)), rng.normal(size=(2, 3, 6, 5)), rng.normal(size=(2, 3, 6, 2))
    mask = rng.random((4, 6)) < 0.6
    mask[:, 0] = True
    ours = transformer.scaled_dot_product_attention(*map(bg.Tensor, (query, key, value)), mask)
    tensors = [torch.tensor(x) for x in (query, key, value, mask)]
    theirs = torch.nn.functional.scaled_dot_product_attention(*tensors)
    assert np.abs(ours.data - theirs.numpy()).max() < 1e-12


def test_the_embedding_is_tied_and_kept_once():
    model = a_model()
    names = [name for name, _ in model.named_parameters()]
    assert "tokens.weight" in names
    assert sum(parameter.shape == (VOCABULARY, FEATURES) for parameter in model.parameters()) == 1
    block = 2 * 2 * FEATURES + 4 * FEATURES**2 + FEATURES + 8 * FEATURES**2 + 5 * FEATURES
    assert sum(p.size for p in model.parameters()) == (VOCABULARY + LENGTH + 2) * FEATURES + LAYERS * block


# ------------------------------------------------------------------ causality


def test_later_tokens_change_nothing_before_them():
    model, (x, _) = a_model(), a_batch(1)
    before = model(x).data
    for place in range(LENGTH):
        other = x.copy()
        other[:, place] = (other[:, place] + 1) % VOCABULARY
        after = model(other).data
        assert np.array_equal(after[:, :place], before[:, :place])
        assert np.abs(after[:, place:] - before[:, place:]).max(axis=-1).min() > 1e-9  # and each later one sees it


def test_a_shorter_text_has_the_same_logits():
    model, (x, _) = a_model(), a_batch(2)
    whole = model(x).data
    for length in range(1, LENGTH):
        np.testing.assert_allclose(model(x[:, :length]).data, whole[:, :length], rtol=1e-12, atol=1e-13)


def test_positions_count():
    model = a_model()
    logits = model(np.full((1, LENGTH), 3)).data[0]
    assert np.abs(logits[1:] - logits[0]).max(axis=1).min() > 1e-3


# ------------------------------------------------------------------ training


def steps_of(compiled, clip=False):
    """The losses and the weights of a few steps with warm-up."""
    model = a_model()
    optimizer = AdamW(model.parameters(), 0.01)
    schedule = CosineLR(optimizer, 20, warmup=3)

    def step(x, y):
        loss = transformer.language_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        return loss

    forward_and_backward, losses = bg.compile(step) if compiled else step, []
    for number in range(6):
        losses.append(forward_and_backward(*a_batch(number)).item())
        if clip:
            clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        schedule.step()
    return losses, model.state_dict()


@pytest.mark.parametrize("clip", [False, True], ids=["free", "clipped"])
def test_compiled_steps_are_the_eager_ones(clip):
    (eager, weights), (compiled, others) = steps_of(False, clip), steps_of(True, clip)
    np.testing.assert_allclose(compiled, eager, rtol=1e-10)
    for name in weights:
        np.testing.assert_allclose(others[name], weights[name], rtol=1e-8, atol=1e-12, err_msg=name)


def test_a_float32_model_stays_one():
    model, (x, y) = a_model(), a_batch()
    for parameter in model.parameters():
        parameter.data = parameter.data.astype(np.float32)
    loss = transformer.language_loss(model(x), y)
    loss.backward()
    assert loss.dtype == np.float32 and all(parameter.grad.dtype == np.float32 for parameter in model.parameters())


def test_it_learns_a_text_by_heart():
    text = np.array([0, 1, 2, 0, 1, 3, 0, 1, 2, 0, 1, 3] * 3)
    x, y = transformer.windows(text, 6)
    model = transformer.Transformer(4, 6, 16, 2, 1, np.random.default_rng(0))
    optimizer = AdamW(model.parameters(), 0.01)
    before = transformer.language_loss(model(x), y).item()
    for _ in range(80):
        loss = transformer.language_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert before > 1.3 > 0.2 > transformer.language_loss(model(x), y).item()
    assert transformer.generate(model, text[:6], 6, temperature=0) == text[:12].tolist()


# ------------------------------------------------------------------ tokens, windows, writing


def test_tokens_come_as_arrays_lists_and_tensors():
    model, (x, _) = a_model(), a_batch()
    for other in (bg.Tensor(x, requires_grad=False), x.astype(np.uint8)):
        assert np.array_equal(model(other).data, model(x).data)
    assert model.tokens([1, 2]).shape == (2, FEATURES)
    with pytest.raises(IndexError):
        model(np.array([[VOCABULARY]]))
    with pytest.raises(IndexError):
        model(np.zeros((1, LENGTH + 1), int))


def test_windows_are_views():
    text = np.arange(10)
    inputs, targets = transformer.windows(text, 4, stride=3)
    assert inputs.tolist() == [[0, 1, 2, 3], [3, 4, 5, 6]] and targets.tolist() == [[1, 2, 3, 4], [4, 5, 6, 7]]
    assert np.shares_memory(inputs, text) and np.shares_memory(targets, text)
    assert len(transformer.windows(text, 9)[0]) == 1
    with pytest.raises(ValueError, match="a window of 10 tokens and the next one need 11, but there are 10"):
        transformer.windows(text, 10)


def test_heads_that_do_not_divide_are_refused():
    with pytest.raises(ValueError, match="embed_dim must be a multiple of num_heads, but they are 12 and 5"):
        transformer.MultiHeadAttention(12, 5)


def test_writing_is_drawn_from_the_probabilities():
    logits = np.log([0.5, 0.3, 0.2])
    np.testing.assert_allclose(transformer.sampling_probabilities(logits), [0.5, 0.3, 0.2])
    np.testing.assert_allclose(transformer.sampling_probabilities(logits, 0.5), np.array([25, 9, 4]) / 38)
    np.testing.assert_allclose(transformer.sampling_probabilities(logits, top_k=2), [0.625, 0.375, 0])
    assert transformer.sampling_probabilities(logits, 0).tolist() == [1, 0, 0]
    assert math.isclose(transformer.sampling_probabilities(logits * 1000, 0.1).sum(), 1)


def test_what_is_written_depends_on_the_seed_alone_and_ends():
    model = a_model()
    first, again, other = (
        transformer.generate(model, [1, 2], 30, np.random.default_rng(seed), 2.0) for seed in (5, 5, 6)
    )
    assert first == again != other and first[:2] == [1, 2] and len(first) == 32
    stopped = transformer.generate(model, [1, 2], 30, np.random.default_rng(5), 2.0, stop=first[10])
    assert stopped == first[: first.index(first[10], 2) + 1]
    assert model.training and all(parameter.grad is None for parameter in model.parameters())


def test_the_weights_of_attention_are_those_that_the_model_uses(monkeypatch):
    model, (x, _), seen = a_model(), a_batch(count=1), []
    own = transformer.attention_weights

    def watched(*args):
        seen.append(own(*args))
        return seen[-1]

    monkeypatch.setattr(transformer, "attention_weights", watched)
    model(x)
    used = [weights.data[0] for weights in seen]
    found = transformer.attention_of(model, x[0])
    assert len(found) == len(used) == LAYERS
    for ours, theirs in zip(found, used):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
        np.testing.assert_allclose(ours.sum(-1), 1)
        assert (np.triu(ours, 1) == 0).all()
