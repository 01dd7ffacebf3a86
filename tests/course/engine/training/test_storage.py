"""A state in a file: what goes in comes out, nothing is ever unpickled, and a file is whole or not there."""

import io
import os
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babygrad import nn
from babygrad.nn import load, save

STATE = {
    "layers.0.weight": np.arange(6.0).reshape(2, 3) / 7,
    "part/name": np.float32([1.5, -2]),
    "step": 3,
    "lr": 0.1,
    "on": True,
    "words": "nu, größer",
    "nothing": np.zeros((0, 4)),
}


def test_a_state_comes_back_bit_for_bit(tmp_path):
    save(STATE, tmp_path / "state.npz")
    back = load(tmp_path / "state.npz")
    assert list(back) == list(STATE)
    for name, value in STATE.items():
        assert back[name].dtype == np.asarray(value).dtype and back[name].shape == np.shape(value)
        np.testing.assert_array_equal(back[name], value)


@pytest.mark.parametrize("name", ["file", "args", "allow_pickle", "a.npy", "ümlaut", "a b"])
def test_any_name_will_do(name, tmp_path):
    save({name: 1.5}, tmp_path / "state")
    assert load(tmp_path / "state") == {name: 1.5}


def test_numpy_reads_it_too(tmp_path):
    save(STATE, tmp_path / "state.npz")
    with np.load(tmp_path / "state.npz", allow_pickle=False) as file:
        assert file["step"] == 3


def test_a_folder_that_is_not_there_is_made(tmp_path):
    save(nn.Linear(2, 3), tmp_path / "new" / "folder" / "state")
    assert load(tmp_path / "new" / "folder" / "state").keys() == {"weight", "bias"}


@pytest.mark.parametrize("value", [None, {"a": 1}, object(), [1, "a", None], 2**80, 1j, np.datetime64("2020")])
def test_what_is_no_number_or_text_is_refused_by_name_and_the_older_file_stays(value, tmp_path):
    save({"old": 1}, tmp_path / "state")
    with pytest.raises(TypeError, match=f"'mine' is a {type(value).__name__}"):
        save({"old": 2, "mine": value}, tmp_path / "state")
    assert load(tmp_path / "state") == {"old": 1}


class Trap:
    """Unpickling it would leave a mark."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (self.path,)


def member_of(content, name="trap.npy"):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(name, content)
    return archive.getvalue()


def pickled(path):
    buffer = io.BytesIO()
    np.save(buffer, np.array([Trap(str(path))], dtype=object), allow_pickle=True)
    return buffer.getvalue()


@pytest.mark.parametrize("wrap", [member_of, lambda content: content], ids=["npz", "npy"])
def test_a_pickle_in_a_file_is_refused_and_not_run(wrap, tmp_path):
    content = wrap(pickled(tmp_path / "trapped"))
    (tmp_path / "state.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"state\.npz is not a saved state"):
        load(tmp_path / "state.npz")
    assert not (tmp_path / "trapped").exists()
    trusted = np.load(io.BytesIO(content), allow_pickle=True)
    _ = trusted["trap"] if wrap is member_of else trusted  # an npz is read when it is asked
    assert (tmp_path / "trapped").exists()  # so the trap works


def whole_file():
    archive = io.BytesIO()
    np.savez(archive, a=np.arange(20.0), b=np.arange(3))
    return archive.getvalue()


OTHER_FILES = {
    "empty": b"",
    "text": b"hello",
    "cut": whole_file()[:-40],
    "half": whole_file()[:300],
    "one array": b"\x93NUMPY" + bytes(100),
    "an archive of something else": member_of(b"hello", "letter.txt"),
    "an array that is none": member_of(b"hello"),
}


@pytest.mark.parametrize("name", OTHER_FILES)
def test_a_file_that_is_no_state_is_named(name, tmp_path):
    (tmp_path / "mine.npz").write_bytes(OTHER_FILES[name])
    with pytest.raises(ValueError, match=r"mine\.npz is not a saved state, or it is damaged"):
        load(tmp_path / "mine.npz")


def test_one_array_alone_is_no_state(tmp_path):
    np.save(tmp_path / "one.npy", np.arange(3))
    with pytest.raises(ValueError, match="is not a saved state"):
        load(tmp_path / "one.npy")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        load(tmp_path / "nowhere")


@settings(max_examples=150, deadline=None)
@given(place=st.floats(0, 1, exclude_max=True), byte=st.integers(1, 255))
def test_a_damaged_byte_is_noticed_or_does_no_harm(place, byte, tmp_path_factory):
    content = bytearray(whole_file())
    content[int(place * len(content))] ^= byte
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    path.write_bytes(content)
    try:
        state = load(path)
    except ValueError:
        return
    assert {str(array.tolist()) for array in state.values()} <= {
        str(np.arange(20.0).tolist()),
        str(np.arange(3).tolist()),
    }


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError("disk full")])
def test_a_save_that_breaks_off_leaves_the_older_file_and_nothing_else(error, tmp_path, monkeypatch):
    save({"a": 1}, tmp_path / "state")
    writing = np.lib.format.write_array

    def break_off(file, array, **options):
        writing(file, array, **options)
        raise error

    monkeypatch.setattr(np.lib.format, "write_array", break_off)
    with pytest.raises(type(error) if isinstance(error, Exception) else error):
        save({"a": 2, "b": np.arange(1000)}, tmp_path / "state")
    assert [path.name for path in tmp_path.iterdir()] == ["state"]
    assert load(tmp_path / "state") == {"a": 1}
