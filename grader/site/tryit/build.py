"""The try page: notebooks of which exercises are asked in the page itself, with all that it loads, in try/."""

import base64
import hashlib
import json
import re
import shutil
import struct
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from markupsafe import Markup, escape

from ...course.paths import ROOT
from ...html.pages import render
from ...inpage.bundle import bundle
from ...maintainer import executed_notebooks, sources
from ...web import npm
from ..markdown import outside_code
from ..mathml import mathml
from .cells import cells

HERE = Path(__file__).parent
STUCK = ROOT / "docs" / "stuck.md"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
NOT_IN_THE_PAGE = ("esbuild", "reveal.js")  # packages that it is built with, or that others use
TO_A_FILE = r"\[(?P<words>[^\]\[]*)\]\((?![a-z]+:)[^)\s]+\)"  # a link that leads nowhere from the page
# Of an exercise where the page has NumPy.
ALL_THE_SAME = "This one needs NumPy, and is asked in the course only. The hints are here."
TITLE = re.compile(r"\A# .*\n")  # stands above both sides
FORMULA = r"\$\$(?P<formula>.+?)\$\$"
WIDE = '<div class="wide" tabindex="0" role="group" aria-label="{}">'  # scrolled by itself, by keyboard too


def write(out, wheels=""):
    """Write try/ into the folder of the site.

    wheels: an address, with a slash at its end, of a folder with the wheel of NumPy that pyodide-lock.json names; then
        NumPy is loaded too.
    Raises UsageError if there is no npm.
    """
    folder = out / "try"
    folder.mkdir(parents=True)
    modules = npm.node_modules()
    bundle(folder)
    course = _course(folder, wheels)
    pyodide = _pyodide(folder, modules)
    _scripts(folder, pyodide)
    _copy(HERE / "src" / "try.css", folder)
    _copy(HERE / "templates" / "stage.html", folder)
    version = _version(folder)
    (folder / "licences.txt").write_text(_licences(modules), encoding="utf-8")
    shared = {"policy": _policy(wheels), "wheels": wheels, "version": version}
    for notebook in course["notebooks"]:
        why = {each["id"]: each["why"] for each in notebook["exercises"]}
        shown = _cells(notebook, folder)
        page = render("try.html", notebook=notebook, notebooks=course["notebooks"], cells=shown, why=why, **shared)
        (folder / f"{notebook['number']}.html").write_text(page, encoding="utf-8")
    index = render("try_index.html", notebooks=course["notebooks"], **shared)
    (folder / "index.html").write_text(index, encoding="utf-8")


def _copy(path, folder):
    shutil.copyfile(path, folder / path.name)


def _course(folder, wheels):
    """What course.json says. The address of wheels is added to it, and where a message leads in docs/stuck.md."""
    path = folder / "course.json"
    course = json.loads(path.read_text(encoding="utf-8")) | {"wheels": wheels, "stuck": _places_in_stuck()}
    for exercise in (each for notebook in course["notebooks"] for each in notebook["exercises"]):
        exercise["why"] = exercise["why"] and (ALL_THE_SAME if wheels else exercise["why"])
    path.write_text(json.dumps(course, ensure_ascii=False), encoding="utf-8")
    for notebook in course["notebooks"]:
        notebook["asked"] = [each for each in notebook["exercises"] if each["inpage"]]
    return course


def _places_in_stuck():
    """{heading of docs/stuck.md: its place in the page of it}, as MyST names places."""
    from mdit_py_plugins.anchors.index import slugify

    headings = re.findall(r"(?m)^## (.+)$", STUCK.read_text(encoding="utf-8"))
    return {heading: slugify(heading) for heading in headings}


def _pyodide(folder, modules):
    """Copy Pyodide into a folder that is named by its version.  Returns the folder's name."""
    version = json.loads((modules / "pyodide" / "package.json").read_text(encoding="utf-8"))["version"]
    name = f"pyodide-{version}"
    (folder / name).mkdir()
    for file in PYODIDE:
        shutil.copyfile(modules / "pyodide" / file, folder / name / file)
    return name


