"""Taking over the fields that were sent; omitted fields keep what the post has."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet, Value

from blog_engine.blog_urls import reserved_slugs, stored_post_path
from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.content.text import in_utc
from blog_engine.enums import Provenance
from blog_engine.errors import BodyFormatNotPermitted, IdentityConflict, Refusal, SlugReserved, ValidationFailed
from blog_engine.images.inspect import InspectedImage
from blog_engine.inputs.posts import AuthorKey, SavePost
from blog_engine.models import Author, NamedAuthor, Post, Redirect
from blog_engine.queries.compiled import CompiledValues, Parameter
from blog_engine.queries.post_names import no_such_post
from blog_engine.queries.posts import PostByKey
from blog_engine.queries.redirects import path_key
from blog_engine.rules.content_fields import CONTENT_FIELDS
from blog_engine.rules.slugs import slug_for_post
from blog_engine.services._edit import Edit, refuse_expired, site_time
from blog_engine.services._prepared import check_body_size
from blog_engine.services._taxonomy import (
    default_author,
    resolve_author,
    resolve_category,
    resolve_series,
    resolve_tags,
)
from blog_engine.services._transaction import lock_redirects
from blog_engine.services.images import Gathered, stored_image

_STORED_AS_SENT: Final = tuple(one.name for one in CONTENT_FIELDS if one.is_stored_as_sent)
_TRANSLATED: Final = PostByKey(lambda: Post.objects.only("pk", "translation_group", "version").order_by())


def assign_fields(edit: Edit) -> None:
    """Set what was sent on the post, resolve the records that it names, and store its new images.

    Raises ``ValidationFailed``, ``BodyFormatNotPermitted``, ``NotFound``, ``SlugReserved``, ``IdentityConflict`` or
    ``Unavailable``.
    """
    if edit.is_new and edit.data.title is None:
        raise ValidationFailed(["title"], hint=_no_title(edit))
    for name in edit.sent(*_STORED_AS_SENT):
        setattr(edit.post, name, getattr(edit.data, name))
    _assign_translation(edit)
    _assign_body_format(edit)
    _assign_provenance(edit)
    if edit.sent("expires_at"):
        edit.post.expires_at = site_time(edit.data.expires_at)
        refuse_expired(edit.post, at=edit.now)
    if edit.data.faq is not None:
        edit.post.faq = [FaqPair(question=item.question, answer=item.answer) for item in edit.data.faq]
    _assign_records(edit)
    check_body_size(edit.post.body)
    if edit.sent("body", "body_format"):
        edit.prepared.require_checked(edit.post.body, edit.post.body_format, edit.post.language)
    _assign_images(edit)
    _assign_identity(edit)


def _no_title(edit: Edit) -> str:
    # A caller who names a post and sends no title means a stored one, and misspelt it.
    if edit.sent("slug", "external_id"):
        return "No post has that slug or external_id, and a new post needs a title."
    return "A new post needs a title; to write to a stored one, send its slug or external_id."


def _assign_body_format(edit: Edit) -> None:
    settings = get_settings()
    if edit.data.body_format is None:
        if edit.is_new:
            edit.post.body_format = settings.default_body_format.value
        return
    if edit.data.body_format not in settings.body_formats:
        raise BodyFormatNotPermitted(hint=f"This blog accepts: {', '.join(settings.body_formats)}.")
    edit.post.body_format = edit.data.body_format.value


def _assign_provenance(edit: Edit) -> None:
    before = Provenance(edit.before.provenance or Provenance.UNKNOWN)
    stated = edit.data.provenance
    provenance = stated or (_default_provenance(edit) if edit.is_new else before)
    edit.post.provenance = provenance.value
    if edit.sent("provenance_evidence"):
        edit.post.provenance_evidence = edit.data.provenance_evidence
    elif provenance is not before:
        source = f"Stated by {edit.actor_name}" if stated else "The default of this blog, not stated by the writer,"
        edit.post.provenance_evidence = f"{source} on {_in_words(edit.now)}."


def _in_words(time: datetime) -> str:
    """Return a time as people read it in every language, such as ``2026-10-03, 20:59 UTC``."""
    date, _, clock = in_utc(time, "seconds").partition("T")
    return f"{date}, {clock[:5]} UTC"


def _default_provenance(edit: Edit) -> Provenance:
    assumed = get_settings().default_provenance
    contradicted = edit.data.made_by_ai and assumed is Provenance.HUMAN_WRITTEN
    return Provenance.UNKNOWN if contradicted else assumed


def _assign_records(edit: Edit) -> None:
    if edit.data.author is not None:
        _assign_author(edit, resolve_author(edit.data.author, made=edit.made))
    elif edit.is_new or edit.sent("author"):
        # Callers cannot send null: an import does that, which clears what it leaves out.
        edit.author_defaulted = True
        _assign_author(edit, default_author())
    _assign_coauthors(edit)
    if edit.sent("category"):
        edit.post.category = resolve_category(edit.data.category, made=edit.made)
    if edit.sent("series"):
        edit.post.series = resolve_series(edit.data.series, made=edit.made)
    if edit.data.tags is not None:
        edit.tags = resolve_tags(edit.data.tags, known=edit.stored_tags, made=edit.made)
    _refuse_taken_position(edit.post)


def _assign_author(edit: Edit, author: Author) -> None:
    # The byline is part of the revision: a later rename of the author must not change what was published.
    edit.post.author = author
    edit.post.author_name = author.name


def _assign_coauthors(edit: Edit) -> None:
    """Set the authors after the first; one that is named twice counts once, and the first author is none of them."""
    post = edit.post
    if edit.sent("coauthors"):
        named = {one.author.pk: one for one in _named_coauthors(edit)}
        names = {pk: one.name for pk, one in named.items()}
        post.coauthors = tuple(named.values())
    else:
        names = dict(zip(post.coauthor_ids, post.coauthor_names.splitlines(), strict=False))
    names.pop(post.author_id, None)
    post.coauthors = tuple(named for named in post.coauthors if named.author.pk != post.author_id)
    post.coauthor_ids, post.coauthor_names = list(names), "\n".join(names.values())


def _named_coauthors(edit: Edit) -> Iterator[NamedAuthor]:
    """Yield the authors that were sent; a name of the stored byline is that author, also if renamed since."""
    post = edit.post
    ids = dict(zip(post.coauthor_names.splitlines(), post.coauthor_ids, strict=False))
    known = Author.objects.in_bulk(ids.values()) if ids else {}
    for one in edit.data.coauthors or ():
        sent = one.text if isinstance(one, AuthorKey) else one.name
        author = known.get(ids.get(sent, 0))
        if author is not None:
            yield NamedAuthor(sent, author)
        else:
            author = resolve_author(one, made=edit.made)
            yield NamedAuthor(" ".join(author.name.splitlines()), author)


def _refuse_taken_position(post: Post) -> None:
    if post.series is None or post.series_position is None:
        return
    neighbours = Post.objects.filter(series=post.series, series_position=post.series_position)
    if neighbours.exclude(pk=post.pk).exists():
        raise _taken_position()


def _assign_images(edit: Edit) -> None:
    gathered = {"cover_image": edit.images.cover, "social_image": edit.images.social}
    # In a fixed order, so that two writers that store the same images do not deadlock.
    for name in sorted(edit.sent(*gathered), key=lambda name: _order_of(gathered[name])):
        image = gathered[name]
        stored = stored_image(image, files=edit.files, actor_name=edit.actor_name, now=edit.now) if image else None
        setattr(edit.post, name, stored)


def _order_of(image: Gathered | None) -> str:
    return image.sha256 if isinstance(image, InspectedImage) else ""


def _assign_identity(edit: Edit) -> None:
    post, data = edit.post, edit.data
    if isinstance(data, SavePost) and edit.sent("external_id"):
        post.external_id = data.external_id
    if data.slug:
        post.slug = data.slug
    elif edit.is_new:
        post.slug = slug_for_post(post.title, language=post.language)
    check_identity(edit)


def check_identity(edit: Edit) -> None:
    """Raise ``SlugReserved`` or ``IdentityConflict`` when the post cannot have its slug or external id.

    A new or changed slug is checked under the lock over the redirects, so that no redirect can take its path in
    between.
    """
    post = edit.post
    others = Post.objects.exclude(pk=post.pk)
    if post.external_id and others.filter(external_id=post.external_id).exists():
        raise _taken_external_id()
    if post.slug == edit.before.slug:
        return
    if post.slug in reserved_slugs():
        raise SlugReserved(hint=f"The blog itself uses the path {post.slug}: send another slug.")
    lock_redirects()
    holders = dict(_HOLDERS.all(key=path_key(stored_post_path(post.slug)), slug=post.slug))
    if "redirect" in holders and (edit.is_new or holders["redirect"] != post.pk):
        raise SlugReserved(hint=f"A redirect leads away from the path {post.slug}: send another slug.")
    if holders.get("post") not in {None, post.pk}:
        raise _taken_slug(edit)


def _holders() -> QuerySet[Any]:
    """Return the redirect from a path and the post with a slug, if there are any, with the ids of their posts."""
    redirects = Redirect.objects.filter(old_key=Parameter("key")).order_by()
    posts = Post.objects.filter(slug=Parameter("slug")).order_by()
    return (
        redirects.values_list(Value("redirect"), "post_id")
        .union(posts.values_list(Value("post"), "pk"), all=True)
        .order_by()
    )


_HOLDERS: Final[CompiledValues[tuple[str, int | None]]] = CompiledValues(
    _holders, lambda kind, post_id: (kind, post_id)
)


def refusal_of_collision(edit: Edit) -> Refusal | None:
    """Return the refusal of a unique value that another writer took since it was checked; ``None`` when none did."""
    post = edit.post
    others = Post.objects.exclude(pk=post.pk)
    if post.external_id and others.filter(external_id=post.external_id).exists():
        return _taken_external_id()
    if others.filter(slug=post.slug).exists():
        return _taken_slug(edit)
    if post.feed_id and others.filter(feed_id=post.feed_id).exists():
        return taken_feed_id()
    if post.series_id and others.filter(series=post.series_id, series_position=post.series_position).exists():
        return _taken_position()
    if (
        post.translation_group
        and others.filter(translation_group=post.translation_group, language=post.language).exists()
    ):
        return _taken_language()
    return None


def _taken_external_id() -> IdentityConflict:
    """Return the refusal of an external id that another post has."""
    return IdentityConflict(
        ["external_id"], hint="Send another external_id, or list the posts to find the one that has it."
    )


def taken_feed_id() -> IdentityConflict:
    """Return the refusal of a feed id that another post has."""
    return IdentityConflict(
        ["feed_id"], hint="Another post has that feed_id: send the id of this article, or leave feed_id out."
    )


def _taken_slug(edit: Edit) -> IdentityConflict:
    """Return the refusal of a slug that another post has; without a sent slug, it names the title as its source."""
    slug = edit.post.slug
    fault = f"The slug {slug}" if edit.data.slug else f"The title makes the slug {slug}, which"
    return IdentityConflict(["slug"], hint=f"{fault} is taken: send another slug, or update the post that has it.")


def _taken_position() -> ValidationFailed:
    """Return the refusal of a position in a series that another post has."""
    return ValidationFailed(
        ["series_position"], hint="Another post of the series has that position: send another one, or null."
    )


def _assign_translation(edit: Edit) -> None:
    """Set the translation group that the write names; ``lock_translations`` holds its posts.

    Call it before anything else is locked. A post that is in no group yet begins one. Raises ``ValidationFailed`` for a
    post that does not exist or is the one itself, and for a language that another post of the group has.
    """
    if edit.sent("translation_of"):
        key = edit.data.translation_of
        edit.post.translation_group = None if key is None else _group_of(key, edit.post)
    _refuse_taken_language(edit.post)


def _group_of(key: str, post: Post) -> str:
    translated = _TRANSLATED.first(key)
    if translated is None:
        raise ValidationFailed(["translation_of"], hint=no_such_post(key))
    if translated.pk == post.pk:
        raise ValidationFailed(["translation_of"], hint="That is the post itself: send the id of another one, or null.")
    if translated.translation_group is None:
        # No other group has this key: a post that left its group has another version than when it began that one.
        translated.translation_group = f"{translated.pk}-{translated.version}"
        # Past the guard of posts: the group is not content.
        QuerySet.update(Post.objects.filter(pk=translated.pk), translation_group=translated.translation_group)
    return translated.translation_group


def _refuse_taken_language(post: Post) -> None:
    if post.translation_group is None:
        return
    others = Post.objects.filter(translation_group=post.translation_group).exclude(pk=post.pk)
    own = get_settings().language.lower()
    # A post without a language has that of the blog, which another one may name.
    if (post.language.lower() or own) in {language.lower() or own for language in _languages(others)}:
        raise _taken_language()


def _languages(posts: QuerySet[Post]) -> QuerySet[Post, str]:
    return posts.order_by().values_list("language", flat=True)


def _taken_language() -> ValidationFailed:
    """Return the refusal of a language that another post of the translation group has."""
    return ValidationFailed(
        ["language"],
        hint="Another post of the translation group has that language: send another one, or null as translation_of.",
    )
