"""The students' pages in one zip, under the names by which Moodle and Canvas find whose they are.

Moodle   Ada Lovelace_1234567_assignsubmission_file/feedback.html   (mod/assign/feedback/file/importziplib.php)
Canvas   lovelaceada_12345_67890_feedback.html: the numbers of the person and of a file that was handed in
"""

import re

from ..collect.zips import write_zip

NAMES = {
    "feedback-moodle.zip": (re.compile(r"[^_]+_\d+_assignsubmission_file"), "{}/feedback.html"),
    "feedback-canvas.zip": (re.compile(r"(LATE_)?(anon_[A-Za-z0-9]+|[^\WA-Z]+?(_LATE)?_\d+)_\d+_"), "{}feedback.html"),
}


def write(out, folders, names):
    """Write those that have files.  folders: {student: folder}.  names: {student: name of the hand-in}.

    Returns {name of a zip: how many files are in it}.
    """
    written = {}
    for name, (pattern, place) in NAMES.items():
        found = {student: pattern.match(names[student]) for student in sorted(names)}
        pages = {place.format(match[0]): out / folders[student] for student, match in found.items() if match}
        if pages:
            write_zip(out / name, ((place, (folder / "feedback.html").read_bytes()) for place, folder in pages.items()))
            written[name] = len(pages)
        else:
            (out / name).unlink(missing_ok=True)
    return written
