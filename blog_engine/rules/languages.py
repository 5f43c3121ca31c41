"""What Django knows of languages: their names, and the codes of its catalogues."""

from typing import Any

from django.conf.locale import LANG_INFO
from django.utils.translation import check_for_language

from blog_engine.content.languages import codes_of_language


def name_of_language(tag: str) -> str:
    """Return what speakers of a language call it, as far as Django knows; otherwise the tag."""
    for code in codes_of_language(tag):
        info = _known_language(code)
        if info:
            name = str(info["name_local"])
            named = name[:1].upper() + name[1:]
            # The name of the language alone would not tell two regions apart.
            region = tag[len(code) :].strip("-")
            return f"{named} ({region})" if region else named
    return tag


def catalogue_of(tag: str) -> str | None:
    """Return Django's language for messages in a language, such as ``zh-hans`` for ``zh-CN``, if Django knows it."""
    for code in codes_of_language(tag):
        if _known_language(code):
            return code if check_for_language(code) else str(LANG_INFO[code].get("fallback", [code])[0])
    return None


def _known_language(code: str) -> dict[str, Any]:
    """Return what Django knows of a language code in lower case; empty if it knows nothing."""
    info: dict[str, Any] = LANG_INFO.get(code, {})
    for other in info.get("fallback", ()):
        info = LANG_INFO.get(other, {}) | info
    return info if "name_local" in info else {}
