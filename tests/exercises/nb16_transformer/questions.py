"""The questions of notebook 16."""

import numpy as np

from grader.asking.answers import Form, raised
from grader.course.questions import probe
from grader.probes.arrays import held
from grader.probes.tensors import NO_RETURN, array_in, array_of, as_lists, from_above, kind_of, signed


def leaf(bg, rng, *shape):
    return bg.Tensor(signed(rng, *shape))


def finely(rng, tensor):
    """The Tensor with numbers of many digits: a rounded answer shows."""
    tensor.data[...] = rng.normal(size=tensor.shape)
    return tensor


def some_tokens(rng, vocab, *shape):
    """Numbers of tokens, drawn."""
    return rng.integers(0, vocab, shape)


def gradient_of(x, returned, above):
    """The gradient of x, if each number of what was returned has the gradient that is given; words if it has none."""
    if not hasattr(returned, "_inputs"):
        return Form(f"none: it returned {kind_of(returned, NO_RETURN)}")
    if not returned.requires_grad:
        return Form("none: the result was not recorded")
    (returned * above).sum().backward()
    return array_of(x.grad) if x.grad is not None else Form("none")


# 16.1: windows and their loss.


def pair_as_answers(returned):
    """Answers: the inputs and targets of windows."""
    if not isinstance(returned, (tuple, list)) or len(returned) != 2:
        return {"it": Form(kind_of(returned, NO_RETURN))}
    inputs, targets = map(array_of, returned)
    return {"it": Form("a pair"), "the array of inputs": inputs, "the array of targets": targets}


def ask_windows(name, count, asked, *arguments):
    @probe("16.1", asked=f"windows({{tokens}}, {asked})", name=name)
    def cut(bg, rng):
        tokens = rng.permutation(40)[:count]
        before = tokens.copy()
        answers = pair_as_answers(bg.transformer.windows(tokens, *arguments))
        return {"asked": {"tokens": before.tolist()}} | answers | held("tokens", np.array_equal(tokens, before))


ask_windows("all_windows", 6, "3", 3)
ask_windows("with_a_stride", 9, "3, stride=2", 3, 2)
ask_windows("one_alone", 5, "4", 4)


@probe("16.1", asked="language_loss of logits of shape (1, 1, 3), {logits}, for the target {target}")
def loss_of_one(bg, rng):
    logits, target = leaf(bg, rng, 1, 1, 3), some_tokens(rng, 3, 1, 1)
    found = array_in(bg.transformer.language_loss(logits, target))
    return {"asked": {"logits": logits.data.tolist(), "target": target.tolist()}, "returned": found}


@probe("16.1", asked="language_loss of logits of shape (2, 3, 4), for targets of shape (2, 3)")
def loss_of_six(bg, rng):
    logits, targets = leaf(bg, rng, 2, 3, 4), np.array([[0, 3, 1], [2, 2, 0]])
    return {"returned": array_in(bg.transformer.language_loss(logits, targets))}


@probe("16.1", asked="language_loss of logits of shape (2, 3, 4), then backward(): the gradient of the logits")
def gradient_of_loss(bg, rng):
    logits, targets = leaf(bg, rng, 2, 3, 4), some_tokens(rng, 4, 2, 3)
    return {"the gradient": gradient_of(logits, bg.transformer.language_loss(logits, targets), 1.0)}


# 16.3: positions.


def small_model(bg, rng, layers=0, vocab=5, context=4, features=4, num_heads=2):
    """A Transformer whose weights are all far from 0."""
    model = bg.transformer.Transformer(vocab, context, features, num_heads, layers, rng)
    for parameter in model.parameters():
        parameter.data[...] = signed(rng, *parameter.shape)
    return model


@probe("16.3", asked="embed([[1, 0, 1]]), with the rows {tokens} of the tokens and {positions} of the positions")
def where_and_what(bg, rng):
    model = small_model(bg, rng, vocab=3, context=3, features=2)
    asked = {"tokens": model.tokens.weight.data.tolist(), "positions": model.positions.weight.data.tolist()}
    return {"asked": asked, "returned": array_in(model.embed(np.array([[1, 0, 1]])))}


@probe("16.3", asked="embed([[0]]): one token alone, in a model with 4 positions")
def the_first_alone(bg, rng):
    return {"returned": array_in(small_model(bg, rng).embed(np.array([[0]])))}


