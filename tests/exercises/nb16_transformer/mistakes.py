"""Wrong ideas about notebook 16, each as a patch for a private copy of the reference."""

import numpy as np

from grader.course.exercise import wrong

from .exercises import attention, block, causal, heads, hunt, model, places, sampling, text

# 16.1: windows and their loss.


def windows_are(bg, cut):
    """cut(tokens, length, stride): (inputs, targets)."""
    bg.transformer.windows = lambda tokens, length, stride=1: cut(tokens, length, stride)


def starts(tokens, length, stride):
    return np.arange(0, len(tokens) - length, stride)


def excerpts(tokens, first, length):
    return tokens[first[:, None] + np.arange(length)]


@wrong(
    text,
    "the targets are not shifted",
    "The targets are the inputs: the model would learn to say what it has just read. The target of a position is the "
    "token after it.",
)
def _(bg):
    def cut(tokens, length, stride):
        inputs = excerpts(tokens, starts(tokens, length, stride), length)
        return inputs, inputs.copy()

    windows_are(bg, cut)


@wrong(
    text,
    "shifted by a whole window",
    "The targets are the window after this one. Each position has a target of its own: the token one further.",
)
def _(bg):
    def cut(tokens, length, stride):
        first = starts(tokens, length, stride)
        return excerpts(tokens, first, length), excerpts(np.resize(tokens, 2 * len(tokens)), first + length, length)

    windows_are(bg, cut)


@wrong(
    text,
    "shifted the other way",
    "The pair is turned round: the targets come before the inputs in the text, so the model would learn to write "
    "backwards.",
)
def _(bg):
    right = bg.transformer.windows
    windows_are(bg, lambda tokens, length, stride: right(tokens, length, stride)[::-1])


@wrong(
    text,
    "one target for a window",
    "Each window has a single target, the token after its last. But after each of its positions there is a next token: "
    "one window gives as many examples as it has tokens.",
)
def _(bg):
    right = bg.transformer.windows

    def cut(tokens, length, stride):
        inputs, targets = right(tokens, length, stride)
        return inputs, targets[:, -1]

    windows_are(bg, cut)


@wrong(
    text,
    "the last window is lost",
    "One window is missing at the end: the last one whose next token is still there.",
)
def _(bg):
    def cut(tokens, length, stride):
        first = np.arange(0, len(tokens) - length - 1, stride)
        return excerpts(tokens, first, length), excerpts(tokens, first + 1, length)

    windows_are(bg, cut)


@wrong(
    text,
    "a window without a target",
    "There is one window of inputs too many: its last token has no next one. Inputs and targets go in pairs.",
)
def _(bg):
    right = bg.transformer.windows

    def cut(tokens, length, stride):
        first = np.arange(0, len(tokens) - length + 1, stride)
        return excerpts(tokens, first, length), right(tokens, length, stride)[1]

    windows_are(bg, cut)


@wrong(
    text,
    "the stride is ignored",
    "The windows begin at each token, although a stride was given.",
)
def _(bg):
    right = bg.transformer.windows
    windows_are(bg, lambda tokens, length, stride: right(tokens, length))


@wrong(
    text,
    "lists of windows",
    "The windows are right, but they are in a list. Training picks several at once, inputs[batch], and only an array "
    "can do that.",
)
def _(bg):
    right = bg.transformer.windows
    windows_are(bg, lambda *asked: tuple(list(part) for part in right(*asked)))


def loss_is(bg, loss):
    bg.transformer.language_loss = loss


def rows_of(logits):
    return logits.reshape(-1, logits.shape[-1])


@wrong(
    text,
    "the last position alone",
    "Only the last position of each window counts here. All positions predict, and all of them count.",
)
def _(bg):
    loss_is(bg, lambda logits, targets: bg.cross_entropy(logits[:, -1], np.asarray(targets)[:, -1]))


@wrong(
    text,
    "the sum over the positions",
    "This is the sum over all positions. The mean does not grow with the length of a window.",
)
def _(bg):
    loss_is(bg, lambda logits, targets: bg.cross_entropy(rows_of(logits), np.reshape(targets, -1)) * np.size(targets))


@wrong(
    text,
    "the sum over the windows",
    "The means of the windows were added up. One mean is wanted, over the positions of all windows.",
)
def _(bg):
    right = bg.transformer.language_loss
    loss_is(bg, lambda logits, targets: right(logits, targets) * len(logits))


@wrong(
    text,
    "in bits",
    "The loss was divided by log 2. It is kept in nats, as cross_entropy gives it.",
)
def _(bg):
    right = bg.transformer.language_loss
    loss_is(bg, lambda logits, targets: right(logits, targets) / float(np.log(2)))


