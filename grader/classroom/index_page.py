"""What the teacher reads: index.html, about the whole class."""

from itertools import groupby
from urllib.parse import quote

from ..backups import write_safely
from ..course import notebook
from ..settings import Settings
from . import words
from .page import bar, inline, name, page, paragraph, percent, section, text, title, visible
from .tally import KEPT, KINDS, LISTED, Tally

SHOWN_IDEAS = 12  # misconceptions shown at once; the others are folded
SHOWN_NAMES = 8  # students named beside a misconception; the others are folded
LISTED_IDEAS = 200
SAID = {"passed": "passed", "failed": "failed", "stopped": "stopped", "given": "filled in", "waiting": "not begun"}
ABOUT_BARS = (
    "The number: of a hundred who began it, how many passed. The bar, from left to right: "
    f"{', '.join(SAID.values())}. Stopped means by an exception, by the time limit, or with the whole process."
)


def write(out, records, context):
    """Write out/index.html."""
    write_safely(out / "index.html", html(Tally.of(records, context)))


def html(tally):
    """The page."""
    heading = f"{tally.context['course']['course']}: the class"
    parts = {
        "points": ("Points", _distribution(tally)),
        "ideas": ("Misconceptions that the class shares", _ideas(tally)),
        "open": ("Late, missing, malformed", _open_matters(tally)),
        "exercises": ("Exercises", _exercises(tally)),
        "students": ("Students", _students(tally)),
        "how": ("How it was graded", _list(_how(tally))),
    }
    links = "".join(f'<li><a href="#{id}">{text(name)}</a></li>' for id, (name, _) in parts.items())
    head = f"<h1>{text(heading)}</h1>\n{_doubt(tally)}{_facts(tally)}"
    links = f'<nav aria-label="On this page"><ul>{links}</ul></nav>'
    body = "\n".join(section(id, *part) for id, part in parts.items())
    return page(heading, f"<main>\n{head}\n{links}\n{body}\n</main>")


# ------------------------------------------------------------------ the numbers


def _doubt(tally):
    """What makes all grades doubtful, above everything else."""
    sentence = words.other_course(tally)
    return f'<div class="box stopped">{paragraph(visible(sentence))}</div>\n' if sentence else ""


def _facts(tally):
    missing, unknown = len(tally.context.get("missing", ())), len(tally.context.get("unknown", ()))
    facts = [
        ("Handed in", tally.handed_in, f"{missing} of the roster missing" if missing else ""),
        ("Graded", tally.graded, f"{tally.malformed.count} cannot be graded" if tally.malformed.count else ""),
        ("Late", tally.late.count, ""),
    ]
    if tally.graded:
        half = tally.middle_half()
        note = f"middle half: {half[0]:g} to {half[1]:g}" if half else ""
        facts.append(("Median", f"{tally.median():g} of {tally.possible}", note))
        facts.append(("All points", tally.points[tally.possible], ""))
    if unknown:
        facts.append(("Not on the roster", unknown, ""))
    return f'<dl class="facts">{"".join(map(_fact, facts))}</dl>{_isolation(tally)}'


def _fact(fact):
    heading, number, note = fact
    small = f"<small>{text(note)}</small>" if note else ""
    return f"<div><dt>{text(heading)}</dt><dd>{text(str(number))}{small}</dd></div>"


def _isolation(tally):
    return "".join(f"<p>Isolation: {text(sentence)}</p>" for sentence in tally.context.get("isolation", ()))


def _distribution(tally):
    spans = tally.distribution()
    most = max(count for *_, count in spans)
    rows = "".join(_span(*span, most) for span in spans)
    head = '<thead><tr><th scope="col" class="points">Points</th><th scope="col">Students</th></tr></thead>'
    caption = f"<caption>{text(words.middle(tally) or 'Nothing was graded.')}</caption>"
    return f"<table>{caption}{head}<tbody>{rows}</tbody></table>"


