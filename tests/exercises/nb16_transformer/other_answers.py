"""Right solutions of notebook 16 in another style. A check must not care."""

import numpy as np


def variant_16_1_loops(bg):
    """Windows one by one, and a mean of the losses of all windows."""

    def windows(tokens, length, stride=1):
        starts = range(0, len(tokens) - length, stride)
        return tuple(np.array([tokens[i + k : i + k + length] for i in starts]) for k in (0, 1))

    def language_loss(logits, targets):
        losses = [bg.cross_entropy(one, other) for one, other in zip(logits, np.asarray(targets))]
        return sum(losses) / len(losses)

    bg.transformer.windows, bg.transformer.language_loss = windows, language_loss


def variant_16_1_by_places(bg):
    """Windows by an array of places, and the loss from log_softmax."""

    def windows(tokens, length, stride=1):
        at = np.arange(0, len(tokens) - length, stride)[:, None] + np.arange(length)
        return tokens[at], tokens[at + 1]

    def language_loss(logits, targets):
        return bg.nll_loss(logits.log_softmax(-1).reshape(-1, logits.shape[-1]), np.asarray(targets).ravel())

    bg.transformer.windows, bg.transformer.language_loss = windows, language_loss


def variant_16_3_rows_by_number(bg):
    """The rows of the positions by a list of their numbers."""

    def embed(self, tokens):
        return self.positions.weight[list(range(tokens.shape[1]))] + self.tokens(tokens)

    bg.transformer.Transformer.embed = embed


def variant_16_4_a_large_number(bg):
    """A large negative number for what is hidden, softmax by hand."""

    def attention_weights(query, key, mask=None):
        axes = (*range(key.ndim - 2), key.ndim - 1, key.ndim - 2)
        scores = (query * query.shape[-1] ** -0.5) @ key.transpose(axes)
        if mask is not None:
            scores = scores + (1.0 - np.asarray(mask, float)) * -1e9
        powers = (scores - scores.max(axis=-1, keepdims=True)).exp()
        return powers / powers.sum(axis=-1, keepdims=True)

    bg.transformer.attention_weights = attention_weights


def variant_16_4_masked_powers(bg):
    """The powers by hand, those of the hidden scores 0, before they are divided by their sum."""

    def attention_weights(query, key, mask=None):
        scores = query @ key.transpose() / np.sqrt(query.shape[-1])
        mask = True if mask is None else mask
        highest = np.where(mask, scores.data, -np.inf).max(axis=-1, keepdims=True)
        powers = (scores + np.where(mask, -highest, -np.inf)).exp()
        return powers / powers.sum(axis=-1, keepdims=True)

    bg.transformer.attention_weights = attention_weights
    bg.transformer.scaled_dot_product_attention = lambda q, k, v, mask=None: attention_weights(q, k, mask) @ v


def variant_16_5_compared(bg):
    """Two aranges, compared."""
    bg.transformer.causal_mask = lambda length: np.arange(length)[:, None] >= np.arange(length)


def variant_16_5_a_loop(bg):
    """Row by row."""
    bg.transformer.causal_mask = lambda length: [[j <= i for j in range(length)] for i in range(length)]


def variant_16_6_sizes_left_open(bg):
    """With -1, and the axes one after the other."""

    def split_heads(x, num_heads):
        return x.reshape(x.shape[0], x.shape[1], num_heads, -1).transpose([0, 2, 1, 3])

    def merge_heads(x):
        return x.transpose([0, 2, 1, 3]).reshape(x.shape[0], x.shape[2], -1)

    bg.transformer.split_heads, bg.transformer.merge_heads = split_heads, merge_heads


def variant_16_6_products(bg):
    """A matrix of zeros and ones for each head picks its features, and puts them back."""

    def picks(features, num_heads):
        return np.eye(features).reshape(features, num_heads, -1).transpose(1, 0, 2)

    def split_heads(x, num_heads):
        batch, length, features = x.shape
        return x.reshape(batch, 1, length, features) @ picks(features, num_heads)

    def merge_heads(x):
        _, num_heads, _, size = x.shape
        return (x @ picks(num_heads * size, num_heads).transpose(0, 2, 1)).sum(axis=1)

    bg.transformer.split_heads, bg.transformer.merge_heads = split_heads, merge_heads


def variant_16_7_head_by_head(bg):
    """A loop over the heads, each with its columns of the weights; the outputs of all heads added up."""

    def forward(self, x, mask=None):
        size, out = x.shape[-1] // self.num_heads, 0
        for head in range(self.num_heads):
            own = slice(head * size, (head + 1) * size)
            parts = [x @ layer.weight[:, own] for layer in (self.query, self.key, self.value)]
            out = out + bg.transformer.scaled_dot_product_attention(*parts, mask) @ self.output.weight[own]
        return out + self.output.bias

    bg.transformer.MultiHeadAttention.forward = forward


def variant_16_7_one_sum(bg):
    """Names for all that is computed, one sum at the end."""

    def forward(self, x, mask=None):
        attended = self.attention(self.norm1(x), mask)
        thought = self.mlp(self.norm2(x + attended))
        return x + attended + thought

    bg.transformer.Block.forward = forward


def variant_16_8_row_by_row(bg):
    """Scores by multiplying and adding up, the mask made inside."""

    def forward(self, tokens):
        x = self.embed(tokens)
        mask = np.tril(np.ones((x.shape[1], x.shape[1]))) > 0
        for block in self.blocks:
            x = block(x, mask)
        x = self.norm(x)
        batch, length, features = x.shape
        return (x.reshape(batch, length, 1, features) * self.tokens.weight).sum(axis=-1)

    bg.transformer.Transformer.forward = forward


def variant_16_9_sorted_places(bg):
    """The places of the top k, with argsort; greedy as top 1; a list."""

    def sampling_probabilities(logits, temperature=1.0, top_k=None):
        if temperature == 0:
            temperature, top_k = 1, 1
        kept = np.argsort(logits)[::-1][:top_k]
        powers = np.zeros(len(logits))
        powers[kept] = np.exp((logits[kept] - np.max(logits)) / temperature)
        return list(powers / powers.sum())

    bg.transformer.sampling_probabilities = sampling_probabilities


def variant_16_10_three_positions(bg):
    """Other inputs, as arrays and tuples."""
    values = np.array([[3.0, -1.0], [0.5, 2.0]])
    bg.hunts.three_attentions = lambda: {
        "Cleo": ([[10], [0]], [[9], [9]], values),
        "Ben": (((10,), (0,)), ((-2,), (-9,)), values),
        "Ada": (np.array([[9, 0], [1, 1]]), [[9, 0], [-0.5, 0.1]], values),
    }
