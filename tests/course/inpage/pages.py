"""Editions, what a page unpacks of them, and what is said in each."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

from cases import lend

from grader.edition import release
from grader.inpage import bundle
from grader.web import npm

HERE = Path(__file__).parent


def made(folder):
    """A student edition of 01 to 04, and the folder that a page unpacks: both with what the cases need."""
    edition, page = folder / "edition", folder / "page"
    release.release(edition, ",".join(bundle.NOTEBOOKS))
    page.mkdir()
    bundle.write(page, edition)
    with zipfile.ZipFile(page / "course.zip") as archive:
        archive.extractall(page / "course")
    for course in (edition, page / "course"):
        lend(course)
    return edition, page / "course"


def in_a_terminal(course, cases, folder):
    (folder / "cases.json").write_text(json.dumps([case._asdict() for case in cases]))
    return told("in_a_terminal.py", course, folder / "cases.json")


def in_a_page(course, requests, folder):
    (folder / "requests.json").write_text(json.dumps(requests))
    return told("in_a_page.py", course, folder / "requests.json")


def told(script, course, file):
    done = subprocess.run([sys.executable, "-I", HERE / script, course, file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def in_pyodide(course, requests, folder):
    (folder / "requests.json").write_text(json.dumps(requests))
    npm.node(HERE / "in_pyodide.mjs", npm.node_modules(), course, folder / "requests.json", folder / "answers.json")
    return json.loads((folder / "answers.json").read_text())
