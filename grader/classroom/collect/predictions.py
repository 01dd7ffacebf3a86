"""The predictions and notes of a hand-in, answers/03.md and so on: a stranger's words, for a teacher to read."""

from contextlib import closing

from ...course.catalogue import numbers
from ...course.safe_text import visible
from ...notebook.answers import FOLDER
from .hand_in import elsewhere, newest_archive
from .limits import MAX_FILE, WHY, Unread
from .platforms import is_archive


def read(tree, archives=False):
    """{"03.md": text with nothing hidden in it} that a tree of files holds, of the course's notebooks.

    archives: whether the newest archive in it is opened if there is nothing else, as hand_in.take does.
    """
    entries = [entry for entry in tree.entries() if not entry.odd and not elsewhere(entry.path)]
    names, folders = {f"{number}.md" for number in numbers()}, {}
    for entry in entries:
        if entry.path[-2:-1] == (FOLDER,) and entry.path[-1] in names:
            folders.setdefault(entry.path[:-1], {})[entry.path[-1]] = entry
    if folders:
        found = folders[min(folders, key=lambda path: (len(path), path))]
        return {entry.path[-1]: _shown(content) for entry, content in tree.read(list(found.values()), MAX_FILE)}
    packed = [entry for entry in entries if len(entry.path) <= 2 and is_archive(entry.path[-1])] if archives else []
    if not packed:
        return {}
    with closing(newest_archive(tree, packed)[1]) as archive:
        return read(archive)


def _shown(content):
    if isinstance(content, Unread):
        return f"(The file {WHY[content.why][0]}.)\n"
    text = content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(map(visible, text.split("\n")))
