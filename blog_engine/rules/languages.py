"""The names of languages."""

from blog_engine.conf.languages import known_language
from blog_engine.content.languages import codes_of_language


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