@probe("16.3", asked="embed of tokens of shape (3, 2), in a model with 4 positions, as a Tensor")
def fewer_than_fit(bg, rng):
    model, tokens = small_model(bg, rng), some_tokens(rng, 5, 3, 2)
    finely(rng, model.tokens.weight)
    return {"returned": array_in(model.embed(bg.Tensor(tokens, requires_grad=False)))}


@probe("16.3", asked="embed of tokens of shape (2, 3), then backward: the gradients of both tables")
def what_both_get(bg, rng):
    model, above = small_model(bg, rng), from_above(rng, 2, 3, 4)
    of_tokens = gradient_of(model.tokens.weight, model.embed(np.array([[1, 4, 1], [0, 1, 2]])), above)
    positions = model.positions.weight.grad
    return {"the gradient of the tokens' rows": of_tokens, "the gradient of the positions' rows": array_of(positions)}


@probe("16.3", asked="embed of five tokens, in a model with 4 positions")
def longer_than_the_context(bg, rng):
    model, tokens = small_model(bg, rng), some_tokens(rng, 5, 1, 5)
    return {"returned": raised(lambda: array_in(model.embed(tokens)))}


# 16.4: attention.


def three_of(bg, rng, *shape):
    """A query, a key and a value, leaves."""
    return leaf(bg, rng, *shape), leaf(bg, rng, *shape), leaf(bg, rng, *shape)


@probe("16.4", asked="attention_weights(query, key) for query = {query}, key = {key}")
def one_feature(bg, rng):
    query, key = leaf(bg, rng, 2, 1), leaf(bg, rng, 2, 1)
    asked = {"query": query.data.tolist(), "key": key.data.tolist()}
    return {"asked": asked, "returned": array_in(bg.transformer.attention_weights(query, key))}


@probe("16.4", asked="attention_weights(query, key) for query = {query}, key = {key}: 4 features, 2 queries, 3 keys")
def more_keys_than_queries(bg, rng):
    query, key = leaf(bg, rng, 2, 4), leaf(bg, rng, 3, 4)
    asked = {"query": query.data.tolist(), "key": key.data.tolist()}
    return {"asked": asked, "returned": array_in(bg.transformer.attention_weights(query, key))}


@probe("16.4", asked="attention_weights(query, key, mask), of shapes (3, 2), (3, 2), for the mask {mask}")
def with_a_mask(bg, rng):
    query, key, _ = three_of(bg, rng, 3, 2)
    mask = np.array([[True, False, True], [False, False, True], [True, True, True]])
    before = mask.copy()
    found = array_in(bg.transformer.attention_weights(query, key, mask))
    return {"asked": {"mask": before.tolist()}, "returned": found, **held("the mask", np.array_equal(mask, before))}


@probe("16.4", asked="scaled_dot_product_attention(query, key, value, mask), of shapes (2, 2, 3, 2), mask (3, 3)")
def of_heads(bg, rng):
    mask = np.array([[True, False, False], [True, True, False], [False, True, True]])
    returned = bg.transformer.scaled_dot_product_attention(*three_of(bg, rng, 2, 2, 3, 2), mask)
    return {"returned": array_in(returned)}


QUERY_KEY_VALUE = "of 2 queries and 3 keys, (1, 2, 2), (1, 3, 2), (1, 3, 1), then backward: all three gradients"


@probe("16.4", asked=f"scaled_dot_product_attention(query, key, value) {QUERY_KEY_VALUE}")
def gradients_of_attention(bg, rng):
    return all_three_gradients(bg, rng)


@probe("16.4", asked=f"scaled_dot_product_attention(query, key, value, mask) {QUERY_KEY_VALUE}")
def gradients_with_a_mask(bg, rng):
    return all_three_gradients(bg, rng, np.array([[True, False, True], [False, True, True]]))


def all_three_gradients(bg, rng, *mask):
    leaves = leaf(bg, rng, 1, 2, 2), leaf(bg, rng, 1, 3, 2), leaf(bg, rng, 1, 3, 1)
    returned, above = bg.transformer.scaled_dot_product_attention(*leaves, *mask), from_above(rng, 1, 2, 1)
    first = gradient_of(leaves[0], returned, above)
    others = {f"the gradient of {name}": array_of(x.grad) for name, x in zip(("key", "value"), leaves[1:])}
    return {"the gradient of query": first} | others


