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
    figure, ax = plt.subplots(figsize=(1.2 * columns, 1.5 * rows))  # one for all: axes for each take a second
    figure.subplots_adjust(0, 0, 1, 1)
    axes_on_a_card(ax, None)
    both = LinearSegmentedColormap.from_list("both signs", [LINES[1], PLOT, LINES[0]])
    for place, (picture, title) in enumerate(zip(pictures, titles)):
        most = (np.abs(picture).max() if signed else max(1, pictures.max())) or 1
        left, top = 1.2 * (place % columns) + 0.05, 1.5 * (place // columns) + 0.35  # inches
        looks = dict(cmap=both if signed else "gray_r", vmin=-most if signed else 0, vmax=most)
        ax.imshow(picture, extent=(left, left + 1.1, top + 1.1, top), label=title, **looks)
        above = (left + 0.55) / (1.2 * columns), 1 - (top - 0.1) / (1.5 * rows)
        figure.text(*above, title, color=INK, fontsize="small", ha="center")
    ax.set(xlim=(0, 1.2 * columns), ylim=(1.5 * rows, 0))
    ax.set_axis_off()
    plt.show()
