"""The admins of supporting records: their lists, and where their pages are.

What the pages need is imported with them, by the first request.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Final

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.module_loading import import_string
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from blog_engine.admin.base import ANY_OF_POSTS, DeskAdmin, Permission, may
from blog_engine.enums import AuthorType, PolicyKind, PolicyStatus, RedirectSource
from blog_engine.models import ApiToken, Author, PolicyPage, Redirect

REDIRECT_SOURCES: Final[Mapping[str, Promise]] = {
    RedirectSource.SLUG_CHANGE: gettext_lazy("new URL"),
    RedirectSource.REMOVAL: gettext_lazy("removed"),
    RedirectSource.UNPUBLISH: gettext_lazy("withdrawn"),
    RedirectSource.ADOPTION: gettext_lazy("import"),
    RedirectSource.MANUAL: gettext_lazy("added by hand"),
}
IMAGE_USES: Final = {
    "is_cover": gettext_lazy("cover"),
    "is_social": gettext_lazy("social media"),
    "is_in_bodies": gettext_lazy("text"),
    "is_avatar": gettext_lazy("author"),
}
"""The annotations of ``images_with_uses``, in words."""
POLICY_KINDS: Final[Mapping[str, Promise]] = {
    PolicyKind.RESPONSIBLE_PARTY.value: gettext_lazy("Who is responsible"),
    PolicyKind.CORRECTIONS.value: gettext_lazy("How mistakes are corrected"),
    PolicyKind.EDITORIAL.value: gettext_lazy("How posts are made"),
    PolicyKind.AI_USE.value: gettext_lazy("How AI is used"),
}
AUTHOR_TYPES: Final = (
    (AuthorType.PERSON.value, gettext_lazy("A person")),
    (AuthorType.ORGANIZATION.value, gettext_lazy("An organization")),
)


class RecordAdmin(DeskAdmin):
    """Base of the admins of supporting records: Django's list and history, and pages of the desk for the rest."""

    actions = None
    list_per_page = 50
    show_full_result_count = False
    records: ClassVar[str]
    """Module and name of the query for the records of the list."""

    class Media:
        css: ClassVar = {"all": ["blog_engine/desk/library.css", "blog_engine/desk/touch.css"]}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = import_string(f"blog_engine.queries.{self.records}")()
        return rows.order_by(*self.get_ordering(request))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_page("delete") and super().has_delete_permission(request, obj)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        shown = {"title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, shown | (extra_context or {}))


class CountedList(ChangeList):
    """A list of records with the numbers of their posts, which are counted for the records of the page alone."""

    def get_results(self, request: HttpRequest) -> None:
        """Read the page: its ids in the order of the list, which no index has, then the rows with their numbers."""
        from blog_engine.queries.compiled import among

        counted = self.queryset
        self.queryset = counted.values_list("pk", flat=True)
        super().get_results(request)
        self.queryset, ids = counted, list(self.result_list)
        self.result_list = list(counted.filter(among("pk", ids))) if ids else []


class CountedAdmin(RecordAdmin):
    """Base of the admins of records that posts are filed under."""

    list_display: Any = ("name", "last_part", "number_of_posts")
    search_fields = ("name", "slug")
    ordering: ClassVar[Any] = ("name",)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return CountedList

    @admin.display(description=gettext_lazy("last part of the URL"), ordering="slug")
    def last_part(self, record: Any) -> str:
        """Return the slug."""
        return str(record.slug)

    @admin.display(description=gettext_lazy("posts"))
    def number_of_posts(self, record: Any) -> str:
        """Return the number of posts in any state, with a word where the column has no heading."""
        unit = ngettext("post", "posts", record.posts_count)
        return format_html('{} <span class="list-unit">{}</span>', number_format(record.posts_count), unit)


_REMOVAL_PAGES: Final = (
    ("<int:object_id>/delete/", "delete", "deletion.DeleteTaxonomyView"),
    ("<int:object_id>/merge/", "merge", "deletion.MergeTaxonomyView"),
)


class CategoryAdmin(CountedAdmin):
    """Categories."""

    list_display = ("name", "last_part", "position", "number_of_posts")
    ordering = ("position", "name")
    records = "records.categories"
    pages = (
        ("add/", "add", "taxonomy.SaveCategoryView"),
        ("<int:object_id>/change/", "change", "taxonomy.SaveCategoryView"),
        *_REMOVAL_PAGES,
    )


class TagAdmin(CountedAdmin):
    """Tags; posts make them."""

    records = "records.tags"
    pages = (
        ("<int:object_id>/change/", "change", "taxonomy.RenameTagView"),
        ("<int:object_id>/delete/", "delete", "deletion.DeleteTagView"),
        ("<int:object_id>/merge/", "merge", "deletion.MergeTagView"),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


class SeriesAdmin(CountedAdmin):
    """Series."""

    records = "records.series_with_counts"
    pages = (
        ("add/", "add", "taxonomy.SaveSeriesView"),
        ("<int:object_id>/change/", "change", "taxonomy.SaveSeriesView"),
        ("<int:object_id>/order/", "order", "taxonomy.OrderSeriesView"),
        *_REMOVAL_PAGES,
    )


class AuthorAdmin(CountedAdmin):
    """Authors; they cannot be deleted."""

    list_display = ("name", "last_part", "type_name", "number_of_posts")
    records = "records.authors"
    pages = (("add/", "add", "authors.SaveAuthorView"), ("<int:object_id>/change/", "change", "authors.SaveAuthorView"))

    @admin.display(description=gettext_lazy("type"), ordering="type")
    def type_name(self, author: Author) -> str:
        """Return the type in words."""
        return str(dict(AUTHOR_TYPES)[author.type])


class HouseStyleAdmin(RecordAdmin):
    """The house style: one page, to which the list leads."""

    records = "house_style.house_styles"
    pages = (("<int:object_id>/change/", "change", "house_style.SaveHouseStyleView"),)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return redirect(self.url_of("change", 1))

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return ("pk",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


class ImageList(ChangeList):
    """The list of images, each with its thumbnail and what it is used for."""

    def get_results(self, request: HttpRequest) -> None:
        """Read the images of the page."""
        from blog_engine.admin.images import shown_image

        super().get_results(request)
        for image in self.result_list:
            image.thumbnail = shown_image(image).thumbnail
            image.uses = [name for use, name in IMAGE_USES.items() if getattr(image, use)]


class ImageAdmin(RecordAdmin):
    """Images; the bytes of a stored one never change, and it is deleted only while nothing uses it."""

    view_permissions = ANY_OF_POSTS
    write_permissions = (Permission.WRITE,)
    list_display = ("filename", "created_at")
    list_per_page = 60
    search_fields = ("filename",)
    search_help_text = gettext_lazy("Search by file name.")
    ordering = ("-id",)
    records = "image_uses.images_with_uses"
    pages = (
        ("add/", "add", "images.UploadImagesView"),
        ("<int:object_id>/change/", "change", "images.ImageView"),
        ("<int:object_id>/origin/", "origin", "image_origin.ImageOriginView"),
        ("<int:object_id>/delete/", "delete", "image_removal.DeleteImageView"),
    )

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may(request, Permission.PUBLISH)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ImageList


class PolicyPageAdmin(RecordAdmin):
    """Policy pages; they are made draft rather than deleted."""

    list_display = ("title", "policy", "status_name", "approved_by", "approved_on", "updated_at")
    search_fields = ("title",)
    ordering = ("id",)
    records = "policies.policy_pages"
    pages = (
        ("add/", "add", "policies.SavePolicyView"),
        ("preview/", "preview_new", "policies.PreviewPolicyView"),
        ("<int:object_id>/change/", "change", "policies.SavePolicyView"),
        ("<int:object_id>/preview/", "preview", "policies.PreviewPolicyView"),
    )

    @admin.display(description=gettext_lazy("policy"), ordering="kind")
    def policy(self, page: PolicyPage) -> str:
        """Return the kind in words."""
        return str(POLICY_KINDS[page.kind])

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def status_name(self, page: PolicyPage) -> str:
        """Return the status in words."""
        return _("published") if page.status == PolicyStatus.PUBLISHED else _("draft")


class SourceFilter(admin.SimpleListFilter):
    """Filter by the source of a redirect."""

    title = gettext_lazy("source")
    parameter_name = "source"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return list(REDIRECT_SOURCES.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Redirect]) -> QuerySet[Redirect]:
        return queryset.filter(source=self.value()) if self.value() else queryset


class RedirectAdmin(RecordAdmin):
    """Redirects; a stored one is deleted and added again rather than changed."""

    list_display = ("old_path", "leads_to", "source_name", "occurred_on")
    list_filter = (SourceFilter,)
    show_facets = admin.ShowFacets.NEVER
    search_fields = ("old_path", "new_path")
    ordering = ("-id",)
    records = "redirects.redirects"
    pages = (
        ("add/", "add", "redirects.AddRedirectView"),
        ("<int:object_id>/change/", "change", "redirects.RedirectView"),
        ("<int:object_id>/delete/", "delete", "redirects.DeleteRedirectView"),
    )

    @admin.display(description=gettext_lazy("leads to"), ordering="new_path")
    def leads_to(self, redirect: Redirect) -> str:
        """Return the target, or that there is none."""
        return redirect.new_path or _("Gone (410)")

    @admin.display(description=gettext_lazy("source"), ordering="source")
    def source_name(self, redirect: Redirect) -> str:
        """Return what created the redirect, in words."""
        return str(REDIRECT_SOURCES[redirect.source])


def state_of_token(token: ApiToken, *, now: datetime) -> str:
    """Return in a word whether a token works."""
    if token.revoked_at is not None:
        return _("revoked")
    if token.expires_at is not None and token.expires_at <= now:
        return _("expired")
    return _("works")


class ApiTokenAdmin(RecordAdmin):
    """Tokens, without their digests."""

    view_permissions = (Permission.MANAGE_TOKENS,)
    write_permissions = (Permission.MANAGE_TOKENS,)
    list_display = ("name", "state", "allowed", "token_prefix", "last_used_at", "expires_at", "created_at")
    search_fields = ("name", "token_prefix")
    ordering = ("-id",)
    records = "tokens.tokens_without_digests"
    pages = (
        ("add/", "add", "tokens.AddTokenView"),
        ("<int:object_id>/change/", "change", "tokens.TokenView"),
        ("<int:object_id>/revoke/", "revoke", "tokens.RevokeTokenView"),
    )

    @admin.display(description=gettext_lazy("scopes"))
    def allowed(self, token: ApiToken) -> str:
        """Return the scopes, or that there are none."""
        return ", ".join(token.scopes) or _("none")

    @admin.display(description=gettext_lazy("state"))
    def state(self, token: ApiToken) -> str:
        """Return whether the token works."""
        return state_of_token(token, now=timezone.now())
