"""Names and catalogues of languages, from Django and the host."""

import re
from typing import Any, Final

from django.conf.locale import LANG_INFO
from django.utils.translation import check_for_language

from blog_engine.content.languages import codes_of_language

_UNKNOWN_TO_DJANGO: Final[dict[str, dict[str, Any]]] = {"zh": {"name_local": "中文", "fallback": ["zh-hans"]}}
_WITHOUT_SCRIPT: Final = re.compile(r"[a-z]{2,3}(?:-(?:[a-z]{2}|[0-9]{3}))?")


def catalogue_of(tag: str) -> str | None:
    """Return the code for messages and dates in a language, such as ``zh-hans`` for ``zh-CN``; ``None``: no catalogue.

    It is the longest that Django knows, or that the host has a catalogue for.
    """
    for code in codes_of_language(tag):
        if known_language(code):
            return code if check_for_language(code) else str(known_language(code).get("fallback", [code])[0])
        # Gettext drops a script, and would take Cyrillic for sr-latn-rs.
        if _WITHOUT_SCRIPT.fullmatch(code) and check_for_language(code):
            return code
    return None


def known_language(code: str) -> dict[str, Any]:
    """Return what Django knows of a language code in lower case; empty if it knows nothing."""
    info: dict[str, Any] = LANG_INFO.get(code) or _UNKNOWN_TO_DJANGO.get(code, {})
    for other in info.get("fallback", ()):
        info = LANG_INFO.get(other, {}) | info
    return info if "name_local" in info else {}


def name_of_language(tag: str) -> str:
    """Return what speakers of a language call it, as far as Django knows; otherwise the tag."""
    for code in codes_of_language(tag):
        info = known_language(code)
        if info:
            name = str(info["name_local"])
            named = name[:1].upper() + name[1:]
            # The name of the language alone would not tell two regions apart.
            region = tag[len(code) :].strip("-")
            return f"{named} ({region})" if region else named
    return tag
