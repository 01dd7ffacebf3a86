"""toolbox.data: the data sets, the files of MNIST and every way in which they arrive damaged, and the batches."""

import ast
import gzip
import inspect
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babygrad import Tensor
from babygrad.arrays import DataLoader
from benchmarks import training_runs
from toolbox.data import sets
from toolbox.data.idx import IdxError, read_idx, read_images_and_labels
from toolbox.data.sets import load_digits, load_mnist, load_mnist_part, make_moons, train_test_split

NAMES = {
    "train": ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"),
    "test": ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"),
}
ALL_NAMES = [*NAMES["train"], *NAMES["test"]]


def idx(array, type_code=0x08):
    """An array as the bytes of an IDX file."""
    header = struct.pack(">HBB", 0, type_code, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    return header + array.tobytes()


def header(*sizes):
    return struct.pack(f">HBB{len(sizes)}I", 0, 0x08, len(sizes), *sizes)


def some_images(count, seed=0, shape=(28, 28)):
    return np.random.default_rng(seed).integers(0, 256, size=(count, *shape), dtype=np.uint8)


def some_labels(count):
    return (np.arange(count) * 7 % 10).astype(np.uint8)


def write_mnist(folder, spelling=lambda name: name, pack=lambda content: content):
    """A small MNIST: 12 digits to train on, 5 to test. Returns what its arrays are, part by part."""
    parts = {"train": (some_images(12, 1), some_labels(12)), "test": (some_images(5, 2), some_labels(5))}
    for part, arrays in parts.items():
        for name, array in zip(NAMES[part], arrays):
            (folder / spelling(name)).write_bytes(pack(idx(array)))
    return parts


def dotted(name):
    return name.replace("-idx", ".idx")


# --- the data sets


def test_what_deals_data_imports_nothing_that_a_learner_writes():
    """A mistake in training.py or optim.py must not take the data sets away from the notebooks before."""
    tree = ast.parse(inspect.getsource(inspect.getmodule(DataLoader)))
    assert [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level] == []
    assert loads_of(sets) == {"babygrad.arrays"}


def loads_of(module):
    """The modules of babygrad that a file of the toolbox imports."""
    nodes = ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8")))
    return {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module.startswith("babygrad")}


def test_moons_are_scikit_learns():
    from sklearn import datasets

    points, labels = datasets.make_moons(50, noise=0.2, random_state=3)
    x, y = make_moons(50, noise=0.2, seed=3)
    np.testing.assert_array_equal(x, points)
    np.testing.assert_array_equal(y, labels)


def test_digits_are_scikit_learns_between_0_and_1():
    from sklearn import datasets

    theirs = datasets.load_digits()
    x, y = load_digits()
    assert (x.shape, x.dtype, y.shape, y.dtype) == ((1797, 64), np.float64, (1797,), np.int64)
    assert (x.min(), x.max()) == (0, 1)
    np.testing.assert_array_equal(x * 16, theirs.data)
    np.testing.assert_array_equal(y, theirs.target)


# --- the files of MNIST


@pytest.mark.parametrize(
    ("spelling", "pack"),
    [
        (lambda name: name, bytes),
        (lambda name: f"{name}.gz", gzip.compress),
        (dotted, bytes),
        (lambda name: f"{dotted(name)}.gz", gzip.compress),
        (lambda name: name, gzip.compress),
        (lambda name: f"{name}.gz" if "train" in name else dotted(name), gzip.compress),
    ],
    ids=["plain", "gzipped", "plain with a dot", "gzipped with a dot", "gzipped without .gz", "mixed"],
)
def test_mnist_is_read_however_it_is_spelled_and_packed(tmp_path, spelling, pack):
    written = write_mnist(tmp_path, spelling, pack)
    for (x, y), (images, labels) in zip(load_mnist(tmp_path), written.values()):
        assert (x.shape, x.dtype, y.shape, y.dtype) == ((len(images), 784), np.float64, (len(images),), np.int64)
        np.testing.assert_array_equal(x, images.reshape(-1, 784) / 255)
        np.testing.assert_array_equal(y, labels)


def test_one_part_needs_only_its_own_files(tmp_path):
    images, _ = write_mnist(tmp_path)["test"]
    for name in NAMES["train"]:
        (tmp_path / name).unlink()
    x, _ = load_mnist_part(str(tmp_path), "test")
    np.testing.assert_array_equal(x, images.reshape(-1, 784) / 255)


def test_another_part_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"\"train\" or \"test\", but it is 'valid'"):
        load_mnist_part(tmp_path, "valid")


