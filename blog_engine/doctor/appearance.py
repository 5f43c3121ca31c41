"""Probes of the host's templates and theme."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.template import Context, Node, NodeList, Template, TemplateDoesNotExist, TemplateSyntaxError
from django.template.base import FilterExpression, VariableNode
from django.template.loader import get_template
from django.template.loader_tags import BlockNode, ExtendsNode

import blog_engine
from blog_engine import DOCUMENTATION
from blog_engine.conf import BlogSettings
from blog_engine.conf.brand import READABLE
from blog_engine.conf.colors import contrast
from blog_engine.conf.groups import CANVAS, THEME, Mode, colors_in, host_colors
from blog_engine.doctor.base import Verdict, Visit, describe_fault, listed, sound_settings, verdict
from blog_engine.enums import PolicyKind
from blog_engine.surface_report.article_template import ARTICLE_TEMPLATE, missing_markers
from blog_engine.surface_report.html import HtmlPage


def blocks_that_show(layout: Template) -> frozenset[str] | None:
    """The names of the blocks whose content appears when the layout is rendered.

    A block that a layout has, but the template that it extends has not, appears nowhere. ``None`` when a parent is
    named by a variable, so that only a request could tell. Raises ``TemplateDoesNotExist`` for a missing parent.
    """
    line = [layout]
    while extends := next(_extends_in(line[-1].nodelist), None):
        parent = _fixed_name(extends)
        if parent is None:
            return None
        # As Django does: a template may extend the next one of its own name.
        template, _ = layout.engine.find_template(parent, skip=[known.origin for known in line])
        line.append(template)
    versions: dict[str | None, list[BlockNode]] = {}
    for template in line:
        for block in _blocks_in(template.nodelist):
            versions.setdefault(block.name, []).append(block)
    return frozenset(_shown(line[-1].nodelist, versions))


def _shown(nodes: Iterable[Node], versions: dict[str | None, list[BlockNode]]) -> Iterator[str]:
    """The blocks met on the way, each by its version nearest to the layout, as Django renders them."""
    for block in _outermost_blocks(nodes):
        yield str(block.name)
        for version in versions[block.name]:
            yield from _shown(version.nodelist, versions)
            if not _calls_parent(version.nodelist):
                break


def _outermost_blocks(nodes: Iterable[Node]) -> Iterator[BlockNode]:
    for node in nodes:
        if isinstance(node, BlockNode):
            yield node
        else:
            for attribute in node.child_nodelists:
                yield from _outermost_blocks(getattr(node, attribute, None) or ())


def _fixed_name(extends: ExtendsNode) -> str | None:
    name = extends.parent_name
    if isinstance(name, FilterExpression) and isinstance(name.var, str):
        return str(name.resolve(Context()))
    return None


def _calls_parent(nodes: NodeList) -> bool:
    variables = (node for node in nodes.get_nodes_by_type(VariableNode) if isinstance(node, VariableNode))
    return any(str(node.filter_expression.var) == "block.super" for node in variables)


def _blocks_in(nodes: NodeList) -> Iterator[BlockNode]:
    return (node for node in nodes.get_nodes_by_type(BlockNode) if isinstance(node, BlockNode))


def _extends_in(nodes: NodeList) -> Iterator[ExtendsNode]:
    return (node for node in nodes.get_nodes_by_type(ExtendsNode) if isinstance(node, ExtendsNode))


_PROBE: Final = "/blog-engine-doctor/policy"
"""The URL of every policy while the layout is rendered: where it appears, the layout links the policies."""


@dataclass(frozen=True, slots=True)
class LayoutParts:
    """What is wrong with a layout: elements that the pages bring too, and parts that it lacks; both as sentences."""

    doubled: tuple[str, ...]
    lost: tuple[str, ...]


def layout_parts_of(layout: Any, name: str, settings: BlogSettings) -> LayoutParts:
    """Return what a layout doubles and lacks, judged by its HTML without a page in it.

    Raises whatever the layout raises when it is rendered without a request.
    """
    page = HtmlPage(layout.render({"blog": _blog(settings), "layout": name}))
    return LayoutParts(doubled=tuple(_doubled(page, name)), lost=tuple(_lost(page, name, settings)))


def _blog(settings: BlogSettings) -> dict[str, Any]:
    fixed = "" if settings.color_scheme == "system" else settings.color_scheme
    return {
        "site_name": settings.site_name,
        "title": settings.blog_title,
        "language": settings.language,
        "direction": "ltr",
        "fixed_scheme": fixed,
        "policies": {kind: {"name": kind.value, "url": _PROBE} for kind in PolicyKind},
    }


def _doubled(page: HtmlPage, name: str) -> Iterator[str]:
    found = {"title": page.titles, "viewport": page.metas("viewport"), "canonical link": page.links("canonical")}
    for what, elements in found.items():
        if elements:
            yield (
                f"The layout {name} has a {what} of its own, so that pages have two: take it out, or put it into a "
                "block of your base template and leave that block empty in the layout."
            )


def _lost(page: HtmlPage, name: str, settings: BlogSettings) -> Iterator[str]:
    elements = list(page.all())
    targets = [one.attrs.get("href", "") for one in elements if one.name == "a"]
    ids = {f"#{one.attrs['id']}" for one in elements if "id" in one.attrs}
    if ids.isdisjoint(targets):
        yield _lacks(name, "skip link", "_skip_link.html", 'first in its body, and id="blog-main" on its main element')
    if not {_PROBE, *(settings.policy_urls.of(kind) for kind in PolicyKind)} & set(targets):
        yield _lacks(name, "links to the policies", "_policy_links.html", "in its footer")
    if settings.color_scheme == "system" and not any("data-blog-theme-switch" in one.attrs for one in elements):
        yield _lacks(name, "theme switch", "_theme_switch.html", "in its header")


def _lacks(name: str, what: str, include: str, where: str) -> str:
    return f'The layout {name} has no {what}: write {{% include "blog_engine/{include}" %}} {where}.'


_OWN = Path(blog_engine.__file__).parent / "templates"
_NEEDED_BLOCKS = ("head", "content")


def probe_templates(visit: Visit) -> Verdict:
    """Every template of the engine loads, the host's versions too, and the layout shows what pages put into it."""
    layout = sound_settings().layout
    errors, overridden = [], []
    for name in sorted(str(path.relative_to(_OWN)) for path in _OWN.rglob("*.html")):
        try:
            template = get_template(name)
        except (TemplateDoesNotExist, TemplateSyntaxError) as fault:
            errors.append(_says(name, fault))
        else:
            if not _is_ours(template):
                overridden.append(name)
    warnings: tuple[str, ...] = ()
    notes = ""
    if faults := _layout_faults(layout):
        errors += faults
    else:
        try:
            parts = layout_parts_of(get_template(layout), layout, sound_settings())
        except Exception as fault:
            # Whatever a host's tags and includes raise where there is no request.
            notes = f" It could not be rendered without a request ({describe_fault(fault)})."
        else:
            errors += parts.doubled
            warnings = parts.lost
    if overridden and not errors:
        try:
            missing = missing_markers(get_template(ARTICLE_TEMPLATE))
        except Exception as fault:
            notes += f" {ARTICLE_TEMPLATE} could not be rendered without a request ({describe_fault(fault)})."
        else:
            if missing:
                warnings += (
                    f"The host's article template lacks {listed(missing)}: add these attributes, by which the surface "
                    f"report finds the parts of a page: {DOCUMENTATION}/reference/markers.md",
                )
    hosts = f" The host's own: {listed(overridden)}." if overridden else ""
    return verdict(errors=errors, warnings=warnings, well=f"All templates load; pages extend {layout}.{notes}{hosts}")


