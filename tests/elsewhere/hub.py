"""A JupyterHub as docs/jupyterhub.md has it: two students who own nothing but their homes, a browser, an exchange."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

from grader.course.catalogue import all_exercises
from grader.course.paths import ROOT

from . import trying

STUDENTS = {"ada": 61001, "ben": 61002}  # numbers of users: they need no account
PATH = "/usr/local/bin:/usr/bin:/bin"  # what every user has
NOTEBOOK = "babygrad/notebooks/00_start_here.ipynb"
POINTS = sum(ex.points for ex in all_exercises())
CONFIG = """\
import json, os
from jupyterhub.spawner import SimpleLocalProcessSpawner

told = json.load(open("told.json"))

class Student(SimpleLocalProcessSpawner):
    def make_preexec_fn(self, name):
        def become():
            os.setgroups([])
            os.setgid(told["students"][name])
            os.setuid(told["students"][name])
            os.chdir(self.home_dir)
        return become

c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.bind_url = f"http://127.0.0.1:{told['port']}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{told['hub']}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{told['proxy']}"
c.ConfigurableHTTPProxy.command = [told["npm"]]
c.JupyterHub.spawner_class = Student
c.SimpleLocalProcessSpawner.home_dir_template = told["homes"] + "/{username}"
c.Spawner.cmd = [told["venv"] + "/bin/jupyterhub-singleuser"]
c.Spawner.args = ["--LabApp.expose_app_in_browser=True"]
c.Spawner.environment = {"BABYGRAD_VENV": told["venv"]}
c.Spawner.start_timeout = c.Spawner.http_timeout = 600
"""
EDIT = """async ([path, old, now]) => {
    const files = window.jupyterapp.serviceManager.contents, file = await files.get(path);
    await files.save(path, {type: 'file', format: 'text', content: file.content.replace(old, now)});
}"""
CELLS = "() => window.jupyterapp.shell.currentWidget.content.model.toJSON().cells"
ADD = """text => {
    const cells = window.jupyterapp.shell.currentWidget.content.model.sharedModel;
    cells.insertCell(cells.cells.length, {cell_type: 'code', source: text});
}"""
WRITE = "([n, text]) => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells[n].setSource(text)"
RUN = """async n => {
    window.jupyterapp.shell.currentWidget.content.activeCellIndex = n;
    await window.jupyterapp.commands.execute('notebook:run-cell');
}"""
TYPE = """line => {
    window.shown = '';
    window.jupyterapp.serviceManager.terminals.startNew().then(terminal => {
        terminal.messageReceived.connect((_, said) => { if (said.type === 'stdout') shown += said.content.join('') });
        terminal.send({type: 'stdin', content: [line]});
    });
}"""


def try_hub(scratch):
    """A JupyterHub: notebook by nbgitpuller, checks, a prediction, saving, stop and start, the exchange, make."""
    trying.needs("node", "npm", "git", root=True)
    if not shutil.which("python3", path=PATH):
        raise trying.LeftOut("there is no Python that every user has")
    trying.needs("chromium", packages=("chromium", "fonts-dejavu"))
    scratch.chmod(0o711)  # students go through it
    place = scratch / "root"
    place.mkdir()
    venv = _environment(place)
    with ExitStack() as stack:
        repository = stack.enter_context(_repository(place))
        address = stack.enter_context(_hub(place, venv))
        browser = stack.enter_context(_browser())
        place_in_lab = quote(f"lab/tree/{NOTEBOOK}?autodecode", "")
        link = f"git-pull?repo={quote(repository, '')}&branch=main&urlpath={place_in_lab}"
        seen = {name: Seen(browser, f"{address}/hub", name, link) for name in STUDENTS}
        _in_the_notebook(seen["ada"], place / "homes" / "ada" / "babygrad")
        _in_the_exchange(seen["ada"], place)
        _in_the_terminal(seen["ada"], place / "homes" / "ada" / "babygrad")
        seen["ben"].run(0)
        assert "not started" in seen["ben"].check("0.1")
        assert f"0 of {POINTS} points" in seen["ben"].typed("make check")
    versions = trying.run(venv / "bin" / "pip", "list", "--format=freeze")
    return ", ".join(re.findall(r"^(?:jupyterhub|jupyterlab|nbgitpuller)==.*", versions, re.MULTILINE))


# ---- what a teacher sets up ----


def _environment(place):
    """The edition, and its environment, made once by its owner."""
    edition, venv = place / "edition", place / "environment"
    _release(edition, place)
    variables = {**os.environ, "BABYGRAD_VENV": str(venv)}
    setup = (shutil.which("python3", path=PATH), "-m", "grader.environment", "core")
    trying.run(*setup, cwd=edition, env=variables, said="the environment of the kernels")
    packages = ("jupyterhub>=5,<6", "nbgitpuller>=1.2,<2")
    trying.run(venv / "bin" / "pip", "install", *packages, said=f"pip install {' '.join(packages)}")
    proxy = "configurable-http-proxy"
    trying.run("npm", "install", "--prefix", place, "--no-save", proxy, said=f"npm install {proxy}")
    return venv


def _release(edition, place, *more):
    words = ("release", edition, "--exchange", place / "exchange", *more)
    trying.run(sys.executable, "-m", "grader", *words, cwd=ROOT, said=f"make release EXCHANGE=... {' '.join(more)}")


@contextmanager
def _repository(place):
    """The address of a repository with the edition, served on this machine."""
    edition, port = place / "edition", trying.free_port()
    git = ("git", "-C", edition, "-c", "user.name=Teacher", "-c", "user.email=teacher@example.org")
    trying.run(*git, "init", "--quiet", "--initial-branch=main")
    trying.run(*git, "add", "--all")
    trying.run(*git, "commit", "--quiet", "-m", "The course")
    trying.run("git", "clone", "--quiet", "--bare", edition, place / "served" / "babygrad")
    options = [f"--base-path={place / 'served'}", "--export-all", "--reuseaddr", "--listen=127.0.0.1", f"--port={port}"]
    with _running(["git", "daemon", *options], place):
        yield f"git://127.0.0.1:{port}/babygrad"


@contextmanager
def _hub(place, venv):
    """The address of a running hub."""
    for name, number in STUDENTS.items():
        home = place / "homes" / name
        home.mkdir(parents=True)
        os.chown(home, number, number)
    told = {name: trying.free_port() for name in ("port", "hub", "proxy")}
    told |= {"students": STUDENTS, "homes": str(place / "homes"), "venv": str(venv)}
    told |= {"npm": str(place / "node_modules" / ".bin" / "configurable-http-proxy")}
    (place / "told.json").write_text(json.dumps(told))
    (place / "config.py").write_text(CONFIG)
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "BABYGRAD", "PYTHON"))}
    variables["PATH"] = f"{Path(shutil.which('node')).parent}:{PATH}"
    with _running([venv / "bin" / "jupyterhub", "-f", "config.py"], place, variables) as hub:
        address = f"http://127.0.0.1:{told['port']}"
        _until_it_answers(f"{address}/hub/health", hub)
        yield address


@contextmanager
def _running(command, place, variables=None):
    """A server, with its log in the place."""
    log = place / f"{Path(command[0]).name}.log"
    with log.open("w") as file:
        server = subprocess.Popen(command, cwd=place, env=variables, stdout=file, stderr=file, start_new_session=True)
    try:
        yield server
    except BaseException:
        print(log.read_text()[-6000:])
        raise
    finally:
        server.terminate()
        server.wait(60)


def _until_it_answers(address, server):
    for _ in range(600):
        try:
            urllib.request.urlopen(address).close()
            return
        except OSError:
            assert server.poll() is None, "the server has ended"
            time.sleep(1)
    raise TimeoutError(address)


# ---- what students do ----


@contextmanager
def _browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=MEASURES["FLAGS"])
        yield chromium
        chromium.close()


MEASURES = runpy.run_path(str(ROOT / "tests" / "course" / "notebook" / "test_browser.py"))


class Seen:
    """The hub as one student sees it, after following the teacher's link."""

    def __init__(self, browser, hub, name, link):
        trying.say(f"{name} follows the link")
        self.hub, self.name = hub, name
        self.page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
        self.page.set_default_timeout(600_000)
        self.page.goto(f"{hub}/user-redirect/{link}")
        self.page.fill("input[name=username]", name)
        self.page.fill("input[name=password]", "any")
        self.page.press("input[name=password]", "Enter")
        self.wait()

    def wait(self):
        self.page.wait_for_selector(".jp-Notebook .jp-Cell")
        self.page.wait_for_function(MEASURES["KERNEL_IS_READY"])

    def cells(self):
        return self.page.evaluate(CELLS)

    def run(self, number):
        """What the cell with this number (of those with code) prints."""
        at = [n for n, cell in enumerate(self.cells()) if cell["cell_type"] == "code"][number]
        return self.run_at(at)

    def run_at(self, at):
        self.page.evaluate(RUN, at)
        self.page.wait_for_function(MEASURES["IDLE"])
        outputs = self.cells()[at]["outputs"]
        assert all(output["output_type"] != "error" for output in outputs), outputs
        return json.dumps(outputs, ensure_ascii=False)

    def check(self, id):
        return self.run_at(self.where(f"%check {id}$"))

    def added(self, text):
        """What a new cell with this text prints."""
        trying.say(f"{self.name}: {text}")
        self.page.evaluate(ADD, text)
        return self.run_at(len(self.cells()) - 1)

    def where(self, pattern):
        return next(n for n, cell in enumerate(self.cells()) if re.match(pattern, cell["source"]))

    def typed(self, line):
        """What is shown in a new terminal."""
        trying.say(f"{self.name}: {line}")
        self.page.evaluate(TYPE, f"cd babygrad && {line}; echo it ended with $?\r")
        self.page.wait_for_function("() => /it ended with \\d/.test(window.shown)")
        shown = self.page.evaluate("() => window.shown")
        assert "it ended with 0" in shown, shown
        return re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", shown)