@pytest.mark.parametrize("gone", [ALL_NAMES, ALL_NAMES[:1], ALL_NAMES[3:], ALL_NAMES[1:3]], ids=len)
def test_every_missing_file_is_named_and_no_other(tmp_path, gone):
    write_mnist(tmp_path)
    for name in gone:
        (tmp_path / name).unlink()
    with pytest.raises(FileNotFoundError) as caught:
        load_mnist(tmp_path)
    message = str(caught.value)
    assert [name for name in ALL_NAMES if name in message] == gone
    assert str(tmp_path) in message and "docs/using.md" in message


def test_of_one_part_only_its_own_missing_files_are_named(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        load_mnist_part(tmp_path, "test")
    assert [name for name in ALL_NAMES if name in str(caught.value)] == list(NAMES["test"])


def test_a_folder_in_the_place_of_a_file_counts_as_missing(tmp_path):
    write_mnist(tmp_path)
    (tmp_path / ALL_NAMES[0]).unlink()
    (tmp_path / ALL_NAMES[0]).mkdir()
    with pytest.raises(FileNotFoundError, match=f"missing in .*{ALL_NAMES[0]}"):
        load_mnist(tmp_path)


def test_a_root_that_does_not_exist_is_named_in_full(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError) as caught:
        load_mnist("nowhere")
    said = str(caught.value)
    assert all(words in said for words in (str(tmp_path / "nowhere"), "does not exist", "docs/using.md"))


def test_a_root_that_is_a_file_is_told_so(tmp_path):
    (tmp_path / "mnist").write_text("")
    with pytest.raises(FileNotFoundError, match="mnist, but that is a file"):
        load_mnist(tmp_path / "mnist")


def test_read_idx_gives_an_array_of_its_own_with_the_shape_of_the_header(tmp_path):
    written = some_images(3, shape=(4, 5))
    (tmp_path / "f").write_bytes(idx(written))
    read = read_idx(str(tmp_path / "f"))
    assert read.dtype == np.uint8 and read.flags.writeable
    np.testing.assert_array_equal(read, written)


# --- damaged files

GOOD = idx(some_images(5))
PACKED = gzip.compress(GOOD)
PAGE = b"<!DOCTYPE html><html><body>404</body></html>"


def flipped(content, place):
    return content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]