def _version(folder):
    """A text that stands in the addresses of all files in the folder, and is another one after any of them changed."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()[:12]


def _scripts(folder, pyodide):
    entries = [HERE / "src" / name for name in ("layout.js", "index.js", "worker.js")]
    options = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--legal-comments=none", "--log-level=error")
    options += (f'--define:PYODIDE_FOLDER="{pyodide}/"',)
    npm.node("esbuild/bin/esbuild", *entries, *options, f"--outdir={folder.resolve()}")


def _policy(wheels):
    """The pages' Content-Security-Policy: nothing is loaded but from the site, and from where the wheels are."""
    parts = urlsplit(wheels)
    others = f" {parts.scheme}://{parts.netloc}" if parts.netloc else ""
    return (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; frame-src 'self'; "
        "img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        f"connect-src 'self'{others}"
    )


def _licences(modules):
    """The licences of what is loaded, one after the other."""
    lock = json.loads((npm.HERE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    parts = []
    for place, package in lock.items():
        name = place.removeprefix("node_modules/")
        if not place or package.get("optional") or name in NOT_IN_THE_PAGE:
            continue
        texts = sorted((modules / name).glob("LICEN[SC]E*"))
        own = [path.read_text(encoding="utf-8").strip() for path in texts]
        parts.append("\n\n".join([f"{name} {package['version']}: {package.get('license', 'see its project')}", *own]))
    return ("\n\n" + "-" * 80 + "\n\n").join(parts) + "\n"


# ---- a notebook's cells ----


def _cells(notebook, folder):
    """(Cell, its HTML, what was recorded) for the template; recorded pictures are put into the folder."""
    number, asked = notebook["number"], {exercise["id"] for exercise in notebook["exercises"]}
    [path] = [each for each in map(executed_notebooks.executed_path, sources.sources()) if each.name[:2] == number]
    executed = json.loads(path.read_text(encoding="utf-8"))
    shown = [cell for cell in cells(executed) if cell.kind != "check" or cell.key in asked]
    for place, cell in enumerate(shown):
        yield (
            cell,
            _html(cell),
            [_output(each, f"{number}-{place}-{n}", folder) for n, each in enumerate(cell.recorded)],
        )


def _html(cell):
    if cell.kind == "words":
        return Markup(_prose(TITLE.sub("", cell.source)))
    return _highlighted(cell.source) if cell.kind == "code" else ""


@cache
def _markdown():
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": True, "highlight": _block}).enable("table")
    made.add_render_rule("table_open", lambda *_: WIDE.format("Table") + "<table>")
    made.add_render_rule("table_close", lambda *_: "</table></div>")
    made.add_render_rule("code_block", lambda _, tokens, at, *__: _block(tokens[at].content, "", ""))
    return made


def _block(source, language, _):
    """Code in words: it can be scrolled by keyboard, as code of cells can."""
    return f'<pre class="code" tabindex="0">{_highlighted(source) if language == "python" else escape(source)}</pre>'


def _prose(markdown):
    """The HTML of a cell of words; formulas are MathML."""
    formulas = outside_code(FORMULA, lambda found: _formula(found["formula"]), markdown)
    return _markdown().render(outside_code(TO_A_FILE, lambda found: found["words"], formulas))


def _formula(latex):
    return f"{WIDE.format('Formula')}{mathml(latex, block=True)}</div>"


def _highlighted(source):
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return Markup(highlight(source, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip("\n"))


def _output(output, name, folder):
    """What the template shows of a recorded output: {"text": ...}, {"html": ...} or a picture, put into the folder."""
    if output["output_type"] == "stream":
        return {"text": "".join(output["text"])}
    if "image/png" not in output["data"]:
        return {"html": "".join(output["data"]["text/html"])}
    png = base64.b64decode("".join(output["data"]["image/png"]))
    name = f"{name}-{hashlib.sha256(png).hexdigest()[:12]}.png"
    (folder / name).write_bytes(png)
    width, height = struct.unpack(">II", png[16:24])
    alt = output.get("metadata", {}).get("image/png", {}).get("alt") or "What the code above draws."
    return {"name": name, "alt": alt, "width": width, "height": height}
