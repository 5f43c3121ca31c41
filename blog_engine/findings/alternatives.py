"""Alternative texts that a person wrote, and those that an editor put in their place."""

import re
from collections.abc import Set
from functools import cache
from pathlib import Path
from typing import Final

from django.utils.translation import gettext, gettext_noop, override, to_language

import blog_engine
from blog_engine.content.text import fold

_PLACEHOLDERS: Final = (gettext_noop("What the image shows"), gettext_noop("Describe the image"))
"""What the editor and the library of this desk have put into the text, in the language of the interface."""
_SIGNS: Final = " .:…!"
_NO_DESCRIPTION: Final = re.compile(
    r"(?:(?:an?|the|das|ein|la|une?|el) )?"
    r"(?:image|img|picture|pic|photo|photograph|screenshot|graphic|figure|illustration|diagram|chart|cover|thumbnail"
    r"|alt|alt text|alternative text|image alt text|image description|description|placeholder|untitled|bild|foto"
    r"|abbildung|grafik|bildbeschreibung|imagen|immagine)"
    r"(?: (?:here|hier|of|description|placeholder))?[ _-]?\d{0,6}"
    r"|[^\s/]{1,200}\.(?:jpe?g|png|gif|webp|avif|svg|heic)"
)
"""Words and names of files that say that there is an image, and not what it shows."""


def says_something(alternative: str) -> bool:
    """Return whether a text can be one in which a person described an image."""
    text = fold(alternative).strip(_SIGNS)
    return bool(text) and text not in _placeholders() and not _NO_DESCRIPTION.fullmatch(text)


@cache
def _placeholders() -> Set[str]:
    folders = Path(blog_engine.__file__).with_name("locale").iterdir()
    languages = ["en", *(to_language(folder.name) for folder in folders if folder.is_dir())]
    found = set()
    for language in languages:
        with override(language):
            found |= {fold(gettext(text)).strip(_SIGNS) for text in _PLACEHOLDERS}
    return found