# What the file is called and holds, and words that stand in the message of this damage and of no other.
DAMAGES = {
    "no gzip": ("f.gz", GOOD, "is not gzipped, although its name ends in .gz"),
    "gzip cut short": ("f.gz", PACKED[: len(PACKED) // 2], "is cut short: its gzip data end too early"),
    "gzip corrupt": ("f.gz", flipped(PACKED, -1), "is corrupt: gzip cannot unpack it"),
    "empty": ("f", b"", "is empty"),
    "no header": ("f", GOOD[:3], "is too short for an IDX header: it has 3 bytes"),
    "half a header": ("f", GOOD[:12], "ends inside its header: 3 sizes should stand there"),
    "other magic": ("f", b"PK\3\4" + bytes(40), "is not an IDX file: it begins with the bytes 50 4b 03 04"),
    "floats": ("f", idx(np.ones(3, ">f4"), 0x0D), "holds 32-bit floats, but MNIST's files hold unsigned bytes"),
    "truncated": (
        "f",
        GOOD[:-7],
        "is incomplete: its header promises 5 x 28 x 28 = 3920 bytes, but only 3913 are there",
    ),
    "bytes left over": ("f", GOOD + b"more", "is too long: its header promises 5 x 28 x 28 = 3920 bytes, but 4 more"),
    "no items": ("f", idx(some_images(0)), "holds no items: its header promises 0 x 28 x 28"),
    "a web page": ("f", PAGE, "is a web page"),
    "vast sizes": ("f", header(2**32 - 1, 2**32 - 1, 2**31) + bytes(9), "has a damaged header: 9 bytes are there"),
}
# The same damages in other files.
MORE_DAMAGES = {
    "empty, called gz": ("f.gz", b"", "empty"),
    "empty once unpacked": ("f.gz", gzip.compress(b""), "empty"),
    "only gzip's first bytes": ("f.gz", PACKED[:2], "gzip cut short"),
    "gzip without its last byte": ("f.gz", PACKED[:-1], "gzip cut short"),
    "gzip cut short, not called so": ("f", PACKED[:-20], "gzip cut short"),
    "gzip with an impossible block": ("f.gz", PACKED[:10] + b"\xff" + PACKED[11:], "gzip corrupt"),
    "gzip corrupt inside": ("f.gz", PACKED[:40] + b"\xff" * 40 + PACKED[80:], "gzip corrupt"),
    "gzip with a method nobody knows": ("f.gz", flipped(PACKED, 2), "gzip corrupt"),
    "a web page called gz": ("f.gz", PAGE, "a web page"),
    "a web page after a blank line": ("f", b"\r\n  " + PAGE, "a web page"),
    "a web page with a byte order mark": ("f", b"\xef\xbb\xbf" + PAGE, "a web page"),
    "a gzipped web page": ("f.gz", gzip.compress(PAGE), "a web page"),
    "truncated inside gzip": ("f.gz", gzip.compress(GOOD[:-7]), "truncated"),
}


def refusal(folder, name, content):
    """What read_idx says of such a file."""
    path = folder / name
    path.write_bytes(content)
    with pytest.raises(IdxError) as caught:
        read_idx(path)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value).startswith(f"{path} ")
    return str(caught.value)


@pytest.mark.parametrize("damage", DAMAGES)
def test_each_damage_has_its_own_words(tmp_path, damage):
    name, content, _ = DAMAGES[damage]
    message = refusal(tmp_path, name, content)
    assert [other for other, (_, _, words) in DAMAGES.items() if words in message] == [damage]


@pytest.mark.parametrize("damage", MORE_DAMAGES)
def test_the_same_damage_in_another_file_has_the_same_words(tmp_path, damage):
    name, content, known = MORE_DAMAGES[damage]
    assert DAMAGES[known][2] in refusal(tmp_path, name, content)


@pytest.mark.parametrize(
    "first", [b"\1\0\x08\3", b"\0\0\x07\3", b"\0\0\x0a\3", b"\0\0\x08\0", b"\0\0\x08\xff"], ids=lambda b: b.hex()
)
def test_each_byte_of_the_magic_is_looked_at(tmp_path, first):
    ones = struct.pack(">I", 1) * 255 + b"x"  # sizes of 1, as many as a byte can ask for
    assert f"begins with the bytes {first.hex(' ')}" in refusal(tmp_path, "f", first + ones)


@pytest.mark.parametrize(
    ("type_code", "words"),
    [(0x09, "signed bytes"), (0x0B, "16-bit"), (0x0C, "32-bit integers"), (0x0D, "32-bit floats"), (0x0E, "64-bit")],
)
def test_another_type_of_numbers_is_named(tmp_path, type_code, words):
    assert f"holds {words}" in refusal(tmp_path, "f", idx(some_labels(8), type_code))


@settings(max_examples=50, deadline=None)
@given(cut=st.integers(0, len(GOOD) - 1), packed_cut=st.integers(0, len(PACKED) - 1))
def test_a_file_cut_anywhere_is_refused(tmp_path_factory, cut, packed_cut):
    folder = tmp_path_factory.mktemp("cut")
    refusal(folder, "f", GOOD[:cut])
    refusal(folder, "f.gz", PACKED[:packed_cut])


def write_pair(folder, images, labels):
    paths = [folder / "images", folder / "labels"]
    for path, array in zip(paths, (images, labels)):
        path.write_bytes(idx(array))
    return paths


# Images and labels that are good files, but not what belongs there, and the words of the message.
MISFITS = {
    "labels for images": (some_labels(5), some_labels(5), ["/images holds labels (magic 2049) where images", "2051"]),
    "images for labels": (some_images(5), some_images(5), ["/labels holds images (magic 2051) where labels", "2049"]),
    "two dimensions": (some_images(5).reshape(5, 784), some_labels(5), ["/images has 2 dimensions (magic 2050)"]),
    "more labels": (some_images(5), some_labels(12), ["/images holds 5 images", "/labels holds 12 labels", "renamed"]),
    "fewer labels": (some_images(5), some_labels(1), ["/images holds 5 images", "/labels holds 1 labels"]),
    "wider images": (some_images(5, shape=(28, 32)), some_labels(5), ["/images holds images of 28x32", "28x28"]),
    "784x1": (some_images(5, shape=(784, 1)), some_labels(5), ["/images holds images of 784x1", "28x28"]),
    "a label 10": (some_images(3), np.array([0, 9, 10], np.uint8), ["/labels holds the label 10 at position 2"]),
}


@pytest.mark.parametrize("misfit", MISFITS)
def test_images_and_labels_that_do_not_belong_together_are_told(tmp_path, misfit):
    images, labels, words = MISFITS[misfit]
    with pytest.raises(IdxError) as caught:
        read_images_and_labels(*write_pair(tmp_path, images, labels))
    assert [word for word in words if word not in str(caught.value)] == []


def test_images_and_labels_that_belong_together_are_read(tmp_path):
    labels = np.array([0, 9, 5], np.uint8)
    read = read_images_and_labels(*write_pair(tmp_path, some_images(3), labels))
    np.testing.assert_array_equal(read[0], some_images(3))
    np.testing.assert_array_equal(read[1], labels)


@pytest.mark.parametrize("part", NAMES)
def test_load_mnist_checks_both_parts(tmp_path, part):
    write_mnist(tmp_path)
    images, labels = (tmp_path / name for name in NAMES[part])
    images.rename(tmp_path / "aside")
    labels.rename(images)
    (tmp_path / "aside").rename(labels)
    with pytest.raises(IdxError, match=f"{images.name} holds labels"):
        load_mnist(tmp_path)


def test_the_real_test_files_hold_what_is_known_of_them():
    folder = training_runs.mnist_folder()
    if not any(folder.glob("t10k-images*")):
        pytest.skip(f"no MNIST in {folder}; name a folder by BABYGRAD_MNIST")
    x, y = load_mnist_part(folder, "test")
    assert (x.shape, x.min(), x.max()) == ((10000, 784), 0, 1)
    assert (round(x.mean(), 4), round(x.std(), 4)) == (0.1325, 0.3105)
    assert np.bincount(y).tolist() == [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]
    assert y[:5].tolist() == [7, 2, 1, 0, 4]


# --- two parts


@settings(max_examples=50, deadline=None)
@given(rows=st.integers(2, 60), share=st.floats(0.01, 0.99), seed=st.integers(0, 99))
def test_a_split_keeps_every_row_once_with_its_label_in_parts_of_scikit_learns_sizes(rows, share, seed):
    from sklearn import model_selection

    x, y = np.arange(rows * 2).reshape(rows, 2), np.arange(rows) * 10
    test_size = min(share, (rows - 1) / rows)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size, seed)
    theirs = model_selection.train_test_split(x, y, test_size=test_size)
    assert [len(part) for part in (x_train, x_test, y_train, y_test)] == [len(part) for part in theirs]
    for part_x, part_y in ((x_train, y_train), (x_test, y_test)):
        np.testing.assert_array_equal(part_x[:, 0] * 5, part_y)
    assert sorted([*y_train, *y_test]) == y.tolist()


