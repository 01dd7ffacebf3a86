"""What Sphinx is told to do differently: formulas, and the address at which a page is edited."""

from . import repository
from .mathml import mathml


def setup(app):
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.add_config_value("babygrad_repository", "", "html")
    app.add_config_value("babygrad_origins", {}, "html")
    app.connect("html-page-context", _where_it_is_edited)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(writer, node):
    _write(writer, mathml(node.astext()))


def _block(writer, node):
    _write(writer, f'<div class="formula">{mathml(node.astext(), block=True)}</div>')


def _write(writer, made):
    from docutils.nodes import SkipNode

    writer.body.append(made)
    raise SkipNode


def _where_it_is_edited(app, page, template, context, doctree):
    origin = app.config.babygrad_origins.get(page)
    context["edited_at"] = origin and repository.edited(app.config.babygrad_repository, origin)
