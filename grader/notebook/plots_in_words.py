"""What a matplotlib figure shows, in words: for readers who cannot see it.

Whatever a cell draws, the learner's own plots too, comes with these words as text/plain and as alternative text:
what is on the axes, where each line begins and ends, its lowest and highest point, how many points lie where.
"""

import itertools
import numbers

FEW = 7  # points that are all named
SHORT = 12  # bars, texts


def install(shell):
    """From now on the figures that this shell shows come with words.

    A formatter for Figure would be the usual way; matplotlib takes it away when it begins to draw into a notebook.
    """
    as_always = shell.display_formatter.format

    def with_words(shown, include=None, exclude=None):
        data, metadata = as_always(shown, include, exclude)
        if type(shown).__module__ == "matplotlib.figure":
            data["text/plain"] = in_words(shown)
            if "image/png" in data:
                metadata.setdefault("image/png", {})["alt"] = data["text/plain"]
        return data, metadata

    shell.display_formatter.format = with_words


def in_words(figure):
    """A sentence or more about each pair of axes of a matplotlib Figure."""
    try:
        plots = [" ".join(_plot(ax)) for ax in figure.axes if ax.get_visible() and _drawn_on(ax)]
    except Exception:  # a learner may draw anything: that it cannot be worded must not cost them the picture
        return f"Plot: {len(figure.axes)} axes."
    title = f"{figure.get_suptitle()}: " if figure.get_suptitle() else ""
    if len(plots) == 1:
        return f"Plot: {title}{plots[0]}"
    return f"Plots, {len(plots)}: {title}" + " ".join(f"({number}) {words}" for number, words in enumerate(plots, 1))


def _drawn_on(ax):
    return ax.axison or ax.lines or ax.collections or ax.images or ax.patches or ax.texts or ax.get_title()


def _plot(ax):
    if ax.get_title():
        yield f"{_tidy(ax.get_title())}."
    if ax.axison and (across := _axis("Across", ax.xaxis)):
        yield across
    if ax.axison and (up := _axis("Up", ax.yaxis)):
        yield up
    for image in ax.images:
        yield _image(ax, image)
    for collection in ax.collections:
        yield from _collection(collection)
    for line in ax.lines:
        yield _line(ax, line)
    yield from _patches(ax.patches)
    yield from _texts(ax.texts)


def _axis(way, axis):
    label, scale = _tidy(axis.get_label_text()), axis.get_scale()
    logarithmic = " (logarithmic)" if scale == "log" else ""
    return f"{way}: {label}{logarithmic}." if label else f"{way}{logarithmic}." if logarithmic else ""


def _line(ax, line):
    name, (xs, ys) = _name(line, "Line"), line.get_data()
    if line.get_transform() == ax.get_yaxis_transform(which="grid"):
        return f"{name}: level at {_number(ys[0])}."
    if line.get_transform() == ax.get_xaxis_transform(which="grid"):
        return f"{name}: upright at {_number(xs[0])}."
    points = _finite(xs, ys if ax.get_yscale() == "log" else _without_noise(ys))
    if len(points) <= FEW:
        return f"{name}: {_listed(points)}." if points else f"{name}: no points."
    if all(b[0] <= a[0] for a, b in itertools.pairwise(points)):
        points.reverse()
    return f"{name}: {len(points)} points, from {_point(points[0])} to {_point(points[-1])}{_between(points)}."


def _between(points):
    """What lies between a line's ends: it only rises or falls, or where it turns."""
    ys = [y for _, y in points]
    steps = [b - a for a, b in itertools.pairwise(ys)]
    across = all(b[0] >= a[0] for a, b in itertools.pairwise(points))
    if not across:
        return f", {_span(ys)} in height"
    if all(step == 0 for step in steps):
        return ", level"
    halfway = f", halfway {_point(points[len(points) // 2])}"
    if all(step >= 0 for step in steps):
        return f"{halfway}, never falling"
    if all(step <= 0 for step in steps):
        return f"{halfway}, never rising"
    lowest, highest = (pick(points, key=lambda point: point[1]) for pick in (min, max))
    ends = (points[0], points[-1])
    turns = [f"{word} at {_point(at)}" for word, at in (("lowest", lowest), ("highest", highest)) if at not in ends]
    return f"{halfway}, {' and '.join(turns) or 'with ups and downs'}"


