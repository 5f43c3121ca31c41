"""What another post has already, as refusals: before a write looks, and when its row collides."""

from blog_engine.errors import IdentityConflict, ValidationFailed


def taken_external_id() -> IdentityConflict:
    """The refusal of an external id that another post has."""
    return IdentityConflict(
        ["external_id"], hint="Send another external_id, or list the posts to find the one that has it."
    )


def taken_feed_id() -> IdentityConflict:
    """The refusal of a feed id that another post has."""
    return IdentityConflict(
        ["feed_id"], hint="Another post has that feed_id: send the id of this article, or leave feed_id out."
    )


def taken_slug(slug: str, *, from_title: bool) -> IdentityConflict:
    """The refusal of a slug that another post has; a caller who sent none learns that its title made it."""
    fault = f"The title makes the slug {slug}, which" if from_title else f"The slug {slug}"
    return IdentityConflict(["slug"], hint=f"{fault} is taken: send another slug, or update the post that has it.")


def taken_position() -> ValidationFailed:
    """The refusal of a place in a series that another post has."""
    return ValidationFailed(
        ["series_position"], hint="Another post of the series has that position: send another one, or null."
    )
