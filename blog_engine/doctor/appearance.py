"""Probes of the host's templates, theme, brand images and pictures of shared links."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import unquote, urlsplit

from django.conf import settings as django_settings
from django.contrib.staticfiles import finders
from django.template import Context, Node, NodeList, Template, TemplateDoesNotExist, TemplateSyntaxError
from django.template.base import FilterExpression, VariableNode
from django.template.loader import get_template
from django.template.loader_tags import BlockNode, ExtendsNode

import blog_engine
from blog_engine import DOCUMENTATION
from blog_engine.conf import BlogSettings, unsafe_urls
from blog_engine.conf.colors import READABLE, contrast
from blog_engine.conf.groups import CANVAS, THEME, Mode, colors_in, host_colors, theme_colors
from blog_engine.doctor.base import (
    ProbeContext,
    Verdict,
    describe_fault,
    enumeration,
    require_tables,
    valid_settings,
    verdict,
)
from blog_engine.enums import PolicyKind
from blog_engine.images.fonts import fonts_at, has_shaping, writing_systems_of
from blog_engine.images.social import letters_without_font
from blog_engine.queries.image_uses import newest_without_image
from blog_engine.surface_report.article_template import ARTICLE_TEMPLATE, missing_markers
from blog_engine.surface_report.html import HtmlPage

N = TypeVar("N", bound=Node)

_POLICY_URL: Final = "/blog-engine-doctor/policy"
"""The URL of all policies while a layout is rendered, which a layout with policy links contains."""
_BUNDLED = Path(blog_engine.__file__).parent / "templates"
_REQUIRED_BLOCKS = ("head", "content")
PAIRS = (
    *((text, "surface") for text in ("heading", "text", "text_muted", "text_subtle", "accent", "accent_hover")),
    *((text, "surface_raised") for text in ("heading", "text", "text_muted", "text_subtle", "accent", "accent_hover")),
    *((text, "surface_raised") for text in ("note", "tip", "important", "warning", "caution")),
    ("caution", "caution_soft"),
    *((text, "surface_sunken") for text in ("heading", "text")),
    *((text, "accent_soft") for text in ("accent", "heading", "text")),
    *(("accent_2", ground) for ground in ("surface", "surface_raised", "accent_2_soft")),
    ("heading", "accent_2_soft"),
    *(("accent_contrast", ground) for ground in ("accent", "accent_hover")),
    ("notice_text", "notice_bg"),
    ("code_text", "code_bg"),
)
"""The colours of texts and of their backgrounds."""


def probe_templates(context: ProbeContext) -> Verdict:
    """Report templates that do not load, and faults of the layout and article."""
    layout = valid_settings().layout
    errors, overridden = [], []
    for name in sorted(str(path.relative_to(_BUNDLED)) for path in _BUNDLED.rglob("*.html")):
        try:
            template = get_template(name)
        except (TemplateDoesNotExist, TemplateSyntaxError) as fault:
            errors.append(_template_fault(name, fault))
        else:
            if not _is_bundled(template):
                overridden.append(name)
    warnings: list[str] = []
    notes = ""
    if faults := _layout_faults(layout):
        errors += faults
    else:
        try:
            page = HtmlPage(get_template(layout).render({"blog": _blog(valid_settings()), "layout": layout}))
        except Exception as fault:
            # Tags and includes of a host may raise anything without a request.
            notes = f" It could not be rendered without a request ({describe_fault(fault)})."
        else:
            errors += _duplicate_elements(page, layout)
            warnings += _missing_parts(page, layout, valid_settings())
    if overridden and not errors:
        try:
            missing = missing_markers(get_template(ARTICLE_TEMPLATE))
        except Exception as fault:
            notes += f" {ARTICLE_TEMPLATE} could not be rendered without a request ({describe_fault(fault)})."
        else:
            if missing:
                warnings.append(
                    f"The host's article template lacks {enumeration(missing)}. Add these attributes, by which the "
                    f"surface report finds the parts of a page: {DOCUMENTATION}/reference/markers.md"
                )
    hosts = f" The host's own: {enumeration(overridden)}." if overridden else ""
    return verdict(errors=errors, warnings=warnings, ok=f"All templates load; pages extend {layout}.{notes}{hosts}")


def _template_fault(name: str, fault: Exception) -> str:
    if isinstance(fault, TemplateDoesNotExist):
        missing = "" if str(fault) == name else f" needs {fault}, which"
        return f"{name}{missing} is not found. Set APP_DIRS in TEMPLATES, or add a loader that finds it."
    return f"{name} has a syntax error: {fault}."


def _is_bundled(template: Any) -> bool:
    origin = getattr(template, "origin", None)
    return origin is not None and Path(str(origin.name)).is_relative_to(_BUNDLED)


def _layout_faults(name: str) -> list[str]:
    try:
        layout: Any = get_template(name)
        if not hasattr(getattr(layout, "template", None), "nodelist"):
            return [f"The layout {name} is not a Django template, so pages cannot extend it."]
        rendered = _rendered_blocks(layout.template)
    except (TemplateDoesNotExist, TemplateSyntaxError) as fault:
        return [_template_fault(name, fault)]
    return [
        f"The layout {name} has no block {block!r}. Add {{% block {block} %}}{{% endblock %}}."
        for block in _REQUIRED_BLOCKS
        if rendered is not None and block not in rendered
    ]


def _rendered_blocks(layout: Template) -> frozenset[str] | None:
    """Return the names of the blocks that appear when the layout is rendered.

    A block that the parent of the layout lacks is never rendered. Return ``None`` if the name of a parent is a
    variable. Raises ``TemplateDoesNotExist`` for a missing parent.
    """
    chain = [layout]
    while extends := next(_nodes_of(ExtendsNode, chain[-1].nodelist), None):
        parent = _fixed_name(extends)
        if parent is None:
            return None
        # As in Django, a template may extend the next one of the same name.
        template, _ = layout.engine.find_template(parent, skip=[known.origin for known in chain])
        chain.append(template)
    versions: dict[str | None, list[BlockNode]] = {}
    for template in chain:
        for block in _nodes_of(BlockNode, template.nodelist):
            versions.setdefault(block.name, []).append(block)
    return frozenset(_rendered_in(chain[-1].nodelist, versions))


def _rendered_in(nodes: Iterable[Node], versions: dict[str | None, list[BlockNode]]) -> Iterator[str]:
    """Yield the names of the blocks that Django renders.

    Of each block it renders the version nearest to the layout.
    """
    for block in _outermost_blocks(nodes):
        yield str(block.name)
        for version in versions[block.name]:
            yield from _rendered_in(version.nodelist, versions)
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
    return any(str(node.filter_expression.var) == "block.super" for node in _nodes_of(VariableNode, nodes))


def _nodes_of(kind: type[N], nodes: NodeList) -> Iterator[N]:
    return (node for node in nodes.get_nodes_by_type(kind) if isinstance(node, kind))


def _blog(settings: BlogSettings) -> dict[str, Any]:
    fixed = "" if settings.color_scheme == "system" else settings.color_scheme
    return {
        "site_name": settings.site_name,
        "title": settings.blog_title,
        "language": settings.language,
        "direction": "ltr",
        "fixed_scheme": fixed,
        "policies": {kind: {"name": kind.value, "url": _POLICY_URL} for kind in PolicyKind},
    }


def _duplicate_elements(page: HtmlPage, name: str) -> Iterator[str]:
    found = {"title": page.titles, "viewport": page.metas("viewport"), "canonical link": page.links("canonical")}
    for what, elements in found.items():
        if elements:
            yield (
                f"The layout {name} has its own {what}, so pages have two. Remove it, or put it into a block of your "
                "base template and leave that block empty in the layout."
            )


def _missing_parts(page: HtmlPage, name: str, settings: BlogSettings) -> Iterator[str]:
    elements = list(page.all())
    targets = [one.attrs.get("href", "") for one in elements if one.name == "a"]
    ids = {f"#{one.attrs['id']}" for one in elements if "id" in one.attrs}
    if ids.isdisjoint(targets):
        yield _missing_part(
            name, "skip link", "_skip_link.html", 'first in its body, and id="blog-main" on its main element'
        )
    if not {_POLICY_URL, *(settings.policy_urls.of(kind) for kind in PolicyKind)} & set(targets):
        yield _missing_part(name, "links to the policies", "_policy_links.html", "in its footer")
    if settings.color_scheme == "system" and not any("data-blog-theme-switch" in one.attrs for one in elements):
        yield _missing_part(name, "theme switch", "_theme_switch.html", "in its header")


def _missing_part(name: str, what: str, include: str, where: str) -> str:
    return f'The layout {name} has no {what}. Add {{% include "blog_engine/{include}" %}} {where}.'


def probe_theme(context: ProbeContext) -> Verdict:
    """Report missing files, images on other hosts, and colours that make text hard to read."""
    settings = valid_settings()
    path = finders.find(THEME)
    if not path:
        return verdict(
            errors=[
                "The stylesheet blog_engine/theme.css is not found. Add "
                "django.contrib.staticfiles.finders.AppDirectoriesFinder to STATICFILES_FINDERS."
            ],
            ok="",
        )
    named = {"brand": settings.brand.static_paths(), "diagrams": list(dict.fromkeys(settings.diagrams.values()))}
    errors = [
        f"{name} names {enumeration(lost)}, which is not found. Put the file into the folder `static` of an app or "
        "into a folder of STATICFILES_DIRS, and run collectstatic."
        for name, paths in named.items()
        if (lost := [path for path in paths if not finders.find(path)])
    ]
    if errors:
        return verdict(errors=errors, ok="")
    own = colors_in(Path(path).read_text("utf-8"))
    modes: list[Mode] = ["light", "dark"]
    warnings = list(image_warnings(settings))
    warnings += [
        warning
        for mode in modes
        if settings.color_scheme in ("system", mode)
        for warning in _low_contrasts(settings, mode, own[mode])
    ]
    changed = any(settings.colors.for_mode(mode) for mode in modes)
    return verdict(
        warnings=warnings,
        ok="The theme is found, and the host's colours are readable." if changed else "The theme is found.",
    )


def _low_contrasts(settings: BlogSettings, mode: Mode, own: dict[str, str]) -> list[str]:
    chosen = host_colors(settings.colors, mode, look=settings.look)
    look = {} if settings.look == "default" else theme_colors(mode, look=settings.look)
    colors = own | look | chosen
    found = []
    for text, ground in PAIRS:
        # Pairs of the theme itself are measured by its tests. A host's stylesheet may lack some colours.
        if not {text, ground} & chosen.keys() or not {text, ground} <= colors.keys():
            continue
        behind = [colors.get("surface", CANVAS[mode]), CANVAS[mode]]
        ratio = contrast(colors[text], *([] if ground == "surface" else [colors[ground]]), *behind)
        if ratio < READABLE:
            # Rounded down: 4.46 would look sufficient as 4.5.
            found.append(
                f"Colours of the {mode} mode: {text} ({colors[text]}) on {ground} ({colors[ground]}) has a contrast of "
                f"{int(ratio * 10) / 10}:1. Text needs {READABLE}:1."
            )
    return found


def image_warnings(settings: BlogSettings) -> Iterator[str]:
    """Yield a sentence for each logo or icon that is on another host, or missing from the static files."""
    brand = settings.brand
    unsafe = unsafe_urls(settings)
    urls = {
        "brand.logo_url": brand.logo_url,
        "brand.logo_dark_url": brand.logo_dark_url,
        "brand.icon_url": brand.icon_url,
        "favicon_url": settings.favicon_url,
        "touch_icon_url": settings.touch_icon_url,
    }
    for key, url in urls.items():
        # Pages leave these out, and blog_engine.W004 names them.
        if not url or key in unsafe:
            continue
        if host := _other_host(url, settings):
            yield (
                f"{key} is on another host, {host}: each reader's browser asks it, and a strict "
                "Content-Security-Policy refuses it. Put the file into your static files, and set the path, such as "
                "/static/brand/logo.svg."
            )
        elif (path := _static_path(url, settings)) and not _is_static_file(path):
            yield (
                f"{key} names {path} below STATIC_URL, which is not found. Put the file into the folder `static` of an "
                "app or into a folder of STATICFILES_DIRS, and run collectstatic."
            )


def _other_host(url: str, settings: BlogSettings) -> str:
    """Return the host of a URL that is neither on the site nor below ``STATIC_URL``; else an empty text."""
    static = django_settings.STATIC_URL or ""
    own = (f"{settings.public_base_url}/", static) if settings.public_base_url else (static,)
    return "" if url.startswith(tuple(filter(None, own))) else urlsplit(url).netloc.rpartition("@")[2]


def _static_path(url: str, settings: BlogSettings) -> str:
    """Return the path of a URL below ``STATIC_URL``, or an empty text for a URL elsewhere."""
    static = django_settings.STATIC_URL
    if not static:
        return ""
    path = url.removeprefix(settings.public_base_url or "") if static.startswith("/") else url
    return unquote(urlsplit(path.removeprefix(static)).path) if path.startswith(static) else ""


def _is_static_file(path: str) -> bool:
    if finders.find(path):
        return True
    # Names with a hash exist only where the files were collected.
    root = django_settings.STATIC_ROOT
    return bool(root) and (Path(root) / path).is_file()


NEWEST_PICTURES: Final = 500


def probe_social_pictures(context: ProbeContext) -> Verdict:
    """Report public posts whose title or author cannot be drawn on this machine, and paths without fonts."""
    settings = valid_settings()
    if not settings.social_pictures.enabled:
        return verdict(ok="No pictures of shared links are drawn, because social_pictures.enabled is off.")
    require_tables()
    return verdict(
        warnings=[*_paths_without_fonts(settings), *_posts_without_picture(settings)],
        ok="Posts without an image get a picture for shared links.",
    )


def _paths_without_fonts(settings: BlogSettings) -> Iterator[str]:
    empty = [path for path in settings.social_pictures.fonts if not fonts_at(path)]
    if empty:
        yield f"social_pictures.fonts: there is no font at {enumeration(empty)}."


def _posts_without_picture(settings: BlogSettings) -> Iterator[str]:
    lacking = {
        post.pk: missing
        for post in newest_without_image(NEWEST_PICTURES)
        if (missing := letters_without_font(post.title, *post.byline, settings.site_name))
    }
    if not lacking:
        return
    scripts = ", ".join(writing_systems_of("".join(lacking.values())))
    remedy = (
        "Install fonts for them, such as Debian's fonts-noto-core and fonts-noto-cjk, name them in "
        "social_pictures.fonts, or set social_pictures.enabled to False."
    )
    shaping = "" if has_shaping() else " Scripts with joined letters or marks also need libfribidi."
    yield (
        f"Shared links show the default image of posts with letters that no font has ({scripts}): "
        f"{enumeration([str(pk) for pk in lacking])}. {remedy}{shaping}"
    )
