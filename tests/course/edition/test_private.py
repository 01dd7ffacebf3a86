"""Private variants: a secret beside the edition draws what its students and its gradings are asked."""

import base64
import io
import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from grader.asking.draws import SEED, as_in_an_edition
from grader.checking.judging import known_beforehand
from grader.checking.reference import reference_answers
from grader.classroom.run import grade
from grader.classroom.run.grades_folder import GradesFolder
from grader.classroom.run.private import seed_of
from grader.course import catalogue, secret
from grader.course.paths import ROOT
from grader.course.settings import Settings
from grader.course.usage import UsageError
from grader.edition import release
from grader.sandbox.outside.seeds import SETS, fresh_seed, seeds_of_sets

HUNT, LIGHT = catalogue.exercise("0.3"), catalogue.exercise("2.4")


@pytest.fixture(scope="module")
def variants(tmp_path_factory):
    """Two private variants of the same notebooks, as folders."""
    folder = tmp_path_factory.mktemp("variants")
    for name in ("one", "other"):
        release.release(folder / name, "0,2", private=True)
    return folder / "one", folder / "other"


def settings_of(folder):
    return Settings.read(folder)


def asked(ex, seed, draw):
    """What the questions of an exercise draw."""
    with as_in_an_edition(draw):
        return [x.answers["asked"] for x in reference_answers([ex], seed)[ex.id].values() if "asked" in x.answers]


@pytest.mark.leg("night")
def test_the_secret_lies_beside_the_edition_for_its_owner_alone(variants):
    for folder in variants:
        file = folder.with_name(folder.name + ".secret")
        assert file == secret.path_for(folder) and file.stat().st_mode & 0o777 == 0o600
        assert len(file.read_text().strip()) == 64


def contents(folder):
    """(path, bytes) of every file, and of what is packed in it."""
    for path in (path for path in folder.rglob("*") if path.is_file()):
        yield from ((path, data) for data in unpacked(path.read_bytes()))


def unpacked(data):
    yield data
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield from unpacked(archive.read(name))


