"""Notebooks as a person sees them, in a real browser: in JupyterLab and as static pages, light and dark.

Needs playwright and a Chromium (BABYGRAD_BROWSER names one that is not on PATH). Without them these tests are
skipped; with BABYGRAD_REQUIRE_BROWSER=1 they fail instead.
"""

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import nbformat
import pytest

from grader.course import regions, stubs
from grader.course.paths import REFERENCE, ROOT, package_folder
from grader.maintainer import executed_notebooks, sources
from grader.notebook import answers

pytestmark = pytest.mark.leg("push")

GRAPHS = "02"  # the notebook with most drawings
PREDICTIONS = "03"
WIDTH, HEIGHT = 1280, 1000
CONTRAST = 4.5  # WCAG AA, for text of normal size
THEMES = ["Light", "Dark"]
PATIENCE = 600  # seconds, on a busy machine
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
EXECUTED = [path for path in map(executed_notebooks.executed_path, sources.sources()) if path.exists()]


# ------------------------------------------------------------------ a browser


@pytest.fixture(scope="module")
def browser(do_without):
    """A headless Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        do_without("BROWSER", "playwright is not installed")
    program = os.environ.get("BABYGRAD_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    if not program:
        names = ", ".join(NAMES)
        do_without("BROWSER", f"no browser found: none of {names} is on PATH, and BABYGRAD_BROWSER is not set")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=PATIENCE * 1000)
        chromium.new_page, chromium.new_context = patient(chromium.new_page), patient(chromium.new_context)
        yield chromium
        chromium.close()


def patient(make):
    """It makes pages, or contexts for pages, as before, which wait as long as a busy machine may take."""

    def made(**options):
        new = make(**options)
        getattr(new, "context", new).set_default_timeout(PATIENCE * 1000)
        return new

    return made


def new_page(browser):
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    return page


def screenshot(page, folder, name, locator=None):
    """A picture of the page, around the first element of the locator if one is given. Gives the path."""
    if locator is not None and locator.count():
        locator.first.scroll_into_view_if_needed()
    path = folder / f"{name}.png"
    page.screenshot(path=path)
    return path


# ------------------------------------------------------------------ JupyterLab on a copy of the course


class Lab:
    """A running JupyterLab. root: the course it shows; its kernels import babygrad from there."""

    def __init__(self, root, address, token):
        self.root, self.address, self.token = root, address, token

    def notebook(self, number):
        (path,) = (self.root / "notebooks").glob(f"{number}_*.ipynb")
        return path

    def write_package(self, filled):
        """The learner's package afresh: stubs, or the reference's answers between the stubs' comments."""
        for name in stubs.generated():
            text = (package_folder(REFERENCE) / name).read_text(encoding="utf-8")
            fresh = with_answers(text) if filled else regions.stub_text(text)
            (package_folder(self.root) / name).write_text(fresh, encoding="utf-8")

    def open(self, browser, name, number=GRAPHS):
        """A page on a copy of the notebook with a kernel of its own, ready to run."""
        copy = self.notebook(number).with_name(f"{name}.ipynb")
        shutil.copy(self.notebook(number), copy)
        page = new_page(browser)
        page.goto(f"{self.address}/lab/tree/notebooks/{copy.name}?token={self.token}&reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.wait_for_function(KERNEL_IS_READY)
        return page


def with_answers(text):
    return regions.replaced(text, regions.solution_regions(text), lambda region: regions.wrapped(region, region.body))


KERNEL_IS_READY = """async () => {
    const context = window.jupyterapp?.shell.currentWidget?.sessionContext;
    if (!context) return false;
    await context.ready;
    const kernel = context.session?.kernel;
    if (!kernel || kernel.connectionStatus !== 'connected' || kernel.status !== 'idle') return false;
    await kernel.info;
    await kernel.requestKernelInfo();
    return true;
}"""
BEGUN = """() => [...document.querySelectorAll('.jp-InputPrompt')]
    .some(prompt => /[0-9*]/.test(prompt.textContent))"""
IDLE = """() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'
    && ![...document.querySelectorAll('.jp-InputPrompt')].some(prompt => prompt.textContent.includes('*'))"""


def command(page, name, **arguments):
    page.evaluate("([name, arguments]) => window.jupyterapp.commands.execute(name, arguments)", [name, arguments])


def run_all(page):
    """Runs all cells and waits for the last; stops where JupyterLab stops."""
    command(page, "notebook:run-all-cells")
    page.wait_for_function(BEGUN)
    page.wait_for_function(IDLE)
    page.wait_for_timeout(300)
    page.wait_for_function(IDLE)


def change_theme(page, theme):
    name = f"JupyterLab {theme}"
    command(page, "apputils:change-theme", theme=name)
    page.wait_for_function("name => document.body.dataset.jpThemeName === name", arg=name)
    page.wait_for_timeout(500)


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    """JupyterLab on a copy of the course."""
    root = tmp_path_factory.mktemp("lab") / "course"
    skipped = shutil.ignore_patterns(".*", "__pycache__", "benchmarks", "*.ipynb_checkpoints")
    shutil.copytree(ROOT, root, ignore=skipped)
    with running_lab(root) as lab:
        yield lab


def small_course(root, notebooks):
    """A folder with the reference, and notebooks of a few cells: {name: [code]}."""
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(REFERENCE / "babygrad", root / "babygrad", ignore=skipped)
    for name in ("grader", "toolbox"):
        shutil.copytree(ROOT / name, root / name, ignore=skipped)
    (root / "notebooks").mkdir()
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for name, codes in notebooks.items():
        cells = [nbformat.v4.new_code_cell(code, id=f"cell-{place}") for place, code in enumerate(codes)]
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        nbformat.write(notebook, root / "notebooks" / f"{name}.ipynb")


@contextmanager
def running_lab(root):
    """Starts JupyterLab on a course and stops it afterwards."""
    token, port = secrets.token_hex(16), free_port()
    home = root.parent
    with (home / "lab.log").open("wb") as log:
        server = subprocess.Popen(
            lab_command(root, port, token), env=lab_environment(root, home), stdout=log, stderr=log
        )
        try:
            lab = Lab(root, f"http://127.0.0.1:{port}", token)
            wait_for_answer(f"{lab.address}/api/status?token={token}", server, home / "lab.log")
            yield lab
        finally:
            server.terminate()
            server.wait(PATIENCE)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def lab_command(root, port, token):
    return [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={root}",
        "--LabApp.expose_app_in_browser=True",
        "--JupyterNotebookApp.expose_app_in_browser=True",  # Notebook 7, which comes with it
    ]


def lab_environment(root, home):
    """Settings of our own: no news pop-up, and every cell in the page, so that it can be measured."""
    settings = {
        "apputils-extension/notification": {"fetchNews": "false"},
        "notebook-extension/tracker": {"windowingMode": "none"},
    }
    for name, content in settings.items():
        path = home / "settings/@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(content))
    own = {
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": str(root),
    }
    return {**os.environ, **own}


def wait_for_answer(address, server, log):
    for _ in range(PATIENCE * 4):
        try:
            with urllib.request.urlopen(address):
                return
        except OSError:
            assert server.poll() is None, log.read_text()
            time.sleep(0.25)
    pytest.fail(f"JupyterLab did not answer within 10 minutes; see {log}")


# ------------------------------------------------------------------ what the page must be


# Each drawing: as wide as it is seen, and the room there is for it.
DRAWINGS = """() => [...document.querySelectorAll('.jp-OutputArea-output img[src^="data:image/svg"]')].map(drawing => {
    const box = drawing.getBoundingClientRect(), output = drawing.closest('.jp-OutputArea-output');
    return {width: box.width, height: box.height, right: box.right, room: output.clientWidth};
})"""

# Every piece of text in the HTML outputs: its colour, whether the output itself sets it (then it stays when the page's
# colour changes), and the background that the output itself gives it (null if it gives none).
TEXTS = """selector => [...document.querySelectorAll(selector)].flatMap(output => {
    const clear = element => getComputedStyle(element).backgroundColor === 'rgba(0, 0, 0, 0)';
    const walker = document.createTreeWalker(output, NodeFilter.SHOW_TEXT), found = [], page = output.style.color;
    while (walker.nextNode()) {
        const text = walker.currentNode.textContent.trim(), inner = walker.currentNode.parentElement;
        if (!text || inner.closest('style, script, svg')) continue;
        let box = inner;
        while (box !== output && clear(box)) box = box.parentElement;
        const color = getComputedStyle(inner).color;
        output.style.color = 'rgb(1, 2, 3)';
        const own = getComputedStyle(inner).color !== 'rgb(1, 2, 3)';
        output.style.color = page;
        found.push({text, color, own, background: box === output ? null : getComputedStyle(box).backgroundColor});
    }
    return found;
})"""

# Every word in a drawing that is seen: its colour, and that of what is painted below it there.
WORDS_OF_DRAWINGS = """selector => [...document.querySelectorAll(selector)].flatMap(word => {
    const box = word.getBoundingClientRect(), style = getComputedStyle(word);
    if (!word.textContent.trim() || !box.width || style.visibility === 'hidden') return [];
    word.scrollIntoView({block: 'center', inline: 'center'});
    const {x, y, width, height} = word.getBoundingClientRect();
    const painted = part => !part.matches('text, tspan, svg') && getComputedStyle(part).fill !== 'none';
    const there = document.elementsFromPoint(x + width / 2, y + height / 2).filter(part => part.closest('svg'));
    const below = there.find(painted), background = below ? getComputedStyle(below).fill : null;
    return [{text: word.textContent, color: style.fill, own: true, background}];
})"""

# Whatever does not fit: wider than what it stands in, or cut off. What is folded is unfolded first. A picture that says
# above itself that it is too wide may scroll then; mathematics, which another program sets, is left out.
MISFITS = """() => {
    const misfits = [];
    document.querySelectorAll('details').forEach(details => details.open = true);
    for (const element of document.querySelectorAll('main :is(svg, img, pre, table, p, li)')) {
        if (!element.getClientRects().length || element.parentElement.closest('svg, mjx-container')) continue;
        const drawing = element.matches('svg, img'), box = element.getBoundingClientRect();
        const room = element.parentElement.clientWidth;
        if (drawing && element.closest('.babygrad-wide')) continue;
        const fault = box.width > room + 1 ? `${box.width} wide in ${room}` : box.right > innerWidth ? 'beyond the page'
            : !drawing && element.clientWidth && element.scrollWidth > element.clientWidth + 1 ? 'cut off' : '';
        const words = (element.getAttribute('aria-label') || element.textContent).trim().slice(0, 70);
        if (fault) misfits.push(`${element.tagName} ${words}: ${fault}`);
    }
    return misfits;
}"""


def luminance(colour):
    """Relative luminance (WCAG) of rgb(r, g, b)."""
    channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(one, other):
    """From 1, the same, to 21, black on white."""
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def hard_to_read(text):
    """Why a text of an HTML output depends on the page around it, or is too pale; empty if it is fine."""
    if not text["own"] or not text["background"]:
        return f"{text['text']!r} does not set both color and background"
    ratio = contrast(text["color"], text["background"])
    return "" if ratio >= CONTRAST else f"{text['text']!r} has a contrast of {ratio:.1f}"


def badly_placed(drawing):
    """Why a drawing cannot be seen; empty if it can."""
    if drawing["width"] < 50 or drawing["height"] < 20:
        return f"too small: {drawing}"
    if drawing["width"] > drawing["room"] + 1 or drawing["right"] > WIDTH:
        return f"too wide: {drawing}"
    return ""


def violations(page, *selectors):
    """What axe-core finds wrong in our own elements, a line for each; what is around them does not count.

    An alternative text that says that there is none is none.
    """
    from axe_playwright_python.base import AXE_SCRIPT

    found = [selector for selector in selectors if page.locator(selector).count()]
    assert found, f"no {' and no '.join(selectors)} on this page"
    page.evaluate(
        "() => document.querySelectorAll('img[alt^=\"No description\"]').forEach(x => x.removeAttribute('alt'))"
    )
    page.evaluate(AXE_SCRIPT)
    options = "{resultTypes: ['violations'], preload: false}"  # style sheets are not asked for again
    asked = f"selectors => axe.run({{include: selectors.map(x => [x])}}, {options})"
    return [
        f"{rule['id']}: {element['html'][:200]} {element['failureSummary']}"
        for rule in page.evaluate(asked, found)["violations"]
        for element in rule["nodes"]
    ]


def errors_on(page):
    """The tracebacks among the notebook's outputs."""
    cells = page.evaluate("() => window.jupyterapp.shell.currentWidget.content.model.toJSON().cells")
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return ["\n".join(output["traceback"]) for output in outputs if output["output_type"] == "error"]


# ------------------------------------------------------------------ the measures themselves


def test_contrast_is_measured_as_wcag_does():
    assert contrast("rgb(0, 0, 0)", "rgb(255, 255, 255)") == pytest.approx(21)
    assert contrast("rgb(119, 119, 119)", "rgb(255, 255, 255)") == pytest.approx(4.48, abs=0.005)


@pytest.mark.leg("night")
@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ("<div style='background:#f6f8fa;color:#1f2328'><b>passed</b> <code>x</code></div>", ""),
        ("<div style='background:#f6f8fa'>passed</div>", "does not set both"),
        ("<div style='color:#1f2328'>passed</div>", "does not set both"),
        ("<div style='background:#f6f8fa;color:#aaaaaa'>passed</div>", "has a contrast of 2.2"),
    ],
)
def test_output_that_is_hard_to_read_is_noticed(browser, html, fault):
    page = new_page(browser)
    page.set_content(f"<div id='output'>{html}</div>")
    assert fault in "".join(map(hard_to_read, page.evaluate(TEXTS, "#output")))
    page.close()


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ("<pre>short</pre>", ""),
        ("<svg style='max-width: 100%' width='900' height='9'></svg>", ""),
        ("<svg width='900' height='9'></svg>", "900 wide in 400"),
        (f"<pre>{'x' * 90}</pre>", "cut off"),
        (f"<div style='overflow:hidden'><table><tr><td>{'x' * 90}</table></div>", "wide in 400"),
    ],
)
@pytest.mark.leg("night")
def test_misfit_is_noticed(browser, html, fault):
    page = new_page(browser)
    page.set_content(f"<main><div style='width:400px'>{html}</div></main>")
    assert fault in "".join(page.evaluate(MISFITS)) and bool(fault) == bool(page.evaluate(MISFITS))
    page.close()


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ("<img alt='a graph' src='data:,'> <button>Play</button>", ""),
        ("<img src='data:,'>", "image-alt"),
        ("<img alt='No description has been provided for this image' src='data:,'>", "image-alt"),
        ("<button></button>", "button-name"),
        ("<p style='color:#aaa;background:#fff'>pale</p>", "color-contrast"),
    ],
)
@pytest.mark.leg("night")
def test_what_not_everybody_can_use_is_noticed(browser, html, fault):
    page = new_page(browser)
    page.set_content(f"<img src='data:,'><div id='output'>{html}</div>")  # the first one is not ours
    assert fault in "".join(violations(page, "#output")) and bool(fault) == bool(violations(page, "#output"))
    page.close()


