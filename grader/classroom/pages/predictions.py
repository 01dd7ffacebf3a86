"""The students' predictions and notes in their folders: OUT/ada/answers/03.md. The pages take them from there."""

from ...course.atomic import write_atomically
from ...notebook.answers import FOLDER


def write(out, sources, folders):
    """Write them, and remove what an earlier hand-in had.  sources: {student: Source}.  Returns how many have any."""
    count = 0
    for student in sorted(folders.keys() & sources.keys()):
        texts, place = sources[student].predictions(), out / folders[student] / FOLDER
        for path in place.glob("[0-9][0-9].md"):
            if path.name not in texts:
                path.unlink()
        for name, text in texts.items():
            place.mkdir(parents=True, exist_ok=True)
            write_atomically(place / name, text)
        count += bool(texts)
    return count
