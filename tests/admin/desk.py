"""The desk as a signed-in person uses it."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

WRITER = ("view_post", "write_post")
EDITOR = (*WRITER, "publish_post", "approve_post", "manage_supporting")


def person(*permissions: str, name: str = "Wanda Writer") -> Any:
    """A member of staff with these permissions of the desk; the user name is the name in lower case, with dots."""
    first, _, last = name.partition(" ")
    user = get_user_model().objects.create_user(
        name.lower().replace(" ", "."), first_name=first, last_name=last, is_staff=True
    )
    user.user_permissions.set(
        Permission.objects.filter(content_type__app_label="blog_engine", codename__in=permissions)
    )
    return user


def desk(*permissions: str, name: str = "Wanda Writer", checks_csrf: bool = False) -> Client:
    """A client in which such a person is signed in."""
    client = Client(enforce_csrf_checks=checks_csrf)
    client.force_login(person(*permissions, name=name))
    return client


def url(page: str, *args: object, site: str = "admin") -> str:
    """The path of a page of the desk, such as ``post_review``."""
    return reverse(f"{site}:blog_engine_{page}", args=args)