@probe("16.4", asked="attention_weights(query, key) for query = {query}, key = {key}: scores of about ±1000")
def large_scores_of_attention(bg, rng):
    far = 100 + float(rng.integers(1, 99)) / 10
    key = bg.Tensor(np.array([[10.0], [10.0 + float(rng.integers(1, 9)) / 1000], [-10.0]]))
    query = bg.Tensor(np.array([[far], [-far]]))
    asked = {"query": query.data.tolist(), "key": key.data.tolist()}
    return {"asked": asked, "returned": array_in(bg.transformer.attention_weights(query, key))}


@probe("16.4", asked="attention_weights(query, key, mask) for query = {query}, key = {key}, mask = {mask}")
def a_large_score_is_hidden(bg, rng):
    far = 100 + float(rng.integers(1, 99)) / 10
    key = bg.Tensor(np.array([[-10.0], [-10.0 - float(rng.integers(1, 9)) / 1000], [10.0]]))
    query, mask = bg.Tensor(np.array([[far]])), np.array([[True, True, False]])
    asked = {"query": query.data.tolist(), "key": key.data.tolist(), "mask": mask.tolist()}
    return {"asked": asked, "returned": array_in(bg.transformer.attention_weights(query, key, mask))}


# 16.5: the mask.


def ask_mask(length):
    @probe("16.5", asked=f"causal_mask({length})", name=f"for_{length}")
    def who_sees_whom(bg, rng):
        returned = bg.transformer.causal_mask(length)
        returned = np.asarray(returned) if isinstance(returned, list) else returned
        kind = returned.dtype.kind if isinstance(returned, np.ndarray) else "?"
        arrays = {"b": "an array of truth values", "f": "an array of floats", "i": "an array of ints"}
        return {"returned": array_of(returned), "it": Form(arrays.get(kind, kind_of(returned, NO_RETURN)))}


for _length in (3, 5):
    ask_mask(_length)


@probe("16.5", asked="causal_mask({length}): how many places each row sees, and the last one of them")
def for_a_drawn_length(bg, rng):
    length = int(rng.integers(4, 30_000)) % 61 + 4
    mask = bg.transformer.causal_mask(length)
    mask = np.asarray(mask) if isinstance(mask, list) else mask
    if not isinstance(mask, np.ndarray) or mask.shape != (length, length):
        return {"asked": {"length": length}, "it": Form(kind_of(mask, NO_RETURN))}
    seen = mask.astype(float)
    places = rng.integers(0, length, 8)
    return {
        "asked": {"length": length},
        "seen by each row": seen.sum(axis=1),
        "seen by row 2": seen[2],
        "seen by rows drawn": seen[places].cumsum(axis=1)[:, places],
    }


# 16.6: heads.


@probe("16.6", asked="split_heads(x, 2) for x = {x}")
def one_position_split(bg, rng):
    x = leaf(bg, rng, 1, 1, 4)
    return {"asked": {"x": x.data.tolist()}, "returned": array_in(bg.transformer.split_heads(x, 2))}


@probe("16.6", asked="split_heads(x, 2) for x = {x}")
def two_positions_split(bg, rng):
    x = leaf(bg, rng, 1, 2, 4)
    return {"asked": {"x": x.data.tolist()}, "returned": array_in(bg.transformer.split_heads(x, 2))}


@probe("16.6", asked="split_heads(x, 3) for x of shape (2, 4, 6)")
def a_batch_split(bg, rng):
    return {"returned": array_in(bg.transformer.split_heads(finely(rng, leaf(bg, rng, 2, 4, 6)), 3))}


@probe("16.6", asked="merge_heads(x) for x = {x}, of shape (1, 2, 2, 2)")
def merged(bg, rng):
    x = leaf(bg, rng, 1, 2, 2, 2)
    return {"asked": {"x": str(x.data.tolist())}, "returned": array_in(bg.transformer.merge_heads(x))}


@probe("16.6", asked="merge_heads(split_heads(x, 3)), x of shape (2, 4, 6), then backward: x again, and its gradient")
def there_and_back(bg, rng):
    x, above = finely(rng, leaf(bg, rng, 2, 4, 6)), from_above(rng, 2, 4, 6)
    returned = bg.transformer.merge_heads(bg.transformer.split_heads(x, 3))
    return {"returned": array_in(returned), "the gradient of x": gradient_of(x, returned, above)}


