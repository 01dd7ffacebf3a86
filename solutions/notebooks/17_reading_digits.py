# %% [markdown]
# # 17 · Reading digits: a convolution, and what it sees
#
# A picture is more than a row of numbers: its pixels have neighbours. Small filters that slide over a picture make use of that. A net of them reads digits. Then you ask it what it looks at, and you fool it.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import numpy as np

from babygrad import Tensor, conv, nn
from babygrad.conv import conv2d, fooled, saliency, windows
from babygrad.conv_net import Conv2d, reading_net
from babygrad.nn import predict
from toolbox import Pad
from toolbox.drawing.pictures import in_a_row
from toolbox.films.cells import travel
from toolbox.films.windows import window_slides
from toolbox.training.quick import program_text
from toolbox.training.small_digits import moved, right, trained, x, x_new, y_new

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - say what an MLP cannot know about a picture, and cut a picture into windows,
# - write a convolution as one matrix product, and follow a gradient there and back,
# - say what pooling does, and how batch norm differs in training and in use,
# - show what a net sees, with a saliency map, and say what such a map does not show,
# - fool a net with a small step, and train one that holds up better,
# - find three kinds of broken convolution from the outside.

# %% [markdown]
# ## Recall

# %%
%quiz before 17

# %% [markdown]
# <details class="recall"><summary>From notebooks 07, 09 and 12, without looking</summary>
#
# 1. x has the shape (2, 3, 4). What is the shape of `x.transpose((1, 0, 2)).reshape(3, 8)`, and which numbers are in its row 0?
# 2. A number is used in three places. What is its gradient made of?
# 3. What does Dropout do differently in training and in use?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: (3, 8). Row 0 has x[0, 0] and then x[1, 0].
# - **2**: The sum of what comes from the three places.
# - **3**: In training it sets numbers to 0 at random; in use it leaves all as they are.
#
# </details>

# %% [markdown]
# ## A. What an MLP cannot know
#
# scikit-learn's digits have 8 × 8 pixels, from 0 (paper) to 1 (ink): `x` and `x_new`, rows of 64 numbers. An MLP with one hidden layer learns from the 1,437 of `x` and is asked about the 360 of `x_new`. `trained` takes the steps, compiled if your compiler of notebook 15 is there. `right` gives the share that is read right.

# %% tags=["nbval-ignore-output"]
mlp = trained(nn.MLP([64, 64, 10], rng=np.random.default_rng(0)), x, epochs=10)
print(f"the MLP reads {right(mlp, x_new):.1%}")
of_each = np.array([np.flatnonzero(y_new == digit)[0] for digit in range(10)])
in_a_row(x_new[of_each].reshape(-1, 8, 8), [f"a {digit}" for digit in range(10)], columns=10)

# %% [markdown]
# The picture: ten handwritten digits of 8 × 8 grey squares.
#
# Now somebody shuffles the pixels: pixel 0 goes to place 41, pixel 1 to place 7, and so on, in the same way for all pictures. You would not recognise a single digit.
#
# **Predict.** An MLP is trained on shuffled pictures, and asked about shuffled ones. What share does it read right? And what does the first MLP read of digits that were moved to the right, by one column and by two? (Blind guessing: 10 %.)

# %%
# prediction 17.A1
%predict

# %% tags=["nbval-ignore-output"]
order = np.random.default_rng(1).permutation(64)
of_shuffled = trained(nn.MLP([64, 64, 10], rng=np.random.default_rng(0)), x[:, order], epochs=10)
print(f"it reads {right(of_shuffled, x_new[:, order]):.1%} of the shuffled digits")
for columns in (1, 2):
    print(f"the first one, moved by {columns}: {right(mlp, moved(x_new, columns)):.1%}")
in_a_row(x_new[of_each][:, order].reshape(-1, 8, 8), [f"a {digit}" for digit in range(10)], columns=10)

# %% [markdown]
# The picture: ten squares of grey specks without any form.
#
# **Explain.** It reads shuffled digits as well as before. To an MLP the pixels are a list; which of them are neighbours it has never been told. And a digit that moves is a new one to it: one column, and more than half are misread; two, and it guesses. A stroke in column 3 and the same stroke in column 5 do not share a single weight.
#
# So two things are wanted: look at neighbours together, and use the same weights everywhere.

