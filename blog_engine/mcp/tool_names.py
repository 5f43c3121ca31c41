"""Names of tools in other servers, and the tools that do the same here."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_LONGEST_NAME: Final = 40
_NEXT_WORD: Final = re.compile("(?<=[a-z])(?=[A-Z])|-")
_VERBS: Final = {
    "save": ("create", "new", "add", "write", "make", "insert", "upsert", "set", "store"),
    "update": ("edit", "modify", "patch", "change", "revise", "rewrite", "replace"),
    "remove": ("delete", "archive", "trash", "destroy", "drop"),
    "get": ("read", "fetch", "view", "show", "open", "retrieve"),
    "list": ("all", "browse", "index"),
    "search": ("find", "query", "lookup"),
    "publish": ("release", "schedule"),
    "unpublish": ("withdraw", "retract", "unschedule", "cancel"),
    "approve": ("sign", "confirm"),
}
_NOUNS: Final = {"article": "post", "entry": "post", "articles": "posts", "entries": "posts", "page": "site_page"}
_OTHERS: Final = {
    "save_post": "save_draft",
    "save_image": "upload_image",
    "save_media": "upload_image",
    "update_draft": "update_post",
    "remove_draft": "remove_post",
    "get_draft": "get_post",
    "get_posts": "list_posts",
    "list_drafts": "list_posts",
    "search": "search_posts",
    "publish": "publish_post",
    "unpublish": "unpublish_post",
    "approve_post": "approve_revision",
    "approve_draft": "approve_revision",
    "update_category": "save_category",
    "update_author": "save_author",
    "update_series": "save_series",
    "update_site_page": "save_site_page",
}
"""Tools that a verb and a noun do not lead to."""
_WITH_A_FIELD: Final = {
    "save_tag": "update_post with tags",
    "list_images": "list_posts with images: true",
    "list_media": "list_posts with images: true",
    "list_proposals": "list_posts with proposals: open, then blog_get_post_records",
    "save_proposal": "update_post with propose: true",
    "propose_post": "update_post with propose: true",
    "apply_proposal": "publish_post with proposal",
    "approve_proposal": "publish_post with proposal",
    "reject_proposal": "remove_post with proposal and reason",
    "restore_post": "update_post with restore",
    "restore_revision": "update_post with restore",
    "list_revisions": "get_post_records",
    "get_revision": "get_post_records with revision",
    "request_review": "update_post with review",
}
"""What is a field of a tool here."""


def meant_tool(name: str, *, known: Iterable[str], prefix: str) -> str:
    """Return the tool that an unknown name means, with the field that it needs; empty if there is none.

    ``prefix`` begins every known name, and would make all of them look alike.
    """
    names = [each.removeprefix(prefix) for each in known]
    words = _NEXT_WORD.sub("_", name[:_LONGEST_NAME]).lower().removeprefix(prefix)
    asked = _in_our_words(words)
    found = _WITH_A_FIELD.get(asked) or _OTHERS.get(asked, asked)
    if found.partition(" ")[0] not in names:
        found = next(iter(get_close_matches(asked, names, n=1)), "")
    return found and prefix + found


def _in_our_words(name: str) -> str:
    verb, _, noun = name.partition("_")
    ours = next((one for one, others in _VERBS.items() if verb in others), verb)
    return f"{ours}_{_NOUNS.get(noun, noun)}" if noun else ours