# 16.7: a block.


def multi_head(bg, rng, features, num_heads):
    made = bg.transformer.MultiHeadAttention(features, num_heads, rng)
    for parameter in made.parameters():
        parameter.data[...] = signed(rng, *parameter.shape) / 4  # so small that each weight of attention counts
    return made


LOOKS_BACK = np.array([[True, False, False], [True, True, False], [True, True, True]])


def ask_heads(name, num_heads, mask):
    given = "x, mask" if mask is not None else "x"

    @probe("16.7", asked=f"MultiHeadAttention(4, {num_heads})({given}), x of shape (2, 3, 4)", name=name)
    def looked(bg, rng):
        part, x = multi_head(bg, rng, 4, num_heads), leaf(bg, rng, 2, 3, 4)
        return {"returned": array_in(part(x, mask))}


ask_heads("one_head", 1, None)
ask_heads("two_heads", 2, None)
ask_heads("two_heads_and_a_mask", 2, LOOKS_BACK)


@probe("16.7", asked="MultiHeadAttention(4, 2)(x, mask), then backward: all gradients")
def gradients_of_heads(bg, rng):
    part, x, above = multi_head(bg, rng, 4, 2), leaf(bg, rng, 1, 3, 4), from_above(rng, 1, 3, 4)
    of_x = gradient_of(x, part(x, LOOKS_BACK), above)
    weights = {f"the gradient of {name}": array_of(p.grad) for name, p in part.named_parameters()}
    return {"the gradient of x": of_x} | weights


PLAIN_PARTS = "norm1(x) = 2x, attention(x, mask) = x * x, norm2(x) = x + 1, mlp(x) = 3x"


@probe("16.7", asked=f"block(x, mask) for x = {{x}}, of a Block with plain parts ({PLAIN_PARTS})")
def plain_block(bg, rng):
    block, x, masks = bg.transformer.Block(2, 1, rng), leaf(bg, rng, 1, 1, 2), []

    def attention(x, mask=None):
        masks.append(mask)
        return x * x

    block.norm1, block.attention = (lambda x: x * 2), attention
    block.norm2, block.mlp = (lambda x: x + 1), (lambda x: x * 3)
    mask = np.ones((1, 1), bool)
    returned = block(x, mask)
    passed = "the mask" if masks and masks[0] is mask else "no mask, or another one"
    asked = {"x": x.data.tolist()}
    return {"asked": asked, "returned": array_in(returned), "what attention was given": Form(passed)}


@probe("16.7", asked="Block(4, 2)(x, mask), x of shape (2, 3, 4)")
def whole_block(bg, rng):
    block, x = bg.transformer.Block(4, 2, rng), leaf(bg, rng, 2, 3, 4)
    for parameter in block.parameters():
        parameter.data[...] = signed(rng, *parameter.shape) / 2
    return {"returned": array_in(block(x, LOOKS_BACK))}


# 16.8: the model.


@probe("16.8", asked="model([[1, 0]]) of a model without blocks, with norm(x) = 10x and the tokens' rows {tokens}")
def without_blocks(bg, rng):
    model = small_model(bg, rng, vocab=3, context=2, features=2)
    model.norm = lambda x: x * 10
    asked = {"tokens": model.tokens.weight.data.tolist()}
    return {"asked": asked, "returned": array_in(model(np.array([[1, 0]])))}


@probe("16.8", asked="model([[1, 0, 2]]) of a model with the blocks x -> 2x, x -> x + 1, and norm(x) = 10x")
def plain_blocks(bg, rng):
    model, masks = small_model(bg, rng, vocab=3, context=4, features=2), []
    model.norm = lambda x: x * 10

    def block(change):
        def call(x, mask=None):
            masks.append(mask)
            return change(x)

        return call

    model.blocks = [block(lambda x: x * 2), block(lambda x: x + 1)]
    returned = array_in(model(np.array([[1, 0, 2]])))
    given = {f"the mask of block {i}": array_of(mask) for i, mask in enumerate(masks)}
    return {"returned": returned} | given


@probe("16.8", asked="Transformer(5, 4, 4, 2, 2)(tokens), tokens of shape (2, 3), as a Tensor")
def a_whole_model(bg, rng):
    model, tokens = small_model(bg, rng, layers=2), some_tokens(rng, 5, 2, 3)
    return {"returned": array_in(model(bg.Tensor(tokens, requires_grad=False)))}


