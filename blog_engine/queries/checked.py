"""Posts of any status with what labels and findings follow from, without their texts."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Substr

from blog_engine.conf import get_settings
from blog_engine.content.source_types import AI_SOURCE_TYPES
from blog_engine.enums import Label, PolicyKind, Provenance
from blog_engine.models import Category, ConnectionDeclaration, Faq, FindingCode, Image, Post, PostTag, when_public
from blog_engine.queries.compiled import CompiledModels, CompiledValues, Parameter, among
from blog_engine.queries.house_style import version_of_style
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.posts import is_there, keep_related, reviewed, with_review

_TEXTS = (
    *("body", "body_html", "outline", "excerpt", "search_text", "provenance_evidence", "public_revision__payload"),
    *("indexed_title", "indexed_description", "indexed_faq", "indexed_body"),
)
"""Columns that no check of the engine reads. A check of the host that does costs a query for each post."""


def posts_to_check(ids: Sequence[int]) -> list[Post]:
    """Return the posts with these ids in this order, for ``findings_of_posts``; two queries, and none without ids.

    A post that is gone is left out.
    """
    if not ids:
        return []
    posts = {post.pk: post for post in _POSTS.all(ids=list(ids))}
    faqs = defaultdict[int, list[Faq]](list)
    for row in _FAQS.all(ids=list(ids)):
        faqs[row.post_id].append(row)
    for post in posts.values():
        keep_related(post, "faqs", faqs[post.pk])
    return [posts[pk] for pk in ids if pk in posts]


def _posts() -> QuerySet[Post]:
    relations = ("author", "category", "cover_image", "social_image")
    posts: QuerySet[Post] = Post.objects.annotate(
        **other_rows(OuterRef("pk"), OuterRef("title"), OuterRef("description_key"))
    )
    return with_review(posts.select_related(*relations).order_by()).defer(*_TEXTS)


_POSTS: Final[CompiledModels[Post]] = CompiledModels(lambda: _posts().filter(among("pk", "ids")))
_FAQS: Final[CompiledModels[Faq]] = CompiledModels(
    lambda: Faq.objects.filter(among("post_id", "ids")).order_by("post_id", "position")
)


SIGNS_OF_MARKUP: Final = ("</", "&amp;", "&quot;", "&#", "**", "](")
_MARKED: Final = Q(*(("tag__name__contains", sign) for sign in SIGNS_OF_MARKUP), _connector=Q.OR)
"""Tags whose names have markup, which pages show as it is written."""


def bodies_as_html(ids: Sequence[int], *, most: int | None = None) -> dict[int, str]:
    """Return the rendered bodies of posts by id, or of each the first ``most`` characters; one query."""
    return dict(_BODIES.all(ids=list(ids)) if most is None else _STARTS.all(ids=list(ids), most=most))


_BODIES: Final = CompiledValues(
    lambda: Post.objects.filter(among("pk", "ids")).order_by().values_list("pk", "body_html"),
    lambda pk, html: (pk, html),
)
_STARTS: Final = CompiledValues(
    lambda: (
        Post.objects.filter(among("pk", "ids")).order_by().values_list("pk", Substr("body_html", 1, Parameter("most")))
    ),
    lambda pk, html: (pk, html),
)


def other_rows(post_id: Combinable, title: Combinable, description_key: Combinable) -> dict[str, Combinable]:
    """Return by name what other rows say of the post with these values, as ``Post`` describes it."""
    there = _there(post_id, title, description_key)
    return {name: Exists(rows) for name, rows in there.items()} | {"style_version": Subquery(version_of_style())}


def _there(post_id: Combinable, title: Combinable, description_key: Combinable) -> dict[str, QuerySet[Any]]:
    """Return the rows that make a fact true."""
    others = Post.objects.filter(when_public()).exclude(pk=post_id).order_by()
    described = others.filter(description_key=description_key).exclude(description_key="")
    taggings = PostTag.objects.filter(post_id=post_id).order_by()
    return {
        "has_same_title": others.filter(title=title),
        "has_same_description": described,
        "is_declared": ConnectionDeclaration.objects.filter(post_id=post_id).order_by(),
        "has_marked_tag": taggings.filter(_MARKED),
    }


AI_UNMARKED: Final = Q(source_type_in_file__in=AI_SOURCE_TYPES) & ~Q(
    digital_source_type__isnull=False, digital_source_type__in=AI_SOURCE_TYPES
)
"""The condition that the file of an image names a type of AI, and the image has none."""


def known_of_listed() -> list[Combinable]:
    """Return the expressions for the fields of ``KnownOfListed``."""
    there = _there(OuterRef("pk"), OuterRef("title"), OuterRef("description_key"))
    shown = Q(pk=OuterRef("cover_image_id")) | Q(pk=OuterRef("social_image_id"))
    noted = Image.objects.filter(shown, Q(has_location=True) | AI_UNMARKED).order_by()
    rows = (there["has_same_title"], there["has_same_description"], there["is_declared"], noted)
    return [*map(is_there, rows), Subquery(version_of_style())]


class KnownOfListed(NamedTuple):
    """Facts about a listed post from other rows."""

    has_same_title: bool
    has_same_description: bool
    is_declared: bool
    has_noted_image: bool
    """Whether there is something to say of the cover or the social image."""
    style_version: str | None


def posts_with_label(posts: QuerySet[Post], label: Label, *, has_responsible_party: bool) -> QuerySet[Post]:
    """Return those of the posts that have a label, as ``label_of`` works it out."""
    cleared = Q(images_verified=True, is_reviewed=True) & (
        ~when_public() | Q(public_revision__identifier=F("current_revision_identifier"))
    )
    kept = Q() if not has_responsible_party else ~cleared
    always = get_settings().ai_label == "always"
    assisted = Q(provenance=Provenance.AI_ASSISTED.value) & (Q() if always else kept)
    unknown = Q(provenance=Provenance.UNKNOWN.value) & kept
    found = posts.annotate(is_reviewed=reviewed()) if has_responsible_party else posts  # type: ignore[no-redef]  # declared for readers
    match label:
        case Label.AI_ASSISTED:
            return found.filter(assisted)
        case Label.AI_UNKNOWN:
            return found.filter(unknown)
    return found.exclude(assisted).exclude(unknown)


def posts_with_finding(posts: QuerySet[Post], code: str) -> QuerySet[Post]:
    """Return those of the posts with a finding of this code (posts.list.finding).

    The findings that follow from other posts, the categories or the policy pages are looked up. All others are those of
    the last write of each post, or of the last ``check_posts``.
    """
    found = _CONDITIONS.get(code)
    if found is not None:
        return posts.filter(found())
    return posts.filter(pk__in=FindingCode.objects.filter(code=code).order_by().values("post"))


def _same(name: str) -> Any:
    return other_rows(OuterRef("pk"), OuterRef("title"), OuterRef("description_key"))[name]


def _in_categories(condition: Q) -> Q:
    return condition if get_settings().primary_list_type == "categories" else Q(pk__in=[])


_CONDITIONS: Final[dict[str, Callable[[], Q | Exists]]] = {
    "title_duplicate": lambda: _same("has_same_title"),
    "description_duplicate": lambda: _same("has_same_description"),
    "category_absent": lambda: _in_categories(Q(category=None)),
    "category_description_absent": lambda: _in_categories(Q(category__in=_undescribed_categories())),
    "responsible_party_absent": lambda: Q(pk__in=[]) if find_policy_url(PolicyKind.RESPONSIBLE_PARTY) else Q(),
}


LOOKED_UP: Final = frozenset(_CONDITIONS)
"""The codes that are looked up."""


def _undescribed_categories() -> QuerySet[Any]:
    return Category.objects.filter(description__regex=r"^\s*$").order_by().values("pk")


def noted_codes(ids: Sequence[int]) -> dict[int, set[str]]:
    """Return the codes of findings by which lists know these posts, by post; one query."""
    codes = dict[int, set[str]]((post_id, set()) for post_id in ids)
    for post_id, code in FindingCode.objects.filter(among("post", ids)).order_by().values_list("post", "code"):
        codes[post_id].add(code)
    return codes
