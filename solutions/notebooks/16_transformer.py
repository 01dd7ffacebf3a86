# %% [markdown]
# # 16 · A small transformer
#
# What is inside the machines that write? You build one: a **transformer**, the net behind today's language models. It learns from a list of cities, one character at a time, and then it invents cities. It needs no new rule: you have written all of its parts, with their backward pass.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import matplotlib.pyplot as plt
import numpy as np

from babygrad import Tensor, no_grad, transformer
from babygrad.optim import AdamW, CosineLR, clip_grad_norm_
from babygrad.transformer import Embedding, Transformer, attention_of, causal_mask
from babygrad.transformer import generate, language_loss, windows
from toolbox.data.text import best_counts, bits, read_cities
from toolbox.drawing.plots import GRID, INK, LINES, axes_on_a_card
from toolbox.films.looking import one_query_looks

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - say what a language model predicts, and how its loss is told in bits,
# - write attention: who looks at whom, what is taken from there, and what must not be seen,
# - put a transformer together from parts, train it, and let it write,
# - say what temperature does, and why a model that always takes the likeliest token repeats itself,
# - find three kinds of broken attention from the outside.

# %% [markdown]
# ## Recall

# %%
%quiz before 16

# %% [markdown]
# <details class="recall"><summary>From notebooks 10, 11 and 12, without looking</summary>
#
# 1. `w` is a Tensor with four rows. What is `w[[2, 0, 2]]`, and what gradient does row 2 get?
# 2. What does softmax make of a logit of -inf? And what is the cross-entropy of a net that finds all C classes equally likely?
# 3. What do a residual connection and LayerNorm do with a row x?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: The rows 2, 0 and 2 of w. Row 2 gets both gradients, added up.
# - **2**: The probability 0. And log C.
# - **3**: x + f(x): a way round f. LayerNorm moves the row to mean 0 and standard deviation 1, then stretches and shifts it.
#
# </details>

# %% [markdown]
# ## A. What comes next?
#
# A *language model* reads the beginning of a text and says, for each character that might come next, how likely it is. It is a classifier, and the text itself has the labels. The pieces of text that it reads and predicts are called **tokens**. Here they are characters, in large models pieces of words.
#
# The text is 471 names of cities, a line break between them. A fifth of the names is held back.

# %%
corpus = read_cities()
vocabulary = corpus.vocabulary
print("the characters:", repr(vocabulary.characters))
print("the text begins:", repr(vocabulary.decode(corpus.train[:40])))
print("as numbers:", corpus.train[:12].tolist())
print(len(corpus.train), "to train on,", len(corpus.test), "to measure with")

# %% [markdown]
# The cross-entropy is told in **bits per character** here: the loss divided by log 2, which makes its logarithms those to base 2. That is how many yes-or-no questions a character still leaves open. The simplest language models only count: how often did b follow a (a *bigram* model), how often did c follow ab (a *trigram* model)?
#
# **Predict.** How many bits per character does a model need that knows nothing but the 29 characters? And how many if it counts single characters, pairs, triples?

# %%
# prediction 16.A1
%predict

# %%
print(f"knows nothing   {np.log2(len(vocabulary)):.2f} bits per character")
for order, name in [(1, "single ones"), (2, "bigrams"), (3, "trigrams")]:
    print(f"{name:15} {best_counts(corpus, order).bits(corpus.test):.2f}")

# %% [markdown]
# **Explain.** The triples hardly help: there are 29³ = 24,389 of them, and 3,290 characters to count. A table cannot know that "burg" is like "berg". A model with weights can.
#
# Another way to tell the same number is the **perplexity**, 2 to the power of the bits: 3.99 bits are a perplexity of 15.9, as if 15.9 characters were equally likely each time.

# %% [markdown]
# ### Exercise 16.1
#
# The model reads windows of the text. In `babygrad/transformer.py`, `windows` cuts them, and for each position gives its target: the token one further. `language_loss` is the mean cross-entropy over all positions.

# %%
%check 16.1

# %%
inputs, targets = windows(corpus.train, 16)
for x, y in zip(inputs[:3], targets):
    print(f"{vocabulary.decode(x)!r:22} -> {vocabulary.decode(y)!r}")

# %% [markdown]
# A window of 16 is sixteen examples at once: at its third position the model sees three characters, no more. The most that it can read, here 16, is its **context length**.

