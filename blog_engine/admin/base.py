"""Base of the pages of the desk: permissions, the actor of the signed-in user, and refusals as form errors."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, ClassVar

from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.views import View

from blog_engine import deferred
from blog_engine.actor import Actor, Scope
from blog_engine.admin.words import sentence_for
from blog_engine.conf.site_names import named_after_blog
from blog_engine.deferred import DeferredView
from blog_engine.enums import ActorKind
from blog_engine.errors import Refusal
from blog_engine.http.requests import origin_of
from blog_engine.http.zones import planned_moment, zone_of
from blog_engine.queries.reviewers import name_of_user


class Permission(StrEnum):
    """The permissions of the desk, as ``user.has_perm`` takes them."""

    VIEW = "blog_engine.view_post"
    WRITE = "blog_engine.write_post"
    PUBLISH = "blog_engine.publish_post"
    APPROVE = "blog_engine.approve_post"
    MANAGE_SUPPORTING = "blog_engine.manage_supporting"
    MANAGE_TOKENS = "blog_engine.manage_tokens"


ANY_OF_POSTS = (Permission.VIEW, Permission.WRITE, Permission.PUBLISH, Permission.APPROVE)
"""Each of them opens the pages that only show posts."""

_SCOPES = {Permission.WRITE: Scope.WRITE, Permission.PUBLISH: Scope.PUBLISH}


def may(request: HttpRequest, *permissions: Permission) -> bool:
    """Return whether the signed-in user has one of the permissions."""
    return any(request.user.has_perm(permission) for permission in permissions)


def signed_in_actor(request: HttpRequest, *, grants: Iterable[Scope] = ()) -> Actor:
    """Return the signed-in user as the actor of a service call.

    The name is the user's full name, or else the user name. The scopes are those of the user's permissions on posts,
    and ``grants``: what the permission that opened the page stands for.
    """
    user = request.user
    scopes = {scope for permission, scope in _SCOPES.items() if user.has_perm(permission)}
    return Actor(name_of_user(user), {Scope.READ, *scopes, *grants}, kind=ActorKind.PERSON, user_id=user.pk)


def add_refusal(form: BaseForm, refusal: Refusal) -> None:
    """Show a refusal of a service as errors of the fields that it names, or of the form if it names none of them."""
    named = dict.fromkeys(detail.split(".")[0].split("[")[0] for detail in refusal.details)
    fields = [name for name in named if name in form.fields]
    for name in fields or (None,):
        form.add_error(name, sentence_for(refusal, name))


class DeskAdmin(ModelAdmin):
    """Base of the desk's admins: no row is written by a form, only by services."""

    view_permissions: ClassVar[tuple[Permission, ...]] = (Permission.MANAGE_SUPPORTING,)
    write_permissions: ClassVar[tuple[Permission, ...]] = (Permission.MANAGE_SUPPORTING,)
    pages: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    """Route, name, and module and class of each page that is not one of Django's own."""

    def has_page(self, name: str) -> bool:
        """Return whether one of ``pages`` has this name."""
        return any(name == one for _route, one, _view in self.pages)

    def get_urls(self) -> list[URLPattern]:
        """Return the routes; those of the list, and of the log unless a page replaces it, are Django's own."""
        own: list[tuple[str, str, Any]] = [("", "changelist", self.changelist_view)]
        if not self.has_page("history"):
            own.append(("<path:object_id>/history/", "history", self.history_view))
        of_model = f"{self.opts.app_label}_{self.opts.model_name}"
        return [
            *(path(route, self.admin_site.admin_view(view), name=f"{of_model}_{name}") for route, name, view in own),
            *(
                deferred.path(route, DeferredView(f"{__package__}.{view}", self._served), name=f"{of_model}_{name}")
                for route, name, view in self.pages
            ),
        ]

    def _served(self, view: type["DeskView"]) -> Any:
        return self.admin_site.admin_view(view.as_view(model_admin=self))

    def url_of(self, page: str, *args: object) -> str:
        """Return the path of a page of this model in this admin site, such as ``changelist``."""
        name = f"{self.admin_site.name}:{self.opts.app_label}_{self.opts.model_name}_{page}"
        return reverse(name, args=args)

    def page(self, request: HttpRequest, template: str, *, title: Any, **context: Any) -> HttpResponse:
        """Return a page in the frame of the admin; ``title`` is its heading."""
        request.current_app = self.admin_site.name
        frame = {"title": title, "opts": self.opts, "media": self.media, **named_after_blog(self.admin_site)}
        shown = {**self.admin_site.each_context(request), **frame, **context}
        return TemplateResponse(request, f"admin/blog_engine/{template}", shown)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return super().changelist_view(request, {**named_after_blog(self.admin_site), **(extra_context or {})})

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        names = named_after_blog(self.admin_site)
        return super().history_view(request, object_id, {**names, **(extra_context or {})})

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may(request, *self.view_permissions)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return may(request, *self.view_permissions)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return may(request, *self.write_permissions)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return may(request, *self.write_permissions)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return may(request, *self.write_permissions)

    def save_model(self, request: HttpRequest, obj: Model, form: BaseForm, change: bool) -> None:
        """Refuse: a subclass that offers Django's own form calls a service here."""
        raise PermissionDenied

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        """Refuse, as ``save_model``."""
        raise PermissionDenied


class DeskView(View):
    """Base of a page of the desk that is not one of Django's own. ``DeskAdmin.get_urls`` wraps it in ``admin_view``.

    A user without one of ``permissions`` gets 403. Each page names its template, which extends
    ``admin/blog_engine/page.html``.
    """

    model_admin: DeskAdmin = None  # type: ignore[assignment]  # as_view() sets it
    permissions: ClassVar[tuple[Permission, ...]]
    grants: ClassVar[tuple[Scope, ...]] = ()
    """Scopes that ``permissions`` stand for in the calls of this page."""
    is_once: ClassVar[bool] = True
    """Whether a form that is sent twice is carried out once. Requests of scripts, and what writes nothing, are not."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not may(request, *self.permissions):
            raise PermissionDenied
        from blog_engine.admin.once import answered_once

        answer = partial(super().dispatch, request, *args, **kwargs)
        return answered_once(request, answer) if self.is_once else answer()

    @cached_property
    def actor(self) -> Actor:
        """The signed-in user."""
        return signed_in_actor(self.request, grants=self.grants)

    @cached_property
    def now(self) -> datetime:
        """The one time of the request."""
        return timezone.now()

    @cached_property
    def base_url(self) -> str:
        """The origin of absolute URLs."""
        return origin_of(self.request)

    def url(self, page: str, *args: object) -> str:
        """Return the path of another page of the same model, such as ``review`` of a post."""
        return self.model_admin.url_of(page, *args)

    def page(self, template: str, *, title: Any, **context: Any) -> HttpResponse:
        """Return a page in the frame of the admin; ``title`` is its heading."""
        return self.model_admin.page(self.request, template, title=title, **context)

    def planned_time(self, moment: datetime | None) -> str:
        """Return a time that is to come in words, with the time zone of the person."""
        return planned_moment(moment, zone_of(self.request))

    def log(self, record: Model, message: str) -> None:
        """Note what the user did in the log of the admin, which its index shows."""
        self.model_admin.log_change(self.request, record, message)
