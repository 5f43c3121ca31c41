"""The tools of the agent endpoint and the operations they run."""

from collections.abc import Mapping
from typing import Any

from blog_engine.actor import Call, Scope
from blog_engine.conf import get_settings
from blog_engine.content.text import decode_base64
from blog_engine.enums import Change
from blog_engine.errors import ImageNotPermitted
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import ImageBytes, ListImagesInstead, UploadImage, UploadImageAsText, UploadTicketFor
from blog_engine.inputs.posts import SearchPosts
from blog_engine.inputs.reports import Paged
from blog_engine.inputs.types import LARGEST_PAGE, count_in_digits
from blog_engine.mcp.instructions import (
    ASK_BEFORE_ADOPTING,
    ASK_FIRST,
    NEEDS_NO_APPROVAL,
    ONLY_ON_REQUEST,
    SHOW_PREVIEW,
    STATE_PROVENANCE,
)
from blog_engine.mcp.tools import (
    ADDS,
    ADDS_ONCE,
    CHANGES,
    FETCHES,
    PREFIX,
    READS,
    SETS,
    Arguments,
    PresetOperation,
    Tool,
)
from blog_engine.operations import images, posts, proposals, records, reports
from blog_engine.operations.base import Operation, operation, with_input
from blog_engine.outputs.images import UploadTicketObject
from blog_engine.outputs.posts import ImageObject

_DEFAULT_PAGE_SIZE = Paged.model_fields["per_page"].default


def _with_page_limit(arguments: Arguments) -> Arguments:
    """Lower ``per_page`` to ``mcp.max_page_size``, the limit for an agent's context."""
    if "per_page" not in arguments and get_settings().mcp.max_page_size >= _DEFAULT_PAGE_SIZE:
        return arguments
    size = count_in_digits(arguments.get("per_page", _DEFAULT_PAGE_SIZE))
    if type(size) is not int or size > LARGEST_PAGE:
        # The operation refuses it.
        return arguments
    return {**arguments, "per_page": min(size, get_settings().mcp.max_page_size)}


def _answering(arguments: Arguments) -> Arguments:
    """Answer as much as ``mcp.answer`` says where the call does not say it."""
    return {"answer": get_settings().mcp.answer, **arguments}


def _as_correction(arguments: Arguments) -> Arguments:
    return {"change": Change.CORRECTION.value, **_answering(arguments)}


def _read_tool(
    name: str, operation: Operation[Any, Any], description: str, annotations: Mapping[str, bool] = READS, **more: Any
) -> Tool:
    return Tool(PREFIX + name, description, Scope.READ, annotations, PresetOperation(operation), **more)


def _list_tool(name: str, operation: Operation[Any, Any], description: str, **more: Any) -> Tool:
    return _read_tool(name, operation, description, prepare=_with_page_limit, **more)


def _save_tool(name: str, create: Operation[Any, Any], update: Operation[Any, Any], description: str) -> Tool:
    return Tool(
        PREFIX + name,
        f"{description} {NEEDS_NO_APPROVAL}",
        Scope.WRITE,
        SETS,
        PresetOperation(create),
        instead={"id": PresetOperation(update)},
    )


@operation(scope=Scope.WRITE, refuses=[ImageNotPermitted])
def upload_image(data: UploadImageAsText, call: Call) -> ImageObject | UploadTicketObject:
    """Store an image from Base64 or a URL, or return a ticket for the file; known bytes return the stored image."""
    if data.byte_size is not None:
        return images.open_upload_ticket.handler(parse(UploadTicketFor, data.model_dump(exclude_unset=True)), call)
    return images.upload_image.handler(_with_bytes(data), call)


def _with_bytes(data: UploadImageAsText) -> UploadImage:
    if data.base64 is None:
        return UploadImage.model_validate({"url": data.url, **data.sent_origin})
    content = _image_bytes(data.base64)
    file = ImageBytes(data=content, filename=data.filename or "", content_type=data.content_type)
    return UploadImage.model_validate({"file": file, **data.sent_origin})


