"""What the course draws and serves, in Firefox: a player, the book, the try page, the playground."""

import functools
import http.server
import json
import runpy
import shutil
import sys
import threading
from contextlib import contextmanager

import nbformat

from grader.course import regions, stubs
from grader.course.catalogue import exercise
from grader.course.paths import REFERENCE, ROOT

from . import trying
from .bidi import firefox

PROGRAMS = ("firefox-esr", "firefox")
PLAYER = """
import json, sys
from babygrad import Value
from toolbox import step_through
x = Value(3.0, label="x")
y = x * x
player = step_through(y * (y * 3))
page = "<!doctype html><meta charset='utf-8'><title>A player</title>" + player.html
open(sys.argv[1], "w", encoding="utf-8").write(page)
print(json.dumps([frame.sentence for frame in player.frames]))
"""
PLAYGROUND = "from toolbox import playground\nplayground('scalar')"
MEASURES = runpy.run_path(str(ROOT / "tests" / "course" / "notebook" / "test_browser.py"))
IDLE = "[...jupyterapp.shell.widgets('main')].some(at => at.sessionContext?.session?.kernel?.status === 'idle')"
STEPS = "Number(/Step (\\d+): loss/.exec(document.querySelector('.babygrad-playground .seen').innerText)[1])"


def try_firefox(scratch):
    """Firefox: a player by keyboard, a page of the book and its search, the try page, the playground."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if not program:
        trying.needs(PROGRAMS[0], packages=(PROGRAMS[0],))
        program = shutil.which(PROGRAMS[0])
    trying.needs("node", "npm")
    place = scratch / "root"
    (place / "served").mkdir(parents=True)
    book = [sys.executable, "-m", "grader", "site", "--out", place / "served" / "book"]
    trying.run(*book, cwd=ROOT, said="make site")
    with firefox(program, place) as page, _served(place / "served") as address:
        _player(page, place / "served", address)
        _book(page, f"{address}book/")
        _try_page(page, f"{address}book/try/")
        _playground(page, place)
        assert page.complaints == [], page.complaints
    return trying.run(program, "--version").strip().splitlines()[-1]


@contextmanager
def _served(folder):
    """The address at which the files of a folder are served."""
    handler = functools.partial(Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}

    def log_message(self, *words):
        pass


def _player(page, folder, address):
    trying.say("a player")
    command = [sys.executable, "-c", PLAYER, folder / "player.html"]
    frames = json.loads(trying.run(*command, cwd=folder, env={"PYTHONPATH": str(REFERENCE)}))
    page.goto(f"{address}player.html")
    page.focus(".babygrad-player input")
    for key, frame in (("End", -1), ("Home", 0), ("ArrowRight", 1)):
        page.press(key)
        page.until(f"document.querySelector('.babygrad-player .sentence').innerText === {json.dumps(frames[frame])}")
    page.click("[data-go=play]")
    page.until(f"document.querySelector('.babygrad-player .sentence').innerText === {json.dumps(frames[-1])}")


def _book(page, address):
    trying.say("the book")
    page.goto(f"{address}notebooks/03_walking_backwards.html")
    assert "Walking backwards" in page.text("h1"), page.text("h1")
    assert page.ask("document.documentElement.scrollWidth <= innerWidth")
    page.ask("document.querySelectorAll('details').forEach(folded => folded.open = true)")
    page.focus(".babygrad-player input")
    page.press("End")
    page.until("document.querySelector('.babygrad-player [data-go=last]').getAttribute('aria-disabled') === 'true'")
    page.goto(f"{address}notebooks/14_gradients_of_gradients.html")
    formulas = page.ask("[...document.querySelectorAll('math')].map(formula => formula.getBoundingClientRect().width)")
    assert formulas and all(formulas), formulas
    page.goto(f"{address}search.html?q=topological")
    page.until("document.querySelector('#search-results').innerText.includes('Search finished')")
    assert page.ask("document.querySelectorAll('#search-results li a').length") > 0


def _try_page(page, address):
    trying.say("the try page")
    page.goto(f"{address}02.html")
    page.until("document.body.dataset.python === 'ready'")
    right = stubs.generated(given=("2.1",))["value.py"].replace(" (given)", "")
    [region] = [region for region in regions.stub_regions(right) if region.id == "2.1"]
    answer = "\n".join(region.body)
    wrong = right.replace("(other.data, self.data)", "(self.data, other.data)")
    loop = right.replace(answer.strip(), "while True:\n            pass")
    for text, verdict in ((wrong, "failed"), (right, "passed"), (loop, "timeout"), (right, "passed")):
        trying.say(f"exercise {exercise('2.1').id}: {verdict}")
        page.ask(f"void layout.put('value.py', {json.dumps(text)}, 'a try')")
        page.click("#check")
        page.until(f"!('checking' in document.body.dataset) && headline.innerText.includes('{verdict}')")


def _playground(page, place):
    trying.say("the playground")
    course = place / "course"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(REFERENCE / "babygrad", course / "babygrad", ignore=ignored)
    for name in ("grader", "toolbox"):
        shutil.copytree(ROOT / name, course / name, ignore=ignored)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [nbformat.v4.new_code_cell(PLAYGROUND)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), course / "play.ipynb")
    with MEASURES["running_lab"](course) as lab:
        page.goto(f"{lab.address}/lab/tree/play.ipynb?token={lab.token}&reset")
        page.until("document.querySelector('.jp-Notebook .jp-Cell') !== null")
        page.until(IDLE)
        page.ask("jupyterapp.commands.execute('notebook:run-all-cells').then(() => null)")
        page.until("document.querySelector('.babygrad-playground .said') !== null")
        mark = "[...document.querySelectorAll('.babygrad-playground button')].find(b => b.innerText === '{}').id = '{}'"
        page.ask(mark.format("Start", "start"))
        page.click("#start")
        page.until(f"{STEPS} > 20")
        page.ask(mark.format("Stop", "stop"))
        page.click("#stop")
        page.until("document.querySelector('.babygrad-playground .said').innerText.startsWith('Stopped.')")
        page.goto("about:blank")
