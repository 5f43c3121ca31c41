"""Everything that changes posts and the records that they refer to: one function per verb, one transaction per call.

Each function takes its input model and, by keyword, the ``Actor`` and the time ``now`` where they matter. Those that
run on a schedule, from a command or for readers (``publish_due``, ``deliver_webhooks``, ``make_checkpoint``,
``render_posts``, ``render_pages``, ``index_posts``, ``complete_posts``, ``settle_reviews``, ``recount_lists``,
``prune_page_views``, ``prune_drafts``, ``prune_idempotency_keys``, ``count_view``, ``count_views``) have no actor. A
function that raises a ``blog_engine.errors.Refusal`` has written nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from blog_engine.services._transaction import rehearsal
    from blog_engine.services.adoption import adopt_post
    from blog_engine.services.bin import BroughtBack, PrunedDrafts, bring_back, prune_drafts
    from blog_engine.services.checkpoints import CheckpointRun, make_checkpoint
    from blog_engine.services.conversation import (
        add_remark,
        answer_remark,
        cancel_review_request,
        request_review,
        resolve_remark,
        return_review,
    )
    from blog_engine.services.counts import recount_lists
    from blog_engine.services.deliveries import DeliveryRun, deliver_webhooks
    from blog_engine.services.finding_codes import check_links, check_posts, posts_with_outdated_findings
    from blog_engine.services.house_style import save_house_style
    from blog_engine.services.idempotency import KeptAnswer, carried_out_once, prune_idempotency_keys
    from blog_engine.services.image_changes import update_image
    from blog_engine.services.image_origin import complete_origin, read_origins
    from blog_engine.services.image_removal import RemovedImage, remove_image
    from blog_engine.services.images import store_image, store_inspected
    from blog_engine.services.outcome import Adopted, Recorded, Written
    from blog_engine.services.page_views import count_view, count_views, prune_page_views
    from blog_engine.services.pages import SavedPage, save_page
    from blog_engine.services.people import store_author_of_user, take_byline
    from blog_engine.services.posts import (
        publish_new_post,
        publish_post,
        remove_post,
        save_draft,
        unpublish_post,
        update_post,
    )
    from blog_engine.services.proposals import apply_proposal, propose_edit, reject_proposal, withdraw_proposal
    from blog_engine.services.proposed import ProposedContent, preview_proposal, read_proposal
    from blog_engine.services.publish_due import DuePosts, publish_due
    from blog_engine.services.records import (
        create_author,
        create_category,
        create_series,
        delete_category,
        delete_series,
        delete_tag,
        merge_tags,
        order_series,
        redirecting_page,
        rename_tag,
        update_author,
        update_category,
        update_series,
    )
    from blog_engine.services.redirects import add_redirect, add_redirects, delete_redirect
    from blog_engine.services.refresh import complete_posts, index_posts, render_pages, render_posts, settle_reviews
    from blog_engine.services.reviews import approve_revision, declare_connections, sign_revision
    from blog_engine.services.shared_copies import draw_shared_copies, draw_social_pictures
    from blog_engine.services.upload_tickets import NewUploadTicket, fill_upload_ticket, open_upload_ticket
    from blog_engine.services.withholding import show_version, withhold_version

__all__ = [
    "Adopted",
    "BroughtBack",
    "CheckpointRun",
    "DeliveryRun",
    "DuePosts",
    "KeptAnswer",
    "NewUploadTicket",
    "ProposedContent",
    "PrunedDrafts",
    "Recorded",
    "RemovedImage",
    "SavedPage",
    "Written",
    "add_redirect",
    "add_redirects",
    "add_remark",
    "adopt_post",
    "answer_remark",
    "apply_proposal",
    "approve_revision",
    "bring_back",
    "cancel_review_request",
    "carried_out_once",
    "check_links",
    "check_posts",
    "complete_origin",
    "complete_posts",
    "count_view",
    "count_views",
    "create_author",
    "create_category",
    "create_series",
    "declare_connections",
    "delete_category",
    "delete_redirect",
    "delete_series",
    "delete_tag",
    "deliver_webhooks",
    "draw_shared_copies",
    "draw_social_pictures",
    "fill_upload_ticket",
    "index_posts",
    "make_checkpoint",
    "merge_tags",
    "open_upload_ticket",
    "order_series",
    "posts_with_outdated_findings",
    "preview_proposal",
    "propose_edit",
    "prune_drafts",
    "prune_idempotency_keys",
    "prune_page_views",
    "publish_due",
    "publish_new_post",
    "publish_post",
    "read_origins",
    "read_proposal",
    "recount_lists",
    "redirecting_page",
    "rehearsal",
    "reject_proposal",
    "remove_image",
    "remove_post",
    "rename_tag",
    "render_pages",
    "render_posts",
    "request_review",
    "resolve_remark",
    "return_review",
    "save_draft",
    "save_house_style",
    "save_page",
    "settle_reviews",
    "show_version",
    "sign_revision",
    "store_author_of_user",
    "store_image",
    "store_inspected",
    "take_byline",
    "unpublish_post",
    "update_author",
    "update_category",
    "update_image",
    "update_post",
    "update_series",
    "withdraw_proposal",
    "withhold_version",
]

_MODULES: Final = {
    "_transaction": ("rehearsal",),
    "adoption": ("adopt_post",),
    "bin": (
        "BroughtBack",
        "PrunedDrafts",
        "bring_back",
        "prune_drafts",
    ),
    "checkpoints": (
        "CheckpointRun",
        "make_checkpoint",
    ),
    "conversation": (
        "add_remark",
        "answer_remark",
        "cancel_review_request",
        "request_review",
        "resolve_remark",
        "return_review",
    ),
    "counts": ("recount_lists",),
    "deliveries": (
        "DeliveryRun",
        "deliver_webhooks",
    ),
    "finding_codes": (
        "check_links",
        "check_posts",
        "posts_with_outdated_findings",
    ),
    "house_style": ("save_house_style",),
    "idempotency": (
        "KeptAnswer",
        "carried_out_once",
        "prune_idempotency_keys",
    ),
    "image_changes": ("update_image",),
    "image_origin": (
        "complete_origin",
        "read_origins",
    ),
    "image_removal": (
        "RemovedImage",
        "remove_image",
    ),
    "images": (
        "store_image",
        "store_inspected",
    ),
    "outcome": (
        "Adopted",
        "Recorded",
        "Written",
    ),
    "page_views": (
        "count_view",
        "count_views",
        "prune_page_views",
    ),
    "pages": (
        "SavedPage",
        "save_page",
    ),
    "people": (
        "store_author_of_user",
        "take_byline",
    ),
    "posts": (
        "publish_new_post",
        "publish_post",
        "remove_post",
        "save_draft",
        "unpublish_post",
        "update_post",
    ),
    "proposals": (
        "apply_proposal",
        "propose_edit",
        "reject_proposal",
        "withdraw_proposal",
    ),
    "proposed": (
        "ProposedContent",
        "preview_proposal",
        "read_proposal",
    ),
    "publish_due": (
        "DuePosts",
        "publish_due",
    ),
    "records": (
        "create_author",
        "create_category",
        "create_series",
        "delete_category",
        "delete_series",
        "delete_tag",
        "merge_tags",
        "order_series",
        "redirecting_page",
        "rename_tag",
        "update_author",
        "update_category",
        "update_series",
    ),
    "redirects": (
        "add_redirect",
        "add_redirects",
        "delete_redirect",
    ),
    "refresh": (
        "complete_posts",
        "index_posts",
        "render_pages",
        "render_posts",
        "settle_reviews",
    ),
    "reviews": (
        "approve_revision",
        "declare_connections",
        "sign_revision",
    ),
    "shared_copies": (
        "draw_shared_copies",
        "draw_social_pictures",
    ),
    "upload_tickets": (
        "NewUploadTicket",
        "fill_upload_ticket",
        "open_upload_ticket",
    ),
    "withholding": (
        "show_version",
        "withhold_version",
    ),
}
"""The modules in which these functions and classes are."""


def __getattr__(name: str) -> Any:
    """Return a function or class, whose module is imported now: to count a view, a process needs no other."""
    for module, names in _MODULES.items():
        if name in names:
            found = getattr(import_module(f"{__name__}.{module}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
