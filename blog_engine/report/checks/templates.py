"""Pages can be written (records.md 15, where this check is called Views)."""

from pathlib import Path
from typing import Any

from django.template import TemplateDoesNotExist, TemplateSyntaxError
from django.template.loader import get_template

import blog_engine
from blog_engine.report.base import Verdict, Visit, listed, sound_settings, verdict
from blog_engine.report.checks._layout_blocks import blocks_that_show
from blog_engine.report.checks._layout_parts import parts_of
from blog_engine.report.fault import describe_fault

_OWN = Path(blog_engine.__file__).parent / "templates"
_NEEDED_BLOCKS = ("head", "content")


def check_templates(visit: Visit) -> Verdict:
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
            parts = parts_of(get_template(layout), layout, sound_settings())
        except Exception as fault:
            # Whatever a host's tags and includes raise where there is no request.
            notes = f" It could not be rendered without a request ({describe_fault(fault)})."
        else:
            errors += parts.doubled
            warnings = parts.lost
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
