"""Policy pages, page views, redirects, API tokens, the outbox of webhooks and the content version."""

from typing import ClassVar

from django.db import models
from django.db.models import CheckConstraint, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from blog_engine.enums import EventType, PolicyKind, PolicyStatus, RedirectSource
from blog_engine.models.base import EngineModel, Timestamped, choices, one_of
from blog_engine.models.post import Post


class PolicyPage(EngineModel):
    """The page of one policy kind."""

    kind = models.CharField(max_length=30, choices=choices(PolicyKind), unique=True)
    slug = models.CharField(max_length=200, unique=True)
    title = models.CharField(max_length=255)
    body = models.TextField(default="")
    body_html = models.TextField(default="")
    rendered_with = models.CharField(max_length=64, default="")
    status = models.CharField(max_length=20, choices=choices(PolicyStatus), default=PolicyStatus.DRAFT.value)
    approved_by = models.CharField(max_length=255, null=True)
    approved_on = models.DateField(null=True)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta(EngineModel.Meta):
        verbose_name = _("policy page")
        verbose_name_plural = _("policy pages")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            one_of("kind", PolicyKind, name="blog_engine_policy_page_kind"),
            one_of("status", PolicyStatus, name="blog_engine_policy_page_status"),
        ]

    def __str__(self) -> str:
        return self.title


class PageView(EngineModel):
    """The views of one post on one UTC day."""

    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="page_views")
    day = models.DateField()
    views = models.IntegerField(default=0)

    class Meta(EngineModel.Meta):
        verbose_name = _("page view total")
        verbose_name_plural = _("page view totals")
        ordering: ClassVar = ["day", "id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["post", "day"], name="blog_engine_page_view_day")]
        indexes: ClassVar = [models.Index(fields=["day"], name="blog_engine_page_view_by_day")]

    def __str__(self) -> str:
        return f"{self.post_id} {self.day}: {self.views}"


class Redirect(Timestamped):
    """A redirect from ``old_path`` to ``new_path``, or a path that is gone if that is null.

    Paths are stored without ``SCRIPT_NAME``. The keys are digests of the paths in the form in which they are compared,
    percent-decoded and without a trailing slash, so that long paths can be unique.
    """

    old_path = models.CharField(max_length=2048)
    old_key = models.CharField(max_length=64, unique=True)
    new_path = models.CharField(max_length=2048, null=True)
    new_key = models.CharField(max_length=64, null=True, db_index=True)
    source = models.CharField(max_length=20, choices=choices(RedirectSource))
    occurred_on = models.DateField()
    post = models.ForeignKey(Post, on_delete=models.PROTECT, null=True, related_name="redirects")

    is_new: bool
    """Whether ``services.add_redirect`` stored the row just now; set on the rows that it returns."""

    class Meta(Timestamped.Meta):
        verbose_name = pgettext_lazy("blog", "redirect")
        verbose_name_plural = pgettext_lazy("blog", "redirects")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [one_of("source", RedirectSource, name="blog_engine_redirect_source")]

    def __str__(self) -> str:
        return self.old_path


class ApiToken(Timestamped):
    """A token of the API. The secret was shown once; ``token_digest`` is its SHA-256."""

    name = models.CharField(max_length=255)
    token_digest = models.CharField(max_length=64, unique=True)
    token_prefix = models.CharField(max_length=8, db_index=True)
    scopes = models.JSONField(default=list)
    last_used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta(Timestamped.Meta):
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.token_prefix}… {self.name}"

    @property
    def actor_id(self) -> str:
        """The id of the actors that authenticate with the token."""
        return f"token:{self.pk}"


class Delivery(EngineModel):
    """One event for one receiver, stored by the transaction of the write that it reports (webhooks.outbox).

    ``next_attempt_at`` is null once the event was delivered or given up. While an attempt runs it is the end of the
    lease: a worker that was killed leaves the event to another one from then on.
    """

    event_id = models.CharField(max_length=40)
    receiver = models.CharField(max_length=40)
    """The key of the receiver, which is not in its URL and survives another secret."""
    type = models.CharField(max_length=30, choices=choices(EventType))
    post = models.BigIntegerField(null=True)
    """The id of the post whose events are sent in order; null for receivers that take all together."""
    payload = models.TextField()
    created_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    next_attempt_at = models.DateTimeField(null=True)
    last_status = models.PositiveIntegerField(null=True)
    """The HTTP status of the last attempt; null without an answer."""
    last_error = models.CharField(max_length=300, default="")
    delivered_at = models.DateTimeField(null=True)
    dead_at = models.DateTimeField(null=True)

    class Meta(EngineModel.Meta):
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event_id", "receiver"], name="blog_engine_delivery_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["next_attempt_at", "id"],
                condition=Q(next_attempt_at__isnull=False),
                name="blog_engine_delivery_due",
            ),
            models.Index(
                fields=["receiver", "post", "id"],
                condition=Q(next_attempt_at__isnull=False),
                name="blog_engine_delivery_order",
            ),
            models.Index(
                fields=["delivered_at"], condition=Q(delivered_at__isnull=False), name="blog_engine_delivery_done"
            ),
            models.Index(fields=["dead_at"], condition=Q(dead_at__isnull=False), name="blog_engine_delivery_dead"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.event_id}"


class ContentVersion(EngineModel):
    """One row whose text is another one after each transaction that wrote what a page can show.

    Triggers write it. The texts are random, so no two states of the content share one.
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    version = models.CharField(max_length=36)

    class Meta(EngineModel.Meta):
        constraints: ClassVar = [CheckConstraint(condition=Q(id=1), name="blog_engine_content_version_one_row")]

    def __str__(self) -> str:
        return self.version
