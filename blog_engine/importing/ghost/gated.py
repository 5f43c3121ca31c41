"""Cards that Ghost shows to some readers only."""

from typing import Final

from blog_engine.importing.source import Losses, LossKind

_GATED: Final = "<!--kg-gated-block:begin"
_GATED_END: Final = "<!--kg-gated-block:end-->"


def without_gated(html: str, losses: Losses) -> str:
    """Leave out what Ghost shows to members only; what it shows to everyone stays."""
    parts: list[str] = []
    at = 0
    line = 1
    while (start := html.find(_GATED, at)) >= 0:
        opened = html.find("-->", start)
        end = html.find(_GATED_END, start)
        if opened < 0 or end < opened:
            break
        parts.append(html[at:start])
        line += html.count("\n", at, start)
        inside = html.count("\n", start, end)
        if "nonMember:true" in html[start:opened]:
            parts.append(html[opened + 3 : end])
        else:
            losses.add(LossKind.BLOCK, "A card that only members see is left out.", line)
            # The lines of what follows stay the same.
            parts.append("\n" * inside)
        line += inside
        at = end + len(_GATED_END)
    return "".join([*parts, html[at:]])
