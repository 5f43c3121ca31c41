"""The difference of two revisions in an answer."""

from typing import Final

from blog_engine.content.differences import unified_diff
from blog_engine.rules.revision import revision_text

MOST_DIFFERENCE: Final = 65_536
"""Characters of a difference in an answer."""


def revision_difference(old: str, new: str, *, names: tuple[str, str]) -> tuple[str, bool]:
    """Return the unified diff of two payloads under these names, and whether it was cut off."""
    whole = unified_diff(revision_text(old), revision_text(new), old_name=names[0], new_name=names[1])
    difference = whole[:MOST_DIFFERENCE]
    is_cut = len(difference) < len(whole)
    if is_cut:
        # Whole lines, as far as there are any.
        difference = difference[: difference.rfind("\n") + 1] or difference
    return difference, is_cut
