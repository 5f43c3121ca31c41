"""The sections of a stored body, by the ids that its page has."""

from collections.abc import Sequence
from typing import Final

from blog_engine.conf import markdown_plugins
from blog_engine.content.sections import BodySection, sections_named, sections_of
from blog_engine.enums import BodyFormat
from blog_engine.errors import ValidationFailed
from blog_engine.models import Post
from blog_engine.rendering.bodies import footnote_prefix

_MOST_NAMED: Final = 20
"""Headings that a refusal names."""


def body_sections(post: Post) -> tuple[BodySection, ...]:
    """Return the sections of the body of a post; no query."""
    prefix = footnote_prefix(post.pk)
    return sections_of(
        post.body, body_format=BodyFormat(post.body_format), footnote_prefix=prefix, plugins=markdown_plugins()
    )


def the_section(sections: Sequence[BodySection], name: str) -> BodySection:
    """Return the section whose heading has this id or text; raises ``ValidationFailed`` of ``section``."""
    found = sections_named(sections, name)
    if len(found) > 1:
        hint = f"Several headings have that text: send the id of one, {_ids(found)}."
    elif not found:
        hint = f"The headings of the body are {_ids(sections)}." if sections else "The body has no headings."
    elif found[0].length is None:
        hint = "The sections of an HTML body are not known: read its body instead."
    else:
        return found[0]
    raise ValidationFailed(["section"], hint=hint)


def _ids(sections: Sequence[BodySection]) -> str:
    named = ", ".join(section.id for section in sections[:_MOST_NAMED])
    return f"{named} and {len(sections) - _MOST_NAMED} more" if len(sections) > _MOST_NAMED else named
