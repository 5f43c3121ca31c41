"""The admin: read-only posts and history, editable taxonomy and authors."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import Model
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.enums import PostStatus
from blog_engine.models import (
    ApiToken,
    Approval,
    Author,
    Baseline,
    Category,
    ConnectionDeclaration,
    Faq,
    Image,
    Post,
    Publication,
    Redirect,
    Revision,
    Series,
    Tag,
)


class _ReadOnly:
    """Shows rows read-only: only the services write posts and history."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class _ReadOnlyRows(_ReadOnly, admin.TabularInline):
    extra = 0
    show_change_link = True


class FaqRows(_ReadOnlyRows):
    model = Faq
    fields: ClassVar = ["position", "question", "answer"]


class RevisionRows(_ReadOnlyRows):
    model = Revision
    fields: ClassVar = ["identifier", "actor", "made_by_ai", "created_at"]
    readonly_fields = ("created_at",)


class ApprovalRows(_ReadOnlyRows):
    model = Approval
    fields: ClassVar = ["kind", "revision", "reviewer_name", "facts_checked", "approved_at", "recorded_by"]


class PublicationRows(_ReadOnlyRows):
    model = Publication
    fields: ClassVar = ["entry_type", "revision", "occurred_at", "released_by", "description", "note"]


class DeclarationRows(_ReadOnlyRows):
    model = ConnectionDeclaration
    fields: ClassVar = ["connections", "third_party_paid", "declared_by", "declared_on", "recorded_by"]


@admin.register(Post)
class PostAdmin(_ReadOnly, admin.ModelAdmin):
    list_display = ("title", "status", "author", "category", "provenance", "published_at", "modified_at")
    list_filter = ("status", "provenance", "category")
    list_select_related = ("author", "category")
    search_fields = ("title", "slug", "external_id")
    inlines: ClassVar = [FaqRows, PublicationRows, ApprovalRows, RevisionRows, DeclarationRows]
    exclude = (
        "body_html",
        "outline",
        "body_facts",
        "indexed_title",
        "indexed_description",
        "indexed_faq",
        "indexed_body",
    )

    def view_on_site(self, post: Post) -> str | None:
        """Return the path of a public post; other posts have no page."""
        return post.get_absolute_url() if post.status == PostStatus.PUBLISHED else None


@admin.register(Revision, Approval, Publication, Baseline, ConnectionDeclaration)
class HistoryAdmin(_ReadOnly, admin.ModelAdmin):
    list_display = ("__str__", "post", "created_at")
    list_select_related = ("post",)


@admin.register(Image, Tag)
class StoredAdmin(_ReadOnly, admin.ModelAdmin):
    list_display = ("__str__", "created_at")


@admin.register(Redirect)
class RedirectAdmin(_ReadOnly, admin.ModelAdmin):
    list_display = ("old_path", "new_path", "source", "occurred_on")


@admin.register(ApiToken)
class ApiTokenAdmin(_ReadOnly, admin.ModelAdmin):
    """Shows tokens without their digests; commands create and revoke them."""

    list_display = ("token_prefix", "name", "scopes", "last_used_at", "expires_at", "revoked_at")
    exclude = ("token_digest",)


class _Renamable(admin.ModelAdmin):
    """Records with a page: a new slug creates redirects, as over the API."""

    def save_model(self, request: HttpRequest, obj: Model, form: ModelForm, change: bool) -> None:
        with services.redirecting_page(obj, now=timezone.now()):
            super().save_model(request, obj, form, change)


@admin.register(Category, Series)
class TaxonomyAdmin(_Renamable):
    """Deletes one record at a time: each needs a target for its posts and its page."""

    list_display = ("name", "slug")
    delete_confirmation_template = "admin/blog_engine/delete_taxonomy.html"
    actions = None

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        others = [row for row in self.get_queryset(request).order_by("name") if str(row.pk) != object_id]
        chosen = request.POST.get("target", "")
        if request.method == "POST" and chosen not in {"gone", *(str(row.pk) for row in others)}:
            self.message_user(request, _("Choose where its posts and its page go."), messages.ERROR)
            return HttpResponseRedirect(request.path)
        return super().delete_view(request, object_id, {"targets": others, **(extra_context or {})})

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        chosen = request.POST["target"]
        target_id = None if chosen == "gone" else int(chosen)
        actor = Actor(request.user.get_username())
        delete = services.delete_category if isinstance(obj, Category) else services.delete_series
        delete(obj.pk, target_id=target_id, actor=actor, now=timezone.now())


@admin.register(Author)
class AuthorAdmin(_Renamable):
    list_display = ("name", "slug", "type")
    raw_id_fields = ("avatar",)
