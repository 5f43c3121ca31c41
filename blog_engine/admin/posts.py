"""Posts at the desk: the list, and the routes of the pages of a post."""

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib.admin import ShowFacets
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from blog_engine.admin.base import ANY_OF_POSTS, Permission, may
from blog_engine.admin.bulk_actions import BulkActions
from blog_engine.admin.list_filters import (
    ByAuthorFilter,
    ByCategoryFilter,
    LabelFilter,
    MineFilter,
    ReviewFilter,
    ScheduleFilter,
    StateFilter,
)
from blog_engine.conf import issues_tokens
from blog_engine.conf.extras import CAN_SIGN
from blog_engine.models import Post

if TYPE_CHECKING:
    from blog_engine.admin.post_list import PostChangeList

_PAGES_OF_THE_BLOG: tuple[tuple[str, str, str], ...] = (
    ("add/", "add", "writing.AddPostView"),
    ("preview/", "preview_new", "preview.PostPreviewView"),
    ("autosave/", "autosave_new", "autosave.AutosaveView"),
    ("version/", "current_new", "editor_requests.PostVersionView"),
    ("signed-in/", "signed_in", "editor_requests.SignedInView"),
    ("paste/", "paste", "editor_requests.PasteView"),
    ("upload/", "upload", "images.UploadImageView"),
    ("pictures/", "pick_image", "images.PickImageView"),
    ("complete/<slug:kind>/", "complete", "writing.CompletionView"),
    ("byline/", "byline", "byline.BylineView"),
    ("queue/", "queue", "reviews.ReviewQueueView"),
    ("proposals/", "proposals", "proposals.ProposalListView"),
    ("views/", "blog_views", "page_views.BlogViewsView"),
    ("doctor/", "doctor", "installation.DoctorView"),
    ("report/", "report", "installation.SurfaceReportView"),
    ("deliveries/", "deliveries", "deliveries.DeliveriesView"),
    ("disclosure/", "disclosure", "disclosure.DisclosureView"),
    ("passkeys/", "passkeys", "passkeys.PasskeysView"),
    ("passkeys/options/", "passkey_options", "passkeys.PasskeyOptionsView"),
    ("passkeys/<int:passkey_id>/revoke/", "passkey_revoke", "passkeys.RevokePasskeyView"),
    ("agents/", "agents", "agents.AgentsView"),
    ("bin/", "bin", "bin.BinView"),
    ("bin/<int:post_id>/", "bring_back", "bin.BringBackView"),
)
_PAGES_OF_A_POST: tuple[tuple[str, str, str], ...] = (
    ("change/", "change", "writing.ChangePostView"),
    ("preview/", "preview", "preview.PostPreviewView"),
    ("autosave/", "autosave", "autosave.AutosaveView"),
    ("version/", "current", "editor_requests.PostVersionView"),
    ("publish/", "publish", "publishing.PublishPostView"),
    ("schedule/", "schedule", "publishing.SchedulePostView"),
    ("cancel/", "cancel", "publishing.CancelScheduleView"),
    ("withdraw/", "withdraw", "withdrawing.WithdrawPostView"),
    ("delete/", "delete", "withdrawing.RemovePostView"),
    ("request-review/", "request_review", "conversation.RequestReviewView"),
    ("conversation/", "conversation", "conversation.ConversationView"),
    ("review/", "review", "review_page.ReviewPostView"),
    ("challenge/", "challenge", "challenge.ChallengeView"),
    ("article/", "article", "reviews.StoredArticleView"),
    ("share/", "share", "sharing.SharePostView"),
    ("history/", "history", "history.PostHistoryView"),
    ("revision/<str:identifier>/", "revision", "history.RevisionView"),
    ("withhold/<str:identifier>/", "withhold", "withholding.WithholdVersionView"),
    ("continue/<str:identifier>/", "continue", "versions.ContinueView"),
    ("compare/", "compare", "history.CompareRevisionsView"),
    ("views/", "views", "page_views.PostViewsView"),
    ("proposals/<int:proposal_id>/", "proposal", "proposals.ProposalView"),
    ("proposals/<int:proposal_id>/article/", "proposal_article", "proposals.ProposedArticleView"),
    ("proposals/<int:proposal_id>/apply/", "proposal_apply", "proposal_actions.ApplyProposalView"),
    ("proposals/<int:proposal_id>/schedule/", "proposal_schedule", "proposal_actions.ScheduleProposalView"),
    ("proposals/<int:proposal_id>/cancel/", "proposal_cancel", "proposal_actions.CancelProposalView"),
    ("proposals/<int:proposal_id>/reject/", "proposal_reject", "proposal_actions.RejectProposalView"),
    ("proposals/<int:proposal_id>/withdraw/", "proposal_withdraw", "proposal_actions.WithdrawProposalView"),
)


class PostAdmin(BulkActions):
    """Posts, written, published and reviewed by the services."""

    view_permissions = ANY_OF_POSTS
    write_permissions = (Permission.WRITE, Permission.PUBLISH)
    change_list_template = "admin/blog_engine/post_list.html"
    list_display = ("title",)
    # The last one works with what the others leave.
    list_filter = (MineFilter, StateFilter, ReviewFilter, ScheduleFilter, ByAuthorFilter, ByCategoryFilter, LabelFilter)
    list_per_page = 50
    list_select_related: ClassVar = False
    search_fields = ("title",)
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    actions = ("publish_selected", "withdraw_selected", "tag_selected")
    pages = (
        *_PAGES_OF_THE_BLOG,
        *((f"<int:post_id>/{route}", name, view) for route, name, view in _PAGES_OF_A_POST),
    )

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Return the list of posts, or what one of its actions answers."""
        own: dict[str, Any] = {"title": gettext("Posts"), "may_manage": may(request, Permission.MANAGE_SUPPORTING)}
        own["may_report"] = may(request, Permission.APPROVE)
        own["has_agents"] = issues_tokens()
        if CAN_SIGN and own["may_report"]:
            own["passkeys_url"] = self.url_of("passkeys")
        own["may_remove"] = may(request, Permission.PUBLISH)
        answer: HttpResponse = super().changelist_view(request, {**own, **(extra_context or {})})
        return answer

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type["PostChangeList"]:
        """Return the list with the engine's search."""
        from blog_engine.admin.post_list import PostChangeList

        return PostChangeList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Post], search_term: str
    ) -> tuple[QuerySet[Post], bool]:
        """Return the posts that the engine's search finds, such as for a host's field that completes posts.

        The list itself searches in ``PostChangeList``, which keeps the best ones first.
        """
        from blog_engine.queries.compiled import among
        from blog_engine.queries.desk_lists import NEWEST
        from blog_engine.queries.search import is_searchable, matches_in_texts

        if not search_term.strip():
            return queryset, False
        if not is_searchable(search_term):
            return queryset.none(), False
        return queryset.filter(among("pk", matches_in_texts(queryset, search_term, then_by=NEWEST).ids)), False