@pytest.mark.parametrize(("fill", "ratio"), [("#1c2733", ""), ("#aab4be", "a contrast of 2.0")])
def test_a_word_that_is_pale_on_what_is_drawn_below_it_is_noticed(browser, fill, ratio):
    page = new_page(browser)
    page.set_content(f"""<svg width=200 height=90><rect width=200 height=90 fill="#1c2733"/>
        <rect x=9 y=9 width=90 height=40 fill="#f8fafc"/><text x=20 y=30 fill="{fill}">y = 9</text></svg>""")
    (word,) = page.evaluate(WORDS_OF_DRAWINGS, "text")
    assert ratio in hard_to_read(word) and bool(ratio) == bool(hard_to_read(word))
    page.close()


# ------------------------------------------------------------------ JupyterLab


@pytest.mark.leg("night")
def test_run_all_over_unfilled_stubs_stops_with_one_plain_line(browser, lab, tmp_path):
    lab.write_package(filled=False)
    page = lab.open(browser, "stubs")
    run_all(page)
    shown = page.locator(".jp-OutputArea-output", has_text="is not filled in yet")
    seen = screenshot(page, tmp_path, "stubs", shown)
    assert len(errors_on(page)) == 1, seen
    assert shown.count() == 1, seen
    line = shown.inner_text().strip()
    assert re.fullmatch(r"Exercise \d+\.\d+ .*is not filled in yet: babygrad/\w+\.py, line \d+\..*", line), seen
    assert "Traceback" not in page.inner_text(".jp-Notebook"), seen
    page.close()


