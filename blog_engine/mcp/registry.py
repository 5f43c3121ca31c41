"""The tools and the operations they run."""

from collections.abc import Mapping
from typing import Any

from blog_engine.actor import Scope
from blog_engine.conf import get_settings
from blog_engine.enums import Change
from blog_engine.inputs.posts import CorrectPost, SearchPosts
from blog_engine.inputs.reports import Paged
from blog_engine.inputs.types import LARGEST_PAGE, count_in_digits
from blog_engine.mcp import encoded_images
from blog_engine.mcp.instructions import (
    ASK_BEFORE_ADOPTING,
    ASK_FIRST,
    ASKED_FOR,
    DRAFT_ADDS,
    NOTHING_RELEASED,
    SAY_WHO_WROTE,
)
from blog_engine.mcp.tools import PREFIX, READS, SAVES, SETS, SHOWS, WITHDRAWS, Arguments, PresetOperation, Tool
from blog_engine.operations import posts, records, reports
from blog_engine.operations.base import Operation, with_input

_USUAL_PAGE_SIZE = Paged.model_fields["per_page"].default


def _page_capped(arguments: Arguments) -> Arguments:
    """Ask for a page that fits into an agent's context (records.md 18, Page size)."""
    size = count_in_digits(arguments.get("per_page", _USUAL_PAGE_SIZE))
    if type(size) is not int or size > LARGEST_PAGE:
        # Left to be refused.
        return arguments
    return {**arguments, "per_page": min(size, get_settings().mcp.max_page_size)}


def _as_correction(arguments: Arguments) -> Arguments:
    return {"change": Change.CORRECTION.value, **arguments}


def _reading(name: str, operation: Operation[Any, Any], description: str, **more: Any) -> Tool:
    return Tool(PREFIX + name, description, Scope.READ, READS, PresetOperation(operation), **more)


def _listing(name: str, operation: Operation[Any, Any], description: str) -> Tool:
    return _reading(name, operation, description, prepare=_page_capped)


def _saving(name: str, create: Operation[Any, Any], update: Operation[Any, Any], description: str) -> Tool:
    described = f"{description} {NOTHING_RELEASED}"
    return Tool(
        PREFIX + name, described, Scope.WRITE, SAVES, PresetOperation(create), way_with_id=PresetOperation(update)
    )


