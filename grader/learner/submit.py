"""python -m grader submit: checks everything, then packs the learner's files into one small zip with a manifest.

Where the course has an exchange, the zip is handed in there (sharing.py).
"""

import argparse
import ast
import hashlib
import io
import json
import struct
import unicodedata
import zipfile
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ..checking import report
from ..checking.check import Request, check
from ..console import arguments as common
from ..course.atomic import replacing
from ..course.commands import typed
from ..course.paths import ROOT, package_folder
from ..course.safe_text import DEVICES
from ..course.settings import Settings
from ..course.usage import UsageError
from ..notebook import answers
from . import memory, sharing
from .check import teller

FOLDER = ROOT / "submissions"
LONGEST_NAME = 60
MOST_WORDS = 1_000_000  # bytes of one notebook's predictions and notes


def add_arguments(parser):
    parser.add_argument("name", nargs="?", metavar="NAME", help="your name, as your teacher knows it")
    parser.add_argument("--out", type=Path, metavar="DIR", help="for the zip (default: submissions/)")
    common.add_time_limit(parser)
    parser.add_argument("--mimebundle", action="store_true", help=argparse.SUPPRESS)  # for the notebooks


def run(arguments):
    request, quiet = Request(common.package(), arguments.timeout), arguments.mimebundle
    name = arguments.name or _own_name("%submit ada" if quiet else typed("make submit NAME=ada"))
    done = pack(name, arguments.out, request, quiet=quiet)
    if quiet:
        from ..notebook.report_html import submitted_bundle

        print(json.dumps(submitted_bundle(done.verdicts, memory.track(), done.said, done.path)))
    else:
        print(*done.lines(), sep="\n")
    return 0


def _own_name(example):
    if not sharing.folder():
        raise UsageError(f"What is your name? For example: {example}")
    return sharing.own_name()


class Packed(NamedTuple):
    """path: of the zip.  said: lines about it."""

    path: Path
    verdicts: list
    said: list

    def lines(self):
        """The check's, then those about the zip."""
        return [*report.text(self.verdicts, track=memory.track()), "", *self.said]


def pack(name, out, request, now=None, quiet=False):
    """Check the package of the request, write the zip into the folder out, and hand it in where there is an exchange.

    now: the time of handing in, an aware datetime.  quiet: say nothing while it is checked.  Returns a Packed.
    """
    settings, stem, now = Settings.read(), safe(name), now or datetime.now().astimezone()
    exercises = settings.released()
    files, notes = _files(exercises, package_folder(request.package))
    if not files:
        raise UsageError(f"None of your files is in {package_folder(request.package)}: nothing to hand in.")
    verdicts = check(exercises, request, teller(len(exercises), quiet))
    words, more_notes = _words(Path(request.package))
    manifest = _manifest(name, settings, files, verdicts, now)
    packed = _packed({**{f"babygrad/{file}": data for file, data in files.items()}, **words}, manifest, now)
    path = _write(packed, out or FOLDER, stem)
    said = [*_summary(path, files, words, verdicts), *notes, *more_notes]
    return Packed(path, verdicts, [*said, *_handed_in(path, settings, now)])


def _handed_in(path, settings, now):
    """Hand the zip in where there is an exchange.  Lines about it."""
    if shared := sharing.folder():
        FOLDER.mkdir(exist_ok=True)
        yield from sharing.hand_in(path, shared, FOLDER, now)
    elif settings.exchange:
        yield f"NOT HANDED IN: the exchange {settings.exchange} is not on this machine. Hand in the zip yourself."


def safe(name):
    """The name as a file can be called on any system: letters, digits and _ . @ stay, the rest becomes a hyphen."""
    plain = unicodedata.normalize("NFC", name.removesuffix(".zip"))
    words = "".join(letter if letter.isalnum() or letter in "_.@" else " " for letter in plain).split()
    stem = "-".join(word for word in words if word.strip("."))[:LONGEST_NAME].strip("._-")
    if not stem:
        raise UsageError(f"{name!r} contains no letter and no digit. For example: {typed('make submit NAME=ada')}")
    return f"{stem}-" if stem.split(".")[0].lower() in DEVICES else stem


def _files(exercises, folder):
    """({file: its bytes}, notes about files that are missing or that Python cannot read)."""
    files, notes = {}, []
    for file in dict.fromkeys(ex.file for ex in exercises):
        try:
            files[file] = (folder / file).read_bytes()
            ast.parse(files[file])
        except OSError:
            notes.append(f"Note: there is no babygrad/{file}. It is not in the zip.")
        except (SyntaxError, ValueError) as error:
            line = f", line {error.lineno}" if getattr(error, "lineno", None) else ""
            notes.append(f"Note: Python cannot read babygrad/{file}{line}. It is in the zip as it is.")
    return files, notes


def _words(course):
    """({path: bytes of predictions and notes}, notes about what cannot be handed in)."""
    words, notes = {}, []
    for path in sorted((course / answers.FOLDER).glob("[0-9][0-9].md")):
        name = f"{answers.FOLDER}/{path.name}"
        try:
            data = path.read_bytes()
        except OSError as error:
            notes.append(f"Note: {name} cannot be read: {error.strerror}. It is not in the zip.")
            continue
        if len(data) > MOST_WORDS:
            notes.append(f"Note: {name} is larger than {MOST_WORDS // 1_000_000} MB. It is not in the zip.")
        else:
            words[name] = data
    return words, notes


def _manifest(name, settings, files, verdicts, now):
    earned, possible = report.points(verdicts)
    return {
        "course": "babygrad",
        "edition": settings.edition,
        "version": settings.version,
        "name": name,
        "made": now.isoformat(timespec="seconds"),
        "files": {f"babygrad/{file}": hashlib.sha256(data).hexdigest() for file, data in files.items()},
        "earned": earned,
        "possible": possible,
        "exercises": {v.id: {"status": v.status, "earned": v.earned, "points": v.points} for v in verdicts},
    }


def _packed(files, manifest, now):
    """The bytes of the zip: the same for the same files ({path: bytes}) and time."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        text = json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
        for path, data in {"manifest.json": text.encode(), **files}.items():
            entry = zipfile.ZipInfo(path, now.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.extra = struct.pack("<HHBI", 0x5455, 5, 1, int(now.timestamp()))  # a plain date has no time zone
            archive.writestr(entry, data)
    return packed.getvalue()


def _write(data, folder, stem):
    """Write the zip; one of that name that is there is kept, with a number, in submissions/earlier."""
    path = folder / f"{stem}.zip"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as new:
            new.write_bytes(data)
            if path.exists():
                _keep(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}. Another folder: ARGS='--out DIR'.") from None
    return path


def _keep(path):
    folder, number = FOLDER / "earlier", 1
    folder.mkdir(parents=True, exist_ok=True)
    while (copy := folder / f"{path.stem}-{number}.zip").exists():
        number += 1
    copy.write_bytes(path.read_bytes())


def _summary(path, files, words, verdicts):
    earned, possible = report.points(verdicts)
    shown = path.resolve()
    shown = shown.relative_to(ROOT) if shown.is_relative_to(ROOT) else shown
    yield f"Ready to hand in: {shown} ({path.stat().st_size / 1000:.0f} kB)."
    yield f"It contains {len(files)} files, {', '.join(files)}, and manifest.json"
    yield f"with the {earned} of {possible} points that this check gave. Your teacher's grading counts: it asks"
    yield "the same questions about other numbers."
    if words:
        yield f"With your predictions and notes: {', '.join(words)}. They are read, and none earns or costs points."