def _collection(collection):
    """Points of a scatter plot; lines at a height of a contour plot. A shade only repeats its boundary."""
    if hasattr(collection, "levels"):
        if not collection.filled:
            yield from _contours(collection)
        return
    points = _finite(*collection.get_offsets().T) if len(collection.get_offsets()) else []
    if len(points) > FEW:
        xs, ys = zip(*points)
        yield f"{_name(collection, 'Points')}: {len(points)} points, {_span(xs)} across, {_span(ys)} up."
    elif points:
        yield f"{_name(collection, 'Points')}: {_listed(points)}."


def _contours(collection):
    if len(collection.levels) > 1:
        yield f"Contour lines at {', '.join(map(_number, collection.levels))}."
        return
    vertices = collection.get_paths()[0].vertices
    if len(vertices):
        few = [vertices[round(place * (len(vertices) - 1) / (FEW - 1))] for place in range(FEW)]
        yield f"Border (where the value is {_number(collection.levels[0])}) through {_listed(few)}."


def _image(ax, image):
    """Name and size; where its rows and columns have names, also which column is largest in each row."""
    values, name = image.get_array(), _name(image, "")
    rows, columns = values.shape[:2]
    if values.ndim > 2:
        return f"An image of {rows} by {columns} points."
    size = f"{name and f'{name}: '}{rows} by {columns} numbers, {_span(values.ravel())}"
    down, across = ([tick.get_text() for tick in axis.get_ticklabels()] for axis in (ax.yaxis, ax.xaxis))
    if not (ax.axison and len(down) == rows <= FEW**2 and len(across) == columns):
        return f"{size}."
    largest = "; ".join(f"{name}: {across[row.argmax()]}" for name, row in zip(down, values))
    return f"{size}. The largest of each row: {largest}."


def _patches(patches):
    """Bars of a histogram, rectangles."""
    bars = [patch for patch in patches if hasattr(patch, "get_height") and hasattr(patch, "get_x")]
    if len(bars) > SHORT:
        yield f"{len(bars)} bars, heights {_span([bar.get_height() for bar in bars])}."
    elif bars:
        each = [f"{_number(b.get_width())} by {_number(b.get_height())} at {_point(b.get_xy())}" for b in bars]
        yield f"Rectangles (width by height, lower left corner): {'; '.join(each)}."


def _texts(texts):
    said = [_tidy(text.get_text()) for text in texts if text.get_text().strip()]
    if said:
        yield f"Written on it: {'; '.join(said[:SHORT])}{' ...' if len(said) > SHORT else ''}."


def _name(artist, otherwise):
    label = _tidy(str(artist.get_label()))
    return otherwise if not label or label.startswith("_") else label


def _finite(xs, ys):
    """[(x, y)] of the points that are drawn. Names of categories and dates stay as they are."""
    return [(x, y) for x, y in zip(xs, ys) if _counts(x) and _counts(y)]


def _without_noise(ys):
    """The numbers; those that are 0 but for rounding are 0."""
    sizes = [abs(y) for y in ys if isinstance(y, numbers.Real) and _counts(y)]
    return [0.0 if isinstance(y, numbers.Real) and abs(y) < 1e-12 * max(sizes, default=0) else y for y in ys]


def _counts(value):
    return not isinstance(value, numbers.Real) or abs(value) < float("inf")  # false for nan, too


def _listed(points):
    return ", ".join(map(_point, points))


def _point(point):
    return f"({_number(point[0])}, {_number(point[1])})"


def _span(values):
    return f"{_number(min(values))} to {_number(max(values))}"


def _number(value):
    return f"{value + 0.0:.3g}" if isinstance(value, numbers.Real) else str(value)


def _tidy(text):
    return " ".join(text.split())