_TOOLS = (
    _listing(
        "list_posts",
        posts.list_posts,
        "List posts of every state as cards without bodies, newest first; filters combine. Ask for the next page while "
        "page times per_page is under total. Read one with blog_get_post, find words with blog_search_posts.",
    ),
    _reading(
        "search_posts",
        with_input(posts.list_posts, SearchPosts),
        "Find posts of every state by words of title, description, body and FAQ; cards without bodies. The filters are "
        "those of blog_list_posts.",
        prepare=_page_capped,
    ),
    _reading(
        "get_post",
        posts.get_post,
        "Read one post of any state with its body as it was sent and revision_identifier. Read it before you edit it.",
    ),
    _reading(
        "get_post_records",
        posts.get_post_records,
        "Read the history of a post: revisions, approvals, publications, baseline and declarations of connections.",
    ),
    _reading(
        "check_post",
        posts.check_post,
        "Read the advisory findings of a stored post, what is worth mending before and after it is public. Writes "
        "answer them, too.",
    ),
    Tool(
        PREFIX + "save_draft",
        "Save an unpublished post; slug or external_id of a stored draft writes to that one, a new one needs title. "
        f"Public posts are edited with blog_update_post; a past publish_at publishes. {NOTHING_RELEASED} {DRAFT_ADDS}",
        Scope.WRITE,
        SAVES,
        PresetOperation(posts.save_post, {"publish": False}),
    ),
    _reading(
        "get_preview_link",
        posts.get_preview_link,
        "Get a signed link that shows a draft or scheduled post to whoever has it, with the revision_identifier to "
        "approve.",
    ),
    Tool(
        PREFIX + "publish_post",
        "Make a post public, now or at publish_at. With id it releases that post, with a last edit if fields are sent; "
        f"without, it creates one, or writes to that of slug or external_id. {ASK_FIRST} {SAY_WHO_WROTE}",
        Scope.PUBLISH,
        SHOWS,
        PresetOperation(posts.save_post, {"publish": True}),
        way_with_id=PresetOperation(posts.publish_post),
    ),
    Tool(
        PREFIX + "update_post",
        "Edit a post in the state it is in; what is left out stays. A changed public post needs change: substantive or "
        f"maintenance; mistakes are mended with blog_correct_post. {ASK_FIRST} {SAY_WHO_WROTE}",
        None,
        SHOWS,
        PresetOperation(posts.update_post),
    ),
    Tool(
        PREFIX + "correct_post",
        f"Correct a mistake in a post, with a note that readers see beside it. {ASK_FIRST} {SAY_WHO_WROTE}",
        None,
        SHOWS,
        PresetOperation(with_input(posts.update_post, CorrectPost)),
        prepare=_as_correction,
        required=("note",),
    ),
    Tool(
        PREFIX + "approve_revision",
        "Record that a person reviewed exactly one revision; for a draft its current one, before blog_publish_post. "
        f"{ASK_FIRST} Never invent a reviewer. {SAY_WHO_WROTE}",
        Scope.PUBLISH,
        SHOWS,
        PresetOperation(posts.approve_revision),
        required=("revision_identifier",),
    ),
    Tool(
        PREFIX + "declare_connections",
        "Append a complete declaration of the publisher's business connections to a post; readers see the "
        f"latest. Never invent one. {NOTHING_RELEASED}",
        Scope.PUBLISH,
        SHOWS,
        PresetOperation(posts.declare_connections),
    ),
    Tool(
        PREFIX + "unpublish_post",
        "Withdraw a public post, or cancel its schedule; it becomes a draft, its address answers 410 and its history "
        f"stays. {ASKED_FOR}",
        Scope.PUBLISH,
        WITHDRAWS,
        PresetOperation(posts.unpublish_post),
    ),
    Tool(
        PREFIX + "remove_post",
        "Delete a draft that has no history, or archive any other post; redirect_to says where its address leads then. "
        f"To withdraw it for a while use blog_unpublish_post. {ASKED_FOR}",
        Scope.PUBLISH,
        WITHDRAWS,
        PresetOperation(posts.remove_post),
    ),
    Tool(
        PREFIX + "upload_image",
        "Store an image: send url, or else base64, filename and content_type. Prefer url, because long Base64 is often "
        f"cut on its way. The same bytes give the same image_id. {NOTHING_RELEASED}",
        Scope.WRITE,
        SETS,
        PresetOperation(encoded_images.upload_encoded_image),
    ),
    _listing("list_categories", records.list_categories, "List the categories with how many posts they have."),
    _saving(
        "save_category",
        records.create_category,
        records.update_category,
        "Create a category (name is needed), or with id edit one; what is left out stays.",
    ),
    _listing("list_tags", records.list_tags, "List the tags; posts make them."),
    _listing("list_authors", records.list_authors, "List the authors."),
    _saving(
        "save_author",
        records.create_author,
        records.update_author,
        "Create an author (name is needed), or with id edit one; stored posts keep their bylines.",
    ),
    _listing("list_series", records.list_series, "List the series with their posts in reading order."),
    _saving(
        "save_series",
        records.create_series,
        records.update_series,
        "Create a series (name is needed), or with id edit one; posts join it by their own fields.",
    ),
    _listing("list_redirects", records.list_redirects, "List the addresses that moved or were removed."),
    Tool(
        PREFIX + "save_redirect",
        "Record that an address moved, or without new_path that it is gone; changes no stored one. A post whose slug "
        f"changes leaves one by itself. {NOTHING_RELEASED}",
        Scope.PUBLISH,
        SETS,
        PresetOperation(records.save_redirect, {"redirects": None}),
        required=("old_path",),
    ),
    _reading("get_site_page", records.get_page, "Read a policy page of the blog, a draft too."),
    Tool(
        PREFIX + "save_site_page",
        "Create or edit a policy page; what is left out stays. To publish it, or to change a published one, the token "
        "needs publish, too. The text is the publisher's own promise: show it and ask before status is published.",
        Scope.WRITE,
        SETS,
        PresetOperation(records.save_page),
    ),
    _reading(
        "get_page_views",
        reports.get_top_views,
        "With id, from and to: the views of a post by day. With days and limit: the most read posts.",
        way_with_id=PresetOperation(reports.get_post_views),
    ),
    _reading(
        "get_surface_report",
        reports.get_surface_report,
        "Compare public pages, as fetched, with their records; may take a minute.",
    ),
    _reading("doctor", reports.doctor, "Check the installation in thirteen points; nothing is changed."),
    _reading(
        "extract_faq",
        reports.extract_faq,
        "Propose FAQ entries for the questions and answers in a Markdown body, and where to cut it; nothing is stored.",
    ),
    Tool(
        PREFIX + "adopt_post",
        "Import a published article of another system with the evidence for its past; with dry_run it shows what would "
        f"be stored. {ASK_BEFORE_ADOPTING}",
        Scope.PUBLISH,
        SETS,
        PresetOperation(posts.adopt_post),
    ),
)

TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in _TOOLS}
"""Every tool by its name; a new one without a case in the parity test fails that test."""


def definitions() -> tuple[Tool, ...]:
    """All tools, in the order of ``tools/list``, for a host that adds them to an agent server of its own."""
    return _TOOLS
