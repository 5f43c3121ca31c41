"""The losses of an import in groups of equal ones, the important kinds first."""

import re
from enum import Enum
from typing import Final, NamedTuple

from blog_engine.importing.source import LossKind


class LossArea(Enum):
    """The part of a blog that a loss is about, the most important first."""

    CONTENT = "Texts of posts"
    LINKS = "Links and images"
    FIELDS = "Fields"


class KindOfLoss(NamedTuple):
    """The place of a kind of losses in the report."""

    area: LossArea
    title: str


KINDS: Final = {
    LossKind.SKIPPED: KindOfLoss(LossArea.CONTENT, "Posts that could not be stored"),
    LossKind.WITHHELD: KindOfLoss(LossArea.CONTENT, "Posts that are drafts here, because they were not public there"),
    LossKind.KEPT: KindOfLoss(LossArea.CONTENT, "Posts that changed here and were left alone"),
    LossKind.NOT_IMPORTED: KindOfLoss(LossArea.CONTENT, "Not imported"),
    LossKind.DUPLICATE: KindOfLoss(LossArea.CONTENT, "Entries that the source has several times"),
    LossKind.SHORTCODE: KindOfLoss(LossArea.CONTENT, "Shortcodes"),
    LossKind.BLOCK: KindOfLoss(LossArea.CONTENT, "Unknown blocks and cards"),
    LossKind.HTML: KindOfLoss(LossArea.CONTENT, "HTML that readers will not see"),
    LossKind.EMBED: KindOfLoss(LossArea.CONTENT, "Embedded content"),
    LossKind.CHARACTER: KindOfLoss(LossArea.CONTENT, "Characters that no text can contain"),
    LossKind.IMAGE: KindOfLoss(LossArea.LINKS, "Images that are missing"),
    LossKind.GALLERY: KindOfLoss(LossArea.LINKS, "Galleries"),
    LossKind.LINK: KindOfLoss(LossArea.LINKS, "Links to what was not imported, or to places that are not there"),
    LossKind.FILE: KindOfLoss(LossArea.LINKS, "Files that stay at the old blog"),
    LossKind.URL: KindOfLoss(LossArea.LINKS, "Former URLs that were guessed, or that the built site does not have"),
    LossKind.REDIRECT: KindOfLoss(LossArea.LINKS, "Former URLs without a redirect"),
    LossKind.SLUG: KindOfLoss(LossArea.LINKS, "Slugs that are different here"),
    LossKind.DATE: KindOfLoss(LossArea.FIELDS, "Dates"),
    LossKind.AUTHOR: KindOfLoss(LossArea.FIELDS, "Authors"),
    LossKind.CATEGORY: KindOfLoss(LossArea.FIELDS, "Further categories, which are tags now"),
    LossKind.FIELD: KindOfLoss(LossArea.FIELDS, "Values without a place here"),
    LossKind.COMMENTS: KindOfLoss(LossArea.FIELDS, "Comments"),
}
"""The kinds in the order of the report."""

_MARKUP: Final = re.compile(
    r"(<[\w-]+)[^<>]*>?.*"  # HTML, and what follows it
    r"|(\{\{-?[<%]?-?\s*/?[\w./-]+).*?(?:\}\}|$)"  # a shortcode of Hugo, or an expression
    r"|(\{%-?\s*[\w.-]+).*?(?:%\}|$)"  # a tag of Liquid, or Nunjucks
    r"|(\[/?[A-Za-z][\w-]*)[^\]]*(?:\]|$)",  # a shortcode of WordPress
    re.DOTALL,
)
_QUOTED: Final = re.compile(r"“[^”]*”|(?<=^The slug )\S+|(?<= is )\S+(?= here: a )")
_VARYING: Final = re.compile(r"\S*(?:[\d/@_=]|[.:-](?=\w))\S*")


def alike_of(message: str) -> str:
    """Return what the messages of equal losses have in common: that without names, numbers, URLs and parameters."""
    plain = _MARKUP.sub(lambda found: f"{next(filter(None, found.groups()))}…", message[:1_000])
    return _VARYING.sub("…", _QUOTED.sub("…", plain))[:200]