@probe("16.8", asked="Transformer(5, 4, 4, 2, 1)(tokens), then backward: the gradients of both embeddings")
def gradients_of_a_model(bg, rng):
    model, above = small_model(bg, rng, layers=1), from_above(rng, 2, 3, 5)
    of_tokens = gradient_of(model.tokens.weight, model(some_tokens(rng, 5, 2, 3)), above)
    positions = model.positions.weight.grad
    return {
        "the gradient of the tokens' rows": of_tokens,
        "the gradient of the positions' rows": array_of(positions) if positions is not None else Form("none"),
    }


# 16.9: what is drawn next.


def as_array(x):
    """What was returned, an array or a list of numbers."""
    return array_of(np.array(x, float) if isinstance(x, list) else x)


def ask_sampling(name, logits_of, told, show="{logits}", **options):
    words = "".join(f", {key}={value}" for key, value in options.items())

    @probe("16.9", asked=f"sampling_probabilities({show}{words}){told}", name=name)
    def likely(bg, rng):
        logits = logits_of(rng)
        before = logits.copy()
        found = as_array(bg.transformer.sampling_probabilities(logits, **options))
        same = np.array_equal(logits, before)
        return {"asked": {"logits": before.tolist()}, "returned": found, **held("logits", same)}


def some_logits(rng):
    """Scores of both signs, no two alike."""
    return (rng.permutation([-1.0, 0.5, -0.4, 1.2, 2.0]) + rng.integers(-30, 30, 5) / 100).round(2)


ask_sampling("as_they_are", some_logits, "")
ask_sampling("cold", some_logits, "", temperature=0.5)
ask_sampling("hot", some_logits, "", temperature=3.0)
ask_sampling("top_two", some_logits, "", top_k=2)
ask_sampling("hot_top_three", some_logits, "", temperature=2.0, top_k=3)
ask_sampling("more_than_there_are", some_logits, "", top_k=9)
ask_sampling("greedy", some_logits, "", temperature=0)
ask_sampling("greedy_and_close", lambda rng: rng.permutation([1.5, 1.5 + 1e-9, -0.4, 0.2]), "", temperature=0)
ask_sampling("large_scores", lambda rng: some_logits(rng) + rng.permutation([1000.0, 999, 0, -1000, 998]), "")


@probe("16.9", asked="sampling_probabilities({logits}, top_k=2), where two tokens are second")
def two_are_second(bg, rng):
    logits = rng.permutation([2.5, 1.5, 1.5, -1.0]) + rng.integers(-4, 5) / 4
    found = as_array(bg.transformer.sampling_probabilities(logits.copy(), top_k=2))
    is_array = isinstance(found, np.ndarray)
    answers = {"the sum": float(found.sum()), "the highest of them": float(found.max())} if is_array else {"it": found}
    can_be_drawn = int((found > 0).sum()) if is_array else found
    return {"asked": {"logits": logits.tolist()}, "the number of tokens that can be drawn": can_be_drawn, **answers}


@probe("16.9", asked="sampling_probabilities({logits}, temperature=0): the sum of the probabilities, and the highest")
def greedy_with_two_equal(bg, rng):
    logits = rng.permutation([2.5, 2.5, -1.0, 0.5])
    found = as_array(bg.transformer.sampling_probabilities(logits.copy(), temperature=0))
    total, most = (float(found.sum()), float(found.max())) if isinstance(found, np.ndarray) else (found, found)
    return {"asked": {"logits": logits.tolist()}, "the sum": total, "the highest of them": most}


# 16.10: the hunt.


def ask_hunt(name):
    @probe("16.10", asked=f"three_attentions()[{name!r}]", name=f"only_{name}", secret=True)
    def recorded(bg, rng):
        given = bg.hunts.three_attentions()
        if isinstance(given, dict) and name in given:
            return {f"the input for {name}": as_lists(given[name])}
        return {"the answer": Form(no_inputs(given))}


def no_inputs(given):
    """What came instead of a dict with all three names."""
    if not isinstance(given, dict):
        return kind_of(given)
    return f"a dict with the keys {', '.join(map(repr, list(given)[:6]))}" if given else "an empty dict"


for _name in ("Ada", "Ben", "Cleo"):
    ask_hunt(_name)