@pytest.mark.leg("night")
def test_notebook_on_a_filled_package_can_be_seen_and_read(browser, lab, tmp_path):
    lab.write_package(filled=True)
    page = lab.open(browser, "filled")
    run_all(page)
    assert errors_on(page) == []
    for theme in THEMES:
        change_theme(page, theme)
        pictures = [
            screenshot(page, tmp_path, f"{theme}-graph", page.locator(".babygrad-graph")),
            screenshot(page, tmp_path, f"{theme}-check", page.locator(".jp-RenderedHTML:visible")),
        ]
        drawings, texts = page.evaluate(DRAWINGS), page.evaluate(TEXTS, ".jp-RenderedHTML")
        assert drawings and texts, pictures
        assert list(filter(None, map(badly_placed, drawings))) == [], pictures
        assert list(filter(None, map(hard_to_read, texts))) == [], pictures
        assert violations(page, ".babygrad-graph", ".jp-OutputArea-output.jp-RenderedHTML") == []
    page.close()


# ------------------------------------------------------------------ predictions and notes, typed in JupyterLab


CELLS = "window.jupyterapp.shell.currentWidget.content.model.toJSON().cells"
CHOOSE = """index => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = index;
    notebook.deselectAll();
    notebook.mode = 'edit';
    notebook.activeCell.editor.focus();
}"""
# A prediction in words that a notebook, a shell, a browser or Markdown could take for their own.
ODD = {
    "a question": "more or less?",
    "magics": "!ls %time $HOME {x!r} {}",
    "lines": "first\n\n    second\n%predict third\n# prediction 3.A1",
    "markdown": "# a\n## b\n```python\n## c\n```\n<b onclick='alert(1)'>&amp;</b> $x^2$ \\frac",
    "scripts": "שלום עולם, مرحبا, 你好, e\u0301, 🙂 👩\u200d🔬, ∂L/∂a",
    "quotes": '""" \'\'\' \\ \\" `%predict`',
    "long": "a word and " * 1800 + "x" * 200,
}


