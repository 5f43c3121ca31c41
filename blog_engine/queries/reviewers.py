"""The users who may sign reviews: those who can be asked for one."""

from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db.models import Q, QuerySet

MOST_REVIEWERS: Final = 200
"""The users that a form offers."""
_LONGEST_NAME: Final = 255
_SIGN: Final = "approve_post"
_PERMISSION: Final = f"blog_engine.{_SIGN}"


class Reviewer(NamedTuple):
    """A user who may sign reviews."""

    id: str
    """The primary key as text."""
    name: str
    """As the history calls the user."""
    login: str
    email: str


def name_of_user(user: Any) -> str:
    """Return the name by which the history calls a user: the full name, or else the user name."""
    full_name = str(user.get_full_name()).strip() if hasattr(user, "get_full_name") else ""
    return (full_name or str(user.get_username()))[:_LONGEST_NAME]


def reviewers() -> list[Reviewer]:
    """Return the first ``MOST_REVIEWERS`` active users who may sign reviews, by name; one query.

    Those who have the permission only from a backend of the host are not listed, but ``reviewer_with`` finds them.
    """
    found = [_reviewer(user) for user in _permitted()[:MOST_REVIEWERS]]
    return sorted(found, key=lambda one: (one.name.casefold(), one.login))


def _permitted() -> QuerySet[Any]:
    model = get_user_model()
    known = {field.name for field in model._meta.get_fields()}
    permissions = Permission.objects.filter(content_type__app_label="blog_engine", codename=_SIGN)
    having = {
        "is_superuser": Q(is_superuser=True),
        "user_permissions": Q(user_permissions__in=permissions),
        "groups": Q(groups__permissions__in=permissions),
    }
    allowed = Q(pk__in=[])
    for name, condition in having.items():
        if name in known:
            allowed |= condition
    active = {name: True for name in ("is_active", "is_staff") if name in known}
    users: QuerySet[Any] = model._default_manager.filter(allowed, **active)
    return users.order_by(model.USERNAME_FIELD).distinct()


def _reviewer(user: Any) -> Reviewer:
    email = str(getattr(user, type(user).get_email_field_name(), "") or "")
    return Reviewer(str(user.pk), name_of_user(user), str(user.get_username()), email)


def reviewer_with(key: str) -> Reviewer | None:
    """Return the user who may sign reviews with this id, user name or full name, ``None`` without exactly one.

    At most three queries.
    """
    key = key.strip()
    listed = reviewers()
    for is_it in (lambda one: one.id == key, lambda one: one.login == key, lambda one: _same(one.name, key)):
        found = [one for one in listed if is_it(one)]
        if found:
            return found[0] if len(found) == 1 else None
    user = _user_where(pk=key) or _user_where(**{get_user_model().USERNAME_FIELD: key})
    is_permitted = user is not None and getattr(user, "is_staff", True) and user.has_perm(_PERMISSION)
    return _reviewer(user) if is_permitted else None


def _same(name: str, other: str) -> bool:
    return name.casefold() == other.casefold()


def user_of_actor(actor_id: str) -> Reviewer | None:
    """Return the active user that an actor is, whatever the user may do; at most one query."""
    kind, _, key = actor_id.partition(":")
    user = _user_where(pk=key) if kind == "user" and key else None
    return _reviewer(user) if user is not None and user.is_active else None


def _user_where(**conditions: object) -> Any:
    try:
        return get_user_model()._default_manager.get(**conditions)
    except (ObjectDoesNotExist, ValueError, OverflowError, ValidationError):
        # A primary key of another form than the text.
        return None
