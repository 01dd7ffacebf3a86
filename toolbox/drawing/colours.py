"""The colours of all drawings: graphs and plots.  None of them carries a meaning that no shape or word carries too."""

INK, SOFT_INK, LINE = "#1c2733", "#4d5a69", "#7d8b9b"  # words, quiet words, arrows and borders

# A graph, on a card of its own: it looks the same on a light page and on a dark one.
RESULT, LEAF, CONSTANT, OPERATION = "#ffffff", "#d9eafc", "#eef1f5", "#fde7bd"
CARD, EDGE_OF_CARD = "#f8fafc", "#d5dce4"

LIT = "#b3470d"  # what a player points at; it is thicker, too

# A plot. Colour-blind readers can tell its lines and classes apart.
PLOT, GRID, CONTOUR = "#ffffff", "#d5dce4", "#9aa7b4"
LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9")
# Of each class, the lowest label first: marker, colour, and the shade of its side.
CLASSES = (
    ("o", "#d55e00", "#f6d3bd"),
    ("^", "#0072b2", "#bcd9ec"),
    ("s", "#009e73", "#bfe6da"),
    ("D", "#cc79a7", "#f2dce8"),
    ("P", "#e6c700", "#f8f1c4"),
)
SHADES = (*(shade for *_, shade in CLASSES), "#ddd6f3")  # of the cells of an array, to follow them by