def run_cell(page, index, text=None):
    """Type a text over what is in a cell, if one is given, and run it with the keyboard.  What a reader sees below."""
    page.evaluate(CHOOSE, index)
    if text is not None:
        page.keyboard.press("Control+A")
        page.keyboard.insert_text(text)
        assert "".join(page.evaluate(CELLS)[index]["source"]) == text
    page.keyboard.press("Control+Enter")
    page.wait_for_timeout(300)
    page.wait_for_function(IDLE)
    return [output.inner_text() for output in page.locator(".jp-Notebook .jp-Cell").nth(index).locator(OUTPUT).all()]


OUTPUT = ".jp-OutputArea-output"


@pytest.fixture(scope="module")
def predicting(browser, lab):
    """(a page on a notebook that was run as it is handed out, where its first prediction's cell is, its name)"""
    lab.write_package(filled=True)
    page = lab.open(browser, "predictions", PREDICTIONS)
    run_all(page)
    sources = ["".join(cell["source"]) for cell in page.evaluate(CELLS)]
    index = next(n for n, source in enumerate(sources) if source.startswith("# prediction "))
    yield page, index, sources[index].split()[2]
    page.close()


@pytest.mark.leg("night")
def test_a_clean_notebook_runs_without_a_prediction(predicting, lab):
    page, index, _ = predicting
    assert errors_on(page) == []
    assert "You predicted" not in page.inner_text(".jp-Notebook") and not (lab.root / answers.FOLDER).exists()
    assert page.evaluate(CELLS)[index]["outputs"] == []


