"""The scope that each operation needs, and when it is checked."""

import pytest

from blog_engine.actor import Actor, Call, Scope
from blog_engine.errors import ScopeRequired
from blog_engine.operations.base import execute
from tests.requirements import requirement
from tests.support.clients import OPERATIONS
from tests.support.factories import NOW

NEEDS: dict[str, set[str]] = {
    "read": {
        *(
            "list_posts",
            "get_post",
            "get_post_records",
            "get_post_evidence",
            "check_post",
            "get_preview_link",
            "get_post_views",
        ),
        *("list_categories", "list_tags", "list_series", "list_authors", "list_redirects", "list_pages", "get_page"),
        *("get_top_views", "get_surface_report", "extract_faq", "doctor", "list_images"),
        *("list_proposals", "get_proposal"),
    },
    "write": {
        *("upload_image", "update_image", "create_category", "update_category", "create_series", "update_series"),
        *("create_author", "update_author", "save_page", "open_upload_ticket", "fill_upload_ticket"),
        "withdraw_proposal",
    },
    "publish": {
        *("publish_post", "unpublish_post", "remove_post", "approve_revision", "declare_connections", "adopt_post"),
        *("save_redirect", "delete_redirect", "apply_proposal", "reject_proposal"),
    },
}
ONCE_THE_POST_IS_KNOWN = {"save_post", "update_post"}


@requirement("access.order", "taxonomy.scopes")
def test_the_scope_is_asked_before_anything_is_read(subtests: pytest.Subtests) -> None:
    for name in sorted(OPERATIONS.keys() - ONCE_THE_POST_IS_KNOWN):
        with subtests.test(name=name):
            (scope,) = (scope for scope, names in NEEDS.items() if name in names)
            others = Actor("Somebody", scopes=set(Scope) - {scope})

            with pytest.raises(ScopeRequired) as refusal:
                execute(OPERATIONS[name], {"unknown": "field"}, Call(actor=others, now=NOW, base_url=""))

            assert refusal.value.details == [scope]