def _in_the_notebook(seen, course):
    seen.run(0)
    for now, verdict in (("return width + height", "failed"), ("return width * height", "passed")):
        old = 'raise NotImplementedError("exercise 0.1: area")' if verdict == "failed" else "return width + height"
        seen.page.evaluate(EDIT, ["babygrad/babygrad/warmup.py", old, now])
        trying.say(f"{seen.name}: %check 0.1 for {now}")
        told = seen.check("0.1")
        assert verdict in told, told
    prediction = seen.where(r"# \w+ 0\.A1\n")
    words = "a straight line, then a wave"
    seen.page.evaluate(WRITE, [prediction, f"{seen.cells()[prediction]['source']} {words}"])
    seen.run_at(prediction)
    assert words in (course / "answers" / "00.md").read_text(encoding="utf-8")
    seen.page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    trying.say(f"{seen.name}: saved; stop and start")
    seen.page.goto(f"{seen.hub}/home")
    seen.page.click("#stop")
    seen.page.wait_for_selector("#stop", state="hidden")
    seen.page.goto(f"{seen.hub}/spawn/{seen.name}")
    seen.page.wait_for_url("**/lab**")
    seen.page.goto(seen.hub.removesuffix("hub") + f"user/{seen.name}/lab/tree/{NOTEBOOK}?reset")
    seen.wait()
    assert words in seen.cells()[prediction]["source"]
    seen.run(0)
    assert "passed" in seen.check("0.1")


