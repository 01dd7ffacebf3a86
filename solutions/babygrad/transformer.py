"""Notebook 16: a small transformer, a language model that predicts the next token from those before it.

Yours: 16.1, 16.3, 16.4, 16.5, 16.6, 16.7, 16.8, 16.9.

Nothing here needs a new rule: it is made of gather, matrix products, softmax and LayerNorm.
Shapes: tokens (batch, length), features (batch, length, embed_dim), heads (batch, num_heads, length, head_dim).
"""

import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .arrays import plain_array
from .autograd import no_grad
from .losses import cross_entropy
from .nn import MLP, Linear, Module, Parameter, modes_kept
from .normalize import LayerNorm


def windows(tokens, length, stride=1):
    """Excerpts of a text, and for each of their tokens the one that comes next.

    tokens (n,): an array of ints.  length: of an excerpt.  stride: how far apart two excerpts begin.
    Returns (inputs, targets), arrays (N, length): all that fit, in order.
    Raises ValueError if there are not more than length tokens.

    `sliding_window_view(tokens, n)` has all n tokens in a row that there are, (len(tokens) - n + 1, n), without a copy.
    """
    if len(tokens) <= length:
        raise ValueError(f"a window of {length} tokens and the next one need {length + 1}, but there are {len(tokens)}")
    ### BEGIN SOLUTION 16.1: windows
    both = sliding_window_view(tokens, length + 1)[::stride]
    return both[:, :-1], both[:, 1:]
    ### END SOLUTION


def language_loss(logits, targets):
    """The mean cross-entropy over all positions of all windows.

    logits (batch, length, vocab_size): a Tensor.  targets (batch, length): ints.
    Returns a Tensor with one number, in nats; divided by log 2 it is the bits per token.
    """
    ### BEGIN SOLUTION 16.1: language_loss
    return cross_entropy(logits.reshape(-1, logits.shape[-1]), np.reshape(targets, -1))
    ### END SOLUTION


class Embedding(Module):
    """A table with a row of numbers for each token.

    num_embeddings: how many tokens there are.  embedding_dim: how many numbers a row has.
    rng: a numpy Generator for the first numbers, normal with standard deviation 0.1.
    .weight: (num_embeddings, embedding_dim).
    Source: torch.nn.Embedding.
    """

    def __init__(self, num_embeddings, embedding_dim, rng=None):
        rng = np.random.default_rng() if rng is None else rng
        self.weight = Parameter(rng.normal(0, 0.1, (num_embeddings, embedding_dim)))

    def forward(self, tokens):
        """tokens (...): numbers of rows, an array of ints; a Tensor's numbers are taken.

        Returns (..., embedding_dim), a Tensor that leads back to weight.
        Raises IndexError for a token from num_embeddings on: it has no row.
        """
        tokens = token_numbers(tokens)
        return self.weight[tokens]


def token_numbers(tokens):
    """Tokens as an array of ints: an array of ints as it is; the floats of a list or a Tensor become ints."""
    array = plain_array(tokens)
    return array if array.dtype.kind in "iu" else array.astype(np.int64)


def attention_weights(query, key, mask=None):
    """How much each query takes from each key: probabilities, (..., length, keys).

    query (..., length, d), key (..., keys, d): Tensors.
    mask: truth values that broadcast to (..., length, keys), True where the query may look, once in each row at least;
        None: everywhere.
    Returns a Tensor that leads back to query and key, with a mask too. Right for scores of ±1000.
    """
    ### BEGIN SOLUTION 16.4: attention_weights
    scores = query @ key.transpose() / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores + np.where(mask, 0, -np.inf).astype(scores.dtype)
    return scores.softmax(-1)
    ### END SOLUTION