@wrong(
    text,
    "the targets in another order",
    "Logits and targets were reshaped in different orders: position 1 of the first window was compared with the target "
    "of the second one.",
)
def _(bg):
    loss_is(bg, lambda logits, targets: bg.cross_entropy(rows_of(logits), np.asarray(targets).T.reshape(-1)))


# 16.3: positions.


def embed_is(bg, embed):
    """embed(self, tokens, positions): positions 0, 1, 2 ... of the tokens."""

    def of_model(self, tokens):
        return embed(self, tokens, np.arange(tokens.shape[-1]))

    bg.transformer.Transformer.embed = of_model


@wrong(
    places,
    "no positions",
    "These are the tokens alone. Attention takes no notice of order: without positions, a word and its anagram are the "
    "same.",
)
def _(bg):
    embed_is(bg, lambda self, tokens, positions: self.tokens(tokens))


@wrong(
    places,
    "positions twice",
    "The positions were added twice. Once is enough.",
)
def _(bg):
    embed_is(bg, lambda self, tokens, at: self.tokens(tokens) + self.positions(at) + self.positions(at))


@wrong(
    places,
    "the position of a token's number",
    "The table of positions was asked for the tokens. It is asked for 0, 1, 2, ...: where a token stands.",
)
def _(bg):
    def by_token(self, tokens, positions):
        return self.tokens(tokens) + self.positions(bg.transformer.token_numbers(tokens) % len(self.positions.weight))

    embed_is(bg, by_token)


@wrong(
    places,
    "all positions",
    "All rows of the positions' table were added, but the text may be shorter than the context.",
)
def _(bg):
    embed_is(bg, lambda self, tokens, positions: self.tokens(tokens) + self.positions.weight)


@wrong(
    places,
    "counted from the end",
    "The positions are counted backwards. The first token has position 0, however long the text is.",
)
def _(bg):
    embed_is(bg, lambda self, tokens, positions: self.tokens(tokens) + self.positions(positions[::-1]))


@wrong(
    places,
    "counted from 1",
    "The positions are counted from 1. The table's first row is for the first position, which is 0.",
)
def _(bg):
    def from_one(self, tokens, positions):
        return self.tokens(tokens) + self.positions((positions + 1) % len(self.positions.weight))

    embed_is(bg, from_one)


@wrong(
    places,
    "the positions are not recorded",
    "The numbers are right, but nothing leads back to the table of the positions: it would never learn.",
)
def _(bg):
    def constant(self, tokens, positions):
        return self.tokens(tokens) + bg.Tensor(self.positions.weight.data[positions], requires_grad=False)

    embed_is(bg, constant)


@wrong(
    places,
    "positions that begin again",
    "A text that is longer than the context was read with the first positions once more: two tokens have the same "
    "place. The table has no row for the later ones, and says so with IndexError if it is asked.",
)
def _(bg):
    embed_is(bg, lambda self, tokens, at: self.tokens(tokens) + self.positions(at % self.context_length))


@wrong(
    places,
    "a slice of the positions",
    "A slice ends where the table ends, without a word: weight[:5] of four rows is four rows. (A single row would even "
    "broadcast.) Ask for rows by their numbers, 0, 1, 2, ...: where there is none, that raises IndexError.",
)
def _(bg):
    embed_is(bg, lambda self, tokens, at: self.tokens(tokens) + self.positions.weight[: len(at)])


# 16.4: attention.


def weights_are(bg, weights_of):
    """weights_of(query, key, mask), in place of attention_weights; scaled_dot_product_attention calls it."""
    bg.transformer.attention_weights = lambda query, key, mask=None: weights_of(query, key, mask)


def scores_of(query, key):
    return query @ key.transpose() / float(np.sqrt(query.shape[-1]))


def hidden(scores, mask):
    return scores if mask is None else scores + np.where(mask, 0, -np.inf)


@wrong(
    attention,
    "not scaled",
    "The scores were not divided by the root of the number of features. With many features they are far apart, and "
    "softmax gives everything to one key.",
)
def _(bg):
    weights_are(bg, lambda query, key, mask: hidden(query @ key.transpose(), mask).softmax(-1))


@wrong(
    attention,
    "divided by the number of features",
    "The scores were divided by the number of features d. An inner product of d independent numbers grows with the "
    "root of d.",
)
def _(bg):
    weights_are(bg, lambda q, k, mask: hidden(q @ k.transpose() / q.shape[-1], mask).softmax(-1))