def forms_of(own):
    """All that the secret, or the seed of a grading, may look like in a file: {words: bytes}."""
    master = secret.number_from(own, "grading")
    raw = {"the secret": bytes.fromhex(own), "what the seed is made of": secret._digest(own, "grading")}
    for words, number in {"the seed": master, **{f"set {k}": n for k, n in enumerate(seeds_of_sets(master))}}.items():
        raw[words] = number.to_bytes((number.bit_length() + 7) // 8, "little")
        yield f"{words}, decimal", str(number).encode()
    for words, data in raw.items():
        for order, each in (("", data), (" backwards", data[::-1])):
            yield f"{words}{order}", each
            yield f"{words}{order}, hexadecimal", each.hex().encode()
            yield f"{words}{order}, base64", base64.b64encode(each).rstrip(b"=")


def found(folder, own):
    """What can be found in the folder's files: {words}."""
    forms, everything = dict(forms_of(own)), list(contents(folder))
    assert len(everything) > 1 or folder.name == "planted"
    return {words for words, form in forms.items() for _, data in everything if form in data}


@pytest.mark.leg("push")
def test_nothing_in_the_edition_tells_the_secret_or_what_a_grading_draws(variants):
    for folder in variants:
        assert found(folder, secret.path_for(folder).read_text().strip()) == set()


def test_what_could_tell_it_would_be_found(tmp_path):
    """Each form, also in an archive in an archive."""
    own, planted = secret.new(), tmp_path / "planted"
    planted.mkdir()
    for words, form in forms_of(own):
        inner, outer = io.BytesIO(), planted / "arrays.npz"
        for file, content in ((inner, b"before" + form + b"after"), (outer, None)):
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("x.npy", content or inner.getvalue())
        assert words in found(planted, own)


@pytest.mark.leg("night")
def test_a_seed_is_too_long_to_be_tried(variants):
    """From 32 bits a seed is found in hours, by one number that was drawn, or by the seed of one set."""
    master = seed_of(settings_of(variants[0]), None, variants[0])
    assert master > 2**100 and fresh_seed() > 2**100  # each fails once in 2**28 times
    seeds = {seed for name in range(50) for seed in seeds_of_sets(name)}
    assert len(seeds) == 50 * SETS and 2**47 < max(seeds) < 10**15  # a spreadsheet keeps fifteen digits


@pytest.mark.leg("push")
def test_from_the_number_that_students_see_the_seed_does_not_follow(variants):
    for folder in variants:
        settings = settings_of(folder)
        seed = seed_of(settings, None, folder)
        assert seed not in (settings.draw, secret.number_from(str(settings.draw), "grading"), SEED)
        assert seed != secret.number_from(settings.private, "grading")


def test_each_variant_asks_its_students_something_else(variants):
    draws = [0, *(settings_of(folder).draw for folder in variants)]
    for ex in (HUNT, LIGHT):
        found = [json.dumps(asked(ex, SEED, draw)) for draw in draws]
        assert len(set(found)) == len(draws) and found == [json.dumps(asked(ex, SEED, draw)) for draw in draws]


def test_what_is_recorded_is_what_the_students_of_this_variant_are_asked(variants):
    for folder in variants:
        wanted = asked(HUNT, SEED, settings_of(folder).draw)
        expected = folder / "tests" / "exercises" / "expected"
        text = "".join(path.read_text() for path in expected.glob("00_answers.json"))
        assert all(str(number) in text for each in wanted for number in each["truth"])


def test_a_grading_asks_something_else_than_the_students_own_check(variants):
    known = []
    for folder in variants:
        settings = settings_of(folder)
        seed = seed_of(settings, None, folder)
        with as_in_an_edition(settings.draw):
            known.append("measure_B" in known_beforehand(HUNT.id, seed))
        assert asked(HUNT, seed, settings.draw) == asked(HUNT, seed, 0) != asked(HUNT, SEED, settings.draw)
    assert known != [True, True]  # the secrets are drawn: by chance one in some hundred asks the same of one measure


def test_a_grading_takes_its_seed_from_the_secret(variants, tmp_path):
    folder, _ = variants
    made = grade._seed(None, None, folder, GradesFolder(tmp_path, ""), None, settings_of(folder))
    assert made == seed_of(settings_of(folder), secret.path_for(folder), Path("elsewhere"))
    lost = tmp_path / "lost"
    assert grade._seed(7, lost, folder, GradesFolder(tmp_path, ""), None, settings_of(folder)) == 7


def test_without_the_secret_nothing_is_graded(variants, tmp_path):
    settings = settings_of(variants[0])
    with pytest.raises(UsageError, match=r"its secret is needed to grade: there is none in .*--secret FILE"):
        seed_of(settings, tmp_path / "none", variants[0])
    with pytest.raises(UsageError, match="the secret of another edition"):
        seed_of(settings, secret.path_for(variants[1]), variants[0])
    assert seed_of(Settings.of_the_whole_course(), None, None) is None
    with pytest.raises(UsageError, match="is no private variant"):
        seed_of(Settings.of_the_whole_course(), secret.path_for(variants[0]), None)


def test_a_secret_is_never_overwritten(tmp_path):
    secret.path_for(tmp_path / "out").write_text("in use")
    with pytest.raises(UsageError, match="already exists"):
        release.release(tmp_path / "out", "0", private=True)
    assert secret.path_for(tmp_path / "out").read_text() == "in use" and not (tmp_path / "out").exists()


def test_a_release_that_fails_leaves_no_secret_behind(tmp_path, monkeypatch):
    def full(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr(release.recording, "record", full)
    with pytest.raises(OSError, match="the disk is full"):
        release.release(tmp_path / "out", "0", private=True)
    assert list(tmp_path.iterdir()) == []


def test_a_secret_inside_the_course_is_not_committed():
    run = subprocess.run(["git", "check-ignore", "-q", "students.secret"], cwd=ROOT)
    assert run.returncode == 0


@pytest.mark.leg("night")
def test_editions_of_two_years_draw_for_themselves_and_those_of_one_alike(tmp_path):
    """By the version that was named: also when a later edition of the term has more notebooks, and other dates."""
    made = {"autumn": ("0", "2027"), "winter": ("0,2", "2027"), "next": ("0", "2028")}
    for name, (notebooks, version) in made.items():
        release.release(tmp_path / name, notebooks, version=version, due=["2027-12-01"] if name == "winter" else ())
    draws = {name: settings_of(tmp_path / name).draw for name in made}
    assert draws["autumn"] == draws["winter"] and len({0, *draws.values()}) == 3
    recorded = {name: (tmp_path / name / "tests/exercises/expected/00_answers.json").read_bytes() for name in made}
    assert recorded["autumn"] == recorded["winter"] != recorded["next"]


@pytest.mark.leg("push")
def test_without_a_name_what_was_chosen_draws(tmp_path):
    for name, due in {"one": "2027-12-01", "same": "2027-12-01", "next": "2028-12-01"}.items():
        release.release(tmp_path / name, "0", due=[due])
    one, same, following = (settings_of(tmp_path / name).draw for name in ("one", "same", "next"))
    assert one == same != following


@pytest.mark.parametrize("draw", [-1, True, 1.5, "7"])
def test_a_draw_that_is_no_whole_number_is_refused(draw):
    with pytest.raises(UsageError, match="field 'draw': a whole number from 0 up is expected"):
        Settings.from_dict({**Settings.of_the_whole_course().as_dict(), "draw": draw})