# %% [markdown]
# ## B. One product
#
# Take a picture of 3 × 4 pixels, and a *filter* of 2 × 2 weights:
#
# $$\begin{pmatrix} 0 & 0 & 1 & 1 \\ 0 & 0 & 1 & 1 \\ 0 & 0 & 1 & 1 \end{pmatrix} \qquad \begin{pmatrix} -1 & 1 \\ -1 & 1 \end{pmatrix}$$
#
# Lay the filter on the upper left corner, multiply each weight with the pixel below it, add up: 0. One column further: 0 + 1 + 0 + 1 = 2. Once more: -1 + 1 - 1 + 1 = 0. It answers where paper meets ink on its right; the other way round it would say -2. To slide a filter over all places is a **convolution**; what it answers is again a picture, a **feature map**. (In mathematics a convolution turns the filter by half a turn first; ours is called a *cross-correlation*.)

# %% [markdown]
# What a filter sees at once is a *window* of the picture. The **stride** is how far apart two windows begin. **Padding** puts zeros around the picture, so that windows can begin on its edge.
#
# ### Exercise 17.1
#
# Fill in `places` and `Windows.forward` in `babygrad/conv.py`; the padding is there. Work out with pencil how many windows of 3 fit along 8 pixels, at stride 1 and 2, without padding and with padding 1; then write the formula.

# %%
%check 17.1

# %% [markdown]
# Twelve pixels, and 24 numbers in windows. Watch where they come from.

# %%
window_slides(windows, [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], size=2)

# %% [markdown]
# Without padding nothing is copied: `sliding_window_view` gives a view. The next window on the right begins one place further in memory, and so does the next number in a row of a window.

# %% [markdown]
# **A good place to stop.** You have all windows of a picture. On a fresh kernel, run the imports.

# %% [markdown]
# ### And back
#
# **Predict.** From a picture of 3 × 3 all four windows of 2 × 2 are cut. Each of the 16 numbers in them gets the gradient 1. What gradient does the middle pixel get, what a corner, and what the middle of an edge?

# %%
# prediction 17.B1
%predict

# %% [markdown]
# **Explain.** 4, 1 and 2: the middle pixel lies in all four windows, a corner in one. Each window sends a share, and shares are added. So the rule of `Windows` lays the gradients of all windows back on the picture, each where it was cut, and adds. Call that `Overlay`. Its own rule, given, cuts windows out. Each is the other's rule (its *adjoint*), not its inverse.
#
# ### Exercise 17.2
#
# Fill in the rule `Windows.backward`, and the loop of `Overlay.forward`, which adds the windows to `padded`. A loop over all windows is slow: real pictures have thousands. One over the few places *inside* a window is enough: at stride 2, what stands second in the first row of each window lands in columns 1, 3, 5: a slice with a step.

# %%
%check 17.2

# %% [markdown]
# Your own rule: follow the 5, there and back.

# %%
travel(lambda t: windows(t.reshape(1, 1, 2, 3), 2), [[1, 2, 3], [4, 5, 6]])

# %% [markdown]
# ### All answers at once
#
# Write each window as a column, and each filter as a row. Then the answers of all filters on all windows are one matrix product. For the picture above, with a second filter that looks for horizontal edges:
#
# $$\begin{pmatrix} -1 & 1 & -1 & 1 \\ -1 & -1 & 1 & 1 \end{pmatrix} \begin{pmatrix} 0 & 0 & 1 & 0 & 0 & 1 \\ 0 & 1 & 1 & 0 & 1 & 1 \\ 0 & 0 & 1 & 0 & 0 & 1 \\ 0 & 1 & 1 & 0 & 1 & 1 \end{pmatrix} = \begin{pmatrix} 0 & 2 & 0 & 0 & 2 & 0 \\ 0 & 0 & 0 & 0 & 0 & 0 \end{pmatrix}$$

# %% [markdown]
# A photograph has three **channels**: red, green and blue; after a layer of 8 filters there are 8. A filter has weights for each channel, all in its row, channel by channel, and so has a window in its column. A batch only makes more columns: the windows of the first picture, then those of the second. (So the product has filters before pictures: they must change places.)
#
# 64 pictures of one channel, 28 × 28, go through a layer of 8 filters of 5 × 5, without padding. What is the shape of the answer? How many weights are there, with biases, and how many in a linear layer from 784 numbers to the answer for one picture?

# %%
layer = Conv2d(1, 8, kernel_size=5, rng=np.random.default_rng(0))
rows = conv.places(28, 5)
print("the answer:", (64, 8, rows, rows))
print("weights of the filters:", sum(p.size for p in layer.parameters()))
print(f"weights of a linear layer: {(784 + 1) * 8 * rows * rows:,}")

# %% [markdown]
# **Explain.** 208 weights, and they are asked 576 times in each picture: that is **weight sharing**. The linear layer has 3.6 million, and would have to learn the same edge at 576 places.
#
# ### Exercise 17.3
#
# Fill in `conv2d`; the windows are cut already. Write down the shapes first: `cut`, the matrix of windows, that of the filters, the product, the answer.

