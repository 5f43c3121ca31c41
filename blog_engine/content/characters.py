"""Characters that no document may have."""

import re
from typing import Final

# Said by what is allowed, because that is forty times as fast. Allowed are all but controls (tab and line ends are) and
# what Unicode keeps free in the basic plane.
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\x7e\xa0-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")


def with_allowed_characters(text: str) -> str:
    """The text with a space for each character that HTML and XML forbid; word processors write some as line ends."""
    return _FORBIDDEN.sub(" ", text)