@wrong(
    attention,
    "scaled by the number of keys",
    "The scores were divided by the root of how many keys there are. It is the features that are added up: the last "
    "size of the query.",
)
def _(bg):
    weights_are(bg, lambda q, k, mask: hidden(q @ k.transpose() / float(np.sqrt(k.shape[-2])), mask).softmax(-1))


@wrong(
    attention,
    "softmax over the queries",
    "The columns add up to 1 here, not the rows. A query shares itself out over the keys: softmax along the last axis.",
)
def _(bg):
    def over_queries(query, key, mask):
        with np.errstate(all="ignore"):
            return hidden(scores_of(query, key), mask).softmax(-2)

    weights_are(bg, over_queries)


@wrong(
    attention,
    "no softmax",
    "These are the scores. Softmax makes weights of them, which are positive and add up to 1 for each query.",
)
def _(bg):
    weights_are(bg, lambda query, key, mask: hidden(scores_of(query, key), mask))


@wrong(
    attention,
    "the mask after softmax",
    "The mask was applied after softmax: the weights of a row no longer add up to 1. Hide the scores before it.",
)
def _(bg):
    def after(query, key, mask):
        weights = scores_of(query, key).softmax(-1)
        return weights if mask is None else weights * np.where(mask, 1.0, 0.0)

    weights_are(bg, after)


@wrong(
    attention,
    "the mask after softmax, and shared anew",
    "What is hidden took part in softmax, and the rest was divided by its sum. If nearly all the weight was hidden, "
    "that sum is 0, and 0 / 0 is nan. Hide the scores before softmax.",
)
def _(bg):
    def shared_anew(query, key, mask):
        weights = scores_of(query, key).softmax(-1)
        weights = weights if mask is None else weights * np.where(mask, 1.0, 0.0)
        return weights / weights.sum(-1, keepdims=True)

    weights_are(bg, shared_anew)


@wrong(
    attention,
    "hidden by 1000",
    "1000 was taken from the scores that are hidden. A score of 1000 is 0 then, more than the -1000 of one that may be "
    "seen: take -inf.",
)
def _(bg):
    weights_are(
        bg,
        lambda query, key, mask: (
            scores_of(query, key) + (0 if mask is None else np.where(mask, 0.0, -1000.0))
        ).softmax(-1),
    )


@wrong(
    attention,
    "a score of 0",
    "What is hidden got the score 0, and exp(0) is 1: it is still seen. Its score must be -inf.",
)
def _(bg):
    def zeros(query, key, mask):
        scores = scores_of(query, key)
        return (scores if mask is None else scores * np.where(mask, 1.0, 0.0)).softmax(-1)

    weights_are(bg, zeros)


@wrong(
    attention,
    "the mask is ignored",
    "The mask changes nothing here.",
)
def _(bg):
    weights_are(bg, lambda query, key, mask: scores_of(query, key).softmax(-1))


@wrong(
    attention,
    "the mask the other way round",
    "What should be seen is hidden, and the reverse: True means that the query may look there.",
)
def _(bg):
    weights_are(bg, lambda q, k, mask: hidden(scores_of(q, k), None if mask is None else ~np.asarray(mask)).softmax(-1))


@wrong(
    attention,
    "keys ask queries",
    "Rows and columns are exchanged: row i belongs to query i, so the query stands on the left of the product.",
)
def _(bg):
    def exchanged(query, key, mask):
        scores = scores_of(key, query)
        return hidden(scores, None if mask is None or mask.shape != scores.shape[-2:] else mask).softmax(-1)

    weights_are(bg, exchanged)


@wrong(
    attention,
    "not recorded",
    "The numbers are right, but no gradient leads back to query and key. Stay with operations on Tensors.",
)
def _(bg):
    right = bg.transformer.attention_weights

    def numbers(query, key, mask):
        return bg.Tensor(right(query, key, mask).data, requires_grad=False)

    weights_are(bg, numbers)


@wrong(
    attention,
    "the masked scores are not recorded",
    "With a mask no gradient leads back to query and key: the mask was put on the numbers of the scores, and a Tensor "
    "made of numbers does not know where they come from. Hide scores with an operation on Tensors.",
)
def _(bg):
    def of_numbers(query, key, mask):
        scores = scores_of(query, key)
        return (scores if mask is None else bg.Tensor(hidden(scores, mask).data)).softmax(-1)

    weights_are(bg, of_numbers)


@wrong(
    attention,
    "too large for exp",
    "exp(1000) is infinite. Subtract the largest score of each row first, or use softmax, which does that.",
)
def _(bg):
    def overflowing(query, key, mask):
        with np.errstate(all="ignore"):
            powers = hidden(scores_of(query, key), mask).exp()
            return powers / powers.sum(axis=-1, keepdims=True)

    weights_are(bg, overflowing)


