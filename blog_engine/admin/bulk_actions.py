"""The actions that the list of posts offers."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.contrib.admin import action
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from blog_engine.admin.base import DeskAdmin, Permission, may
from blog_engine.models import Post

MOST_AT_ONCE: Final = 100
"""The posts that one request changes."""
_LONGEST_ID: Final = 18


def _known(action_location: Any) -> tuple[Any, ...]:
    """Return where an action is offered, the list or the form of a record, which Django passes since 6.1."""
    return () if action_location is None else (action_location,)


def _action(name: str, description: Any, *, permission: str) -> Callable[..., HttpResponse]:
    @action(description=description, permissions=[permission])
    def run(desk: DeskAdmin, request: HttpRequest, queryset: QuerySet[Post]) -> HttpResponse:
        from blog_engine.admin.bulk import run_verb

        return run_verb(desk, request, name)

    return run


class BulkActions(DeskAdmin):
    """The actions of the list of posts. None of them runs on more than the posts that are named one by one."""

    def has_publish_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may publish and withdraw."""
        return may(request, Permission.PUBLISH)

    def has_write_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may write."""
        return may(request, Permission.WRITE)

    def get_actions(self, request: HttpRequest, action_location: Any = None) -> dict[str, Any]:
        """Return the actions that the user may use; posts are not deleted many at once."""
        found: dict[str, Any] = super().get_actions(request, *_known(action_location))
        found.pop("delete_selected", None)
        return found

    publish_selected = _action("publish_selected", _("Publish"), permission="publish")
    withdraw_selected = _action("withdraw_selected", _("Withdraw"), permission="publish")
    tag_selected = _action("tag_selected", _("Add a tag"), permission="write")

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Post], action_location: Any = None
    ) -> HttpResponse | None:
        """Run an action on the posts that were named, if they are not too many."""
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if len(set(chosen)) > MOST_AT_ONCE or request.POST.get("select_across") not in {None, "", "0"}:
            text = gettext("Choose at most %(number)s posts at once. Nothing was changed.")
            self.message_user(request, text % {"number": MOST_AT_ONCE}, messages.WARNING)
            return None
        if not all(one.isascii() and one.isdigit() and len(one) <= _LONGEST_ID for one in chosen):
            self.message_user(request, gettext("These posts do not exist. Nothing was changed."), messages.WARNING)
            return None
        return super().response_action(request, queryset, *_known(action_location))
