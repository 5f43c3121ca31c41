"""The filters of the list of posts; none of them lists more than a fixed number of choices."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise, lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from blog_engine.admin.words import LABELS, REVIEW_REASONS, STATES
from blog_engine.enums import Label, PostStatus
from blog_engine.models import Post

if TYPE_CHECKING:
    from blog_engine.queries.desk_lists import ListContext, NamedRow

Choices = list[tuple[str, str | Promise]]


class PostListFilter(SimpleListFilter):
    """A filter of posts."""

    context: "ListContext"
    """Set by the list, which reads it once for all filters."""


class WordsFilter(PostListFilter):
    """A filter with a fixed set of words; posts with any other word do not exist."""

    words: ClassVar[Choices]
    order: tuple[str, ...] | None = None
    """The order that suits the filter, if it has its own."""
    help_text: str | Promise = ""

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Any:
        return self.words

    def queryset(self, request: HttpRequest, queryset: QuerySet[Post]) -> QuerySet[Post]:
        value = self.value()
        if not value:
            return queryset
        if value not in {word for word, _text in self.words}:
            return queryset.none()
        return self.having(value, queryset)

    def having(self, word: str, posts: QuerySet[Post]) -> QuerySet[Post]:
        """Return the posts for one of the words."""
        raise NotImplementedError


class MineFilter(WordsFilter):
    """Posts of the signed-in person: those of the author who belongs to the user, and those that the user made."""

    title, parameter_name = pgettext_lazy("posts", "Whose"), "mine"
    words: ClassVar[Choices] = [("yes", pgettext_lazy("posts", "Mine"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Post]) -> QuerySet[Post]:
        from blog_engine.queries.people import own_posts

        found = super().queryset(request, queryset)
        return own_posts(found, request.user.pk) if self.value() == "yes" else found

    def having(self, word: str, posts: QuerySet[Post]) -> QuerySet[Post]:
        return posts


class StateFilter(WordsFilter):
    """Drafts, scheduled, public and archived posts."""

    title, parameter_name = _("State"), "status"
    words: ClassVar[Choices] = list(STATES.items())

    def having(self, word: str, posts: QuerySet[Post]) -> QuerySet[Post]:
        return posts.filter(status=word)


class ReviewFilter(WordsFilter):
    """Posts that wait for a review, for any reason or for one."""

    title, parameter_name = _("Review"), "review"
    order = ("review_reason", "updated_at", "id")
    words: ClassVar[Choices] = [
        ("any", _("Needs a review")),
        *REVIEW_REASONS.items(),
        ("returned", pgettext_lazy("posts", "Sent back")),
    ]

    def having(self, word: str, posts: QuerySet[Post]) -> QuerySet[Post]:
        if word == "any":
            return posts.filter(review_reason__isnull=False)
        if word == "returned":
            return posts.filter(review_returned_at__isnull=False)
        return posts.filter(review_reason=word)


class ScheduleFilter(WordsFilter):
    """Scheduled posts whose time has come, or not yet."""

    title, parameter_name = _("Schedule"), "scheduled"
    order = ("publish_at", "id")
    words: ClassVar[Choices] = [("future", _("Planned for later")), ("due", _("Due now"))]

    def having(self, word: str, posts: QuerySet[Post]) -> QuerySet[Post]:
        scheduled, now = posts.filter(status=PostStatus.SCHEDULED.value), timezone.now()
        return scheduled.filter(publish_at__lte=now) if word == "due" else scheduled.filter(publish_at__gt=now)


def _most_listed() -> int:
    from blog_engine.queries.desk_lists import MOST_LISTED

    return MOST_LISTED


class LabelFilter(WordsFilter):
    """Posts with a notice for AI, or without, among the newest that the other filters leave.

    The label follows from approvals and revisions, which no index of the posts has: it is worked out for each post.
    """

    title, parameter_name = _("AI notice"), "label"
    help_text = format_lazy(_("Looks through the newest {number} posts."), number=lazy(_most_listed, int)())
    words: ClassVar[Choices] = list(LABELS.items())

    def having(self, word: str, posts: QuerySet[Post]) -> QuerySet[Post]:
        from blog_engine.queries.desk_lists import newest_with_label

        return newest_with_label(posts, Label(word), has_responsible_party=self.context.has_responsible_party)


class RelatedNameFilter(PostListFilter):
    """Posts of one author or category, by its slug or name, which is typed: only the first names are suggested."""

    suggested: Sequence["NamedRow"]
    """The names that a browser offers; set by the list, as the context."""

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Any:
        return []

    def has_output(self) -> bool:
        return True

    def value(self) -> str | None:
        sent = super().value()
        return sent.strip() if sent and "\0" not in sent else None

    def choices(self, changelist: Any) -> Iterator[Any]:
        return iter(())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Post]) -> QuerySet[Post]:
        sent = self.value()
        if not sent:
            return queryset
        wanted = [row.id for row in self.suggested if sent in {row.slug, row.name}]
        return self.naming(wanted, queryset)

    def naming(self, ids: list[int], posts: QuerySet[Post]) -> QuerySet[Post]:
        """Return the posts that name one of the records."""
        return posts.filter(**{f"{self.parameter_name}__in": ids})


class ByAuthorFilter(RelatedNameFilter):
    """Posts of one author, who signs them first or further down."""

    title, parameter_name = _("Author"), "author"

    def naming(self, ids: list[int], posts: QuerySet[Post]) -> QuerySet[Post]:
        from blog_engine.queries.people import coauthored_by

        return posts.filter(Q(author__in=ids) | coauthored_by(ids))


class ByCategoryFilter(RelatedNameFilter):
    """Posts of one category."""

    title, parameter_name = _("Category"), "category"