@wrong(
    attention,
    "the weights are returned",
    "attention_weights is right. But these are the weights again: the values are still to be mixed with them.",
)
def _(bg):
    def unmixed(query, key, value, mask=None):
        return bg.transformer.attention_weights(query, key, mask)

    bg.transformer.scaled_dot_product_attention = unmixed


@wrong(
    attention,
    "mixed by columns",
    "attention_weights is right, but the values were mixed with the transposed weights: row i of the weights belongs "
    "to query i.",
)
def _(bg):
    def by_columns(query, key, value, mask=None):
        return bg.transformer.attention_weights(query, key, mask).transpose() @ value

    bg.transformer.scaled_dot_product_attention = by_columns


# 16.5: the mask.


def mask_is(bg, mask_of):
    bg.transformer.causal_mask = mask_of


@wrong(
    causal,
    "everything is seen",
    "Each position sees all others, those after it too. A model that reads the future has nothing to predict.",
)
def _(bg):
    mask_is(bg, lambda length: np.ones((length, length), bool))


@wrong(
    causal,
    "the future alone",
    "Each position sees itself and those *after* it. Row i may look at columns 0 to i: the lower triangle.",
)
def _(bg):
    mask_is(bg, lambda length: np.triu(np.ones((length, length), bool)))


@wrong(
    causal,
    "the future alone, as numbers",
    "These are numbers, and the wrong triangle: truth values are wanted, and row i may look at columns 0 to i.",
)
def _(bg):
    mask_is(bg, lambda length: np.triu(np.ones((length, length))))


@wrong(
    causal,
    "one too many",
    "The triangle is shifted: each position sees the next one, and that is the token it should predict.",
)
def _(bg):
    mask_is(bg, lambda length: np.tril(np.ones((length, length), bool), 1))


@wrong(
    causal,
    "not itself",
    "A position does not see itself here, and the first one sees nothing at all: its softmax is nan. The diagonal "
    "belongs to it.",
)
def _(bg):
    mask_is(bg, lambda length: np.tril(np.ones((length, length), bool), -1))


@wrong(
    causal,
    "True for what is hidden",
    "This mask is True where a position may *not* look. Here True means that it may.",
)
def _(bg):
    mask_is(bg, lambda length: np.triu(np.ones((length, length), bool), 1))


@wrong(
    causal,
    "numbers",
    "The triangle is right, but it holds numbers. Truth values are wanted: make it of bool, or compare.",
)
def _(bg):
    mask_is(bg, lambda length: np.tril(np.ones((length, length))))


@wrong(
    causal,
    "itself alone",
    "Each position sees itself and nothing else: then no position learns from another.",
)
def _(bg):
    mask_is(bg, lambda length: np.eye(length, dtype=bool))


# 16.6: heads.


def sizes(x, num_heads):
    batch, length, features = x.shape
    return batch, length, num_heads, features // num_heads


@wrong(
    heads,
    "reshape alone",
    "The shape is right, but the heads are not separated: a reshape leaves the numbers in their order, so that a head "
    "gets all features of some positions. It must get some features of all positions.",
)
def _(bg):
    def split(x, num_heads):
        batch, length, count, size = sizes(x, num_heads)
        return x.reshape(batch, count, length, size)

    bg.transformer.split_heads = split


@wrong(
    heads,
    "every other feature",
    "Head 0 got the features 0, 2, 4, ... The first features in a row belong to head 0: cut the last axis into (heads, "
    "features of a head), in this order.",
)
def _(bg):
    def split(x, num_heads):
        batch, length, count, size = sizes(x, num_heads)
        return x.reshape(batch, length, size, count).transpose((0, 3, 1, 2))

    bg.transformer.split_heads = split


@wrong(
    heads,
    "the axes stay",
    "The last axis is cut, but the heads still stand behind the positions. Attention works on the last two axes: those "
    "must be positions and features.",
)
def _(bg):
    bg.transformer.split_heads = lambda x, num_heads: x.reshape(*sizes(x, num_heads))


@wrong(
    heads,
    "features before positions",
    "Positions and features of each head changed places. The shape is (batch, heads, length, features of a head).",
)
def _(bg):
    def split(x, num_heads):
        return x.reshape(*sizes(x, num_heads)).transpose((0, 2, 3, 1))

    bg.transformer.split_heads = split


@wrong(
    heads,
    "merged by reshape alone",
    "split_heads is right, but merge_heads only reshapes: the positions must be brought before the heads again.",
)
def _(bg):
    def merge(x):
        batch, count, length, size = x.shape
        return x.reshape(batch, length, count * size)

    bg.transformer.merge_heads = merge


