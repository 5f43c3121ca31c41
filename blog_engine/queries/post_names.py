"""Names of posts: the forms of an id or a slug in which people and programs send it, and the nearest slug."""

import re
from contextlib import suppress
from datetime import datetime
from difflib import get_close_matches
from itertools import chain
from typing import Final
from urllib.parse import unquote, urlsplit

from django.urls import NoReverseMatch

from blog_engine.blog_urls import desk_url, script_name, stored_path, stored_post_path
from blog_engine.conf import get_settings
from blog_engine.content.search_query import parse_query
from blog_engine.content.text import MAX_SLUG_LENGTH, is_slug
from blog_engine.models import Post
from blog_engine.queries._search_words import MatchPlans, corrected_groups, word_groups
from blog_engine.queries.previews import previewed_post_id
from blog_engine.queries.redirects import redirect_at, without_format
from blog_engine.rules.slugs import slug_for_post

NO_SUCH_POST: Final = "No post has that id or slug. List the posts to find it."
_BESIDE: Final = 50
"""Slugs before and after a wrong one, in their order, that are compared with it."""
_FOUND: Final = 20
"""Public posts with all the words of a wrong one."""
_LEAST_ALIKE: Final = 0.7
_LONGEST_SEARCH: Final = 100
_LONGEST_NAME: Final = 2048
_RESOURCE: Final = "blog://posts/"
_FORMAT: Final = re.compile(r"\.(?:md|html)\Z")
_IN_API: Final = re.compile(r"api/v1/posts/([^/]+)(?:/.*)?")
_ID: Final = re.compile("#?([0-9]{1,18})")


def post_key_in(text: str, *, base_url: str, now: datetime) -> str:
    """Return the id or the slug that a text has in another form (agents.values.posts), or the text as it is.

    Forms are ``#10``, a slug with ``.md``, and the paths and URLs of an article, of its preview, at the desk and of the
    API. One query for a path that has only digits.
    """
    name = text.strip()
    if found := _ID.fullmatch(name):
        return found[1]
    if is_slug(name) or not name or len(name) > _LONGEST_NAME:
        return name or text
    with suppress(ValueError, NoReverseMatch):
        return _key_in_link(name, base_url=base_url, now=now) or text
    return text


def _key_in_link(link: str, *, base_url: str, now: datetime) -> str | None:
    if link.lower().startswith(_RESOURCE):
        return _as_key(_FORMAT.sub("", link[len(_RESOURCE) :]))
    parts = urlsplit(link)
    origins = {origin.lower() for origin in (base_url, get_settings().public_base_url) if origin}
    if parts.netloc and f"{parts.scheme}://{parts.netloc}".lower() not in origins:
        return None
    path = parts.path
    if not path.startswith("/"):
        # A path from the root without its slash, or the file of an article.
        path = f"/{path}" if "/" in path else f"{script_name()}{stored_post_path(path)}"
    if desk := desk_url("queue").rpartition("queue")[0]:
        start = urlsplit(desk).path
        if path.startswith(start) and (found := _ID.match(path, len(start))):
            return found[1]
    inside = stored_path(path)
    mounted = stored_post_path("")
    return None if inside is None else _key_below(unquote(inside), unquote(mounted), now=now)


def _key_below(path: str, mounted: str, *, now: datetime) -> str | None:
    """Return the id or slug in a decoded path, if it is below the mount."""
    if not path.startswith(mounted):
        return None
    below = path.removeprefix(mounted)
    if below.startswith("preview/"):
        previewed = previewed_post_id(below.removeprefix("preview/").rstrip("/"), now=now)
        return None if previewed is None else str(previewed[0])
    if found := _IN_API.fullmatch(below):
        return found[1]
    page = without_format(path).removeprefix(mounted)
    return _as_key(page.removesuffix("/history"))


def _as_key(slug: str) -> str | None:
    """Return the key of the post with this slug; of one that has only digits, which would be an id, the id."""
    if not is_slug(slug) or len(slug) > MAX_SLUG_LENGTH:
        return None
    if not slug.isdigit():
        return slug
    post_id = Post.objects.filter(slug=slug).order_by().values_list("pk", flat=True).first()
    return None if post_id is None else str(post_id)


def no_such_post(key: str | int) -> str:
    """Return a sentence that leads from a wrong id or slug to a post: where its path leads, or the nearest slug.

    At most nine queries, none of which reads more when the blog has more posts.
    """
    name = str(key).strip()
    if not name or _ID.fullmatch(name) or len(name) > _LONGEST_NAME:
        return NO_SUCH_POST
    page = _FORMAT.sub("", _path_of(name).rstrip("/").rpartition("/")[2])
    slug = slug_for_post(page, language="")
    if moved := _moved_to(slug):
        return f"The post that had this slug has {moved} now: send that."
    near = _nearest(slug)
    return f"No post has that id or slug. Did you mean {near}? Or list the posts to find it." if near else NO_SUCH_POST


def _path_of(name: str) -> str:
    """Return the decoded path of a URL; of any other text the text."""
    try:
        return unquote(urlsplit(name).path)
    except ValueError:
        return name


def _moved_to(slug: str) -> str | None:
    with suppress(NoReverseMatch):
        start = stored_post_path("")
        redirect = redirect_at(start + slug)
        target = "" if redirect is None else (redirect.new_path or "")
        if target.startswith(start) and Post.objects.filter(slug=target.removeprefix(start)).exists():
            return target.removeprefix(start)
    return None


def _nearest(slug: str) -> str | None:
    """Return the slug that is most like a wrong one: of those beside it, and of public posts with all its words."""
    slugs = Post.objects.order_by("slug").values_list("slug", flat=True)
    beside = [*slugs.filter(slug__gte=slug)[:_BESIDE], *slugs.filter(slug__lt=slug).reverse()[:_BESIDE]]
    if near := get_close_matches(slug, beside, n=1, cutoff=_LEAST_ALIKE):
        return near[0]
    found = _with_words(slug.replace("-", " ").replace("_", " ")[:_LONGEST_SEARCH])
    return next(chain(get_close_matches(slug, found, n=1, cutoff=_LEAST_ALIKE), found), None)


def _with_words(words: str) -> list[str]:
    """Return the slugs of the best public posts with all these words, or words in similar spellings."""
    groups = word_groups(parse_query(words))
    ids: dict[int, int] = {}
    for some in (groups, corrected_groups(groups)) if groups else ():
        plans = MatchPlans.of(some) if all(group.forms for group in some) else None
        if plans and (ids := plans.first_posts(_FOUND)):
            break
    found = dict(Post.objects.filter(pk__in=ids).order_by().values_list("pk", "slug")) if ids else {}
    return [found[post_id] for post_id in ids if post_id in found]
