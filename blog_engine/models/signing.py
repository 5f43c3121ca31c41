"""Passkeys of people, and the records of approvals that were signed with them."""

from typing import ClassVar

from django.db import models
from django.db.models import UniqueConstraint
from django.utils.translation import gettext_lazy as _

from blog_engine.models.base import AppendOnly, ByActor, EngineModel, ExactDateTimeField
from blog_engine.models.history import Approval
from blog_engine.models.post import Post

LONGEST_CREDENTIAL_ID = 1364
"""Characters: WebAuthn allows 1,023 bytes, which are in Base64url here."""
LONGEST_PASSKEY_NAME = 100


class Passkey(EngineModel):
    """A passkey with which one person signs approvals; the secret never leaves the person's device."""

    person = models.CharField(max_length=255, db_index=True)
    """The id of the person in the host, such as ``user:7``."""
    name = models.CharField(max_length=LONGEST_PASSKEY_NAME)
    credential_id = models.CharField(max_length=LONGEST_CREDENTIAL_ID, unique=True)
    x = models.CharField(max_length=64)
    """The public key: a point of P-256, in hexadecimal digits."""
    y = models.CharField(max_length=64)
    sign_count = models.PositiveBigIntegerField(default=0)
    """What the device counted at the last signature; 0 if it does not count."""
    transports = models.JSONField(default=list)
    """How browsers reach the device, such as ``usb``."""
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta(EngineModel.Meta):
        verbose_name = _("passkey")
        verbose_name_plural = _("passkeys")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.name


class ApprovalKey(ByActor, AppendOnly):
    """The public key of a passkey, in the chain of a post before the first approval that was signed with it.

    Its actor is the person who registered the passkey.
    """

    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="approval_keys")
    credential_id = models.CharField(max_length=LONGEST_CREDENTIAL_ID)
    x = models.CharField(max_length=64)
    y = models.CharField(max_length=64)
    registered_at = ExactDateTimeField()
    created_at = ExactDateTimeField(editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("key of an approval")
        verbose_name_plural = _("keys of approvals")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            UniqueConstraint(fields=["post", "credential_id"], name="blog_engine_approval_key_once")
        ]

    def __str__(self) -> str:
        return self.credential_id


class ApprovalSignature(ByActor, AppendOnly):
    """The signature of one approval: what the browser and the device said, and their signature over both."""

    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="approval_signatures")
    approval = models.OneToOneField(Approval, on_delete=models.PROTECT, related_name="signature")
    key = models.ForeignKey(ApprovalKey, on_delete=models.PROTECT, related_name="signatures")
    client_data = models.TextField()
    """The JSON of the browser, whose challenge is the digest of the approval."""
    authenticator_data = models.CharField(max_length=2000)
    signature = models.CharField(max_length=100)
    created_at = ExactDateTimeField(editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("signature of an approval")
        verbose_name_plural = _("signatures of approvals")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.approval_id}"
