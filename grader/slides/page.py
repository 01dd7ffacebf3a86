"""Slides as a page: nbconvert writes it for reveal.js, by templates/."""

from pathlib import Path

from ..site.markdown import outside_code
from ..site.mathml import mathml
from . import reveal

TEMPLATES = Path(__file__).parent / "templates"
FORMULA = r"\$\$(?P<display>.+?)\$\$|(?<![\\\w$])\$(?=\S)(?P<inline>[^$\n]+?)(?<=\S)\$(?![\w$])"
OF_MARKDOWN = str.maketrans({sign: f"&#{ord(sign)};" for sign in "*_|[]`\\~"})  # these mean something there


def html(slides, title, theme="white"):
    """The page of Slides, as text."""
    import nbformat
    from nbconvert.exporters import SlidesExporter

    exporter = SlidesExporter(
        template_name=TEMPLATES.name,
        extra_template_basedirs=[str(TEMPLATES.parent)],
        reveal_url_prefix=reveal.NAME,
        reveal_theme=theme,
        theme=reveal.THEMES[theme],
    )
    notebook = nbformat.v4.new_notebook(cells=list(_cells(slides)), metadata={"title": title})
    own = {kind: (TEMPLATES / f"deck.{kind}").read_text(encoding="utf-8") for kind in ("css", "js")}
    return exporter.from_notebook_node(notebook, resources={"deck": own})[0]


def _cells(slides):
    """Cells with the slide types that nbconvert reads. The notes are behind the first of each slide."""
    for slide in slides:
        first, *others = slide.items
        yield _cell(first, "slide" if slide.rank == 2 else "subslide")
        if slide.notes:
            yield _markdown("\n\n".join(slide.notes), "notes")
        for item in others:
            yield _cell(item, "fragment" if item.paused else "-")


def _cell(item, kind):
    import nbformat

    if item.markdown:
        return _markdown(item.markdown, kind)
    metadata = {"slideshow": {"slide_type": kind}, "transient": {"remove_source": not item.code}}
    return nbformat.v4.new_code_cell(item.code, outputs=item.outputs, metadata=metadata)


def _markdown(text, kind):
    import nbformat

    return nbformat.v4.new_markdown_cell(with_mathml(text), metadata={"slideshow": {"slide_type": kind}})


def with_mathml(markdown):
    """Markdown with MathML in place of its formulas."""
    return outside_code(FORMULA, _as_mathml, markdown)


def _as_mathml(formula):
    made = mathml(formula["display"] or formula["inline"], block=bool(formula["display"]))
    return " ".join(made.translate(OF_MARKDOWN).split())
