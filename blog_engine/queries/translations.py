"""The versions of many posts in other languages, for documents that list them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from blog_engine.models import Post, Translation
from blog_engine.queries.compiled import among_texts


class TranslationGroup(NamedTuple):
    """The posts of a translation group."""

    public: tuple[Translation, ...]
    """Those that readers see, by id."""
    changed_at: datetime
    """When any post of the group was last written, so that a withdrawn one counts too."""

    def versions_of(self, slug: str) -> tuple[Translation, ...]:
        """Return the public versions of the post with a slug, itself first; none if it is not public or the only one.

        A post can be withdrawn after the list was read in which it is.
        """
        own = tuple(one for one in self.public if one.slug == slug)
        return (*own, *(one for one in self.public if one.slug != slug)) if own and len(self.public) > 1 else ()


def languages_of(versions: Sequence[Post | Translation], *, default: str) -> Mapping[str, str]:
    """Return the slugs of the versions of a post by language, in the order of the tags; the post itself is the first.

    Empty without another version, or if the original of the post is elsewhere; versions whose original is elsewhere
    are left out. ``default`` is the language of posts that name none.
    """
    if not versions or versions[0].canonical_url is not None:
        return {}
    found: dict[str, str] = {}
    for one in versions:
        if one.canonical_url is None:
            found.setdefault(one.language or default, one.slug)
    return dict(sorted(found.items())) if len(found) > 1 else {}


def translation_groups(names: Collection[str | None], *, alias: str | None = None) -> Mapping[str, TranslationGroup]:
    """Return the translation groups with these names; one query, and none without names."""
    wanted = {name for name in names if name}
    if not wanted:
        return {}
    rows = Post.objects.using(alias).filter(among_texts("translation_group", sorted(wanted))).order_by("pk")
    public, moments = defaultdict[str, list[Translation]](list), dict[str, datetime]()
    for group, changed_at, *values in rows.values_list("translation_group", "updated_at", *Translation._fields):
        moments[group] = max(changed_at, moments.get(group, changed_at))
        if (one := Translation(*values)).is_shown:
            public[group].append(one)
    return {group: TranslationGroup(tuple(public[group]), moment) for group, moment in moments.items()}
