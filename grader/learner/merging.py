"""The package of a newer course, around the answers that a learner wrote into the older one."""

from collections import Counter

from ..course import regions
from ..course.catalogue import place_of
from ..course.phrases import counted, listed
from .moves import moves
from .rewriting import learners_regions


def merged(mine, old, new, courses):
    """({file: its text from now on, or None if the course no longer has it}, lines that tell of it).

    The lines end with a table of what became of the exercises.

    mine: the learner's files.  old, new: those that the two courses hand out. Each is {file: text}. A file that is not
    in the result stays as it is. An answer goes along with its exercise, also into another file.
    courses: the Course (moves.py) that the old ones are of, and that of the new ones.
    Raises UsageError if the answers in a file cannot be found.
    """
    changed = {name: text for name, text in mine.items() if old.get(name) != new.get(name) != text}
    answers, same = _answers(changed, old, new), _same_places(old, new)
    answered = {id for id, _ in answers}
    texts, lines = {}, []
    for name, stub in new.items():
        if name in changed or name not in mine:
            texts[name], kept = _filled(stub, answers, same)
            lines.append(_about(name, kept, is_new=name not in mine))
    for name, text in changed.items():
        if name not in new:
            texts[name] = None
            lines += [f"babygrad/{name} is no longer part of the course."] * (text != old[name])
        lines += _own_lines(name, text, old.get(name, ""))
    return texts, [*lines, *moves(old, new, courses, answered, lost={id for id, _ in answers})]


def _answers(files, old, new):
    """{(exercise id, number): (file, region)} of the learner's answers in these files."""
    of_the_old = {(region.key, region.body) for text in old.values() for region in _filled_in(text)}
    of_the_new = {region.key for text in new.values() for region in _filled_in(text)}
    return {
        region.key: (name, region)
        for name, text in files.items()
        for region in learners_regions(name, text)
        if not region.is_stub and not (region.key in of_the_new and (region.key, region.body) in of_the_old)
    }


def _filled_in(text):
    """The regions with an answer in a file that a course hands out."""
    return [region for region in regions.stub_regions(text) if not region.is_stub]


def _same_places(old, new):
    """The keys of places that an older answer fits: its exercise has as many as before, or its stub is the same."""
    before, after = _places(old), _places(new)
    counts, counts_now = (Counter(id for id, _ in places) for places in (before, after))
    return {key for key, body in after.items() if counts[key[0]] == counts_now[key[0]] or before.get(key) == body}


def _places(files):
    return {region.key: region.body for text in files.values() for region in regions.stub_regions(text)}


def _filled(stub, answers, same):
    """(the text with every answer that has its place in it, those regions). They are taken out of answers."""
    places = [place for place in regions.stub_regions(stub) if place.key in answers and place.key in same]
    fitting = [place for place in places if answers[place.key][1].indent == place.indent]
    kept = {place.key: answers.pop(place.key)[1] for place in fitting}

    def lines_for(place):
        return regions.wrapped(kept[place.key], kept[place.key].body, kept[place.key].given)

    return regions.replaced(stub, fitting, lines_for), list(kept.values())


def _about(name, kept, is_new):
    if not is_new:
        return f"babygrad/{name}: updated, {counted(len(kept), 'filled-in place')} kept."
    ids = sorted({region.id for region in kept}, key=place_of)
    return f"babygrad/{name} is new" + (f", with your answers to {listed(ids)}." if ids else ".")


def _own_lines(name, mine, old):
    """A note about lines that the learner wrote outside of the exercises: they are not carried over."""
    given = set(old.splitlines())
    inside = {n for r in regions.stub_regions(mine) for n in range(r.start, r.end)}
    own = [line for n, line in enumerate(mine.splitlines()) if n not in inside and line.strip() and line not in given]
    if own:
        yield f"babygrad/{name}: {len(own)} of your lines outside the exercises were not carried over, such as:"
        yield f"    {own[0].strip()}"
