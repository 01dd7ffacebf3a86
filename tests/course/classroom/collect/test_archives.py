"""Archives that students hand in: what is honest in them is taken, and nothing in them does harm."""

import io
import json
import os
import re
import stat
import struct
import subprocess
import sys
import zipfile
import zlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.classroom.collect import submissions
from grader.classroom.collect.limits import MAX_FILE, NEVER
from grader.classroom.collect.safe_names import shown
from grader.classroom.collect.submissions import find
from grader.course.paths import ROOT

WANTED = {"value.py", "warmup.py", "ops/shape.py"}
HONEST = {"value.py": b"honest = 1\n", "ops/shape.py": b"honest = 2\n"}


# --- building ------------------------------------------------------------------------------------------------


def make_zip(entries, compression=zipfile.ZIP_DEFLATED):
    """A zip file's bytes.  entries: (name or ZipInfo, bytes)."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as packed:
        for name, content in entries:
            packed.writestr(name, content)
    return file.getvalue()


def honest(folder="babygrad/"):
    return [(folder + name, content) for name, content in HONEST.items()]


def zip_info(name, mode=0, **fields):
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (mode or stat.S_IFREG | 0o644) << 16
    for field, value in fields.items():
        setattr(info, field, value)
    return info


@pytest.fixture
def read(tmp_path):
    """Hands in these bytes under this name; returns the HandIn."""

    def hand_in(content, name="ada.zip"):
        (tmp_path / name).write_bytes(content)
        (tmp_path / "ben").mkdir(exist_ok=True)
        source, _ = find(tmp_path)
        assert source.student == "ada"
        assert source.submitted
        return source.read(WANTED)

    return hand_in


# --- what is honest is taken ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ada.zip", "ada.ZIP"])
def test_a_zip_is_read(read, name):
    assert read(make_zip(honest()), name).files == HONEST


def test_backslashes_of_windows_packers_part_names(read):
    assert read(make_zip([(name.replace("/", "\\"), c) for name, c in honest()])).files == HONEST


def test_a_zip_behind_other_bytes_is_read(read):
    assert read(b"a program that unpacks itself" + make_zip(honest())).files == HONEST


# --- entries that are skipped --------------------------------------------------------------------------------

ZIP_ENTRIES = {
    "a link": (zip_info("babygrad/warmup.py", stat.S_IFLNK | 0o777), b"/etc/passwd", "is a link"),
    "a pipe": (zip_info("babygrad/warmup.py", stat.S_IFIFO | 0o644), b"", "not an ordinary file"),
    "a device": (zip_info("babygrad/warmup.py", stat.S_IFCHR | 0o644), b"", "not an ordinary file"),
    "upward": ("babygrad/../../babygrad/warmup.py", b"evil", "outside the hand-in"),
    "upward with backslashes": ("..\\babygrad\\warmup.py", b"evil", "outside the hand-in"),
    "absolute": ("/babygrad/warmup.py", b"evil", "outside the hand-in"),
    "a drive": ("C:/babygrad/warmup.py", b"evil", "outside the hand-in"),
    "a huge name": ("x" * 60_000 + "/warmup.py", b"evil", "name that is too long"),
    "a huge part": ("x" * 300 + "/warmup.py", b"evil", "name that is too long"),
    "very deep": ("d/" * 200 + "warmup.py", b"evil", "is nested too deep"),
    "too large": ("babygrad/warmup.py", b"#" * (MAX_FILE + 1), "larger than 1 MB"),
}


@pytest.mark.parametrize("case", ZIP_ENTRIES)
def test_an_odd_entry_in_a_zip_is_skipped_with_a_note_and_the_others_are_taken(read, case):
    name, content, words = ZIP_ENTRIES[case]
    result = read(make_zip([*honest(), (name, content)]))
    assert result.files == HONEST
    assert any(words in note for note in result.notes)
    assert not result.malformed


def test_a_file_with_a_password_is_skipped(read):
    packed = bytearray(make_zip([*honest(), ("babygrad/warmup.py", b"x")]))
    for signature, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        packed[packed.rindex(signature) + flags] |= 1
    result = read(bytes(packed))
    assert result.files == HONEST
    assert "babygrad/warmup.py is encrypted and was not read." in result.notes


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_that_cannot_be_read_in_pieces_are_not_read(read, compression):
    result = read(make_zip([*honest(), (zip_info("babygrad/warmup.py", compress_type=compression), b"x")], compression))
    assert "babygrad/warmup.py" in "".join(result.notes) or result.malformed
    assert "warmup.py" not in result.files


def test_many_odd_entries_are_one_note(read):
    links = [(zip_info(f"link{n}", stat.S_IFLNK | 0o777), b"x") for n in range(500)]
    notes = read(make_zip([*honest(), *links])).notes
    assert "500 entries, such as link0, are links and were not followed." in notes
    assert len(notes) < 5


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_entries_of_one_name_the_last_is_taken(read):
    result = read(make_zip([("babygrad/value.py", b"first"), *honest()]))
    assert result.files == HONEST
    assert "It holds value.py more than once; the last one was taken." in result.notes


def test_a_name_in_other_capitals_is_another_file(read):
    result = read(make_zip([*honest(), ("babygrad/Value.py", b"evil")]))
    assert result.files == HONEST
    assert "babygrad/Value.py was not taken: the file must be called value.py, in small letters." in result.notes


def test_a_wrong_check_sum_costs_one_file(read):
    packed = make_zip([*honest(), ("babygrad/warmup.py", b"some honest work")], zipfile.ZIP_STORED)
    result = read(packed.replace(b"some honest work", b"some broken work"))
    assert result.files == HONEST
    assert "warmup.py is corrupt in the archive and was not read." in result.notes


def test_an_archive_in_an_archive_is_not_opened(read):
    result = read(make_zip([("work.zip", make_zip(honest()))]))
    assert result.files == {}
    assert "ada.zip holds another archive, work.zip, instead of the course's files." in result.malformed
    assert "make submit" in result.malformed


@pytest.mark.parametrize("place", sorted(NEVER))
def test_hidden_folders_never_count(read, place):
    elsewhere = [(f"{place}/{name}", b"not this") for name in WANTED]
    assert read(make_zip([*elsewhere, *honest("deep/down/")])).files == HONEST


@pytest.mark.parametrize("name", ["new\nline.py", "left\u202eto right.py", "\x1b[2Jgone.py", "zero\u200bwidth", "\x7f"])
def test_names_that_play_tricks_are_shown_safely(read, name):
    result = read(make_zip([*honest(), ("../" + name, b"x")]))
    [note] = [note for note in result.notes if "outside" in note]
    assert note.isprintable()


def test_names_that_are_not_utf8_do_not_matter(read):
    packed = make_zip(honest("fran_ais/")).replace(b"fran_ais", b"fran\xe7ais")
    assert read(packed).files == HONEST


# --- archives that cannot be read ----------------------------------------------------------------------------


def zip64_with(size, offset):
    """The end of a zip whose 64-bit table of contents claims to be anywhere and of any size."""
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 3, 3, size, offset)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, 0, 1)
    return end64 + locator + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)


def table_of(count):
    """A zip with only a table of contents: count files that are nowhere."""
    entries = b"".join(
        struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 3, 20, 0, 0, 0, 0, 0, 0, 1, 1, 6, 0, 0, 0, 0, 0, 0) + b"%06d" % n
        for n in range(count)
    )
    claimed = min(count, 0xFFFF)
    return entries + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, claimed, claimed, len(entries), 0, 0)


good_zip = make_zip(honest())
noise = bytes(range(256)) * 40
BROKEN = {
    "empty": (b"", "is empty"),
    "a cut zip": (good_zip[:-30], "broken or cut short"),
    "half a zip": (good_zip[: len(good_zip) // 2], "broken or cut short"),
    "no files": (make_zip([]), "is empty"),
    "other files": (make_zip([("essay.txt", b"x")]), "none of the course's files"),
    "only solutions": (make_zip(honest("solutions/babygrad/")), "solutions/"),
    "zip64 with a giant table": (zip64_with(2**60, 0), "broken or cut short"),
    "zip64 with a table far away": (noise + zip64_with(100, 2**60), "broken or cut short"),
    "a table of contents without files": (table_of(3), "none of the course's files"),
    "a table of contents full of chatter": (
        make_zip([(zip_info(f"value{n}.py", comment=b"x" * 60_000), b"") for n in range(150)]),
        "table of contents of an absurd size",
    ),
    "a hundred thousand files": (table_of(100_000), "more than 50,000 files"),
    "a wrong version": (good_zip.replace(b"PK\1\2\x14\3\x14\0", b"PK\1\2\x14\3\xff\0"), "packed in a way"),
}


@pytest.mark.parametrize("case", BROKEN)
@pytest.mark.leg("push")
def test_an_archive_that_cannot_be_read_is_malformed_in_one_sentence_with_a_way_out(read, case):
    content, words = BROKEN[case]
    result = read(content)
    assert result.files == {}
    assert words in result.malformed
    assert result.malformed.startswith("ada.zip ")
    assert result.malformed.endswith("Hand it in again: `make submit` writes a .zip with all that is needed.")
    assert "\n" not in result.malformed


# --- bombs ---------------------------------------------------------------------------------------------------

# Reads what is handed in with little memory and processor time to spare; prints files and sentences.
LIMITED = """
import json, resource, sys
from grader.classroom.collect.submissions import find
with open("/proc/self/statm") as file:
    now = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (now + int(sys.argv[2]) * 2**20,) * 2)
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[3]),) * 2)
results = {}
for source in find(sys.argv[1]):
    source.submitted
    result = source.read({"value.py", "warmup.py", "ops/shape.py"})
    results[source.student] = [sorted(result.files), result.notes, result.malformed]
