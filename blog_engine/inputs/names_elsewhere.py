"""Names that fields have in other blog engines and editors, and the fields that they mean here."""

import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Final

LONGEST_NAME: Final = 40
"""A longer text is not a typo, and comparing it takes time."""
_LEAST_ALIKE: Final = 0.7
"""With a smaller value, ``status`` would be taken for ``tags``."""

_NEXT_WORD: Final = re.compile("(?<=[a-z0-9])(?=[A-Z])|[-.: ]+")
_BEFORE_THE_NAME: Final = re.compile("(?:wp|post|article|entry|new|custom|my)_(?=[a-z])")
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "body": ("content", "markdown", "text", "html", "mobiledoc", "lexical", "rich_text", "md", "body_markdown"),
    "body_format": ("format", "content_format", "body_type"),
    "description": ("excerpt", "summary", "subtitle", "abstract", "teaser", "dek"),
    "cover_image": (
        *("image", "cover", "thumbnail", "featured_image", "feature_image", "featured_media", "hero_image"),
        *("header_image", "banner", "cover_image_id", "image_id", "cover_url", "picture"),
    ),
    "cover_alt": ("feature_image_alt", "featured_image_alt", "image_alt", "alt", "alt_text", "cover_image_alt"),
    "social_image": ("og_image", "twitter_image", "share_image"),
    "author": ("authors", "author_id", "author_name", "byline", "creator"),
    "coauthors": ("co_authors", "contributors", "further_authors"),
    "category": ("categories", "category_id", "category_ids", "section", "topic", "primary_category"),
    "tags": ("keywords", "labels", "tag", "tag_ids", "tag_list", "topics"),
    "series_position": ("series_order", "part", "series_index", "position_in_series"),
    "search_title": ("meta_title", "seo_title", "og_title"),
    "search_description": ("meta_description", "seo_description", "og_description"),
    "featured": ("sticky", "pinned", "is_featured", "highlighted"),
    "noindex": ("no_index", "robots_noindex", "hidden_from_search"),
    "canonical_url": ("canonical", "original_url", "canonical_link"),
    "language": ("lang", "locale"),
    "slug": ("permalink", "handle", "url_slug", "path", "post_name"),
    "external_id": ("guid", "uuid", "reference", "client_id"),
    "title": ("headline", "name", "heading"),
    "publish": ("published", "status"),
    "publish_at": (
        *("published_at", "publish_date", "date", "scheduled_at", "scheduled_for", "schedule_at", "schedule"),
        *("date_gmt", "publication_date", "pub_date", "publish_time", "publish_on", "go_live_at"),
    ),
    "expires_at": ("expiry", "unpublish_at", "expires", "expiration_date", "valid_until"),
    "first_published_at": ("published_at", "publish_date", "date", "date_gmt", "pub_date", "created_at"),
    "last_modified_at": ("modified", "modified_at", "updated_at", "date_modified"),
    "status": ("publish", "published", "state", "is_published", "visibility"),
    "q": ("query", "search", "keyword", "keywords", "term", "terms", "text", "search_query"),
    "per_page": ("limit", "page_size", "count", "size", "max_results", "first"),
    "cursor": ("next_cursor", "after", "page_token", "next_page_token", "starting_after"),
    "id": ("post", "slug", "post_id", "ids", "number", "page_id"),
    "post": ("id", "slug", "post_id", "url"),
    "kind": ("id", "page", "slug", "type", "name", "policy"),
    "change": ("change_type", "kind_of_change", "edit_type"),
    "change_description": ("message", "commit_message", "comment", "edit_summary"),
    "note": ("reason", "correction_note", "correction"),
    "propose": ("proposal", "suggest", "suggestion"),
    "expected_version": ("version", "if_version", "lock_version"),
    "revision_identifier": ("revision", "revision_id", "identifier", "approved_revision"),
    "expected_revision": ("revision_identifier", "revision", "revision_id", "if_match", "etag"),
    "name": ("reviewer", "approved_by", "title", "reviewed_by", "approver", "display_name", "label"),
    "approved_by": ("reviewer", "approver", "name", "reviewed_by"),
    "declared_by": ("author", "name", "by", "declarer"),
    "party": ("name", "company", "partner", "sponsor"),
    "declared_on": ("date", "on", "declaration_date"),
    "occurred_on": ("date", "on", "moved_on"),
    "relation": ("relationship", "connection", "description", "type"),
    "third_party_paid": ("paid", "sponsored", "is_sponsored", "is_paid"),
    "question": ("q", "title", "name"),
    "answer": ("a", "text", "accepted_answer", "body"),
    "position": ("order", "sort_order", "rank", "weight", "index"),
    "bio": ("biography", "about", "description"),
    "avatar": ("profile_image", "photo", "picture", "image"),
    "url": ("website", "link", "src", "image_url", "homepage", "source_url"),
    "base64": ("data", "content", "image", "bytes", "image_data", "file_data", "body"),
    "filename": ("name", "file_name", "title"),
    "content_type": ("mime_type", "mimetype", "media_type", "type", "mime"),
    "byte_size": ("size", "length", "file_size", "bytes_total"),
    "credit": ("attribution", "copyright", "caption", "photographer"),
    "image_id": ("id", "media_id", "attachment_id"),
    "old_path": ("from", "source", "old", "old_url", "path", "from_path", "source_path", "old_slug"),
    "new_path": ("to", "target", "destination", "new", "new_url", "to_path", "redirect_to", "location"),
    "redirect_to": ("redirect", "target", "new_path", "to"),
    "from": ("start", "start_date", "from_date", "since", "date_from"),
    "to": ("end", "end_date", "to_date", "until", "date_to"),
    "days": ("period", "window", "last_days"),
    "old": ("find", "search", "old_string", "oldtext", "old_text", "old_str", "target", "before"),
    "new": (
        *("replace", "replacement", "new_string", "newtext", "new_text", "new_str", "content", "text", "after"),
        "replace_with",
    ),
    "append": ("insert", "add", "append_text"),
    "after_heading": ("heading", "after", "section"),
    "occurrence": ("index", "nth", "match_index"),
    "action": ("state", "type", "request"),
}
"""Other names of fields; a name of several fields means the first of those that the call has."""
_OPPOSITES: Final = frozenset({"index", "indexed", "indexable"})
"""Names that are close to the field for the opposite."""


def meant_name(sent: str, known: Collection[str]) -> str | None:
    """Return the known name that an unknown one means: by its other names, or by its letters."""
    if len(sent) > LONGEST_NAME:
        return None
    whole = _NEXT_WORD.sub("_", sent).lower().replace("__", "_")
    if whole in _OPPOSITES and whole not in known:
        return next((ours for ours, others in _NAMES.items() if ours in known and whole in others), None)
    for name in dict.fromkeys([whole, _BEFORE_THE_NAME.sub("", whole, count=1)]):
        if name in known:
            return name
        found = next((ours for ours, others in _NAMES.items() if ours in known and name in others), None)
        if found:
            return found
    return alike(sent, known)


def alike(sent: str, known: Iterable[str]) -> str | None:
    """Return the known word whose letters are the closest, if one is close."""
    if len(sent) > LONGEST_NAME:
        return None
    return next(iter(get_close_matches(sent.lower(), known, n=1, cutoff=_LEAST_ALIKE)), None)