@wrong(
    heads,
    "heads added up",
    "split_heads is right, but merge_heads adds the heads up. They are put next to each other.",
)
def _(bg):
    bg.transformer.merge_heads = lambda x: x.sum(axis=1)


@wrong(
    heads,
    "the heads interleaved",
    "split_heads is right, but merge_heads puts the first feature of each head first. Head 0 comes whole, then head 1.",
)
def _(bg):
    def merge(x):
        batch, count, length, size = x.shape
        return x.transpose((0, 2, 3, 1)).reshape(batch, length, count * size)

    bg.transformer.merge_heads = merge


# 16.7: a block.


def attention_is(bg, forward):
    bg.transformer.MultiHeadAttention.forward = forward


def in_heads(bg, self, *projected):
    return [bg.transformer.split_heads(x, self.num_heads) for x in projected]


def mixed(bg, self, x, mask, layers="query key value"):
    projected = [getattr(self, name)(x) for name in layers.split()]
    split = in_heads(bg, self, *projected)
    return bg.transformer.merge_heads(bg.transformer.scaled_dot_product_attention(*split, mask))


@wrong(
    block,
    "without the output layer",
    "The heads are merged, and that is returned. The last linear layer, self.output, mixes what the heads found.",
)
def _(bg):
    attention_is(bg, lambda self, x, mask=None: mixed(bg, self, x, mask))


@wrong(
    block,
    "one head for all",
    "The features were not cut into heads: with more than one head the answers differ.",
)
def _(bg):
    def one(self, x, mask=None):
        projected = self.query(x), self.key(x), self.value(x)
        return self.output(bg.transformer.scaled_dot_product_attention(*projected, mask))

    attention_is(bg, one)


@wrong(
    block,
    "the mask is not passed on",
    "MultiHeadAttention got a mask and did not pass it on: each position saw the later ones.",
)
def _(bg):
    attention_is(bg, lambda self, x, mask=None: self.output(mixed(bg, self, x, None)))


@wrong(
    block,
    "always a causal mask",
    "MultiHeadAttention makes a causal mask of its own. It looks where the mask that it is given says, and everywhere "
    "if it is given none.",
)
def _(bg):
    def causal(self, x, mask=None):
        return self.output(mixed(bg, self, x, bg.transformer.causal_mask(x.shape[1])))

    attention_is(bg, causal)


@wrong(
    block,
    "keys for values",
    "The keys were mixed instead of the values. The key says where something is to be found, the value is what is "
    "taken from there.",
)
def _(bg):
    attention_is(bg, lambda self, x, mask=None: self.output(mixed(bg, self, x, mask, "query key key")))


@wrong(
    block,
    "query and key exchanged",
    "Queries and keys changed places: the query belongs to the position that looks.",
)
def _(bg):
    attention_is(bg, lambda self, x, mask=None: self.output(mixed(bg, self, x, mask, "key query value")))


@wrong(
    block,
    "cut before the layers",
    "x itself is used as query, key and value: the three linear layers are left out.",
)
def _(bg):
    def bare(self, x, mask=None):
        split = in_heads(bg, self, x, x, x)
        return self.output(bg.transformer.merge_heads(bg.transformer.scaled_dot_product_attention(*split, mask)))

    attention_is(bg, bare)


def block_is(bg, forward):
    bg.transformer.Block.forward = forward


@wrong(
    block,
    "no residual connections",
    "x itself is lost: each part replaces it. What attention and the MLP compute is added to x, so that gradients have "
    "a way round them.",
)
def _(bg):
    block_is(bg, lambda self, x, mask=None: self.mlp(self.norm2(self.attention(self.norm1(x), mask))))


@wrong(
    block,
    "no residual connection round attention",
    "What attention computes replaces x. It is added to x, as that of the MLP is.",
)
def _(bg):
    def forward(self, x, mask=None):
        x = self.attention(self.norm1(x), mask)
        return x + self.mlp(self.norm2(x))

    block_is(bg, forward)


@wrong(
    block,
    "no residual connection round the MLP",
    "What the MLP computes replaces x. It is added to x, as that of attention is.",
)
def _(bg):
    def forward(self, x, mask=None):
        x = x + self.attention(self.norm1(x), mask)
        return self.mlp(self.norm2(x))

    block_is(bg, forward)


@wrong(
    block,
    "LayerNorm after the sum",
    "The sums are normalised here (post-LayerNorm, as in the first transformers). In pre-LayerNorm each part reads a "
    "normalised copy, and x itself is never normalised.",
)
def _(bg):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.attention(x, mask))
        return self.norm2(x + self.mlp(x))

    block_is(bg, forward)