def _layout_faults(name: str) -> list[str]:
    try:
        layout: Any = get_template(name)
        if not hasattr(getattr(layout, "template", None), "nodelist"):
            return [f"The layout {name} is not a Django template, so that pages cannot extend it."]
        shown = blocks_that_show(layout.template)
    except (TemplateDoesNotExist, TemplateSyntaxError) as fault:
        return [_says(name, fault)]
    return [
        f"The layout {name} shows no block {block!r}: write {{% block {block} %}}{{% endblock %}} into it."
        for block in _NEEDED_BLOCKS
        if shown is not None and block not in shown
    ]


def _says(name: str, fault: Exception) -> str:
    if isinstance(fault, TemplateDoesNotExist):
        missing = "" if str(fault) == name else f" needs {fault}, which"
        return f"{name}{missing} is not found: let TEMPLATES have APP_DIRS or a loader that finds it."
    return f"{name} has a mistake: {fault}."


def _is_ours(template: Any) -> bool:
    origin = getattr(template, "origin", None)
    return origin is not None and Path(str(origin.name)).is_relative_to(_OWN)


PAIRS = (
    *((text, "surface") for text in ("heading", "text", "text_muted", "text_subtle", "accent", "accent_hover")),
    *((text, "surface_raised") for text in ("heading", "text", "text_muted", "text_subtle", "accent", "accent_hover")),
    *((text, "surface_raised") for text in ("note", "tip", "warning")),
    *((text, "surface_sunken") for text in ("heading", "text")),
    *((text, "accent_soft") for text in ("accent", "heading", "text")),
    *(("accent_2", ground) for ground in ("surface", "surface_raised", "accent_2_soft")),
    ("heading", "accent_2_soft"),
    *(("accent_contrast", ground) for ground in ("accent", "accent_hover")),
    ("notice_text", "notice_bg"),
    ("code_text", "code_bg"),
)
"""Text and what it stands on."""