def _span(low, high, count, most):
    label = str(low) if low == high else f"{low} to {high}"
    return f'<tr><th scope="row">{label}</th><td>{_beside(str(count), "count", percent(count, most))}</td></tr>'


def _beside(words, kind, share, classes="beside"):
    """Words, and right of them a bar of one part."""
    return f'<div class="{classes}"><span>{text(words)}</span>{bar([(kind, share)])}</div>'


# ------------------------------------------------------------------ misconceptions


def _ideas(tally):
    ideas = tally.shared_ideas()
    if not ideas:
        return "<p>No wrong answer was one that this course knows by name.</p>"
    shared = [idea for idea in ideas if idea[1].count > 1][:SHOWN_IDEAS]
    folded, left = ideas[len(shared) : LISTED_IDEAS], ideas[LISTED_IDEAS:]
    parts = [
        "<p>These students answered exactly as a known wrong idea does. Below each: what they were told.</p>",
        *(_idea(*idea, tally) for idea in shared),
        _folded(folded, tally),
    ]
    if left:
        parts.append(f"<p>{len(left)} others are in the column misconceptions of grades.csv.</p>")
    return "\n".join(parts)


def _folded(ideas, tally):
    """The less common ones, folded."""
    if not ideas:
        return ""
    most = words.counted(ideas[0][1].count, "student")
    heading = f"{words.counted(len(ideas), 'misconception')} of {most}{' or fewer' if most != '1 student' else ''} each"
    return f"<details><summary>{heading}</summary>{''.join(_idea(*idea, tally) for idea in ideas)}</details>"


def _idea(key, group, tally):
    id, misconception = key
    said = f"{group.count} of {words.counted(tally.graded, 'student')}"
    return (
        f'<article class="box failed">\n<h3>{title(words.title(id))}: {text(misconception)}</h3>\n'
        f"{_beside(said, 'failed', percent(group.count, tally.graded), 'beside short')}\n"
        f"{paragraph(words.idea(id, misconception))}\n{_group(group, tally.context)}</article>"
    )


def _group(group, context):
    """Who is in it: some named, more folded, the rest counted."""
    links = [_link(student, context) for student in group.first]
    few, more = links[:SHOWN_NAMES], links[SHOWN_NAMES:]
    html = f'<ul class="names">{_items(few)}</ul>'
    if more:
        others = f"<li>and {group.others} more, in grades.csv</li>" if group.others else ""
        summary = f"{group.count - len(few)} more"
        html += f'<details><summary>{summary}</summary><ul class="names">{_items(more)}{others}</ul></details>'
    return html


def _items(html):
    return "".join(f"<li>{item}</li>" for item in html)


def _link(student, context):
    folder = quote(context.get("folders", {}).get(student, student), safe="")
    return f'<a href="{folder}/feedback.html">{name(words.display_name(student, context))}</a>'


# ------------------------------------------------------------------ exercises


def _exercises(tally):
    exercises = Settings.from_dict(tally.context["course"]).exercises()
    head = '<thead><tr><th scope="col" class="exercise">Exercise</th><th scope="col">Passed</th></tr></thead>'
    blocks = "".join(_block(number, list(group), tally) for number, group in groupby(exercises, lambda ex: ex.notebook))
    return f"<table><caption>{ABOUT_BARS}</caption>{head}{blocks}</table>"


def _block(number, exercises, tally):
    """The rows of one notebook; only its name where nobody began it."""
    begun = any(tally.began(ex.id) for ex in exercises)
    heading = text(f"{number} {notebook(number).title}")
    note = "" if begun else "nobody began it"
    rows = [f'<tr class="group"><th scope="rowgroup">{heading}</th><td>{note}</td></tr>']
    rows += [_exercise(ex, tally) for ex in exercises] if begun else []
    return f"<tbody>{''.join(rows)}</tbody>"