# %% [markdown]
# ## B. From tokens to features
#
# A token is a number, but no quantity: "c" is not the mean of "b" and "d". So each token gets a row of numbers of its own in a table of weights, its **embedding**, learned as all weights are.
#
# `Embedding.forward` is given. It takes rows of the table: `self.weight[tokens]`, for tokens of any shape. That is Gather of notebook 10, and its rule adds up the gradients of a row that was taken twice.
#
# What follows looks at the characters before a position nearly as at a set, without an order: at the "s" of "paris" or of "apris" it would see the same. So there is a second table, with a row for each *position*: the **positional embedding**. A position begins as the sum of what stands there and where that is.
#
# ### Exercise 16.3
#
# Fill in `Transformer.embed`. A text may be shorter than the context length, and must not be longer.

# %%
%check 16.3

# %% [markdown]
# **A good place to stop.** A text has become an array of features, one row for each position. On a fresh kernel, run the imports and the cells that make `corpus`, `vocabulary` and `inputs`.

# %% [markdown]
# ## C. Who looks at whom
#
# After "los ange", an "l" is likely because of letters further back. How does a position find what matters? By asking. From its features x each position makes three rows, with three matrices of weights:
#
# - a **query** q: what am I looking for?
# - a *key* k: what can be found here?
# - a *value* v: what do I give to those who look here?
#
# Each query is compared with each key, by their inner product: the scores. Softmax makes weights of them, and with these weights the values are mixed. This is **self-attention**: a look-up in a table, but with shares instead of a single hit.
#
# $$\text{attention}(Q, K, V) = \text{softmax}\!\left(\frac{Q K^{\top}}{\sqrt{d}}\right) V$$
#
# What is $\sqrt d$ for?
#
# **Predict.** Queries and keys hold d random numbers of standard deviation 1 (their spread). A query looks at 8 keys. Without the root, how much of the weight does the best key get, on average, for d = 4, 64 and 1,024? (`np.einsum`: inner products of queries and keys.)

# %%
# prediction 16.C1
%predict

# %%
rng = np.random.default_rng(0)
for d in (4, 64, 1024):
    scores = np.einsum("nd,nkd->nk", rng.normal(size=(500, d)), rng.normal(size=(500, 8, d)))
    best = [Tensor(scores / root).softmax().data.max(axis=1).mean() for root in (1, np.sqrt(d))]
    print(f"d = {d:5}: spread of the scores {scores.std():5.1f}, best weight {best[0]:.2f}, with the root {best[1]:.2f}")

# %% [markdown]
# **Explain.** The spread of the scores is the root of d. At 1,024 the best key gets nearly everything, and the other seven nearly no gradient: softmax is saturated. Divided by the root, scores have the spread 1, whatever d is. Hence the name **scaled dot-product attention**.

# %% [markdown]
# ### Exercise 16.4
#
# Fill in `attention_weights` and `scaled_dot_product_attention`. Batches and heads stand in front and do not matter: `@` and softmax work on the last two axes. A mask says who may look where; what may not be seen gets the weight 0, and the others share all of it. (A Tensor plus a plain array is recorded too, even if -inf stands in the array.)

# %%
%check 16.4

# %% [markdown]
# Position i predicts token i + 1. If it could look at position i + 1, there would be nothing to predict. So each position may look at itself and at those before it: a **causal mask**.
#
# ### Exercise 16.5
#
# Fill in `causal_mask`.

# %%
%check 16.5

# %% [markdown]
# One query on its whole way: that of position 2, (2, 1), in a text of four positions.
#
# | position | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | key | (1, 0) | (0, 2) | (1, 1) | (3, 3) |
# | value | (4, 0) | (0, 8) | (8, 4) | (9, 9) |
#
# **Predict.** Which position has the highest score, and which gets the largest weight? What comes out, roughly?

# %%
# prediction 16.C2
%predict

# %%
query, key = [[1, 0], [0, 1], [2, 1], [1, 1]], [[1, 0], [0, 2], [1, 1], [3, 3]]
value = [[4, 0], [0, 8], [8, 4], [9, 9]]
mine = transformer.attention_weights, transformer.scaled_dot_product_attention
one_query_looks(*mine, query, key, value, causal_mask(4), at=2)