@wrong(
    block,
    "LayerNorm behind the parts",
    "What the parts return is normalised here. LayerNorm stands in front: each part reads a normalised copy of x.",
)
def _(bg):
    def forward(self, x, mask=None):
        x = x + self.norm1(self.attention(x, mask))
        return x + self.norm2(self.mlp(x))

    block_is(bg, forward)


@wrong(
    block,
    "the normalised copy goes on",
    "The parts were added to the normalised copy. They are added to x itself.",
)
def _(bg):
    def forward(self, x, mask=None):
        x = self.norm1(x)
        x = self.norm2(x + self.attention(x, mask))
        return x + self.mlp(x)

    block_is(bg, forward)


@wrong(
    block,
    "side by side",
    "The MLP read the x of before attention. It reads the sum: first the positions exchange something, then each "
    "thinks about it.",
)
def _(bg):
    def forward(self, x, mask=None):
        return x + self.attention(self.norm1(x), mask) + self.mlp(self.norm2(x))

    block_is(bg, forward)


@wrong(
    block,
    "nothing is normalised",
    "Attention and the MLP read x as it is. Each of them reads a normalised copy, from self.norm1 and self.norm2.",
)
def _(bg):
    def forward(self, x, mask=None):
        x = x + self.attention(x, mask)
        return x + self.mlp(x)

    block_is(bg, forward)


@wrong(
    block,
    "the block keeps the mask",
    "The block got a mask and did not pass it on to attention.",
)
def _(bg):
    def forward(self, x, mask=None):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))

    block_is(bg, forward)


# 16.8: the model.


def model_is(bg, ends, blocks=None, mask_of=None, begins=None):
    """ends(self, x): from the last block to what is returned; the rest as it should be unless given."""
    blocks = blocks or (lambda self: self.blocks)
    mask_of = mask_of or bg.transformer.causal_mask
    begins = begins or (lambda self, tokens: self.embed(tokens))

    def forward(self, tokens):
        x, mask = begins(self, tokens), mask_of(tokens.shape[-1])
        for part in blocks(self):
            x = part(x, mask)
        return ends(self, x)

    bg.transformer.Transformer.forward = forward


def tied(self, x):
    return self.norm(x) @ self.tokens.weight.T


@wrong(
    model,
    "no mask",
    "The blocks were given no mask: each position sees the token that it should predict. The loss will be wonderful, "
    "and the model useless.",
)
def _(bg):
    model_is(bg, tied, mask_of=lambda length: None)


@wrong(
    model,
    "a mask for the whole context",
    "The mask is as large as the context length. A text may be shorter: a row for each token that is here is enough.",
)
def _(bg):
    model_is(bg, tied, mask_of=lambda length: bg.transformer.causal_mask(4))  # the models asked about read 4 tokens


@wrong(
    model,
    "no last LayerNorm",
    "This is what comes out without the last LayerNorm. Does self.norm come after the blocks, before the scores?",
)
def _(bg):
    model_is(bg, lambda self, x: x @ self.tokens.weight.T)


@wrong(
    model,
    "tied to a copy",
    "The scores are right, but the output uses a copy of the embedding's numbers: its gradient is missing. The "
    "same Parameter is used at both ends, and both gradients add up.",
)
def _(bg):
    model_is(bg, lambda self, x: self.norm(x) @ bg.Tensor(self.tokens.weight.data.T, requires_grad=False))


@wrong(
    model,
    "probabilities",
    "These are probabilities. Logits are wanted: cross-entropy takes its softmax itself, and sampling does, too.",
)
def _(bg):
    model_is(bg, lambda self, x: tied(self, x).softmax(-1))


@wrong(
    model,
    "the last position alone",
    "Only the last position's scores were returned. In training each position predicts its next token.",
)
def _(bg):
    model_is(bg, lambda self, x: tied(self, x)[:, -1])


@wrong(
    model,
    "the first block alone",
    "Only the first block was called.",
)
def _(bg):
    model_is(bg, tied, blocks=lambda self: self.blocks[:1])


@wrong(
    model,
    "each block reads the embedding",
    "Each block was given what the embedding gave, so only the last one counts. A block reads what the one before it "
    "returned.",
)
def _(bg):
    model_is(bg, tied, blocks=lambda self: self.blocks[-1:])


@wrong(
    model,
    "each block reads the embedding, or nothing is there",
    "Each block was given what the embedding gave, so only the last one counts; and without blocks there is nothing to "
    "go on with. A block reads what the one before it returned, and the first one what the embedding gave.",
)
def _(bg):
    def forward(self, tokens):
        embedded, mask = self.embed(tokens), bg.transformer.causal_mask(tokens.shape[-1])
        for part in self.blocks:
            x = part(embedded, mask)
        return tied(self, x)

    bg.transformer.Transformer.forward = forward