def _in_the_exchange(seen, place):
    """%submit and its link, a grading by the teacher's account, %fetch: feedback, and a newer edition."""
    number = STUDENTS[seen.name]
    assert f"Handed in, as {number}" in seen.added("%submit")
    with seen.page.expect_download() as downloading:
        seen.page.click(f"a[download]:text-is('{number}.zip')")
    [handed_in] = (place / "exchange" / "inbound").iterdir()
    assert handed_in.stat().st_uid == number
    assert Path(downloading.value.path()).read_bytes() == handed_in.read_bytes()
    words = ("grade", place / "exchange", "--out", place / "grades", "--course", place / "edition", "--notebooks", "0")
    told = trying.run(sys.executable, "-m", "grader", *words, "--return", cwd=ROOT, said="make grade ARGS=--return")
    assert "Returned: 1 page" in told, told
    _release(place / "newer", place, "--notebooks", "0-3", "--version", "newer")
    told = seen.added("%fetch")
    assert "that the newer course no longer has: removed" in told and "Feedback: 1 new page" in told, told
    [page] = (place / "homes" / seen.name / "babygrad" / "submissions" / "feedback").iterdir()
    assert page.read_bytes() == (place / "grades" / str(number) / "feedback.html").read_bytes()


def _in_the_terminal(seen, course):
    assert re.search(r"0\.1 +area +passed", seen.typed("make check"))
    seen.typed(f"make submit NAME={seen.name}")
    assert (course / "submissions" / f"{seen.name}.zip").is_file()