# %% [markdown]
# **Explain.** Position 3 has by far the highest score, and no part in what comes out. Had its weight been set to 0 only after the softmax, its score would still stand in the sum that the others were divided by. The walk ends between the other three values, where every weighted mean of them lies.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## D. Heads, and a block
#
# One softmax can look at one kind of thing. An "e" may want to know the letter before it *and* how the name began. So the features are cut into groups, and each group does its own self-attention: these are **attention heads**.
#
# x has the shape (batch, length, features), and (batch, heads, length, features of a head) is wanted.
#
# **Predict.** x holds 0 to 7: two positions with four features each. What does `x.reshape(1, 2, 2, 2)` give to head 0? What should head 0 get?

# %%
# prediction 16.D1
%predict

# %%
x = np.arange(8).reshape(1, 2, 4)
print("the positions:", x[0].tolist())
print("reshape alone, head 0:", x.reshape(1, 2, 2, 2)[0, 0].tolist())

# %% [markdown]
# **Explain.** It gives head 0 all features of the first position, cut in two. Head 0 should have the first two features of *each* position, [0, 1] and [4, 5]. The mistake has the right shape, and a model that makes it even learns something.

# %% [markdown]
# ### Exercise 16.6
#
# Fill in `split_heads` and `merge_heads`. The second undoes what the first does.

# %%
%check 16.6

# %% [markdown]
# Now a layer of the transformer, a `Block`. First the positions exchange something, by self-attention; then each of them thinks about it, with an MLP. Both are wrapped in the same way: LayerNorm in front (*pre-LayerNorm*), and a residual connection around.
#
# $$x \leftarrow x + \text{attention}(\text{norm}_1(x)), \qquad x \leftarrow x + \text{mlp}(\text{norm}_2(x))$$
#
# So x runs through the whole net, as a stream to which each part adds something (the *residual stream*), and the gradient has a way back on which nothing multiplies it.
#
# ### Exercise 16.7
#
# Fill in `MultiHeadAttention.forward` and `Block.forward`. In the former a last linear layer mixes what the heads have found.

# %%
%check 16.7

# %% [markdown]
# **A good place to stop.** You have all the parts. On a fresh kernel, run the imports and the cells that make `corpus`, `vocabulary` and `inputs`.

# %% [markdown]
# ## E. The model
#
# At the end each position has features, and each token needs a score. The table of embeddings has a row of as many features for each token: the score is their inner product. So the model uses one table at both ends, and the table gets both gradients. That is **weight tying**.
#
# ### Exercise 16.8
#
# Fill in `Transformer.forward`: the embedding, with the positional embedding, all blocks with the causal mask, the last LayerNorm, the scores by weight tying.

# %%
%check 16.8

# %% [markdown]
# Before anything is trained: does a position see the future?
#
# **Predict.** "lisbon" becomes "lisben". At which of the six positions do the logits change?

# %%
# prediction 16.E1
%predict

# %%
model = Transformer(len(vocabulary), 16, 32, 4, 2, np.random.default_rng(0))
before, after = (model(vocabulary.encode(name)[None]).data[0] for name in ("lisbon", "lisben"))
for letter, change in zip("lisbon", np.abs(after - before).max(axis=1)):
    print(f"{letter}  {change:.6f}")

# %% [markdown]
# **Explain.** At the changed position and after it. Before it, not by a single bit: the causal mask holds. This is the test to write for every such model.
#
# Now it learns: AdamW with warm-up, then half a cosine, and clipping. Weight decay is strong, since the text is short.
#
# **Predict.** Where will it be after 400 steps, on names that it has never seen? Bigrams need 3.99 bits, trigrams 3.93.

# %%
# prediction 16.E3
%predict

# %% tags=["nbval-ignore-output"]
def trained(model, steps=400):
    """The loss of each step, in bits."""
    rng, losses = np.random.default_rng(1), []
    optimizer = AdamW(model.parameters(), lr=0.003, weight_decay=1.0)
    schedule = CosineLR(optimizer, steps, warmup=40)
    for _ in range(steps):
        batch = rng.integers(0, len(inputs), 32)
        loss = language_loss(model(inputs[batch]), targets[batch])
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(optimizer.params, 1.0)
        optimizer.step()
        schedule.step()
        losses.append(bits(loss.item()))
    return losses


def on_held_back(model):
    """Bits per character on names that were held back, of windows that begin anywhere."""
    with no_grad():
        return bits(language_loss(*predictions(model)).item())


def predictions(model):
    """(logits, targets) of the held-back text; each window's last position alone, which has read the most."""
    x, y = windows(corpus.test, 16)
    return model(x)[:, -1:], y[:, -1:]