def _image_bytes(text: str) -> bytes:
    limit = get_settings().max_image_bytes
    # Checked before decoding: four characters encode three bytes.
    if len(text) > 4 * -(-limit // 3):
        raise ImageNotPermitted(hint=f"An image can have at most {limit} bytes.")
    try:
        return decode_base64(text)
    except ValueError as fault:
        raise ImageNotPermitted(
            hint="base64 is not valid: it was cut or changed, or it has a prefix such as data:. Send byte_size instead "
            "of base64 for an upload_url that takes the file itself, or send the public URL of the image as url."
        ) from fault


_TOOLS = (
    _list_tool(
        "list_posts",
        posts.list_posts,
        "List posts of any status as cards without bodies, newest first; filters combine; send fields. With images "
        "true it lists stored images.",
        instead={"images": PresetOperation(with_input(images.list_images, ListImagesInstead))},
    ),
    _read_tool(
        "search_posts",
        with_input(posts.list_posts, SearchPosts),
        "Search posts of any status by words of title, description, body and FAQ; returns cards with the passage "
        "that matched. Filters and fields as in blog_list_posts.",
        prepare=_with_page_limit,
    ),
    _read_tool(
        "get_post",
        posts.get_post,
        "Get a post of any status with its body as sent and its revision_identifier. Read it before you edit it; of a "
        "long one read the outline first, then the section or the fields that you need.",
    ),
    _read_tool(
        "get_post_records",
        posts.get_post_records,
        "Get the history of a post: revisions, approvals, publications, baseline, declarations of connections, and the "
        "conversation of its review. "
        "revision returns one version with its content, compare a diff of two, proposal a proposed edit in full.",
    ),
    _read_tool(
        "check_post",
        posts.check_post,
        "Get the advisory findings of a stored post: what to improve before or after publication. Writes return them.",
    ),
    Tool(
        PREFIX + "save_draft",
        "Save an unpublished post; slug or external_id of a stored draft updates it, a new one needs title. Edit "
        f"public posts with blog_update_post. {NEEDS_NO_APPROVAL} {SHOW_PREVIEW}",
        Scope.WRITE,
        CHANGES,
        PresetOperation(posts.save_post, {"publish": False}),
        prepare=_answering,
    ),
    _read_tool(
        "get_preview_link",
        posts.get_preview_link,
        "Get a signed link that shows a draft or scheduled post to anyone who has it, the revision_identifier to "
        "approve, and review_url, where a person signs.",
    ),
    Tool(
        PREFIX + "publish_post",
        "Publish a post now or at publish_at. With id it publishes that post, edited if fields are sent; without, a "
        f"new post or the one with slug or external_id; with proposal it applies that. {ASK_FIRST} {STATE_PROVENANCE}",
        Scope.PUBLISH,
        CHANGES,
        PresetOperation(posts.save_post, {"publish": True}),
        instead={
            "id": PresetOperation(posts.publish_post),
            "proposal": PresetOperation(proposals.apply_proposal),
        },
        prepare=_answering,
    ),
    Tool(
        PREFIX + "update_post",
        "Edit a post and keep its status. A changed public post needs change: substantive or maintenance; fix mistakes "
        "with blog_correct_post; propose only suggests the edit; review alone asks for a review, answers, resolves or "
        "sends back. "
        f"{ASK_FIRST} {STATE_PROVENANCE}",
        None,
        CHANGES,
        PresetOperation(posts.update_post),
        prepare=_answering,
    ),
    Tool(
        PREFIX + "correct_post",
        f"Correct a mistake in a post, with a note that readers see. {ASK_FIRST} {STATE_PROVENANCE}",
        None,
        CHANGES,
        PresetOperation(posts.correct_post),
        prepare=_as_correction,
        required=("note",),
    ),
    Tool(
        PREFIX + "approve_revision",
        "Record that a person reviewed exactly one revision; of a draft the current one, before blog_publish_post. "
        f"{ASK_FIRST} Never invent a reviewer; where only people approve, hand over review_url. {STATE_PROVENANCE}",
        Scope.PUBLISH,
        ADDS,
        PresetOperation(posts.approve_revision),
        prepare=_answering,
        required=("revision_identifier",),
    ),
    Tool(
        PREFIX + "declare_connections",
        "Add a complete declaration of the publisher's business connections to a post; readers see the latest. Never "
        f"invent one. {NEEDS_NO_APPROVAL}",
        Scope.PUBLISH,
        ADDS,
        PresetOperation(posts.declare_connections),
        prepare=_answering,
    ),
    Tool(
        PREFIX + "unpublish_post",
        "Withdraw a public post or cancel its schedule: it becomes a draft, its URL answers 410, its history stays. "
        f"{ONLY_ON_REQUEST}",
        Scope.PUBLISH,
        SETS,
        PresetOperation(posts.unpublish_post),
        prepare=_answering,
    ),
    Tool(
        PREFIX + "remove_post",
        "Delete a draft without history, or archive any other post; its URL then leads to redirect_to. To withdraw it "
        f"for a while use blog_unpublish_post. With proposal and reason it only rejects that. {ONLY_ON_REQUEST}",
        Scope.PUBLISH,
        CHANGES,
        PresetOperation(posts.remove_post),
        instead={"proposal": PresetOperation(proposals.reject_proposal_of_post)},
        prepare=_answering,
    ),
    Tool(
        PREFIX + "upload_image",
        "Store an image, or with id say where it comes from: prefer url; for a file send filename, content_type and "
        "byte_size, then run curl -T FILE "
        '"$upload_url"; base64 with filename and content_type last, because clients often cut it. The same bytes '
        f"return the same image_id. List images with blog_list_posts. {NEEDS_NO_APPROVAL}",
        Scope.WRITE,
        CHANGES,
        PresetOperation(upload_image),
        instead={"id": PresetOperation(images.update_image)},
    ),
    _list_tool("list_categories", records.list_categories, "List the categories and how many posts they have."),
    _save_tool(
        "save_category",
        records.create_category,
        records.update_category,
        "Create a category (name required), or edit the one with id; omitted fields keep their values.",
    ),
    _list_tool("list_tags", records.list_tags, "List the tags; posts create them."),
    _list_tool("list_authors", records.list_authors, "List the authors."),
    _save_tool(
        "save_author",
        records.create_author,
        records.update_author,
        "Create an author (name required), or edit the one with id; stored posts keep their bylines.",
    ),
    _list_tool("list_series", records.list_series, "List the series with their posts in reading order."),
    _save_tool(
        "save_series",
        records.create_series,
        records.update_series,
        "Create a series (name required), or edit the one with id; posts join it through their own fields.",
    ),
    _list_tool("list_redirects", records.list_redirects, "List the paths that moved or were removed."),
    Tool(
        PREFIX + "save_redirect",
        "Record that a path moved, or without new_path that it is gone; changes no stored redirect. A post whose slug "
        f"changes gets one automatically. {NEEDS_NO_APPROVAL}",
        Scope.PUBLISH,
        ADDS_ONCE,
        PresetOperation(records.save_redirect, {"redirects": None}),
        required=("old_path",),
    ),
    _read_tool("get_site_page", records.get_page, "Get a policy page of the blog, or its house style."),
    Tool(
        PREFIX + "save_site_page",
        "Create or edit a policy page; omitted fields keep their values. Publishing one, or changing a published one, "
        "needs the scope publish. The text is the publisher's promise: show it and ask before status is published.",
        Scope.WRITE,
        SETS,
        PresetOperation(records.save_page),
    ),
    _read_tool(
        "get_page_views",
        reports.get_top_views,
        "With id, from and to: the views of a post per day. With days and limit: the most viewed posts.",
        instead={"id": PresetOperation(reports.get_post_views)},
    ),
    _read_tool(
        "get_surface_report",
        reports.get_surface_report,
        "Compare public pages, as fetched, with their records; can take a minute.",
        FETCHES,
    ),
    _read_tool("doctor", reports.doctor, "Check the installation in fourteen points; changes nothing.", FETCHES),
    _read_tool(
        "extract_faq",
        reports.extract_faq,
        "Propose FAQ entries from the questions and answers in a Markdown body, and where to cut it; stores nothing.",
    ),
    Tool(
        PREFIX + "adopt_post",
        "Import an article that another system published, with the evidence for its past; dry_run shows what would be "
        f"stored. {ASK_BEFORE_ADOPTING}",
        Scope.PUBLISH,
        SETS,
        PresetOperation(posts.adopt_post),
        prepare=_answering,
    ),
)

TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in _TOOLS}
"""The tools by name."""


def definitions() -> tuple[Tool, ...]:
    """Return the tools in the order of ``tools/list``, for an MCP server of the host."""
    return _TOOLS