# %%
%check 17.3

# %% [markdown]
# It is made of operations, so gradients of gradients work at once (notebook 14), and `compile` (15). If your compiler is there, this is the program of a convolution and its gradients.

# %% jupyter={"source_hidden": true} tags=["nbval-ignore-output"]
pictures, filters = Tensor(np.ones((1, 1, 4, 4))), Tensor(np.ones((2, 1, 3, 3)))


def both_gradients(above):
    pictures.zero_grad()
    filters.zero_grad()
    (conv2d(pictures, filters) * above).sum().backward()


print(program_text(both_gradients, np.ones((1, 2, 2, 2))))

# %% [markdown]
# **A good place to stop.** You have a convolution and its gradients. On a fresh kernel, run the imports and the cell that makes `mlp`.

# %% [markdown]
# ## C. Pooling, and batch norm
#
# A feature map says *exactly* where an edge is, and that is more than one wants to know. Here is one, and what weight sharing makes of it if the digit moves by a column:
#
# $$\begin{pmatrix} 0 & 7 & 0 & 0 \\ 0 & 0 & 0 & 0 \\ 2 & 0 & 0 & 0 \\ 0 & 0 & 0 & 0 \end{pmatrix} \qquad \begin{pmatrix} 0 & 0 & 7 & 0 \\ 0 & 0 & 0 & 0 \\ 0 & 2 & 0 & 0 \\ 0 & 0 & 0 & 0 \end{pmatrix}$$
#
# **Pooling** takes of each window the largest number (*max pooling*) or the mean. Of the first, windows of 2 × 2 side by side leave 7, 0 above 2, 0; of the second 0, 7 above 2, 0. The 7 still moves; the 2 does not. The picture is half as wide and high, and some small movements are gone. If two are the largest, your `max` shares the gradient between them; PyTorch gives it all to the first.
#
# ### Exercise 17.4
#
# Fill in `max_pool2d`. `in_front` brings each window's numbers to axis 0. (`avg_pool2d`, for means, is given.)

# %%
%check 17.4

# %% [markdown]
# **Batch norm** is given: `BatchNorm2d`. LayerNorm (notebook 12) normalised each row by itself. Batch norm takes each *channel*, over all places and all pictures of the batch, to mean 0 and standard deviation 1; then it stretches and shifts it by two learned numbers. With it the net learns faster; why, is disputed. Measured with the net of section D, after three epochs: 92 to 95 % read right with it, 74 to 82 % without (three first weights each).
#
# But in training, what a picture gets depends on the *other* pictures of its batch. In use that must not be: a 7 is a 7, alone or in company. So batch norm leads two lives. In training it normalises with the numbers of the batch, and lets **running numbers** follow them, a tenth of the way each time. In use, after `model.eval()`, it takes these.
#
# Five pictures go through a net together, then the first of them with four others. Are its scores the same?

# %% jupyter={"source_hidden": true} tags=["nbval-ignore-output"]
net = reading_net(8, np.random.default_rng(0))
for mode in ("in training", "in use"):
    net.train(mode == "in training")
    one, other = (net(Tensor(x_new[[0, *others]])).data[0] for others in ([1, 2, 3, 4], [5, 6, 7, 8]))
    print(f"{mode:12} the scores of one picture differ by {np.abs(one - other).max():.4f}")

# %% [markdown]
# **Explain.** In training they differ, in use not at all. No gradient changes the running numbers, but they are saved with the weights.
#
# Whoever forgets `eval()` gets scores that depend on the company, and each batch that is asked about moves the running numbers too.

# %% [markdown]
# ## D. It reads
#
# `reading_net` puts it together, in the manner of LeNet (1998), with the batch norm and relu of later years: filters, batch norm, relu, pooling; once more; then an MLP. With 8 × 8 pixels the filters are 3 × 3, with padding 1, and the second pooling leaves 2 × 2 places of 16 channels.
#
# **Predict.** The MLP read less than half of the digits that were moved by one column, and guessed at two. What will the net of filters reach?

# %%
# prediction 17.D1
%predict

# %% tags=["nbval-ignore-output"]
reader = trained(reading_net(8, np.random.default_rng(0)), x, epochs=6)
for columns in (0, 1, 2):
    shares = [right(model, moved(x_new, columns)) for model in (reader, mlp)]
    print(f"moved by {columns}: filters {shares[0]:.1%}, MLP {shares[1]:.1%}")

