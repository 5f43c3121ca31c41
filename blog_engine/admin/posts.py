"""Posts at the desk: the list, and the routes of the pages of a post."""

from typing import Any, ClassVar

from django.contrib.admin import ShowFacets
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from blog_engine.admin.agents import AgentsView
from blog_engine.admin.autosave import AutosaveView
from blog_engine.admin.base import ANY_OF_POSTS, DeskView, Permission, may
from blog_engine.admin.bin import BinView, BringBackView
from blog_engine.admin.bulk import BulkActions
from blog_engine.admin.byline import BylineView
from blog_engine.admin.challenge import ChallengeView
from blog_engine.admin.conversation import ConversationView, RequestReviewView
from blog_engine.admin.deliveries import DeliveriesView
from blog_engine.admin.disclosure import DisclosureView
from blog_engine.admin.editor_requests import PasteView, PostVersionView, SignedInView
from blog_engine.admin.history import CompareRevisionsView, PostHistoryView, RevisionView
from blog_engine.admin.images import PickImageView, UploadImageView
from blog_engine.admin.installation import DoctorView, SurfaceReportView
from blog_engine.admin.list_filters import (
    ByAuthorFilter,
    ByCategoryFilter,
    LabelFilter,
    MineFilter,
    ReviewFilter,
    ScheduleFilter,
    StateFilter,
)
from blog_engine.admin.page_views import BlogViewsView, PostViewsView
from blog_engine.admin.passkeys import PasskeyOptionsView, PasskeysView, RevokePasskeyView
from blog_engine.admin.post_list import PostChangeList
from blog_engine.admin.preview import PostPreviewView
from blog_engine.admin.proposal_actions import (
    ApplyProposalView,
    CancelProposalView,
    RejectProposalView,
    ScheduleProposalView,
    WithdrawProposalView,
)
from blog_engine.admin.proposals import ProposalListView, ProposalView, ProposedArticleView
from blog_engine.admin.publishing import CancelScheduleView, PublishPostView, SchedulePostView
from blog_engine.admin.review_page import ReviewPostView
from blog_engine.admin.reviews import ReviewQueueView, StoredArticleView
from blog_engine.admin.sharing import SharePostView
from blog_engine.admin.versions import ContinueView
from blog_engine.admin.withdrawing import RemovePostView, WithdrawPostView
from blog_engine.admin.withholding import WithholdVersionView
from blog_engine.admin.writing import AddPostView, ChangePostView, CompletionView
from blog_engine.conf import issues_tokens
from blog_engine.models import Post
from blog_engine.queries.compiled import among
from blog_engine.queries.desk_lists import NEWEST
from blog_engine.queries.search import is_searchable, matches_in_texts
from blog_engine.services.passkeys import CAN_SIGN

_PAGES_OF_THE_BLOG: tuple[tuple[str, str, type[DeskView]], ...] = (
    ("add/", "add", AddPostView),
    ("preview/", "preview_new", PostPreviewView),
    ("autosave/", "autosave_new", AutosaveView),
    ("version/", "current_new", PostVersionView),
    ("signed-in/", "signed_in", SignedInView),
    ("paste/", "paste", PasteView),
    ("upload/", "upload", UploadImageView),
    ("pictures/", "pick_image", PickImageView),
    ("complete/<slug:kind>/", "complete", CompletionView),
    ("byline/", "byline", BylineView),
    ("queue/", "queue", ReviewQueueView),
    ("proposals/", "proposals", ProposalListView),
    ("views/", "blog_views", BlogViewsView),
    ("doctor/", "doctor", DoctorView),
    ("report/", "report", SurfaceReportView),
    ("deliveries/", "deliveries", DeliveriesView),
    ("disclosure/", "disclosure", DisclosureView),
    ("passkeys/", "passkeys", PasskeysView),
    ("passkeys/options/", "passkey_options", PasskeyOptionsView),
    ("passkeys/<int:passkey_id>/revoke/", "passkey_revoke", RevokePasskeyView),
    ("agents/", "agents", AgentsView),
    ("bin/", "bin", BinView),
    ("bin/<int:post_id>/", "bring_back", BringBackView),
)
_PAGES_OF_A_POST: tuple[tuple[str, str, type[DeskView]], ...] = (
    ("change/", "change", ChangePostView),
    ("preview/", "preview", PostPreviewView),
    ("autosave/", "autosave", AutosaveView),
    ("version/", "current", PostVersionView),
    ("publish/", "publish", PublishPostView),
    ("schedule/", "schedule", SchedulePostView),
    ("cancel/", "cancel", CancelScheduleView),
    ("withdraw/", "withdraw", WithdrawPostView),
    ("delete/", "delete", RemovePostView),
    ("request-review/", "request_review", RequestReviewView),
    ("conversation/", "conversation", ConversationView),
    ("review/", "review", ReviewPostView),
    ("challenge/", "challenge", ChallengeView),
    ("article/", "article", StoredArticleView),
    ("share/", "share", SharePostView),
    ("history/", "history", PostHistoryView),
    ("revision/<str:identifier>/", "revision", RevisionView),
    ("withhold/<str:identifier>/", "withhold", WithholdVersionView),
    ("continue/<str:identifier>/", "continue", ContinueView),
    ("compare/", "compare", CompareRevisionsView),
    ("views/", "views", PostViewsView),
    ("proposals/<int:proposal_id>/", "proposal", ProposalView),
    ("proposals/<int:proposal_id>/article/", "proposal_article", ProposedArticleView),
    ("proposals/<int:proposal_id>/apply/", "proposal_apply", ApplyProposalView),
    ("proposals/<int:proposal_id>/schedule/", "proposal_schedule", ScheduleProposalView),
    ("proposals/<int:proposal_id>/cancel/", "proposal_cancel", CancelProposalView),
    ("proposals/<int:proposal_id>/reject/", "proposal_reject", RejectProposalView),
    ("proposals/<int:proposal_id>/withdraw/", "proposal_withdraw", WithdrawProposalView),
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

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[PostChangeList]:
        """Return the list with the engine's search."""
        return PostChangeList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Post], search_term: str
    ) -> tuple[QuerySet[Post], bool]:
        """Return the posts that the engine's search finds, such as for a host's field that completes posts.

        The list itself searches in ``PostChangeList``, which keeps the best ones first.
        """
        if not search_term.strip():
            return queryset, False
        if not is_searchable(search_term):
            return queryset.none(), False
        return queryset.filter(among("pk", matches_in_texts(queryset, search_term, then_by=NEWEST).ids)), False
