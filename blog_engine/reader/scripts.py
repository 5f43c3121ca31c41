"""The scripts that only some bodies need."""

from typing import Final

from django.templatetags.static import static

from blog_engine.conf import get_settings
from blog_engine.content.embeds import DIAGRAM_MARK, EMBED_MARK

_EMBEDS: Final = "blog_engine/embeds.js"


def scripts_of(html: str) -> tuple[str, ...]:
    """Return the URLs of the module scripts for a rendered body: that of embeds, those of the setting ``diagrams``."""
    diagrams = get_settings().diagrams
    paths = [path for language, path in diagrams.items() if DIAGRAM_MARK % language in html]
    if EMBED_MARK in html:
        paths.insert(0, _EMBEDS)
    return tuple(static(path) for path in dict.fromkeys(paths))
