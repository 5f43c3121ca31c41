"""The conversation about a post: requests for a review, what was sent back, remarks and answers."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from blog_engine.enums import RemarkKind
from blog_engine.models.base import ServiceOwned, choices, one_of
from blog_engine.models.post import Post


class Remark(ServiceOwned):
    """An entry of the conversation about a post (``docs/contract/reviews.md``).

    It is no history: nothing chains it, and it goes into the bin, and comes back, with a draft.
    """

    # Without a constraint, because the release before deletes drafts and does not know this table.
    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="conversation", db_constraint=False)
    kind = models.CharField(max_length=10, choices=choices(RemarkKind))
    text = models.TextField(default="")
    """Empty for a request without a note."""
    passage = models.TextField(default="")
    """What a remark quotes from the body; empty for none."""
    actor = models.CharField(max_length=255)
    actor_id = models.CharField(max_length=255, default="")
    """``user:7`` or ``token:3``; empty if the actor has no such id."""
    revision_identifier = models.CharField(max_length=64)
    """The content of the post at that time."""
    written_at = models.DateTimeField()
    in_reply_to = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="answers")
    person = models.CharField(max_length=255, default="")
    """The id of the user whom a request asks; empty for none."""
    person_name = models.CharField(max_length=255, default="")
    resolved_by = models.CharField(max_length=255, null=True)
    resolved_at = models.DateTimeField(null=True)

    in_text: bool | None
    """Whether the passage of an open remark is in the body; set by ``queries.conversation.conversation_of``."""

    class Meta(ServiceOwned.Meta):
        verbose_name = _("entry of a conversation")
        verbose_name_plural = _("entries of conversations")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [one_of("kind", RemarkKind, name="blog_engine_remark_kind")]

    def __str__(self) -> str:
        return f"{self.kind} {self.post_id}"

    @property
    def is_open(self) -> bool:
        """Whether it is a remark that is not resolved."""
        return self.kind == RemarkKind.REMARK and self.resolved_at is None