def test_a_prediction_is_typed_and_said_changed_and_listed(predicting, lab, tmp_path):
    page, index, key = predicting
    file = lab.root / answers.FOLDER / f"{PREDICTIONS}.md"
    before = run_cell(page, index + 1)
    for prediction in ("162 486", "324, for both"):
        assert run_cell(page, index, f"# prediction {key}\n%predict {prediction}") == []
        first, *rest = run_cell(page, index + 1)
        seen = screenshot(page, tmp_path, "prediction", page.locator(OUTPUT, has_text="You predicted"))
        assert first.strip() == f"You predicted: {prediction}" and rest == before, seen
        assert run_cell(page, index + 1) == before
        assert [line for line in file.read_text().splitlines() if line][1:3] == [f"## Prediction {key}", prediction]
    assert "162" not in file.read_text()
    (listed,) = run_cell(page, index, f"%predictions {PREDICTIONS}")
    seen = screenshot(page, tmp_path, "predictions", page.locator(OUTPUT, has_text="They are kept"))
    assert re.search(rf"^A\. .*\n  {key} +324, for both$", listed, re.MULTILINE), seen


def test_a_note_is_typed_and_an_empty_one_does_nothing(predicting, lab):
    page, index, key = predicting
    file = lab.root / answers.FOLDER / f"{PREDICTIONS}.md"
    (said,) = run_cell(page, index, "%%note 3.R1\nOnce,\n\n## after **all** who used it?")
    assert said.strip() == f"Kept in answers/{PREDICTIONS}.md."
    assert file.read_text().endswith("## Note 3.R1\n\nOnce,\n\n\\## after **all** who used it?\n")
    before = file.read_bytes()
    assert run_cell(page, index, "%%note 3.R1") == run_cell(page, index, f"# prediction {key}\n%predict") == []
    assert file.read_bytes() == before