def scaled_dot_product_attention(query, key, value, mask=None):
    """For each query a mixture of the values, by `attention_weights`.

    query (..., length, d), key (..., keys, d), value (..., keys, e): Tensors.  mask: as in attention_weights.
    Returns (..., length, e).
    Source: torch.nn.functional.scaled_dot_product_attention, whose attn_mask is mask.
    """
    ### BEGIN SOLUTION 16.4: scaled_dot_product_attention
    return attention_weights(query, key, mask) @ value
    ### END SOLUTION


def causal_mask(length):
    """Who may look at whom: an array (length, length) of truth values, True at [i, j] if position i may look at j.

    Each position may look at itself and at those before it.
    """
    ### BEGIN SOLUTION 16.5: causal_mask
    return np.tril(np.ones((length, length), bool))
    ### END SOLUTION


def split_heads(x, num_heads):
    """x (batch, length, features), a Tensor, cut into heads: (batch, num_heads, length, features / num_heads).

    Head 0 gets the first features of each position, head 1 the next ones.
    """
    ### BEGIN SOLUTION 16.6: split_heads
    batch, length, features = x.shape
    return x.reshape(batch, length, num_heads, features // num_heads).transpose((0, 2, 1, 3))
    ### END SOLUTION


def merge_heads(x):
    """The reverse of split_heads: (batch, num_heads, length, head_dim) to (batch, length, num_heads * head_dim)."""
    ### BEGIN SOLUTION 16.6: merge_heads
    batch, heads, length, features = x.shape
    return x.transpose((0, 2, 1, 3)).reshape(batch, length, heads * features)
    ### END SOLUTION


class MultiHeadAttention(Module):
    """Attention by several heads, each with its own queries, keys and values of embed_dim / num_heads features.

    .query, .key, .value: Linear, without bias.  .output: Linear.  Each from embed_dim to embed_dim.
    Raises ValueError if num_heads does not divide embed_dim.
    Source: torch.nn.MultiheadAttention.
    """

    def __init__(self, embed_dim, num_heads, rng=None):
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim must be a multiple of num_heads, but they are {embed_dim} and {num_heads}")
        rng = np.random.default_rng() if rng is None else rng
        self.num_heads = num_heads
        self.query = Linear(embed_dim, embed_dim, bias=False, rng=rng)
        self.key = Linear(embed_dim, embed_dim, bias=False, rng=rng)
        self.value = Linear(embed_dim, embed_dim, bias=False, rng=rng)
        self.output = Linear(embed_dim, embed_dim, rng=rng)

    def forward(self, x, mask=None):
        """x (batch, length, embed_dim).  mask: (length, length).  Returns a Tensor of x's shape."""
        ### BEGIN SOLUTION 16.7: MultiHeadAttention.forward
        heads = [split_heads(layer(x), self.num_heads) for layer in (self.query, self.key, self.value)]
        return self.output(merge_heads(scaled_dot_product_attention(*heads, mask)))
        ### END SOLUTION


class Block(Module):
    """One layer of a transformer: attention between the positions, then an MLP at each of them.

    .norm1, .attention, .norm2, .mlp: its parts. The MLP has one hidden layer of 4 * embed_dim units, with relu.
    """

    def __init__(self, embed_dim, num_heads, rng=None):
        rng = np.random.default_rng() if rng is None else rng
        self.norm1 = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads, rng)
        self.norm2 = LayerNorm(embed_dim)
        self.mlp = MLP([embed_dim, 4 * embed_dim, embed_dim], "relu", rng)

    def forward(self, x, mask=None):
        """x (batch, length, embed_dim).  mask: (length, length).  Returns a Tensor of x's shape.

        Pre-LayerNorm, with a residual connection around attention and another one around the MLP.
        """
        ### BEGIN SOLUTION 16.7: Block.forward
        x = x + self.attention(self.norm1(x), mask)
        return x + self.mlp(self.norm2(x))
        ### END SOLUTION