print(json.dumps(results))
"""


def read_within(folder, megabytes, seconds):
    command = [sys.executable, "-c", LIMITED, str(folder), str(megabytes), str(seconds)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def zeros(gigabytes, wbits, before=b""):
    """Zeros behind some bytes, deflated, without ever being there: a piece of a megabyte, again and again."""
    packer = zlib.compressobj(9, zlib.DEFLATED, wbits)
    start = packer.compress(before) + packer.flush(zlib.Z_FULL_FLUSH)
    packer.compress(bytes(2**20))
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(2**20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return start + piece * (1024 * gigabytes)


def zip_bomb(name, gigabytes):
    """A zip of one file that says it has 100 bytes."""
    packed = zeros(gigabytes, -15) + b"\3\0"
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, 0, len(packed), 100, len(name), 0) + name
    entry = struct.pack("<4s4B4H3L5H2L", b"PK\1\2", 20, 3, 20, 0, 0, 8, 0, 0, 0, len(packed), 100, len(name), *[0] * 6)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(entry) + len(name), len(local) + len(packed), 0)
    return local + packed + entry + name + end


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is limited as Linux does it")
def test_bombs_cost_neither_memory_nor_time(tmp_path):
    """Each would unpack to gigabytes; 96 MB and some seconds are enough for all of them."""
    bomb = {
        "file.zip": zip_bomb(b"babygrad/value.py", 4),
        "inner.zip": zip_bomb(b"inner.zip", 4),
        "honest.zip": good_zip,
    }
    for name, content in bomb.items():
        (tmp_path / name).write_bytes(content)
    inside = tmp_path / "uploaded"
    inside.mkdir()
    (inside / "work.zip").write_bytes(bomb["file.zip"])
    found = read_within(tmp_path, 96, 30)
    assert found["file"][0] == found["inner"][0] == found["uploaded"][0] == []
    assert "is corrupt" in "".join(found["file"][1]) or "larger than 1 MB" in "".join(found["file"][1])
    assert found["honest"][0] == sorted(HONEST)


def test_an_archive_that_cannot_be_listed_is_opened_once(tmp_path, monkeypatch):
    (tmp_path / "ada.zip").write_bytes(good_zip[:-30])
    [source] = find(tmp_path)
    assert "cut short" in source.read(WANTED).malformed
    monkeypatch.setattr(submissions, "open_zip", None)
    assert source.time_from == "the archive's own date"
    assert "cut short" in source.read(WANTED).malformed


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is limited as Linux does it")
def test_a_bomb_in_a_platforms_zip_is_held_to_its_limit(tmp_path):
    """What a student uploaded lies in the class's zip, and is unpacked into memory up to 64 MB."""
    inner = zip_bomb(b"Ada_12_assignsubmission_file_work.zip", 4)
    (tmp_path / "class.zip").write_bytes(inner)
    found = read_within(tmp_path, 300, 20)
    assert "larger than 64 MB" in found["Ada"][2] or "is corrupt" in found["Ada"][2]


