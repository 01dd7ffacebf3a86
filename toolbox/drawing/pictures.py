"""Small pictures in a row: ink on paper, or numbers of both signs."""

import numpy as np

from .colours import INK, LINES, PLOT
from .plots import axes_on_a_card


def in_a_row(pictures, titles, signed=False, columns=8):
    """Draw pictures (n, height, width), each with a title, at most `columns` beside each other.

    signed: blue above 0, orange below, white at 0, each picture by its own largest number; otherwise dark ink on white
        paper, from 0 to 1, or to the largest number of all.
    """
    import matplotlib.pyplot as plt  # imported here because it takes half a second
    from matplotlib.colors import LinearSegmentedColormap

    pictures = np.asarray(pictures)
    rows = -(-len(pictures) // columns)
    size = (1.2 * columns, 1.5 * rows)
    _, axes = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    axes_on_a_card(axes[0, 0], None)
    both = LinearSegmentedColormap.from_list("both signs", [LINES[1], PLOT, LINES[0]])
    for ax in axes.flat:
        ax.set_axis_off()
    for ax, picture, title in zip(axes.flat, pictures, titles):
        most = (np.abs(picture).max() if signed else max(1, pictures.max())) or 1
        ax.imshow(picture, cmap=both if signed else "gray_r", vmin=-most if signed else 0, vmax=most)
        ax.set_title(title, color=INK, fontsize="small")
    plt.show()