losses = trained(model)
print(f"on the text that it learned from {np.mean(losses[-50:]):.2f}, held back {on_held_back(model):.2f}")

# %% [markdown]
# **Explain.** Below the trigrams, at a perplexity of less than 14. How much of that is owed to attention was not measured: a model in which each position sees only itself would tell. With a weight decay of 0.1 and 1,200 steps it learns the names by heart: 1.5 bits per character on its own text, and 5.5 on new names, more than if it knew nothing. That is overfitting.

# %% [markdown]
# ### A model that reads the future
#
# The same model once more, and one line is different: the mask is True everywhere.
#
# **Predict.** What will its loss be, in training and on names held back? And what will it write?

# %%
# prediction 16.E4
%predict

# %% tags=["nbval-ignore-output"]
cheat, right_mask = Transformer(len(vocabulary), 16, 32, 4, 2, np.random.default_rng(0)), transformer.causal_mask
transformer.causal_mask = lambda length: np.ones((length, length), bool)
try:
    its_losses = trained(cheat)
    with no_grad():
        x, y = windows(corpus.test, 16)
        its_loss = bits(language_loss(cheat(x), y).item())
    its_names = vocabulary.decode(generate(cheat, vocabulary.encode("\n"), 60, np.random.default_rng(0)))
finally:
    transformer.causal_mask = right_mask
print(f"on the text that it learned from {np.mean(its_losses[-50:]):.2f}, held back, all positions {its_loss:.2f}")
print("it writes", repr(its_names))

# %% jupyter={"source_hidden": true}
ax = axes_on_a_card(None, (7, 3))
ax.plot(losses, color=LINES[0], label="causal mask")
ax.plot(its_losses, color=LINES[1], linestyle="--", label="no mask")
ax.axhline(3.99, color=INK, linewidth=1, linestyle=":")
ax.annotate("bigrams", (398, 4.05), ha="right", color=INK)
ax.set(xlabel="step", ylabel="bits per character", ylim=(0, 5.2))
ax.grid(color=GRID)
ax.legend()
plt.show()

# %% [markdown]
# The picture: both curves begin near 5. The one with the mask falls to about 3.5 and stays there. The one without falls to 0.4.
#
# **Explain.** A wonderful loss, a perplexity of 1.3 on held-back names too, and nonsense when it writes: there is no future to copy from then. If your loss is too good to be true, do the test with "lisben" first.

# %% [markdown]
# **A good place to stop.** Your engine has trained a transformer. After a restart of the kernel, run all above again: it takes less than a minute.

# %% [markdown]
# ## F. It writes
#
# To write is to draw a token from the predicted probabilities, append it, and ask again. `generate` does that; what is drawn from is yours. Before softmax the logits are divided by the **temperature**. *Top-k sampling* leaves only the k likeliest tokens. At temperature 0 the likeliest is taken, always: that is **greedy decoding**.
#
# ### Exercise 16.9
#
# Fill in `sampling_probabilities`.

# %%
%check 16.9

# %% [markdown]
# **Predict.** What changes between temperature 0.3, 1 and 2? And what does greedy decoding write, if it goes on for 60 characters?

# %%
# prediction 16.F1
%predict

# %% tags=["nbval-ignore-output"]
def written(count=80, seed=3, **options):
    tokens = generate(model, vocabulary.encode("\n"), count, np.random.default_rng(seed), **options)
    return [name for name in vocabulary.decode(tokens).split("\n") if name]


for temperature in (0.3, 1.0, 2.0):
    print(f"temperature {temperature}:", ", ".join(written(temperature=temperature)))
print("top 3:          ", ", ".join(written(top_k=3)))
print("greedy:         ", ", ".join(written(temperature=0)))
known = set(vocabulary.decode(corpus.train).split("\n"))
names = written(3000, temperature=0.8)
print(f"of {len(names)} names at 0.8, {sum(name not in known for name in names)} are not on the list it learned from")

# %% [markdown]
# **Explain.** A low temperature makes likely letters likelier: safe names, all alike. A high one flattens the probabilities, towards letters thrown from a bag. Top-k cuts off the tail of unlikely tokens, where most nonsense comes from. That all of its names are new is no great praise: it learned little of the list by heart.
#
# Greedy decoding goes round in a circle: manana, manana. There is no chance in it: as soon as the last 16 characters have been there before, all that followed them comes again.

