"""The passkeys of people, and the signatures that were made with them."""

from typing import Final

from django.db.models import Count

from blog_engine.models import ApprovalKey, ApprovalSignature, Passkey

MOST_PASSKEYS: Final = 20
"""The passkeys of one person that work at the same time."""
_MOST_SHOWN: Final = 100


def passkeys_of(person: str) -> list[Passkey]:
    """Return the newest passkeys that a person registered, revoked ones included; one query."""
    return list(Passkey.objects.filter(person=person).order_by("-pk")[:_MOST_SHOWN])


def working_passkeys(person: str) -> list[Passkey]:
    """Return the passkeys with which a person can sign; one query."""
    return list(Passkey.objects.filter(person=person, revoked_at=None).order_by("pk")[:MOST_PASSKEYS])


def has_passkeys(person: str) -> bool:
    """Return whether a person can sign with a passkey; one query."""
    return Passkey.objects.filter(person=person, revoked_at=None).exists()


def key_in_chain(post_id: int, credential_id: str) -> ApprovalKey | None:
    """Return the key of a passkey that the chain of a post has already; one query."""
    return ApprovalKey.objects.filter(post=post_id, credential_id=credential_id).first()


def is_used(post_id: int, client_data: str) -> bool:
    """Return whether an approval of a post was signed with this answer, which holds its challenge; one query."""
    return ApprovalSignature.objects.filter(post=post_id, client_data=client_data).exists()


def number_signed_with(passkeys: list[Passkey]) -> dict[str, int]:
    """Return how many approvals were signed with each of these passkeys, by credential id; one query."""
    ids = [one.credential_id for one in passkeys]
    counted = ApprovalKey.objects.filter(credential_id__in=ids).order_by().values_list("credential_id")
    return dict(counted.annotate(number=Count("signatures")))
