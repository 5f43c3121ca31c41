"""The plan of an import: identities, slugs and former paths of posts, and links to them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from typing import Final

from blog_engine.blog_urls import BlogURLs, mount, reserved_slugs, stored_list_paths, stored_post_path
from blog_engine.content.text import MAX_SLUG_LENGTH, fold, is_slug, numbered_slugs
from blog_engine.enums import ListKind
from blog_engine.importing.old_blog import Links, OldBlog
from blog_engine.importing.source import (
    Loss,
    LossKind,
    Omitted,
    Source,
    SourcePost,
    SourceRedirect,
    SourceStatus,
    SourceTerm,
)
from blog_engine.importing.spool import MOVED, Spool, SpooledPost
from blog_engine.inputs.types import SHORT_TEXT
from blog_engine.models import Author, Baseline, Category, Post, Redirect, Series, Tag
from blog_engine.queries.records import same_named
from blog_engine.queries.redirects import is_in_blog, path_key
from blog_engine.rules.slugs import slug_for_post, slug_for_record

TRANSLATED: Final = "translated"
"""The notes of the spool with the slug of the post that is written first, by what its versions share."""
_BATCH: Final = 200
_MOST_STEPS: Final = 10
"""Redirects that lead to each other."""
_DIGEST: Final = 16


@dataclass(frozen=True, slots=True)
class Identity:
    """By what a post is found again."""

    source_system: str
    source_id: str
    external_id: str


def identity_of(post: SourcePost, source: Source) -> Identity:
    """Return the identity of a post, the same in each run over the same blog."""
    within = _short(f"{source.blog}:{post.source_id}")
    return Identity(source.system, within, _short(f"{source.system}:{within}"))


def _short(text: str) -> str:
    if len(text) <= SHORT_TEXT:
        return text
    return text[: SHORT_TEXT - _DIGEST - 1] + "~" + sha256(text.encode()).hexdigest()[:_DIGEST]


class Plan:
    """The plan of an import; the same source and the same blog give the same one."""

    def __init__(self, spool: Spool, source: Source, old: OldBlog, links: Links) -> None:
        self._spool = spool
        self._source = source
        self._old = old
        self._links = links
        self._slugs = spool.notes("slug")
        self._claims = spool.notes("claim")
        self._lists = spool.notes("list")
        self._translations = spool.notes(TRANSLATED)
        self._moved = spool.notes("moved to")
        self._taken: dict[str, bool] = {}

    def make(self) -> None:
        """Decide on the slug of each post, and note where former URLs lead."""
        self._spool.arrange()
        if self._has_earlier_run():
            # Stored posts keep their slugs, whatever the others want.
            for batch in _batches(self._spool.posts_without_bodies()):
                self._find_stored(batch)
        for batch in _batches(self._spool.posts_without_bodies()):
            wanted = {one.id: _wanted_slug(one.post) for one in batch if one.stored is None}
            # One query for the usual case that each post can have the slug that it wants.
            self._taken = _taken(wanted.values())
            for one in batch:
                slug = one.slug
                if one.stored is None:
                    slug = self.free_slug(wanted[one.id], post_id=one.id)
                    self._spool.plan(one.id, slug=slug, stored=None)
                self._note(replace(one, slug=slug))
        self._taken = {}
        self._follow_redirects()
        self._add_lists()

    def _has_earlier_run(self) -> bool:
        """Return whether the blog has a post of this source."""
        start = f"{self._source.system}:{self._source.blog}:"[: SHORT_TEXT - _DIGEST - 1]
        adopted = Baseline.objects.filter(source_system=self._source.system)
        return adopted.exists() or Post.objects.filter(external_id__startswith=start).exists()

    def _note(self, one: SpooledPost) -> None:
        """Note what leads to a post whose slug is decided."""
        path = BlogURLs.on("").post_path(one.slug)
        self._links.add_post(path, one.id)
        self._note_slug(one)
        if one.post.translation_key:
            self._translations.setdefault(one.post.translation_key, one.slug)
        if one.post.url:
            self._links.add_page(one.post.url, path)
        for url in one.post.former_urls:
            self._links.add_former(url, path)
        for name in one.post.link_names:
            self._links.add_name(name, path)
        self._claim(one)

    def free_slug(self, wanted: str, *, post_id: int) -> str:
        """Return the wanted slug, or the first numbered one that a post can have, and keep it for this post."""
        # Where many posts want the same, most numbers are known to be taken.
        last_numbers = self._spool.notes("last number")
        start = last_numbers.get(wanted, 0)
        for number, slug in enumerate(islice(numbered_slugs(wanted), start, None), start):
            if slug not in self._slugs and self._is_free(slug):
                self._slugs[slug] = post_id
                last_numbers[wanted] = number
                return slug
        raise AssertionError("There is always another number.")

    def former_paths(self, one: SpooledPost, slug: str) -> tuple[list[str], list[Loss]]:
        """Return the paths that are to redirect to a public post, and those that cannot."""
        paths: list[str] = []
        losses: list[Loss] = []
        moved = self._moved.get(str(one.id), ())
        for url in dict.fromkeys(filter(None, (one.post.url, *one.post.former_urls, *moved))):
            path = self._old.redirect_path(url)
            if path is None or path_key(path) == path_key(stored_post_path(slug)):
                if path is None and not self._old.is_own(url):
                    losses.append(Loss(LossKind.REDIRECT, f"{url} is at another host, which must redirect it itself."))
            elif (reason := self._hindrance(path, one)) is not None:
                losses.append(Loss(LossKind.REDIRECT, f"{path} does not lead to the post: {reason}"))
            elif path_key(path) not in map(path_key, paths):
                paths.append(path)
        return paths, losses

    def _hindrance(self, path: str, one: SpooledPost) -> str | None:
        """Return why a path cannot redirect to a post."""
        holder = self._slugs.get(_slug_in_blog(path) or "")
        if self._claims.get(path_key(path)) != one.id or holder not in (None, one.id):
            return "another post of the import has it."
        slug = _slug_in_blog(path)
        if slug is not None and (not slug or slug.partition("/")[0] in reserved_slugs()):
            return "the blog itself uses it." if "?" not in path else None
        return None

    def _find_stored(self, batch: list[SpooledPost]) -> None:
        """Note the posts that an earlier run made; they keep their slugs."""
        identities = {one.id: identity_of(one.post, self._source) for one in batch}
        by_external = Post.objects.filter(external_id__in=[one.external_id for one in identities.values()]).order_by()
        externals = {name: (pk, slug) for name, pk, slug in by_external.values_list("external_id", "pk", "slug")}
        by_source = Baseline.objects.filter(
            source_system=self._source.system, source_id__in=[one.source_id for one in identities.values()]
        )
        sources = {
            name: (pk, slug)
            for name, pk, slug in by_source.values_list("source_id", "post_id", "post__slug").order_by()
        }
        for one in batch:
            identity = identities[one.id]
            found = sources.get(identity.source_id) or externals.get(str(identity.external_id))
            if found is not None:
                self._spool.plan(one.id, slug=found[1], stored=found[0])
                self._slugs[found[1]] = one.id

    def _note_slug(self, one: SpooledPost) -> None:
        there = one.post.slug
        if not there or there == one.slug:
            return
        if there in reserved_slugs():
            reason = "the blog itself uses it"
        elif len(there) > MAX_SLUG_LENGTH:
            reason = f"a slug has at most {MAX_SLUG_LENGTH} characters"
        elif not is_slug(there):
            reason = "a slug has only a-z, 0-9, - and _"
        else:
            reason = "another post has it, or a redirect"
        message = f"The slug {there[:MAX_SLUG_LENGTH]} is {one.slug} here: {reason}."
        self._spool.add_losses(one.id, [Loss(LossKind.SLUG, message)])

    def _is_free(self, slug: str) -> bool:
        is_taken = self._taken[slug] if slug in self._taken else _taken([slug])[slug]
        return not is_taken and slug not in reserved_slugs()

    def _claim(self, one: SpooledPost) -> None:
        if one.post.status is SourceStatus.PUBLISHED:
            self._lists.update(dict.fromkeys(_lists_of(one.post), True))
            for url in filter(None, (one.post.url, *one.post.former_urls)):
                if (path := self._old.redirect_path(url)) is not None:
                    self._claims.setdefault(path_key(path), one.id)

    def _follow_redirects(self) -> None:
        """Give the redirects of the source to the posts that they led to; others are named."""
        found: list[SourceRedirect] = list(self._spool.notes(MOVED).values())
        targets = {self._old.page_key(one.url): one.target for one in found}
        for one in found:
            path, target = self._links.page_of(one.target), one.target
            for _ in range(_MOST_STEPS):
                if path is None and (target := targets.get(self._old.page_key(target), "")):
                    path = self._links.page_of(target)
            holder = self._slugs.get(_slug_in_blog(path) or "") if path else None
            if path is None or holder is None:
                title = f"{one.url} → {one.target}"[:200]
                self._spool.add(Omitted(one.url, title, "redirect to no imported post", one.where))
                continue
            self._links.add_former(one.url, path)
            self._moved[str(holder)] = (*self._moved.get(str(holder), ()), one.url)
            if (old_path := self._old.redirect_path(one.url)) is not None:
                self._claims.setdefault(path_key(old_path), holder)

    def _add_lists(self) -> None:
        """Note where links to lists lead, as far as their slugs can be foreseen."""
        seen = self._spool.notes("list slug")
        for term in self._spool.terms():
            path = path_of_list(term) if term.url and f"{term.kind} {term.name}" in self._lists else None
            if term.url and path is not None:
                first = seen.setdefault(path, term.name)
                if first == term.name:
                    self._links.add_former(term.url, path)


def _wanted_slug(post: SourcePost) -> str:
    there = post.slug or ""
    fits = is_slug(there) and len(there) <= MAX_SLUG_LENGTH
    return there if fits else slug_for_post(there or post.title, language=post.language or "")


def _taken(slugs: Iterable[str]) -> dict[str, bool]:
    """Return for each slug whether a post or a redirect of the blog has its path."""
    keys = {slug: path_key(stored_post_path(slug)) for slug in slugs}
    posts = set(Post.objects.filter(slug__in=keys).values_list("slug", flat=True))
    redirects = set(Redirect.objects.filter(old_key__in=keys.values()).values_list("old_key", flat=True))
    return {slug: slug in posts or key in redirects for slug, key in keys.items()}


def path_of_list(term: SourceTerm) -> str | None:
    """Return the path of the list of a category, tag or series, as far as it can be foreseen; ``None`` for authors."""
    if term.kind == "author":
        return None
    row = stored_term(term)
    slug = row.slug if row else slug_for_record(term.name, kind=term.kind)
    return stored_list_paths(ListKind(term.kind), slug)[0]


def stored_term(term: SourceTerm) -> Category | Tag | Series | Author | None:
    """Return the row that posts of the import have for a term."""
    match term.kind:
        case "category":
            return same_named(Category, term.name)
        case "tag":
            return Tag.objects.filter(key=fold(term.name)).first()
        case "series":
            return same_named(Series, term.name)
        case "author":
            return same_named(Author, term.name)


def _lists_of(post: SourcePost) -> Iterator[str]:
    yield from (f"tag {name}" for name in post.tags)
    yield from (f"{kind} {name}" for kind, name in (("category", post.category), ("series", post.series)) if name)


def _slug_in_blog(path: str) -> str | None:
    """Return what follows the mount in a path, ``None`` outside of the blog."""
    page = path.partition("?")[0]
    return page.rstrip("/").removeprefix(mount()).lstrip("/") if is_in_blog(page) else None


def _batches(posts: Iterator[SpooledPost]) -> Iterator[list[SpooledPost]]:
    while batch := list(islice(posts, _BATCH)):
        yield batch