class Transformer(Module):
    """A language model: for each position the scores (logits) of the token that comes next.

    vocab_size: how many tokens there are.  context_length: the most positions that it can read at once.
    embed_dim, num_heads, num_layers: the features of a position, the heads and the blocks.
    rng: a numpy Generator for the first weights.
    .tokens, .positions: Embeddings.  .blocks: a list.  .norm: a LayerNorm.
    Source: GPT-2 (Radford and others 2019), with relu.
    """

    def __init__(self, vocab_size, context_length, embed_dim, num_heads, num_layers, rng=None):
        rng = np.random.default_rng() if rng is None else rng
        self.context_length = context_length
        self.tokens = Embedding(vocab_size, embed_dim, rng)
        self.positions = Embedding(context_length, embed_dim, rng)
        self.blocks = [Block(embed_dim, num_heads, rng) for _ in range(num_layers)]
        self.norm = LayerNorm(embed_dim)

    def embed(self, tokens):
        """tokens (batch, length).  Returns (batch, length, embed_dim): what is read, and where.

        Raises IndexError if length is above context_length.
        """
        ### BEGIN SOLUTION 16.3: Transformer.embed
        return self.tokens(tokens) + self.positions(np.arange(tokens.shape[-1]))
        ### END SOLUTION

    def forward(self, tokens):
        """tokens (batch, length).  Returns the logits (batch, length, vocab_size), a Tensor.

        No position sees a later one. The output has no weights of its own: it shares those of the embedding.
        """
        ### BEGIN SOLUTION 16.8: Transformer.forward
        x, mask = self.embed(tokens), causal_mask(tokens.shape[-1])
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.tokens.weight.T
        ### END SOLUTION


def sampling_probabilities(logits, temperature=1.0, top_k=None):
    """How likely each token is to be drawn next.

    logits (vocab_size,): an array.
    temperature: below 1 the likely tokens become likelier, above 1 less likely; 0: greedy, the one with the highest
        score for certain, and of several such tokens one.
    top_k: only that many tokens, those with the highest scores, can be drawn, even where scores are equal; None, or
        more than there are: all.
    Returns an array (vocab_size,) that adds up to 1. Right for scores of ±1000.
    """
    ### BEGIN SOLUTION 16.9: sampling_probabilities
    if temperature == 0:
        return np.eye(len(logits))[np.argmax(logits)]
    scores = logits / temperature
    if top_k is not None:
        scores[np.argsort(scores)[:-top_k]] = -np.inf
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()
    ### END SOLUTION


# Given: writing, and looking inside.


def generate(model, tokens, count, rng=None, temperature=1.0, top_k=None, stop=None):
    """What a model writes after some tokens. It reads the last context_length of them, and what it has written.

    tokens: a sequence of ints, at least one.  count: the most tokens to add.  rng: a numpy Generator.
    temperature, top_k: as in sampling_probabilities.  stop: a token after which it writes no more.
    Returns a list of ints: tokens, and what was added.
    """
    rng, tokens = np.random.default_rng() if rng is None else rng, [int(token) for token in tokens]
    with modes_kept(model), no_grad():
        model.eval()
        for _ in range(count):
            logits = model(np.array([tokens[-model.context_length :]])).data[0, -1]
            tokens.append(int(rng.choice(len(logits), p=sampling_probabilities(logits, temperature, top_k))))
            if tokens[-1] == stop:
                break
    return tokens


def attention_of(model, tokens):
    """Who looks at whom: for each block an array (num_heads, length, length) of attention weights.

    tokens (length,): ints.
    """
    tokens, found = np.array([tokens]), []
    mask = causal_mask(tokens.shape[-1])
    with modes_kept(model), no_grad():
        x = model.eval().embed(tokens)
        for block in model.blocks:
            attention, inside = block.attention, block.norm1(x)
            query, key = (split_heads(layer(inside), attention.num_heads) for layer in (attention.query, attention.key))
            found.append(attention_weights(query, key, mask).data[0])
            x = block(x, mask)
    return found