def probe_theme(visit: Visit) -> Verdict:
    """The stylesheet of the theme is found, and no colour of the host makes text hard to read."""
    settings = sound_settings()
    path = finders.find(THEME)
    if not path:
        return verdict(
            errors=[
                "The stylesheet blog_engine/theme.css is not found: let STATICFILES_FINDERS have "
                "django.contrib.staticfiles.finders.AppDirectoriesFinder."
            ],
            well="",
        )
    own = colors_in(Path(path).read_text("utf-8"))
    modes: list[Mode] = ["light", "dark"]
    faint = [
        warning
        for mode in modes
        if settings.color_scheme in ("system", mode)
        for warning in _faint_pairs(settings, mode, own[mode])
    ]
    changed = any(settings.theme_colors.for_mode(mode) for mode in modes)
    return verdict(
        warnings=faint,
        well="The theme is found, and the host's colours can be read." if changed else "The theme is found.",
    )


def _faint_pairs(settings: BlogSettings, mode: Mode, own: dict[str, str]) -> list[str]:
    chosen = host_colors(settings.theme_colors, mode)
    colors = own | chosen
    faint = []
    for text, ground in PAIRS:
        # A pair of the theme's own is measured by its tests; a stylesheet of the host may name none.
        if not {text, ground} & chosen.keys() or not {text, ground} <= colors.keys():
            continue
        behind = [colors.get("surface", CANVAS[mode]), CANVAS[mode]]
        ratio = contrast(colors[text], *([] if ground == "surface" else [colors[ground]]), *behind)
        if ratio < READABLE:
            faint.append(
                f"theme_colors, {mode} mode: {text} ({colors[text]}) on {ground} ({colors[ground]}) has a contrast of "
                f"{_cut(ratio)}:1, and {READABLE}:1 is needed to read it."
            )
    return faint


def _cut(ratio: float) -> str:
    # Rounded up, 4.46 would read as enough.
    return f"{int(ratio * 10) / 10:.1f}"