# %% [markdown]
# **Explain.** Where the digits stand in the middle, filters gain little here: 8 × 8 pixels are so few that an MLP learns each place by itself. The gain shows when they move. Weight sharing and pooling are no miracle: the filters are the same everywhere, but the last layers still ask *where* a feature was, in a grid of 2 × 2.
#
# With 28 × 28 pixels it is another matter. The next cell trains such a net on MNIST for two epochs if the files are there (`docs/using.md` says where from), and shows a run that was recorded if they are not.

# %% jupyter={"source_hidden": true} tags=["nbval-ignore-output"]
from toolbox.training.mnist_filters import reading_mnist

mnist = reading_mnist()
print(mnist.told)

# %% [markdown]
# Measured, with 8,000 of the 10,000 test pictures to learn from and the other 2,000 to ask about: the filters read more than 98 % (on average, over five first weights), an MLP with 128 hidden units about 96 %. (Published numbers, above 99 %, are for 60,000 pictures to learn from.) `make train DATA=mnist NET=conv` is the whole run, with a film of the filters.

# %% [markdown]
# ### Write one yourself
#
# Draw a digit with the mouse or a finger, or choose one, with the keyboard too. Then move it, pixel by pixel. When does the net lose it? (It is the net for MNIST if that was trained, else `reader`.)

# %% tags=["nbval-ignore-output"]
Pad(*(mnist.net or (reader, x_new, y_new)))

# %% [markdown]
# ## E. What it sees
#
# The first layer can be shown as it is: its filters, and what they answer to a picture.

# %% jupyter={"source_hidden": true} tags=["nbval-ignore-output"]
first = reader.layers[1]
digit = x_new[y_new == 7][0]
maps = first(Tensor(digit.reshape(1, 1, 8, 8))).data[0]
in_a_row(first.weight.data[:, 0], [f"filter {i}" for i in range(8)], signed=True)
in_a_row([digit.reshape(8, 8), *maps], ["a 7", *[f"map {i}" for i in range(8)]], signed=True, columns=9)

# %% [markdown]
# The picture: above, eight filters of 3 × 3, blue where ink counts for, orange where it counts against. Some have a blue and an orange side: they look for edges. Below, a 7, and the eight feature maps, in which its strokes show light and dark.
#
# Deeper layers cannot be shown like that: their filters look at eight channels at once. But the net is a function of the picture, and your engine differentiates it. Which pixels would change the score of "7" most? That is the gradient of this score with respect to the picture: a **saliency map**.
#
# ### Exercise 17.5
#
# Fill in `saliency`. The weights are left in peace: nothing may arrive in their `.grad`.

# %%
%check 17.5

# %% jupyter={"source_hidden": true} tags=["nbval-ignore-output"]
chosen = x_new[of_each[[7, 2, 9]]]
labels = predict(reader, chosen).argmax(axis=1)
in_a_row(chosen.reshape(-1, 8, 8), [f"read as {label}" for label in labels], columns=3)
maps = np.concatenate([saliency(reader, chosen, labels), saliency(reader, chosen, [3, 3, 3])])
in_a_row(maps.reshape(-1, 8, 8), [*[f"score of {label}" for label in labels], *3 * ["score of 3"]], True, columns=3)

# %% [markdown]
# The picture: three digits, below each of them two maps, blue where more ink would raise the score, orange where it would lower it. The upper map is of the digit's own score, the lower one of the score of 3. Much of the blue is beside the strokes, on paper.

# %% [markdown]
# What a saliency map does *not* show: why the net decides so. It tells what a *small* change of a single pixel would do, here, to this one score. It says nothing of larger changes, or of pixels that matter only together. And maps that look convincing need not depend on what the net knows: some ways to draw them (not this one) hardly change when the weights are replaced by random numbers (Adebayo and others 2018). A map is a question to go on with: cover the place in many pictures, and see whether the answers change.

# %% [markdown]
# **A good place to stop.** You have asked the net what it sees. On a fresh kernel, run the imports and the cells that make `mlp`, `reader` and `mnist`.

# %% [markdown]
# ### Fool it
#
# Now change the picture so that the loss grows. Move each pixel by the same small step, up or down, as the *sign* of the loss's gradient says (where that is 0, it stays). It is the **fast gradient sign method** (Goodfellow and others 2015), and the result is an **adversarial example**.
#
# ### Exercise 17.6
#
# Fill in `fooled`. What comes out must still be a picture, from 0 to 1.

# %%
%check 17.6

# %% [markdown]
# **Predict.** Each pixel is moved by 0.1, up or down, within 0 to 1. First at random: what share does the net still read right? Then by the fast gradient sign method?

# %%
# prediction 17.E1
%predict