@wrong(
    model,
    "positions once more",
    "The positions were added a second time: embed has already done that.",
)
def _(bg):
    def again(self, tokens):
        return self.embed(tokens) + self.positions(np.arange(tokens.shape[-1]))

    model_is(bg, tied, begins=again)


@wrong(
    model,
    "without positions",
    "The tokens were looked up, and their positions left out: embed does both.",
)
def _(bg):
    model_is(bg, tied, begins=lambda self, tokens: self.tokens(tokens))


@wrong(
    model,
    "features instead of scores",
    "These are the features of each position. The scores of the tokens are still to come.",
)
def _(bg):
    model_is(bg, lambda self, x: self.norm(x))


# 16.9: what is drawn next.


def softmax(scores):
    with np.errstate(all="ignore"):
        powers = np.exp(scores - scores.max())
        return powers / powers.sum()


def cut_off(scores, top_k):
    """The scores of all but the top k as -inf."""
    if top_k is None:
        return scores
    scores = scores.copy()
    scores[np.argsort(scores)[:-top_k]] = -np.inf
    return scores


def greedy(logits):
    return np.eye(len(logits))[np.argmax(logits)]


def sampling_is(bg, probabilities, of_zero=greedy):
    """probabilities(logits, temperature, top_k); of_zero(logits): for temperature 0."""

    def sampling_probabilities(logits, temperature=1.0, top_k=None):
        return of_zero(logits) if temperature == 0 else probabilities(logits, temperature, top_k)

    bg.transformer.sampling_probabilities = sampling_probabilities


@wrong(
    sampling,
    "multiplied by the temperature",
    "The scores were multiplied by the temperature, so that a cold model is the wild one. Divide.",
)
def _(bg):
    sampling_is(bg, lambda logits, temperature, k: softmax(cut_off(logits * temperature, k)))


@wrong(
    sampling,
    "the temperature too late",
    "The probabilities were divided by the temperature, and then made to add up to 1 again: that changes nothing. The "
    "scores are divided, before softmax.",
)
def _(bg):
    sampling_is(bg, lambda logits, temperature, k: softmax(cut_off(logits, k)))


@wrong(
    sampling,
    "the smallest k",
    "The tokens with the lowest scores were kept.",
)
def _(bg):
    def lowest(logits, temperature, k):
        scores = logits / temperature
        kept = scores if k is None else np.where(scores <= np.sort(scores)[min(k, len(scores)) - 1], scores, -np.inf)
        return softmax(kept)

    sampling_is(bg, lowest)


@wrong(
    sampling,
    "one too few",
    "One token too few can be drawn: the k-th highest score still counts.",
)
def _(bg):
    def fewer(logits, temperature, k):
        scores = logits / temperature
        if k is None or k > len(scores):
            return softmax(scores)
        return softmax(np.where(scores > np.sort(scores)[-k], scores, -np.inf))

    sampling_is(bg, fewer)


@wrong(
    sampling,
    "cut off after softmax",
    "The probabilities of the other tokens were set to 0, and the rest does not add up to 1 any more. Cut off the "
    "scores before softmax, or divide by the sum once more.",
)
def _(bg):
    def after(logits, temperature, k):
        found = softmax(logits / temperature)
        return np.where(np.isfinite(cut_off(logits, k)), found, 0.0)

    sampling_is(bg, after)


@wrong(
    sampling,
    "a score of 0",
    "The other tokens got the score 0, and exp(0) is 1: they can still be drawn. Their score must be -inf.",
)
def _(bg):
    def zeros(logits, temperature, k):
        scores = logits / temperature
        return softmax(np.where(np.isfinite(cut_off(scores, k)), scores, 0.0))

    sampling_is(bg, zeros)


@wrong(
    sampling,
    "top_k is ignored",
    "All tokens can be drawn, although top_k was given.",
)
def _(bg):
    sampling_is(bg, lambda logits, temperature, k: softmax(logits / temperature))


@wrong(
    sampling,
    "divided by 0",
    "With temperature 0 the scores were divided by 0. It means greedy: the highest score is certain. Ask for it first.",
)
def _(bg):
    def by_zero(logits):
        with np.errstate(all="ignore"):
            return softmax(logits / np.float64(0))

    sampling_is(bg, lambda logits, temperature, k: softmax(cut_off(logits / temperature, k)), by_zero)