@pytest.mark.leg("night")
@pytest.mark.parametrize("prediction", ODD.values(), ids=ODD)
def test_an_odd_prediction_is_kept_as_it_was_typed(predicting, lab, prediction):
    page, index, key = predicting
    assert run_cell(page, index, f"# prediction {key}\n%predict {prediction}") == []
    first, *_ = run_cell(page, index + 1)
    assert first.split() == f"You predicted: {prediction}".split()
    assert page.locator(f"{OUTPUT} [onclick]").count() == 0  # it is text, whatever it looks like
    assert [kept.text for kept in answers.kept(PREDICTIONS, lab.root, "Prediction")] == [prediction]


# ------------------------------------------------------------------ the executed notebooks as static pages


OURS = (".babygrad-graph", ".babygrad-player", ".jp-OutputArea-output.jp-RenderedHTMLCommon")  # one of them at least


def static_page(path, theme):
    """An executed notebook as HTML, as a code host would show it."""
    from nbconvert import HTMLExporter

    html, _ = HTMLExporter(theme=theme.lower()).from_filename(str(path))
    return html


def pages():
    """One in make test; the others, and all in the dark, at night."""
    for path in EXECUTED:
        marks = pytest.mark.leg("test" if path.stem[:2] == PREDICTIONS else "night")
        yield pytest.param(path, "Light", marks=marks, id=path.stem)
        yield pytest.param(path, "Dark", marks=pytest.mark.leg("night"), id=f"{path.stem}-Dark")


@pytest.mark.bare
@pytest.mark.parametrize(("path", "theme"), pages())
def test_static_page_can_be_seen_and_read(browser, path, theme, tmp_path):
    written = tmp_path / f"{path.stem}-{theme}.html"
    written.write_text(static_page(path, theme), encoding="utf-8")
    page = new_page(browser)
    page.route("https://**", lambda route: route.abort())
    page.goto(written.as_uri())
    faults = page.evaluate(MISFITS) + list(
        filter(None, map(hard_to_read, page.evaluate(TEXTS, ".jp-OutputArea-output.jp-RenderedHTMLCommon")))
    )
    picture = tmp_path / f"{path.stem}-{theme}.png"
    if faults:
        page.screenshot(path=picture, full_page=True)
    assert faults == [], picture
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert violations(page, *OURS) == []
    page.close()