# --- whatever there is ---------------------------------------------------------------------------------------

PARTS = ["..", ".", "", "babygrad", "ops", "value.py", "shape.py", "C:", "\\", "solutions"]
names = st.one_of(
    st.text(min_size=1, max_size=40),
    st.lists(st.sampled_from(PARTS), min_size=1).map("/".join).filter(bool),
)


def taken(tmp_path_factory, name, content):
    folder = tmp_path_factory.mktemp("class")
    (folder / name).write_bytes(content)
    [source] = find(folder)
    _ = source.submitted, source.time_from
    result = source.read(WANTED)
    assert "cannot be read (" not in result.malformed  # an exception that nobody thought of
    assert result.files.keys() <= WANTED
    assert all(text.isprintable() for text in [*result.notes, result.malformed])
    return result


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(names, st.binary(max_size=20)), max_size=6))
@example([("/", b""), (".", b""), ("a\\..\\..\\value.py", b"")])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_any_names_at_all_end_in_files_or_in_words(tmp_path_factory, entries):
    usable = [(name, content) for name, content in entries if not re.search("^\0|[\ud800-\udfff]", name)]
    result = taken(tmp_path_factory, "ada.zip", make_zip(usable))
    assert all(content in [c for _, c in usable] for content in result.files.values())
    assert result.files or result.malformed


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_damage_ends_in_files_or_in_words(tmp_path_factory, data):
    content = bytearray(make_zip(honest()))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.one_of(st.none(), st.integers(0, len(content))))
    result = taken(tmp_path_factory, "ada.zip", bytes(content[:cut]))
    assert result.files or result.malformed


@given(st.text(max_size=200))
def test_a_name_is_shown_on_one_line_and_visibly(name):
    assert shown(name).isprintable()
    assert len(shown(name)) <= 80