# %% tags=["nbval-ignore-output"]
rng = np.random.default_rng(0)
at_random = np.clip(x_new + 0.1 * rng.choice([-1, 1], x_new.shape), 0, 1)
print(f"as they are {right(reader, x_new):.1%}, at random {right(reader, at_random):.1%}")
print(f"by the sign of the gradient {right(reader, fooled(reader, x_new, y_new, 0.1)):.1%}")

# %% [markdown]
# **Explain.** Random changes cancel each other: of 64 small pushes about half help. These all push in the same direction. 64 pixels times 0.1 times their slopes add up to a large change of the loss, although no single pixel has changed much. The more pixels there are, the smaller the step may be: on 8 × 8 you see an adversarial example well, on a photograph the eye does not. Here is the net for MNIST, with 28 × 28 pixels and a step of 0.1.

# %% jupyter={"source_hidden": true} tags=["nbval-ignore-output"]
in_a_row(mnist.filters, [f"filter {i}" for i in range(8)], signed=True)
in_a_row([mnist.picture, mnist.fooled], mnist.titles, columns=2)
in_a_row([mnist.saliency], ["score of 7"], signed=True, columns=1)

# %% [markdown]
# The picture: eight filters of 5 × 5, some of them with a blue and an orange side; a 7 on white paper, and its adversarial example on grainy paper, read as a 3; and the saliency map of the first, blue and orange mostly on and around the strokes.
#
# One can harden a net against this: in each batch show it the pictures, and beside them the same pictures as they fool it *now*, with their true labels. This is **adversarial training**.
#
# Here a copy of the reader gets one more epoch, of adversarial training.

# %% tags=["nbval-ignore-output"]
def with_fooled(rows, labels):
    return np.concatenate([rows, fooled(hard, rows, labels, 0.1)]), np.concatenate([labels, labels])


hard = reading_net(8)
hard.load_state_dict(reader.state_dict())
trained(hard, x, epochs=1, lr=0.05, batches=with_fooled)
for name, model in {"as before": reader, "hardened": hard}.items():
    print(f"{name}: {right(model, x_new):.1%}, fooled {right(model, fooled(model, x_new, y_new, 0.1)):.1%}")

# %% [markdown]
# **Explain.** After adversarial training it holds up clearly better, and reads untouched digits nearly as well. It is not safe: a larger step fools it, and so may better attacks than one step of the fast gradient sign method. A defence is measured against the attacks that one thought of.

# %% [markdown]
# ## Bug hunt
#
# Three people have written a convolution. Ada turns the filter round, as in mathematics. Ben writes the gradients of overlapping windows over each other instead of adding them. Cleo's padding leaks: where there should be zeros, she has what lies on the opposite side of the picture.
#
# **Predict.** A filter of 2 × 2 ones, stride 2, no padding, any picture of 4 × 4. Who is wrong?

# %%
# prediction 17.7a
%predict

# %%
from grader.broken_engines.convolutions import CONVOLUTIONS

picture = np.arange(16).reshape(4, 4).tolist()
for name, convolution in CONVOLUTIONS.items():
    answer, gradient = convolution(picture, [[1, 1], [1, 1]], 2, 0)
    print(f"{name:6}", answer.tolist(), gradient[0].tolist())

# %% [markdown]
# **Explain.** Nobody. Turned round, ones are ones; windows side by side do not overlap; and there is no padding that could leak. A test that looks like this one finds nothing.

# %% [markdown]
# ### Exercise 17.7
#
# In `babygrad/hunts.py`, give for each of the three a question that gives this one away and no other. Ben's is in the docstring: change it for the other two. A wrong gradient counts as much as a wrong answer.

# %%
%check 17.7

# %% [markdown]
# ## Reflection
#
# Write an answer before you unfold ours.

# %%
%%note 17.R1

# %% [markdown]
# <details><summary><b>Why does the sign of the gradient fool a net more than the gradient itself, scaled to the same largest change?</b></summary>
#
# No pixel may move by more than the step. To first order the loss grows by the sum of slope times movement. That is largest if each pixel moves as far as it may, however small its slope is. The scaled gradient moves a single pixel so far, and all others less.
#
# </details>

# %%
%predictions 17

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#17-reading-digits-a-convolution-and-what-it-sees).

# %% [markdown]
# ## The rule to keep
#
# **A convolution is one product of filters and windows; on the way back, what lay in several windows gets a share from each.**

# %% [markdown]
# ## Where you are
#
# This was the last notebook. You began with a number that was nudged. Now you nudge all pixels of a picture at once, with one walk back, and a net that read a 7 reads a 3.
