"""The theme is there, and a host's colours can be read on each other (reader.md 19, decisions.md 3.25)."""

from pathlib import Path

from django.contrib.staticfiles import finders

from blog_engine.conf import BlogSettings
from blog_engine.conf.brand import READABLE
from blog_engine.conf.colors import contrast
from blog_engine.conf.groups import CANVAS, THEME, Mode, colors_in, host_colors
from blog_engine.report.base import Verdict, Visit, sound_settings, verdict

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


def check_theme(visit: Visit) -> Verdict:
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
