"""Findings, and the facts that they follow from."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from django.db.models import QuerySet
from django.utils.translation import gettext

from blog_engine.blog_urls import BlogURLs
from blog_engine.content.faq import FaqPair
from blog_engine.content.fault_signs import FaultCode
from blog_engine.content.faults import TextFault, faults_of_field
from blog_engine.content.source_types import is_ai_source
from blog_engine.content.text import fold
from blog_engine.models import Author, Category, FindingCode, Image, Post, Series, Tag
from blog_engine.queries.checked import AI_UNMARKED, bodies_as_html, other_rows
from blog_engine.queries.compiled import CompiledValues, JoinedTexts, Parameter, among_texts
from blog_engine.queries.existing import RowsByKey, existing_keys
from blog_engine.queries.fragments import LinkedHeading, ids_by_slug, ids_in, linked_heading, outlines_of
from blog_engine.queries.house_style import StoredStyle, style_of
from blog_engine.queries.links import BlogPath, PathsLookedUp, blog_path_of
from blog_engine.rendering.bodies import stored_facts
from blog_engine.rules.revision import BodyImageEntry


@dataclass(frozen=True, slots=True)
class Finding:
    """A piece of advice; it never blocks a write (``findings.advisory``)."""

    code: str
    rule: str | None
    message: str
    """English, as the API and the agents read it."""
    location: str | None
    template: str | None = field(default=None, compare=False, repr=False)
    """What ``translated`` looks up in the catalogues; without one, it is the message."""
    values: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
    """The values of the template."""

    @classmethod
    def of(
        cls,
        code: str,
        rule: str | None,
        message: str,
        location: str | None,
        *,
        values: Mapping[str, object] | None = None,
        plain: str | None = None,
    ) -> "Finding":
        """Return a finding that people read in their language.

        ``message`` is marked with ``gettext_noop`` and has ``%(name)s`` for each of the ``values``. ``plain`` is marked
        in its place where the message has names of the API.
        """
        shown = message % values if values else message
        return cls(code, rule, shown, location, template=plain or message, values=values or {})

    @property
    def translated(self) -> str:
        """The advice in the active language."""
        if self.template is None:
            return self.message
        text = gettext(self.template)
        return text % self.values if self.values else text


MadeKind: TypeAlias = type[Author] | type[Category] | type[Series] | type[Tag]
"""A model of which a write makes the record that it names, if there is none."""


@dataclass(frozen=True, slots=True)
class WriteContext:
    """Facts that only the write itself knows (``findings.of-a-write``)."""

    author_defaulted: bool = False
    facts_unchecked: bool = False
    slug_moved: bool = False
    unrecorded: tuple[str, ...] = ()
    """Fields of a publication that were sent with a write that recorded none."""
    undated: tuple[str, ...] = ()
    """Times that an adoption dropped for lack of evidence."""
    published_now: bool = False
    """Whether ``publish_at`` was sent and had come already."""
    unchanged: bool = False
    """Whether a ``change`` was sent that changed nothing of the public revision."""
    repeated: tuple[str, ...] = ()
    """Fields whose records equal the last ones of the same actor."""
    target_missing: bool = False
    """Whether readers find no page at the target of ``redirect_to``."""
    made: Mapping[MadeKind, Sequence[str]] = field(default_factory=dict)
    """The names of the records that it made because there were none of these names, by kind."""


class OtherRows(NamedTuple):
    """Facts about a post that other rows hold."""

    has_same_title: bool
    """Whether another published post has its title."""
    has_same_description: bool
    """Whether another published post is described in the same words."""
    is_declared: bool
    """Whether its connections are declared."""
    has_marked_tag: bool
    """Whether the name of a tag has markup."""
    style_version: str | None
    """The version of the house style, if there is one."""
    codes: frozenset[str] | None = None
    """The codes of findings by which lists know the post; ``None`` if they were not read."""


class LocatedFault(NamedTuple):
    """A fault of a text with its location, which of a link is the link as written."""

    location: str
    fault: TextFault


_FAULTY_FIELDS: Final = ("title", "description", "search_title", "search_description", "cover_alt")
_MOST_PAIRS: Final = 100
"""Questions and answers that are looked at."""
OF_OTHER_ROWS: Final = tuple(name for name in OtherRows._fields if name not in OtherRows._field_defaults)
"""The facts that ``posts_to_check`` reads with the posts."""

MOST_LINKS: Final = 1000
"""Links of a post into the blog that are checked; databases limit the length of a list."""


@dataclass(frozen=True, slots=True)
class OwnFacts:
    """Facts about a post that is being stored, which no query reads."""

    faq: Sequence[FaqPair]
    style: StoredStyle | None
    """The house style that this process saw last."""


@dataclass(frozen=True, slots=True)
class FoundWhenStored:
    """Findings of the checks that read nothing but a post that was about to be stored."""

    by_code: Mapping[str, Sequence[Finding]]
    style_version: str
    """The version of the house style that they knew; empty for none."""


class FactsOfMany(Protocol):
    """Facts about several posts from other rows, read for all of them at once."""

    def links(self) -> "LinkFacts":
        """Return where the links of the posts into the blog lead."""

    def noted_images(self) -> "NotedImages":
        """Return what is noted of the images in their bodies."""

    def bodies(self) -> Mapping[int, str]:
        """Return the rendered bodies of the posts by id."""


@dataclass(frozen=True)
class Subject:
    """A post that is checked, read by ``queries.posts.read_post``."""

    post: Post
    write: WriteContext
    has_responsible_party: bool
    now: datetime
    together: FactsOfMany | None = None
    """Where to look what other rows say, if several posts are checked together."""
    own: OwnFacts | None = None
    """What is known of a post that is being stored; the checks of ``OWN_CODES`` alone can be run with it."""
    found: FoundWhenStored | None = None
    """What such checks found when it was stored."""

    @cached_property
    def faq(self) -> list[FaqPair]:
        """The FAQ in its order."""
        if self.own is not None:
            return [*self.own.faq]
        return [FaqPair(question=row.question, answer=row.answer) for row in self.post.faqs.all()]

    @cached_property
    def other_rows(self) -> OtherRows:
        """Facts about the post from other rows: one query for all checks, and none for one of several posts."""
        post = self.post
        if self.together is not None:
            return OtherRows(**{name: getattr(post, name) for name in OF_OTHER_ROWS})
        sent = {"post": post.pk, "title": post.title, "description_key": post.description_key}
        # The post can be gone meanwhile.
        return _OTHER_ROWS.first(**sent) or OtherRows(False, False, False, False, None)

    def found_before(self, code: str) -> Sequence[Finding] | None:
        """Return what a check of the engine found when the post was stored; ``None`` if it has to be run."""
        found = self.found
        if found is None or code not in found.by_code:
            return None
        if code == "house_style" and found.style_version != (self.other_rows.style_version or ""):
            return None
        return found.by_code[code]

    @property
    def style(self) -> StoredStyle | None:
        """The house style, if there is one."""
        return self.own.style if self.own is not None else style_of(self.other_rows.style_version)

    @property
    def has_marked_tag(self) -> bool:
        """Whether the name of a tag has markup; none is looked at while the post is being stored."""
        return self.own is None and self.other_rows.has_marked_tag

    @cached_property
    def faults(self) -> list[LocatedFault]:
        """The faults that models make: of fields, questions, answers and the body, in this order."""
        texts = [(name, getattr(self.post, name)) for name in _FAULTY_FIELDS]
        for index, pair in enumerate(self.faq[:_MOST_PAIRS]):
            texts += [(f"faq[{index}].question", pair.question), (f"faq[{index}].answer", pair.answer)]
        found = [LocatedFault(name, fault) for name, text in texts if text for fault in faults_of_field(text)]
        # Markup in an answer is told by faq_markup_in_answer.
        found = [one for one in found if one.fault.code is not FaultCode.MARKUP or not one.location.endswith("answer")]
        for fact in stored_facts(self.post.body_facts)["faults"]:
            fault = TextFault(FaultCode(fact["code"]), fact["shown"], fact["is_link"])
            found.append(LocatedFault(fault.shown if fault.is_link else "body", fault))
        return found

    @property
    def begins_with_title(self) -> bool:
        """Whether the first heading of the body has the words of the title."""
        headings = stored_facts(self.post.body_facts)["headings"]
        return bool(headings) and _words_of(headings[0]["text"]) == _words_of(self.post.title)

    @cached_property
    def blog_links(self) -> dict[str, BlogPath]:
        """The links of the body into this blog as written, with the paths that they lead to."""
        page = BlogURLs.on("").post_path(self.post.slug)
        paths = ((href, path) for href in self._hrefs if (path := blog_path_of(href, page=page)))
        return dict(islice(paths, MOST_LINKS))

    @cached_property
    def linked_headings(self) -> dict[str, LinkedHeading]:
        """The links of the body to a heading of a post, as written."""
        paths, slug = self.blog_links, self.post.slug
        places = ((href, place) for href in self._hrefs if (place := linked_heading(href, paths.get(href), slug=slug)))
        return dict(islice(places, MOST_LINKS))

    @property
    def _hrefs(self) -> list[str]:
        return stored_facts(self.post.body_facts)["links"]

    @property
    def slugs_linked(self) -> list[str]:
        """The slugs of the other posts that it leads to a heading of."""
        return [place.slug for place in self.linked_headings.values() if place.slug != self.post.slug]

    @property
    def own_outline(self) -> list[int]:
        """Its id if it leads to a heading of its own, and its outline must be read."""
        needed = not self._own_ids and any(place.slug == self.post.slug for place in self.linked_headings.values())
        return [self.post.pk] if needed else []

    @cached_property
    def _own_ids(self) -> Mapping[str, Set[str]]:
        """The ids of its own headings by its slug, as it was just written; empty if they are not loaded."""
        outline = self.post.__dict__.get("outline")
        return {} if outline is None else {self.post.slug: ids_in(outline)}

    @property
    def own_heading_ids(self) -> Set[str]:
        """The ids of its own headings; of a post that is not being written, those that are stored."""
        known = self._own_ids or (self.together.links().ids if self.together else {})
        return known[self.post.slug] if self.post.slug in known else ids_in(self.post.outline)

    @cached_property
    def links(self) -> "LinkFacts":
        """Facts about its links, and perhaps about those of other posts: at most one query."""
        if self.together:
            facts = self.together.links()
        else:
            looked_up = PathsLookedUp.of(self.blog_links.values(), now=self.now)
            found = existing_keys({**looked_up.rows(), **outlines_of(self.slugs_linked, own=self.own_outline)})
            facts = LinkFacts(looked_up.served(found), ids_by_slug(found))
        return facts._replace(ids={**facts.ids, **self._own_ids}) if self._own_ids else facts

    @cached_property
    def body_html(self) -> str:
        """The rendered body: a query unless it is loaded, and one at most for several posts."""
        if "body_html" in self.post.__dict__:
            return self.post.body_html
        bodies = self.together.bodies() if self.together else bodies_as_html([self.post.pk])
        return bodies.get(self.post.pk, "")

    @property
    def body_images(self) -> list[BodyImageEntry]:
        """The images of the body in their order."""
        images: list[BodyImageEntry] = self.post.body_image_manifest
        return images

    @property
    def digests(self) -> list[str]:
        """The known digests of the images of the body."""
        return [*dict.fromkeys(image["sha256"] for image in self.body_images if image["sha256"])]

    @cached_property
    def noted_images(self) -> "NotedImages":
        """The images of the body of which there is something to say, and perhaps those of other posts."""
        if self.together is not None:
            return self.together.noted_images()
        return NotedImages.of(existing_keys(noted_rows(self.digests)))


class LinkFacts(NamedTuple):
    """Facts about links into the blog."""

    served: Set[BlogPath]
    """Those of their paths that lead somewhere."""
    ids: Mapping[str, Set[str]]
    """The ids of the headings of posts by slug."""


def _words_of(title: str) -> str:
    return fold(title).strip(" .:;!?…*_\"'“”„«»")


class NotedImages(NamedTuple):
    """Digests of images of which there is something to say."""

    located: Collection[str]
    """Those whose originals say where they were taken."""
    unmarked: Collection[str]
    """Those by AI, as the file says, that are not marked so."""

    @classmethod
    def of(cls, found: Mapping[Any, Collection[str]]) -> "NotedImages":
        """Return the digests that were found for ``noted_rows``."""
        return cls(found.get(_LOCATED, ()), found.get(_UNMARKED, ()))


_LOCATED: Final = RowsByKey.of(
    lambda name: Image.objects.filter(among_texts("sha256", name), has_location=True), "sha256"
)
_UNMARKED: Final = RowsByKey.of(lambda name: Image.objects.filter(AI_UNMARKED, among_texts("sha256", name)), "sha256")


def noted_rows(digests: Collection[str]) -> dict[RowsByKey, Collection[str]]:
    """Return the images with these digests of which there is something to say; none without digests."""
    return {_LOCATED: digests, _UNMARKED: digests} if digests else {}


def is_unmarked(image: Image) -> bool:
    """Return whether the file of an image names a type of AI, and the image has none."""
    return is_ai_source(image.source_type_in_file) and not is_ai_source(image.digital_source_type)


def _other_rows() -> QuerySet[Post]:
    flags = other_rows(Parameter("post"), Parameter("title"), Parameter("description_key"))
    found = Post.objects.filter(pk=Parameter("post")).order_by()
    codes = JoinedTexts(FindingCode.objects.filter(post=Parameter("post")).order_by().values("code"))
    return found.values_list(*flags.values(), codes)


def _read(*values: Any) -> OtherRows:
    codes = frozenset(values[-1].split(",") if values[-1] else ())
    return OtherRows._make([*values[:-1], codes])


_OTHER_ROWS: Final[CompiledValues[OtherRows]] = CompiledValues(_other_rows, _read)


Found = Finding | Iterable[Finding] | None

Check = Callable[[Subject], Found]
"""A check returns the finding of a subject, several, or none; it writes nothing."""


def each(found: Found) -> Iterable[Finding]:
    """Return the result of a check as any number of findings."""
    if found is None:
        return ()
    return (found,) if isinstance(found, Finding) else found