@wrong(
    sampling,
    "greedy gives a token",
    "For temperature 0 the token itself was returned. Probabilities are wanted there too: a 1 at its place, and zeros.",
)
def _(bg):
    sampling_is(
        bg, lambda logits, temperature, k: softmax(cut_off(logits / temperature, k)), lambda x: int(np.argmax(x))
    )


@wrong(
    sampling,
    "too large for exp",
    "exp(1000) is infinite. Subtract the largest score first: softmax stays the same.",
)
def _(bg):
    def overflowing(logits, temperature, k):
        with np.errstate(all="ignore"):
            powers = np.exp(cut_off(logits / temperature, k))
            return powers / powers.sum()

    sampling_is(bg, overflowing)


@wrong(
    sampling,
    "top_k beyond the end",
    "top_k may be larger than the number of tokens: then all of them can be drawn.",
)
def _(bg):
    def strict(logits, temperature, k):
        if k is not None:
            np.sort(logits)[-k]
        return softmax(cut_off(logits / temperature, k))

    sampling_is(bg, strict)


@wrong(
    sampling,
    "more than k where scores are equal",
    "Of equal scores all were kept, so more than top_k tokens can be drawn. np.argsort gives places, and each of them "
    "is another one, even where the scores are equal.",
)
def _(bg):
    def from_there_on(logits, temperature, k):
        scores = logits / temperature
        kept = k is None or scores >= np.sort(scores)[-min(k, len(scores))]
        return softmax(np.where(kept, scores, -np.inf))

    sampling_is(bg, from_there_on)


@wrong(
    sampling,
    "all of the highest",
    "Two tokens have the highest score, and both got the probability 1. Probabilities add up to 1: take one of them.",
)
def _(bg):
    sampling_is(bg, lambda *asked: softmax(cut_off(asked[0] / asked[1], asked[2])), lambda z: (z == z.max()) * 1.0)


@wrong(
    sampling,
    "nearly 0",
    "A very small temperature was put in the place of 0. Where two scores are close, both can still be drawn. With 0 "
    "the highest score is certain, however small its lead.",
)
def _(bg):
    def nearly(logits):
        return softmax(logits / 1e-3)

    sampling_is(bg, lambda logits, temperature, k: softmax(cut_off(logits / temperature, k)), nearly)


@wrong(
    sampling,
    "the highest share",
    "Two tokens have the highest score, and share the probability. With temperature 0 one token is certain: take one "
    "of them.",
)
def _(bg):
    def shared(logits):
        highest = (logits == logits.max()) * 1.0
        return highest / highest.sum()

    sampling_is(bg, lambda logits, temperature, k: softmax(cut_off(logits / temperature, k)), shared)


# 16.10: the hunt.


def inputs_are(bg, ada, ben, cleo):
    bg.hunts.three_attentions = lambda: {"Ada": ada, "Ben": ben, "Cleo": cleo}


VALUE = [[1], [0]]
ADA = ([[10, 0], [0, 1]], [[10, 0], [0, 1]], VALUE)
BEN = ([[10], [1]], [[-1], [-10]], VALUE)
CLEO = ([[10], [1]], [[10], [10]], VALUE)


@wrong(
    hunt,
    "one position",
    "With one position alone there is nothing to hide and nothing to share: everybody is right.",
)
def _(bg):
    inputs_are(bg, *([([[1, 2]], [[3, 1]], [[5]])] * 3))


@wrong(
    hunt,
    "values that are equal",
    "If all values are equal, each mixture of them is the same, whatever the weights are.",
)
def _(bg):
    alike = [[1], [1]]
    inputs_are(bg, (*ADA[:2], alike), (*BEN[:2], alike), (*CLEO[:2], alike))


@wrong(
    hunt,
    "Ada with one feature",
    "With one feature the scores are divided by the root of 1, so Ada is right. Give the queries two.",
)
def _(bg):
    inputs_are(bg, ([[10], [0.1]], [[10], [1]], VALUE), BEN, CLEO)


@wrong(
    hunt,
    "all of them at once",
    "Such an input gives several away. Row 0 is what betrays Ben and Cleo: let the right score there be so high that "
    "what they see besides gets no weight.",
)
def _(bg):
    inputs_are(bg, *([([[1, 2], [2, -1]], [[1, 1], [0, 1]], VALUE)] * 3))


@wrong(
    hunt,
    "Ben and Cleo exchanged",
    "Ben gives what is hidden the score 0, Cleo its true score. Yours are right if the two change places.",
)
def _(bg):
    inputs_are(bg, ADA, CLEO, BEN)


@wrong(
    hunt,
    "a list of inputs",
    "A dict is wanted, with the names as keys: each input is meant for one of them.",
)
def _(bg):
    bg.hunts.three_attentions = lambda: [ADA, BEN, CLEO]
