"""What must hold of rows and files after a process died, a database went away or a disk was full."""

from typing import Any

from blog_engine.models.protection import missing_protection
from blog_engine.queries.audit import audit_public_posts
from blog_engine.queries.database import engine_connection
from tests.contract.invariants import (
    assert_history_is_whole,
    assert_images_are_their_files,
    assert_posts_and_images_answer,
    assert_redirects_answer,
    assert_redirects_are_flat,
)
from tests.unchanged import everything_stored


def assert_nothing_is_half(*, and_no_other_files: bool = True) -> None:
    """Identifiers, dates and posts are what the history says, each image has its file, readers get all of it, and the
    database still refuses to change the history."""
    assert_history_is_whole()
    assert_images_are_their_files(and_nothing_else=and_no_other_files)
    assert_redirects_are_flat()
    assert_posts_and_images_answer()
    assert_redirects_answer()
    assert audit_public_posts(newest=None).differing == {}
    assert missing_protection(engine_connection()) == []


def rows() -> dict[str, Any]:
    """Every row that a write makes: not those of the tokens, which tell when they were used last, and no page views."""
    stored = everything_stored()
    del stored["ApiToken"], stored["PageView"], stored["files"]
    return stored
