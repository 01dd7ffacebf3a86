"""The exercises of notebook 16: a transformer, from text as numbers to text that it writes."""

from grader.course.exercise import Exercise, Notebook
from grader.course.tracks import STRETCH

NOTEBOOK = Notebook(
    "16",
    "transformer",
    "A small transformer",
    files=("transformer.py", "hunts.py"),
    track=STRETCH,
)

text = Exercise(
    "16.1",
    "windows, language_loss",
    file="transformer.py",
    points=3,
    difficulty=2,
    track="stretch",
    needs=("11.5",),
    hints=[
        "A window of 3 tokens needs 4 of the text: the inputs are the first three of them, the targets the last three. "
        "For the loss it does not matter which window a position is from.",
        "windows: all stretches of length + 1 tokens, every stride-th of them, and two slices of the result. "
        "language_loss: cross_entropy takes scores (N, C) and targets (N,): reshape.",
        "windows: sliding_window_view(tokens, length + 1), then [::stride]; of each row all but its last token, and "
        "all but its first. language_loss: reshape the logits to (-1, their last size), and the targets to (-1,).",
    ],
)

places = Exercise(
    "16.3",
    "Transformer.embed",
    file="transformer.py",
    points=2,
    difficulty=1,
    track="stretch",
    needs=("9.4", "10.8", "11.1"),
    hints=[
        "Two tables: one is asked what stands here, the other one, where that is. The answers are added.",
        "The positions are 0, 1, 2, ... up to the length of the tokens, the same for each row of the batch. "
        "Broadcasting does the rest.",
        "self.tokens of the tokens, plus self.positions of np.arange of the last size of tokens.shape.",
    ],
)

attention = Exercise(
    "16.4",
    "attention_weights, scaled_dot_product_attention",
    file="transformer.py",
    points=4,
    difficulty=3,
    track="stretch",
    needs=("7.2", "8.2", "9.4", "10.11"),
    hints=[
        "Row i of the scores belongs to query i: its inner product with each key, over the square root of how many "
        "numbers a query has. Each row becomes probabilities. What may not be looked at must get exactly 0, and the "
        "others must still add up to 1: what does softmax make of a score of -inf?",
        "scores = query times the transposed key, over math.sqrt(d). If there is a mask, add an array that is 0 where "
        "it is True and -inf where it is False. Then softmax along the keys, the last axis. "
        "scaled_dot_product_attention multiplies these weights by value.",
        "key.transpose() swaps the last two axes. np.where(mask, 0, -np.inf) is what to add; "
        ".astype(scores.dtype) keeps a model of float32 one. scores.softmax(-1) ends it. The second function calls the "
        "first.",
    ],
)

causal = Exercise(
    "16.5",
    "causal_mask",
    file="transformer.py",
    points=1,
    difficulty=1,
    track="stretch",
    hints=[
        "Write down the mask for three positions. Row 0 may look at position 0 alone.",
        "It is a triangle: True on the diagonal and on one side of it. Which side has the earlier positions?",
        "np.tril keeps the lower triangle of an array, with the diagonal. Or compare two aranges, one as a column.",
    ],
)

heads = Exercise(
    "16.6",
    "split_heads, merge_heads",
    file="transformer.py",
    points=3,
    difficulty=2,
    track="stretch",
    needs=("7.1", "7.2", "9.4"),
    hints=[
        "A reshape never changes the order in which the numbers lie. Cut the last axis in two first; then the axes are "
        "there, in the wrong order.",
        "From (batch, length, features) to (batch, length, heads, features / heads), then the second and the third "
        "axis change places. Back: change them again, then join the last two.",
        "x.reshape(batch, length, num_heads, -1) and then transpose((0, 2, 1, 3)). merge_heads does the same transpose "
        "first, and reshapes to (batch, length, -1).",
    ],
)

block = Exercise(
    "16.7",
    "MultiHeadAttention.forward, Block.forward",
    file="transformer.py",
    points=3,
    difficulty=2,
    track="stretch",
    needs=("11.1", "11.3", "12.8", "16.4", "16.6"),
    hints=[
        "MultiHeadAttention: queries, keys and values are made of the same x by three linear layers, then cut into "
        "heads. Block: what is added to x is computed from a normalised copy; x itself goes on as it is.",
        "MultiHeadAttention: split_heads of each of the three, scaled_dot_product_attention with the mask, "
        "merge_heads, self.output. Block: first attention, then the MLP, which reads the x that attention has already "
        "changed.",
        "Block: the new x is x plus self.attention of self.norm1(x), which gets the mask too. Return this new x plus "
        "self.mlp of self.norm2 of the new x.",
    ],
)

model = Exercise(
    "16.8",
    "Transformer.forward",
    file="transformer.py",
    points=3,
    difficulty=2,
    track="stretch",
    needs=("16.3", "16.5", "16.7"),
    hints=[
        "Embed, go through the blocks with the mask, normalise once more. Then each position has embed_dim features, "
        "and each token has a row of as many numbers. How do you compare the two?",
        "The mask is made for as many positions as there are here. The score of a token is the inner product of a "
        "position's features and the token's row: one matrix product with the transposed embedding.",
        "x from self.embed; for each of self.blocks a new x, from block(x, mask). The end: self.norm(x) times "
        "self.tokens.weight, transposed (.T), all of it Tensors.",
    ],
)

sampling = Exercise(
    "16.9",
    "sampling_probabilities",
    file="transformer.py",
    points=3,
    difficulty=2,
    track="stretch",
    hints=[
        "Three cases: temperature 0, all tokens, the top k. The temperature divides the scores, before softmax. A "
        "token that cannot be drawn gets the score -inf.",
        "For temperature 0 return zeros with a 1 at np.argmax(logits). Otherwise divide; for top_k find the "
        "places of the other scores, and put -inf there. Softmax of arrays: subtract the largest first.",
        "np.argsort(scores) gives the places from the lowest score to the highest, and [:-k] all but the last k. In a "
        "copy of the scores put -np.inf there. Then np.exp of the scores less their max, over its sum.",
    ],
)

hunt = Exercise(
    "16.10",
    "three_attentions",
    file="hunts.py",
    points=3,
    difficulty=3,
    track="stretch",
    hints=[
        "Ada needs two features, Ben and Cleo are about row 0: what it must not see. For which scores would nothing "
        "of the later positions get any weight anyway?",
        "With one feature the square root is 1, and Ada is right. With two positions Ben gives position 1 the score 0 "
        "in row 0, and Cleo gives it its true score. A score that is higher by 50 leaves the other one nothing.",
        "Ben: in row 0 let the score of the first key be negative, and that of the second far more negative. Cleo: the "
        "score of the first key 50 or more, and the second one as high. Ada: two features; row 0 as for nobody, and in "
        "row 1 two scores of about 0 and 1. The two values must differ.",
    ],
)
