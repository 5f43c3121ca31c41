"""Tokens, and clients that call with them."""

from collections.abc import Iterable
from datetime import datetime

from django.test import Client
from django.utils import timezone

from blog_engine.actor import Scope
from blog_engine.services.tokens import create_token


def make_secret(*, name: str = "Ada", scopes: Iterable[str] = tuple(Scope), expires_at: datetime | None = None) -> str:
    """The secret of a new token."""
    return create_token(name, scopes=scopes, expires_at=expires_at, now=timezone.now()).secret


def client_with(*scopes: str) -> Client:
    """A client whose token has these scopes."""
    return Client(headers={"Authorization": f"Bearer {make_secret(scopes=scopes)}"})
