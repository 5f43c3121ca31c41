"""Posts and their FAQ entries."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, NamedTuple

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint, Value
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from blog_engine.blog_urls import BlogURLs
from blog_engine.content.faq import FaqPair
from blog_engine.content.languages import LONGEST_TAG
from blog_engine.enums import BodyFormat, PostStatus, Provenance, ReviewReason
from blog_engine.models.author import Author
from blog_engine.models.base import ExactDateTimeField, ServiceOwned, choices, http_url, one_of


class Translation(NamedTuple):
    """A version of a post in another language."""

    id: int
    slug: str
    language: str
    """Empty for the language of the blog."""
    status: str
    title: str
    canonical_url: str | None
    expires_at: datetime | None

    @property
    def is_shown(self) -> bool:
        """Whether readers see it: it is public, and its end has not come."""
        is_ended = self.expires_at is not None and self.expires_at <= timezone.now()
        return self.status == PostStatus.PUBLISHED and not is_ended


class NamedAuthor(NamedTuple):
    """A further author of a post, under the name that the post stored."""

    name: str
    author: Author


UNDATED = datetime(1000, 1, 1, tzinfo=UTC)
"""The ``listed_at`` of a post without a publication date, which makes it the last of every list."""


def when_public(path: str = "") -> Q:
    """Return the condition that readers see a post; ``path`` leads to the post, such as ``posts__``."""
    return Q(**{f"{path}status": PostStatus.PUBLISHED.value})


def before_end(moment: Any) -> Q:
    """Return the condition that the end of a post has not come at a moment."""
    return Q(expires_at__isnull=True) | Q(expires_at__gt=moment)


class Post(ServiceOwned):
    """An article. Content columns hold what was sent; services fill the derived columns when they store the post."""

    clearable = frozenset({"category", "series"})

    slug = models.CharField(max_length=200, unique=True)
    external_id = models.CharField(max_length=255, unique=True, null=True)
    feed_id = models.CharField(
        max_length=2048,
        unique=True,
        null=True,
        help_text=_("The permanent id of the entry in feeds, set when the post is first published."),
    )
    title = models.CharField(max_length=255)
    description = models.TextField(default="")
    search_title = models.CharField(max_length=255, default="")
    search_description = models.TextField(default="")
    body_format = models.CharField(max_length=20, choices=choices(BodyFormat), default=BodyFormat.MARKDOWN.value)
    body = models.TextField(default="")
    author = models.ForeignKey("blog_engine.Author", on_delete=models.PROTECT, related_name="posts")
    author_name = models.CharField(max_length=255, help_text=_("The byline as it was when the author was assigned."))
    coauthor_names = models.TextField(
        default="", db_default="", help_text=_("The names of the further authors, one on each line.")
    )
    coauthor_ids = models.JSONField(default=list, db_default=Value([], models.JSONField()))
    """The ids of the further authors, in the order of their names; ``Coauthor`` has them for queries."""
    category = models.ForeignKey("blog_engine.Category", on_delete=models.SET_NULL, null=True, related_name="posts")
    series = models.ForeignKey("blog_engine.Series", on_delete=models.SET_NULL, null=True, related_name="posts")
    series_position = models.IntegerField(null=True)
    tags = models.ManyToManyField("blog_engine.Tag", through="blog_engine.PostTag", related_name="posts")
    featured = models.BooleanField(default=False)
    canonical_url = models.CharField(max_length=2048, null=True, validators=[http_url])
    noindex = models.BooleanField(default=False, db_default=False)
    expires_at = ExactDateTimeField(null=True)
    language = models.CharField(
        max_length=LONGEST_TAG,
        default="",
        db_default="",
        help_text=_("The language tag (BCP 47) of the content; empty for the language of the blog."),
    )
    translation_group = models.CharField(
        max_length=40, null=True, help_text=_("What the versions of a post in other languages share.")
    )
    cover_image = models.ForeignKey("blog_engine.Image", on_delete=models.PROTECT, null=True, related_name="cover_of")
    cover_alt = models.CharField(max_length=255, default="")
    social_image = models.ForeignKey("blog_engine.Image", on_delete=models.PROTECT, null=True, related_name="social_of")
    provenance = models.CharField(max_length=20, choices=choices(Provenance), default=Provenance.UNKNOWN.value)
    provenance_evidence = models.TextField(null=True)

    status = models.CharField(max_length=20, choices=choices(PostStatus), default=PostStatus.DRAFT.value)
    publish_at = ExactDateTimeField(null=True)
    published_at = ExactDateTimeField(null=True)
    modified_at = ExactDateTimeField(null=True)
    listed_at = ExactDateTimeField(default=UNDATED)
    public_revision = models.ForeignKey("blog_engine.Revision", on_delete=models.PROTECT, null=True, related_name="+")
    current_revision_identifier = models.CharField(max_length=64)
    unrecorded_actor = models.CharField(max_length=255, null=True)
    """Who last changed the content; null if a revision records it."""
    unrecorded_by = models.JSONField(null=True)
    """The kind and the id of that actor, and the identifier of the content; of no use for any other content."""
    unrecorded_made_by_ai = models.BooleanField(null=True)
    """Whether AI made the content; null if a revision records it."""

    version = models.PositiveBigIntegerField(default=1, db_default=1)
    """The number of writes to the post, by which a writer notices another one."""
    recent_writes = models.JSONField(default=list, db_default=Value([], models.JSONField()))
    """The last writes, oldest first, which tell a writer with an older version what changed (rules/versions.py)."""
    review_reason = models.CharField(max_length=20, choices=choices(ReviewReason), null=True)
    """Why the post waits for a review; null if it does not."""
    approval_missing = models.BooleanField(null=True)
    """Whether the content lacks an approval (posts.list.approval), as of the last write; null if no write has said."""
    review_requested_by = models.CharField(max_length=255, null=True)
    review_requested_at = models.DateTimeField(null=True)
    review_asked = models.CharField(max_length=255, default="", db_default="")
    """The id of the user who is asked for the review; empty for anyone. Users can be in another database."""
    review_asked_name = models.CharField(max_length=255, default="", db_default="")
    review_requester = models.CharField(max_length=255, default="", db_default="")
    """The id of the actor who asked last, such as ``user:7``, also while the post is sent back; empty for none."""
    review_returned_by = models.CharField(max_length=255, null=True)
    review_returned_at = models.DateTimeField(null=True)
    """When the post was sent back to its writers; null if it is not (reviews.return)."""
    open_remarks = models.PositiveIntegerField(default=0, db_default=0)

    body_image_manifest = models.JSONField(default=list)
    body_image_source_digest = models.CharField(max_length=64, null=True)
    images_verified = models.BooleanField(default=True, help_text=_("Every image of the content has a digest."))
    body_html = models.TextField(default="")
    outline = models.JSONField(default=list)
    rendered_with = models.CharField(max_length=64, default="")
    body_facts = models.JSONField(default=dict, help_text=_("What findings need to know of the body."))
    own_findings = models.TextField(default="", db_default="")
    """The numbers of findings that follow from the row and the FAQ alone (findings/kept.py); empty if not kept."""
    excerpt = models.TextField(default="")
    word_count = models.IntegerField(default=0)
    reading_time_minutes = models.IntegerField(default=1)
    description_key = models.CharField(max_length=64, default="", help_text=_("Digest of the shown description."))
    indexed_title = models.TextField(default="")
    indexed_description = models.TextField(default="")
    indexed_faq = models.TextField(default="")
    indexed_body = models.TextField(default="")
    indexed_with = models.CharField(max_length=16, null=True, help_text=_("The version of the search index."))
    search_text = models.TextField(null=True, help_text=_("The start of the text, for snippets of search results."))

    created_by = models.CharField(max_length=255, null=True, editable=False)
    """The id of the person who made the post at the desk, such as ``user:7``; null of any other."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)

    faq: list[FaqPair]
    """The FAQ that a write is going to store, for the host's ``before_publish`` hook; not a column."""
    is_reviewed: bool
    """Whether a facts-checked approval covers the present content; annotated by ``queries.posts.with_review``."""
    is_approved: bool
    """Whether one covers the public revision; annotated by ``with_review``."""
    has_same_title: bool
    """Whether another public post has the title; annotated by ``checked.posts_to_check``, like the next three."""
    has_same_description: bool
    """Whether another public post is described in the same words."""
    is_declared: bool
    """Whether the connections of the post are declared."""
    has_marked_tag: bool
    """Whether the name of one of its tags has markup."""
    style_version: str | None
    """The version of the house style, if there is one."""
    public_identifier: str | None
    """The identifier of the public revision, where queries for readers annotate it in place of the row."""
    has_corrections: bool
    """Whether corrections were published; annotated by ``queries.proposals``."""
    has_declaration: bool
    """Whether connections were declared; annotated by ``queries.articles`` too."""
    is_paid: bool
    """Whether the last declaration names a payment; annotated by ``listings.on_cards``."""
    has_responsible_party: bool
    """Whether the blog names one; annotated by ``public.latest_posts``."""
    coauthors: "Sequence[NamedAuthor]" = ()
    """The further authors, as ``queries.remembered.with_authors`` or ``queries.posts`` loads them; not a column."""
    translations: "Sequence[Translation]" = ()
    """The other posts of the translation group, as ``queries.posts.read_post`` loads them; not a column."""

    class Meta(ServiceOwned.Meta):
        verbose_name = _("post")
        verbose_name_plural = _("posts")
        ordering: ClassVar = ["-created_at", "-id"]
        permissions: ClassVar = [
            ("write_post", _("Can write posts at the desk")),
            ("publish_post", _("Can publish, schedule, withdraw and remove posts at the desk")),
            ("approve_post", _("Can sign reviews of posts at the desk")),
            ("manage_supporting", _("Can manage categories, tags, series, authors, redirects and policy pages")),
            ("manage_tokens", _("Can make and revoke API tokens")),
        ]
        indexes: ClassVar = [
            models.Index(fields=["-created_at", "-id"], name="blog_engine_post_newest"),
            models.Index(fields=["status", "-created_at", "-id"], name="blog_engine_post_by_status"),
            models.Index(fields=["status", "-listed_at", "-id"], name="blog_engine_post_listed"),
            models.Index(
                fields=["status", "-listed_at", "-id"], condition=Q(featured=True), name="blog_engine_post_featured"
            ),
            models.Index(fields=["category", "status", "-listed_at", "-id"], name="blog_engine_post_category"),
            models.Index(fields=["author", "status", "-listed_at", "-id"], name="blog_engine_post_author"),
            # Lists of the desk read the columns that they filter by from these, because a row with its texts is large.
            models.Index(
                fields=["category", "-created_at", "-id", "author", "status"], name="blog_engine_post_of_category"
            ),
            models.Index(
                fields=["author", "-created_at", "-id", "category", "status"], name="blog_engine_post_of_author"
            ),
            models.Index(
                fields=["author", "-updated_at", "-id"],
                condition=Q(status=PostStatus.DRAFT.value),
                name="blog_engine_post_drafts_of",
            ),
            models.Index(
                fields=["created_by", "-created_at", "-id", "status"],
                condition=Q(created_by__isnull=False),
                name="blog_engine_post_made_by",
            ),
            models.Index(fields=["status", "publish_at"], name="blog_engine_post_due"),
            models.Index(
                fields=["expires_at", "id"],
                condition=Q(status=PostStatus.PUBLISHED.value, expires_at__isnull=False),
                name="blog_engine_post_expiring",
            ),
            models.Index(
                fields=["review_reason", "updated_at", "id", "status", "created_at"],
                condition=Q(review_reason__isnull=False),
                name="blog_engine_post_to_review",
            ),
            models.Index(fields=["approval_missing", "-created_at", "-id"], name="blog_engine_post_unapproved"),
            models.Index(
                fields=["review_returned_at", "id"],
                condition=Q(review_returned_at__isnull=False),
                name="blog_engine_post_returned",
            ),
            models.Index(
                fields=["review_asked", "review_requested_at"],
                condition=~Q(review_asked=""),
                name="blog_engine_post_asked",
            ),
            models.Index(fields=["status", "title"], name="blog_engine_post_title"),
            models.Index(fields=["status", "description_key"], name="blog_engine_post_description"),
            # The sitemap reads thousands of posts, from these alone.
            models.Index(
                fields=[
                    *("updated_at", "modified_at", "id", "status", "noindex", "expires_at", "slug", "translation_group")
                ],
                condition=Q(canonical_url__isnull=True, public_revision__isnull=False),
                name="blog_engine_post_in_sitemap",
            ),
            models.Index(
                fields=["updated_at"],
                condition=Q(canonical_url__isnull=False, public_revision__isnull=False),
                name="blog_engine_post_claimed",
            ),
        ]
        constraints: ClassVar = [
            one_of("status", PostStatus, name="blog_engine_post_status"),
            one_of("body_format", BodyFormat, name="blog_engine_post_body_format"),
            one_of("provenance", Provenance, name="blog_engine_post_provenance"),
            one_of("review_reason", ReviewReason, name="blog_engine_post_review_reason"),
            UniqueConstraint(fields=["series", "series_position"], name="blog_engine_post_series_position"),
            UniqueConstraint(
                fields=["translation_group", "language"],
                condition=Q(translation_group__isnull=False),
                name="blog_engine_post_translation",
            ),
            CheckConstraint(
                condition=Q(series_position__isnull=True) | Q(series_position__gte=1),
                name="blog_engine_post_position_positive",
            ),
            CheckConstraint(
                condition=~Q(status=PostStatus.PUBLISHED.value) | Q(public_revision__isnull=False),
                name="blog_engine_post_public_has_revision",
            ),
            CheckConstraint(
                condition=~Q(status=PostStatus.SCHEDULED.value) | Q(publish_at__isnull=False),
                name="blog_engine_post_scheduled_has_time",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        """Return the path of the post's page, which readers can open while the post is public."""
        return BlogURLs.on("").post_path(self.slug)

    @property
    def byline(self) -> tuple[str, ...]:
        """The names of all authors as the post stored them, the first author first."""
        return (self.author_name, *self.coauthor_names.splitlines())

    @property
    def public_revision_identifier(self) -> str | None:
        """The identifier of the revision that readers see, if there is one."""
        if "public_identifier" in self.__dict__:
            return self.public_identifier
        return self.public_revision.identifier if self.public_revision else None

    @property
    def summary(self) -> str:
        """Return the description, or the first 60 words of the text where it is blank."""
        return self.description.strip() or self.excerpt

    @property
    def shown_description(self) -> str:
        """Return the description for search engines, or the description if that is blank."""
        return self.search_description if self.search_description.strip() else self.description


class Faq(ServiceOwned):
    """One question with its answer, stored as sent."""

    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="faqs")
    position = models.IntegerField()
    question = models.TextField()
    answer = models.TextField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(ServiceOwned.Meta):
        verbose_name = _("FAQ entry")
        verbose_name_plural = _("FAQ entries")
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            UniqueConstraint(fields=["post", "position"], name="blog_engine_faq_position"),
            CheckConstraint(condition=Q(position__gte=1), name="blog_engine_faq_position_positive"),
        ]

    def __str__(self) -> str:
        return self.question
