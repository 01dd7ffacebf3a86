"""Grades a class: from the folder of submissions to grades, pages, and the words at the end.

What was graded stands in a journal (journal.py), and what it was graded with in state.json (state.py). So a grading
that is stopped, in whatever way, goes on with --resume, to the results that it would have had.
"""

import shlex
from dataclasses import replace
from datetime import datetime

from ...course.catalogue import select
from ...course.phrases import counted, listed, plural
from ...course.settings import Settings
from ...course.usage import UsageError
from ...edition.choices import only_these
from ...sandbox.outside.seeds import fresh_seed
from ..collect import class_list, shared
from ..collect.groups import Shared
from ..marks.by_hand import Sheets
from ..pages import outputs, returned, words
from ..pages.owner import for_the_owner, shut
from ..similar.compare import compare
from . import digests, shards
from .executors import executor
from .grades_folder import GradesFolder
from .journal import Journal, Records
from .lock import locked
from .private import SAID, seed_of
from .round import Round
from .state import State, changed, decided_otherwise
from .student_record import weigher
from .trouble import disk_errors, stopped_by_signals

GRADE = "grader.sandbox.outside.grading:grade"
MERGE_ALONE = "--merge joins what is graded: it goes with no --shard, --only, --notebooks, --resume or --executor."
NO_HAND_IN = "There are no hand-ins in {folder}: it should have a folder or a .zip for each student."
SHOWN_NOTES = 5


def grade(options, say=print):
    """Grade, or merge.  Returns the exit code: 0 graded, 2 something is missing, 130 stopped.

    options: the command's arguments (command.py).  say(line): shows a line.  Raises UsageError, also where the disk is
    full.
    """
    shard = shards.Shard.read(options.shard) if options.shard else None
    if options.merge and (shard or options.only or options.resume or options.executor or options.notebooks):
        raise UsageError(MERGE_ALONE)
    _demand_apart(options.submissions, options.out)
    shared.demand_one(options)
    folder = GradesFolder(options.out, str(shard or ""))
    with (
        for_the_owner(),
        folder.made(for_merge=options.merge),
        stopped_by_signals(),
        locked(folder.path, folder.shard, say),
    ):
        shut(folder.path, say)
        if options.merge:
            return _merge(options, folder, say)
        return _go_through(*_begin(options, folder, shard, say), options, folder, shard, say)


def _go_through(this_round, sheets, options, folder, shard, say):
    with disk_errors(folder.path, this_round.safety), Journal(folder.journal_file) as journal:
        try:
            this_round.go(journal)
            for line in this_round.said():
                say(line)
            if shard:
                say(f"Part {shard.text} is graded. When all parts are, use --merge instead of --shard {shard.text}.")
                return 0
            _write_outputs(folder, this_round.state, this_round.members, sheets, journal, options, say)
        except KeyboardInterrupt:
            say(f"Stopped after {this_round.done} of {this_round.total}; continue with --resume.")
            return 130
    return 0


# ---- before ----


def _demand_apart(submissions, out):
    """Raises UsageError if there are no submissions, or if the grades would lie among them."""
    if not submissions.exists():
        raise UsageError(f"There is no {submissions}.")
    if out.resolve().is_relative_to(submissions.resolve()):
        raise UsageError(f"{out} is inside the folder of submissions and would count as one: name a folder outside it.")


def _begin(options, folder, shard, say):
    """(a Round that is ready to go, the teacher's Sheets); the round's state is on the disk."""
    old = _old_state(folder, options.resume, options.only)
    _demand_the_same_names(folder, options.roster, options.pattern, old)
    settings = _settings(options.course, options.count, options.notebooks, old)
    ids = _ids(options.only, settings)
    seed = _seed(options.seed, options.secret, options.course, folder, old, settings)
    until = shared.until(options, old.until if old else "")
    members = class_list.read(options.submissions, options.roster, options.pattern, options.before, until)
    if not (members.sources or old):
        raise UsageError(" ".join([NO_HAND_IN.format(folder=options.submissions), *members.notes[:SHOWN_NOTES]]))
    if shard:
        members.keep(shard.holds)
    workers = executor(options.executor, GRADE, options.jobs)
    level, words, isolation = choose_isolation(options.unsafe)
    course = settings.as_dict()
    state = State(seed, course, digests.of_a_grading(course), [isolation], folder.shard, len(members.sources))
    state.until = until
    state.decide(options, old)
    sheets = Sheets.read(folder.path, state)
    if state.notebooks:
        graded = f"{plural('notebook', len(settings.notebooks))} {listed(settings.notebooks)}"
        say(f"Graded: {graded} ({counted(settings.possible, 'point')}).")
    _say_how(old, state, ids if options.only else (), say)
    if settings.private and not old and options.seed is None:
        say(SAID)
    if old:
        state.isolation = list(dict.fromkeys([*old.isolation, isolation]))
    state.begun = datetime.now().astimezone().isoformat()
    state.roster, state.pattern = str(options.roster or ""), options.pattern or ""
    with disk_errors(
        folder.path, "Nothing was begun, and what was graded before is safe: make room, and repeat the command."
    ):
        state.write(folder.state_file)
    how = {"only": bool(options.only), "resume": options.resume, "lines": options.lines}
    return Round(settings, state, members, ids, level, words, workers, **how), sheets


