"""The admin: what editors may look at, and the supporting records that may be edited by hand (decisions.md 9.7)."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

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
    """Shows rows and changes none: posts are written by the services, history by nobody."""

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
    """Tokens are made and revoked by commands; nobody sees a digest."""

    list_display = ("token_prefix", "name", "scopes", "last_used_at", "expires_at", "revoked_at")
    exclude = ("token_digest",)


@admin.register(Category, Series)
class TaxonomyAdmin(admin.ModelAdmin):
    list_display = ("name", "slug")


@admin.register(Author)
class AuthorAdmin(admin.ModelAdmin):
    list_display = ("name", "slug", "type")
    raw_id_fields = ("avatar",)