def test_a_split_takes_a_number_of_rows():
    parts = train_test_split(np.zeros((10, 3)), list(range(10)), test_size=np.int64(3))
    assert [part.shape for part in parts] == [(7, 3), (3, 3), (7,), (3,)]


def test_the_seed_of_a_split_decides_its_rows():
    rows = np.arange(100)
    first, again, other = (train_test_split(rows, rows, seed=seed)[1].tolist() for seed in (1, 1, 2))
    assert first == again != other
    assert first != sorted(first)


# --- batches

ROWS, SIZES, SEEDS, PASSES = st.integers(1, 40), st.integers(1, 45), st.integers(0, 2**40), st.integers(0, 6)


def numbered(rows, size, **options):
    """A loader whose row i is [i, i], with label 10 i."""
    x = np.repeat(np.arange(rows)[:, None], 2, axis=1)
    return DataLoader(x, np.arange(rows) * 10, size, **options)


def dealt(passes):
    """The batches as lists of labels: comparable."""
    return [y.tolist() for _, y in passes]


@settings(max_examples=50, deadline=None)
@given(rows=ROWS, size=SIZES, seed=SEEDS, shuffle=st.booleans())
def test_a_pass_deals_each_row_once_with_its_label(rows, size, seed, shuffle):
    loader = numbered(rows, size, seed=seed, shuffle=shuffle)
    for _ in range(2):
        batches = list(loader)
        assert sorted(np.concatenate([y for _, y in batches])) == [10 * i for i in range(rows)]
        for x, y in batches:
            np.testing.assert_array_equal(x, np.stack([y, y], axis=1) // 10)


@settings(max_examples=50, deadline=None)
@given(rows=ROWS, size=SIZES, drop_last=st.booleans())
def test_len_is_the_number_of_batches_and_all_but_the_last_are_full(rows, size, drop_last):
    if drop_last:
        rows += size
    loader = numbered(rows, size, drop_last=drop_last)
    sizes = [len(y) for _, y in loader]
    left = [rows % size] if rows % size and not drop_last else []
    assert sizes == [size] * (rows // size) + left
    assert len(loader) == len(sizes)


@settings(max_examples=50, deadline=None)
@given(rows=ROWS, size=SIZES, seed=SEEDS, k=PASSES)
def test_a_loader_set_to_pass_k_deals_what_the_other_deals_after_k_passes(rows, size, seed, k):
    first, resumed = numbered(rows, size, seed=seed), numbered(rows, size, seed=seed)
    for _ in range(k):
        list(first)
    resumed.epoch = first.epoch
    assert dealt(resumed) == dealt(first)
    assert first.epoch == resumed.epoch == k + 1


def test_each_pass_and_each_seed_has_an_order_of_its_own():
    orders = [dealt(loader) for loader in (numbered(50, 50, seed=seed) for seed in (0, 1)) for _ in range(3)]
    assert len({str(order) for order in orders}) == 6


def test_the_order_takes_nothing_from_numpys_global_state_and_changes_none_of_it():
    np.random.seed(0)
    before = np.random.get_state()[1].tolist()
    first = dealt(numbered(30, 4))
    assert np.random.get_state()[1].tolist() == before
    np.random.seed(1)
    assert dealt(numbered(30, 4)) == first


def test_without_shuffle_the_rows_come_as_they_are():
    loader = numbered(5, 2, shuffle=False)
    assert dealt(loader) == dealt(loader) == [[0, 10], [20, 30], [40]]


def test_two_passes_side_by_side_do_not_disturb_each_other():
    loader, alone = numbered(11, 3), numbered(11, 3)
    expected = [dealt(alone), dealt(alone)]
    pairs = list(zip(loader, loader))
    assert [dealt(one) for one in zip(*pairs)] == expected
    assert loader.epoch == 2


def test_a_pass_that_was_broken_off_counts_as_begun():
    loader = numbered(10, 2)
    next(iter(loader))
    assert loader.epoch == 1


def test_an_epoch_set_during_a_pass_is_for_the_next_one():
    loader, alone = numbered(10, 2), numbered(10, 2)
    running = iter(loader)
    first = [next(running)]
    loader.epoch = 5
    assert dealt(first + list(running)) == dealt(alone)


@pytest.mark.parametrize("shuffle", [True, False])
def test_writing_into_a_batch_leaves_the_data_alone(shuffle):
    data = np.zeros((4, 2))
    for x, _ in DataLoader(data, np.zeros(4), 2, shuffle=shuffle):
        x += 1
    assert not data.any()


def test_the_dataset_is_there_as_arrays_of_their_own_dtype():
    x, y = np.ones((3, 2), np.float32), [0, 1, 0]
    loader = DataLoader(x, y, 2)
    assert loader.dataset[0] is x
    assert isinstance(loader.dataset[1], np.ndarray) and loader.dataset[1].tolist() == y
    assert next(iter(loader))[0].dtype == np.float32


def test_rows_of_any_shape_are_dealt():
    x, y = next(iter(DataLoader(np.zeros((6, 4, 3, 2)), np.zeros((6, 1)), 4)))
    assert (x.shape, y.shape) == ((4, 4, 3, 2), (4, 1))


def test_the_numbers_of_a_tensor_are_dealt():
    (x, y), *_ = DataLoader(Tensor([[1.0], [2.0]]), Tensor([1.0, 2.0]), 2)
    np.testing.assert_array_equal(x[:, 0], y)
    assert type(x) is np.ndarray


# --- what is refused

TEN = np.zeros(10)
REFUSED = {
    "rows that differ": (lambda: DataLoader(np.zeros((10, 2)), np.zeros(9), 2), ValueError, ["x has 10", "y has 9"]),
    "no rows": (lambda: DataLoader([], [], 2), ValueError, ["empty"]),
    "a number for x": (lambda: DataLoader(3, TEN, 2), ValueError, ["x must be an array", "3"]),
    "None for y": (lambda: DataLoader(TEN, None, 2), ValueError, ["y must be an array", "None"]),
    "ragged rows": (lambda: DataLoader([[1], [1, 2]], [0, 1], 2), ValueError, ["x", "different lengths"]),
    "batch of 0": (lambda: DataLoader(TEN, TEN, 0), ValueError, ["batch_size", "at least 1", "0"]),
    "batch of -2": (lambda: DataLoader(TEN, TEN, -2), ValueError, ["batch_size", "-2"]),
    "batch of 2.0": (lambda: DataLoader(TEN, TEN, 2.0), TypeError, ["batch_size", "2.0"]),
    "batch of True": (lambda: DataLoader(TEN, TEN, True), TypeError, ["batch_size", "True"]),
    "batch of None": (lambda: DataLoader(TEN, TEN, None), TypeError, ["batch_size", "None"]),
    "less than a batch": (lambda: DataLoader(TEN, TEN, 11, drop_last=True), ValueError, ["drop_last", "10", "11"]),
    "seed 1.5": (lambda: DataLoader(TEN, TEN, 2, seed=1.5), TypeError, ["seed", "1.5"]),
    "seed -1": (lambda: DataLoader(TEN, TEN, 2, seed=-1), ValueError, ["seed", "-1"]),
    "epoch -1": (lambda: setattr(DataLoader(TEN, TEN, 2), "epoch", -1), ValueError, ["epoch", "-1"]),
    "epoch 1.0": (lambda: setattr(DataLoader(TEN, TEN, 2), "epoch", 1.0), TypeError, ["epoch", "1.0"]),
    "split of rows that differ": (lambda: train_test_split(TEN, TEN[1:]), ValueError, ["x has 10", "y has 9"]),
    "split of no rows": (lambda: train_test_split([], []), ValueError, ["empty"]),
    "share 0.0": (lambda: train_test_split(TEN, TEN, 0.0), ValueError, ["test_size", "between 0 and 1", "0.0"]),
    "share 1.0": (lambda: train_test_split(TEN, TEN, 1.0), ValueError, ["test_size", "between 0 and 1", "1.0"]),
    "share -0.2": (lambda: train_test_split(TEN, TEN, -0.2), ValueError, ["test_size", "-0.2"]),
    "share nan": (lambda: train_test_split(TEN, TEN, float("nan")), ValueError, ["test_size", "nan"]),
    "share that leaves none": (lambda: train_test_split(TEN, TEN, 0.95), ValueError, ["0.95", "10 rows", "none"]),
    "count 10 of 10": (lambda: train_test_split(TEN, TEN, 10), ValueError, ["test_size=10", "10 rows", "none"]),
    "count 0": (lambda: train_test_split(TEN, TEN, 0), ValueError, ["test_size", "at least 1", "0"]),
    "a text": (lambda: train_test_split(TEN, TEN, "0.2"), TypeError, ["test_size", "'0.2'"]),
    "True": (lambda: train_test_split(TEN, TEN, True), TypeError, ["test_size", "True"]),
    "split with seed -1": (lambda: train_test_split(TEN, TEN, seed=-1), ValueError, ["seed", "-1"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_named(case):
    call, error, words = REFUSED[case]
    with pytest.raises(error) as caught:
        call()
    assert [word for word in words if word not in str(caught.value)] == []


def test_a_batch_size_of_numpys_is_a_number_too():
    assert len(DataLoader(TEN, TEN, np.int64(4))) == 3