def _exercise(ex, tally):
    counts, began = tally.statuses[ex.id], tally.began(ex.id)
    shares = [(kind, percent(counts[kind], counts.total())) for kind in KINDS if counts[kind]]
    said = ", ".join(f"{counts[kind]} {SAID[kind]}" for kind in KINDS if counts[kind])
    rate = f"{percent(counts['passed'], began):.0f} %" if began else "none"
    cell = f'<div class="beside"><span>{rate}</span>{bar(shares)}</div><small class="quiet">{said}</small>'
    return f'<tr><th scope="row">{title(f"{ex.id} {ex.title}")}</th><td>{cell}</td></tr>'


# ------------------------------------------------------------------ students


def _open_matters(tally):
    context = tally.context
    lists = [
        ("Late", tally.late.first, tally.late.others, True),
        ("Handed in something that cannot be graded", tally.malformed.first, tally.malformed.others, True),
        ("Files under other names, which do not count", tally.renamed.first, tally.renamed.others, True),
        ("Not graded to the end; --resume asks again", tally.unfinished.first, tally.unfinished.others, True),
        ("On the roster, and handed in nothing", *_first(context.get("missing", ())), False),
        ("Handed in, but not on the roster", *_first(context.get("unknown", ())), True),
    ]
    parts = [_named(*entry, context) for entry in lists if entry[1]]
    notes = [*map(text, context["notes"]), *_several(context)]
    parts += [f"<ul>{_items(notes)}</ul>"] if notes else []
    return "\n".join(parts) or "<p>Nothing: all came, in time, and could be graded.</p>"


def _several(context):
    """Students who handed in several times: which hand-in counts."""
    for student, said in list(context["several"].items())[:LISTED]:
        yield f"{_link(student, context)} {text(said)}"


def _first(students):
    return list(students[:KEPT]), max(0, len(students) - KEPT)


def _named(heading, students, others, linked, context):
    items = [_link(s, context) if linked else name(words.display_name(s, context)) for s in students]
    items += [f"and {others} more, in grades.csv"] if others else []
    return f'<h3>{heading}: {len(students) + others}</h3>\n<ul class="names">{_items(items)}</ul>'


def _students(tally):
    if tally.all_listed:
        note = "Each name leads to what the student reads."
    else:
        note = (
            f"The class has more than {LISTED} students: all are in grades.csv. These {len(tally.lines)} are the first "
            f"of {tally.to_look_at} with something to look at."
        )
    head = '<th scope="col" class="exercise">Student</th><th scope="col">Look at</th>'
    head += '<th scope="col" class="number">Points</th>'
    rows = "".join(_student(line, tally) for line in tally.lines)
    head = f"<caption>{note}</caption><thead><tr>{head}</tr></thead>"
    return f'<table class="students">{head}<tbody>{rows}</tbody></table>'


def _student(line, tally):
    return (
        f'<tr><th scope="row">{_link(line.student, tally.context)}</th><td>{text("; ".join(line.remarks))}</td>'
        f'<td class="number">{line.earned} of {tally.possible}</td></tr>'
    )


# ------------------------------------------------------------------ how


def _how(tally):
    context = tally.context
    yield f"Course version: {context['version'] or 'not named'}. Grading code: {', '.join(sorted(tally.graders))}."
    if len(tally.graders) > 1:
        yield "The grading code changed in between. Grade again without --resume to compare like with like."
    for level, count in sorted(tally.isolation.items()):
        yield f"{words.counted(count, 'hand-in')} asked under this isolation: {level.rstrip('.')}."
    seeds = ", ".join(map(str, context["seeds"]))
    yield f"The inputs of the questions come from these seeds: {seeds}. Each hand-in was given one, as grades.csv says."
    yield "To ask a hand-in the same again: `python -m grader check --package DIR --seed S`, with its seed."
    yield "grades.csv opens in a spreadsheet; grades.jsonl holds all answers, one hand-in on each line."


def _list(sentences):
    return f"<ul>{_items(map(inline, map(visible, sentences)))}</ul>"