def _old_state(folder, resume, only):
    """The State of the grading to go on with, or None.  Raises UsageError if there is one, and nobody said to go on."""
    if folder.state_file.exists() and not (resume or only):
        raise UsageError(
            f"{folder.path} already holds a grading: --resume continues it and keeps what is graded; for a new one "
            "name another folder."
        )
    old = folder.state()
    if only and not old:
        raise UsageError(f"--only grades again, and {folder.path} holds no grading yet: grade everything first.")
    return old


def _demand_the_same_names(folder, roster, pattern, old):
    """Raises UsageError if an earlier grading's roster or pattern is left out now: students would get other ids."""
    if old and old.roster and roster is None:
        raise UsageError(f"The students in {folder.path} have their names from a roster: add --roster {old.roster}.")
    if old and old.pattern and pattern is None:
        typed = shlex.quote(old.pattern)
        raise UsageError(f"The students in {folder.path} have their names from a pattern: add --pattern {typed}.")


def _settings(course, count, notebooks, old):
    """The Settings of --course; without it those of the course.json that the grading to go on with was begun with.

    What --count and --notebooks leave out is as the grading was begun with, or as the course.json says.
    """
    if old and course is None and old.settings.get("edition") == "student":
        settings = Settings.from_dict(old.settings)
    else:
        settings = Settings.read(course)
    if old and course is None:
        count = count or old.settings["count"]
    settings = only_these(settings, old.notebooks if old and notebooks is None else notebooks)
    return replace(settings, count=count or settings.count)


def _ids(only, settings):
    """The ids to ask: all that count, or those of --only.  Raises UsageError for one that does not count."""
    counted = tuple(ex.id for ex in settings.exercises())
    wanted = tuple(ex.id for ex in select(only)) if only else counted
    for id in wanted:
        if id not in counted:
            raise UsageError(f"--only {id}: its answer was given or it was not released, so it is not graded.")
    return wanted


def _seed(given, secret, course, folder, old, settings):
    """The seed to grade with: that of the grading to go on with, the one that was given, that of a private variant, or
    a fresh one."""
    if old:
        if given not in (None, old.seed):
            raise UsageError(f"{folder.path} has --seed {old.seed}: leave --seed out, or name another folder.")
        return old.seed
    if given is not None:
        return given
    if (own := seed_of(settings, secret, course)) is not None:
        return own
    if folder.shard:
        example = f"for example --seed {fresh_seed()}"
        raise UsageError(f"All shards must ask the same questions: give each the same seed, {example}.")
    return fresh_seed()


def choose_isolation(unsafe):
    """(name, words, sentences) of the level to grade under.

    Raises UsageError where nothing can shut a stranger's code in.
    """
    from ...sandbox.outside import levels

    chosen = levels.choose(unsafe=unsafe, wanted=None)
    return chosen.level.name, chosen.level.words, " ".join(chosen.sentences()).removeprefix("Isolation: ")


def _say_how(old, state, only, say):
    """only: the ids of --only, or ()."""
    difference = changed(old, state) if old else ""
    if difference and only:
        asked = ", ".join(only)
        say(f"Changed since the grading began: {difference}. {asked} is regraded with what is here now, nothing else.")
    elif difference:
        say(f"Changed since the grading began: {difference}. Everything is regraded, with the same seed.")
    if old and (other := decided_otherwise(old, state)):
        say(f"Changed since the grading began: {other}. All grades follow, and no code runs again for that.")
    if old and state.isolation[0] not in old.isolation:
        say(f"Graded so far under another isolation: {old.isolation[-1]}")
    say(f"Isolation: {state.isolation[0]}")


# ---- after ----


def _write_outputs(folder, state, members, sheets, journal, options, say):
    settings, shown = Settings.from_dict(state.settings), members.shown(journal)
    by_hand = sheets.of(settings, {*shown, *members.missing}, members.names)
    weighed = weigher(settings, by_hand.extensions)
    shared = Shared(journal, members.groups.partners)
    records = Records(shared, shown, lambda record: by_hand.merged(weighed(record)))
    context = members.context(settings, state, shown) | {"similar": compare(members.sources, settings)}
    context |= {"roster": state.roster, "assignment": state.assignment}
    tally = outputs.write(folder.path, records, by_hand.context(context), members.everybodys_sources())
    for line in [*words.summary(tally), *tally.context["platforms"]]:
        say(line)
    if have_prediction := tally.context["have_prediction"]:
        say(f"Predictions and notes of {counted(have_prediction, 'student')}, as plain text: in each folder answers.")
    if options.give_back:
        say(returned.write(folder.path, tally.context["folders"], members.hand_ins, options.submissions))
    say(f"The seed was {state.seed}: --seed {state.seed} asks the same questions again.")


def _merge(options, folder, say):
    """Join the shards in the folder, and write tables and pages."""
    found = shards.find(folder.path)
    gone, state = shards.missing(found), shards.joined_state(found)
    state.settings["count"] = options.count or state.settings["count"]
    _demand_the_same_names(folder, options.roster, options.pattern, state)
    members = class_list.read(options.submissions, options.roster, options.pattern, options.before, state.until)
    state.decide(options, state)
    sheets = Sheets.read(folder.path, state)
    with disk_errors(folder.path, "Merge again."), shards.joined(folder, found, state) as journal:
        _write_outputs(folder, state, members, sheets, journal, options, say)
        waiting = len(members.without_grades(journal))
    for shard in gone:
        say(f"Shard {shard} is missing.")
    if waiting:
        say(f"{waiting} of {len(members.sources)} submissions have no grade yet: grade their shards, then merge again.")
    return 2 if waiting or gone else 0