# %% [markdown]
# Who looks at whom, in your own model? Each small picture is an attention head: a row for each letter that looks, a column for each letter that is looked at, dark where the weight is large.

# %% tags=["nbval-ignore-output"]
word = "\nsan salvador"
letters = ["↵", *word[1:].replace(" ", "␣")]
figure, axes = plt.subplots(2, 4, figsize=(9, 5), layout="constrained")
for row, (block, of_heads) in enumerate(zip(axes, attention_of(model, vocabulary.encode(word)))):
    for head, (ax, weights) in enumerate(zip(block, of_heads)):
        ax.imshow(weights, cmap="Blues", vmin=0, vmax=0.5)
        ax.set_xticks(range(len(letters)), letters, fontsize=7)
        ax.set_yticks(range(len(letters)), letters, fontsize=7)
        ax.set_title(f"block {row}, head {head}", fontsize=9)
plt.show()

# %% [markdown]
# The picture: eight square maps, two rows of four. All that lies above the diagonal is white. The first row has a single dark square. Below it most maps are pale, with a few darker spots; in the second block one map has a dark column at the space.
#
# **Explain.** The white triangle is the mask, and the line break in front has only itself to look at. Most attention heads share themselves out over nearly all letters. But one has found something. From the space on, each letter looks back at the space: where does my word begin?

# %% [markdown]
# ## Bug hunt
#
# Three people have written causal attention. Ada does not divide the scores by the root of d. Ben multiplies the scores by the mask, so that what is hidden gets the score 0. Cleo's mask is shifted by one: each position also sees the next.
#
# Each of them is right for some inputs.
#
# **Predict.** There are two positions, with one feature each, and row 0 of the scores is (50, 0) before the mask. Who is right about row 0?

# %%
# prediction 16.10a
%predict

# %%
from grader.broken_engines.attentions import ATTENTIONS

for name, attention in ATTENTIONS.items():
    print(f"{name:6}", attention([[50], [1]], [[1], [0]], [[1], [-1]])[0].round(4))

# %% [markdown]
# **Explain.** All of them. With one feature, d is 1. And the right score, 50, is so far ahead of 0 that what should not be seen gets no weight anyway. Such a bug hides until the scores are close to each other.

# %% [markdown]
# ### Exercise 16.10
#
# In `babygrad/hunts.py`, give for each of the three an input that gives this one away and no other.

# %%
%check 16.10

# %% [markdown]
# ## G. What a large model has more of
#
# | size | yours | GPT-2 (2019) | GPT-3 (2020) | Llama 3.1 (2024) |
# |---|---|---|---|---|
# | weights | 0.000027 billion | 1.5 billion | 175 billion | 405 billion |
# | blocks, features | 2, 32 | 48, 1,600 | 96, 12,288 | 126, 16,384 |
# | context length | 16 | 1,024 | 2,048 | 131,072 |
# | different tokens | 29 | 50,257 | 50,257 | 128,000 |
# | tokens learned from | 3,290 | some ten billion | 300 billion | 15,600 billion |
#
# Sources: Radford and others 2019 (tokens: estimated from 40 GB of text); Brown and others 2020; Grattafiori and others 2024.

# %% [markdown]
# What large models have besides size: rotated queries and keys instead of a positional embedding; and after this training others, with examples of good answers. Llama 3.1 does without weight tying. But the net is this one.

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud, as in an interview.

# %%
%%note 16.R1

# %% [markdown]
# <details><summary><b>Why is the mask put on the scores, and not on the weights?</b></summary>
#
# After softmax the hidden scores have already taken their share: what is left does not add up to 1, and how much is missing tells about the future. A score of -inf before softmax leaves no trace.
#
# </details>
#
# <details><summary><b>What does attention cost, for a context length of n tokens?</b></summary>
#
# n² scores for each head, in time and in memory, and n² · d operations. The MLP costs n · d². So for short texts the MLP is dear, for long ones attention.
#
# </details>

# %%
%predictions 16

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#16-a-small-transformer).

# %% [markdown]
# ## The rule to keep
#
# **Attention is a look-up with shares: each position asks, compares, and mixes what it may see. All the rest of a transformer is what you had.**

# %% [markdown]
# ## Where you are
#
# `make train DATA=cities` trains this model and shows samples, `make train DATA=manual` one that reads Python's own manual. Now a net of your own writes names that no map has, and every gradient in it is yours. The last notebook, 17, reads pictures.
