"""Data sets to train on."""

import math
from pathlib import Path

import numpy as np

from babygrad.arrays import paired, whole_number

from .idx import read_images_and_labels

MNIST_NAMES = {
    "train": ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"),
    "test": ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"),
}
WHERE_FROM = "docs/using.md says where to get MNIST's four files and where to put them."


def make_moons(n_samples=100, noise=0.1, seed=0):
    """Two interleaved half moons.

    Returns (points, labels): an array of shape (n_samples, 2) and an array of n_samples ints, 0 or 1.
    noise: the standard deviation of the points around their moons.
    Source: scikit-learn's make_moons.
    """
    from sklearn import datasets  # imported here because it takes a second

    return datasets.make_moons(n_samples, noise=noise, random_state=seed)


def make_circles(n_samples=100, noise=0.1, seed=0):
    """A circle of points inside another twice as large.

    Returns (points, labels): an array of shape (n_samples, 2) and an array of n_samples ints, 0 (outside) or 1.
    noise: the standard deviation of the points around their circles.
    Source: scikit-learn's make_circles, with factor=0.5.
    """
    from sklearn import datasets

    return datasets.make_circles(n_samples, noise=noise, random_state=seed, factor=0.5)


def make_spirals(n_samples=100, noise=0.05, seed=0):
    """Two arms that wind round each other once.

    Returns (points, labels): an array of shape (n_samples, 2) and an array of n_samples ints, 0 or 1 in turn.
    noise: the standard deviation of the points around their arms.
    Source: our own; the arms are spirals of Archimedes.
    """
    rng = np.random.default_rng(whole_number("seed", seed, 0))
    labels = np.arange(whole_number("n_samples", n_samples, 1)) % 2
    radius = np.sqrt(rng.uniform(0.02, 1, len(labels)))
    angle = 2 * np.pi * radius + np.pi * labels
    arms = radius * np.stack([np.cos(angle), np.sin(angle)])
    return arms.T + rng.normal(0, noise, (len(labels), 2)), labels


def load_digits():
    """1797 handwritten digits of 8x8 pixels. They come with scikit-learn: nothing is downloaded.

    Returns (x, y): a float64 array of shape (1797, 64), 0 (paper) to 1 (ink), and an int64 array of shape (1797,), the
    digits 0 to 9.
    Source: scikit-learn's load_digits, divided by 16; the test part of UCI's Optical Recognition of Handwritten Digits.
    """
    from sklearn import datasets

    x, y = datasets.load_digits(return_X_y=True)
    return x / 16, y.astype(np.int64)


def load_mnist(root):
    """MNIST, handwritten digits of 28x28 pixels, from four files in the folder root; docs/using.md has their source.

    Returns ((x_train, y_train), (x_test, y_test)), each pair as load_mnist_part gives it: of the original files
    60,000 and 10,000 digits.
    Raises FileNotFoundError that names every file that is missing; IdxError, a ValueError, for a damaged file.
    Source: the MNIST database of LeCun, Cortes and Burges.
    """
    mnist_files(root, *MNIST_NAMES)  # first, so that one message names all that are missing
    return load_mnist_part(root, "train"), load_mnist_part(root, "test")


def load_mnist_part(root, part):
    """One half of MNIST, from two files in the folder root. part: "train" or "test".

    Returns (x, y): a float64 array of shape (N, 784), 0 (paper) to 1 (ink), and an int64 array of shape (N,), 0 to 9.
    The files may be plain or gzipped. Raises as load_mnist does, and ValueError for another part.
    """
    if part not in MNIST_NAMES:
        raise ValueError(f'part must be "train" or "test", but it is {part!r}')
    images, labels = read_images_and_labels(*mnist_files(root, part))
    return images.reshape(len(images), -1) / 255, labels.astype(np.int64)


def mnist_files(root, *parts):
    """The paths of the files of these parts: of each its images, then its labels. Raises FileNotFoundError."""
    folder = Path(root).expanduser().resolve()
    if not folder.is_dir():
        problem = "is a file" if folder.exists() else "does not exist"
        raise FileNotFoundError(f"MNIST is read from the folder {folder}, but that {problem}. {WHERE_FROM}")
    found = {name: file_named(folder, name) for part in parts for name in MNIST_NAMES[part]}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        raise FileNotFoundError(f"missing in {folder}: {', '.join(missing)} (plain, or with .gz). {WHERE_FROM}")
    return list(found.values())


def file_named(folder, name):
    """The first spelling of name that is a file in folder; None if none is. Some mirrors write .idx for -idx."""
    dotted = name.replace("-idx", ".idx")
    paths = [folder / spelling for spelling in (name, f"{name}.gz", dotted, f"{dotted}.gz")]
    return next((path for path in paths if path.is_file()), None)


def train_test_split(x, y, test_size=0.2, seed=0):
    """Two parts of the data, drawn at random; each row of x stays with its row of y.

    x, y: arrays, or what NumPy makes one of, of equal length.
    test_size: the share of the rows in the test part, between 0 and 1 (rounded up), or an int: their number.
    seed: a whole number; the same seed gives the same parts.
    Returns x_train, x_test, y_train, y_test, copies.
    Raises ValueError for x and y of different lengths and for a test_size that leaves one part empty.
    Source: scikit-learn's train_test_split; the order of the rows is our own.
    """
    x, y = paired(x, y)
    count = rows_to_test(test_size, len(x))
    order = np.random.default_rng(whole_number("seed", seed, 0)).permutation(len(x))
    test, train = order[:count], order[count:]
    return x[train], x[test], y[train], y[test]


def rows_to_test(test_size, rows):
    """How many of the rows go to the test part."""
    if not isinstance(test_size, float | np.floating):
        count = whole_number("test_size", test_size, 1)
    elif 0 < test_size < 1:
        count = math.ceil(test_size * rows)
    else:
        raise ValueError(f"test_size must be a share between 0 and 1, or a whole number of rows, but it is {test_size}")
    if count >= rows:
        raise ValueError(f"test_size={test_size} of {rows} rows leaves none to train on: make it smaller")
    return count
