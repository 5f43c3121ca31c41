"""Copies of stored posts, with other words: rows as the services would have written them."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from types import SimpleNamespace
from typing import Any, Final

from django.core.management.color import no_style
from django.db import connection, models, transaction

from benchmarks.speed._bulk import bulk_writer
from benchmarks.speed.texts import own_words, post_slug
from blog_engine.content.search_text import Searched, ranked_words, stem, word_key
from blog_engine.models import (
    Approval,
    Category,
    ChainLink,
    ConnectionDeclaration,
    Faq,
    Post,
    PostTag,
    Publication,
    Revision,
    SearchEntry,
    SearchWord,
    Series,
    Tag,
)
from blog_engine.models.search import listed_of
from blog_engine.rules.chain import CHAINED_MODELS, ChainEnd, links_after

_DEPENDENT: Final[tuple[type[models.Model], ...]] = (Revision, Publication, Approval, ConnectionDeclaration, Faq)
"""The tables with rows of a post, revisions before those that refer to them."""
_REVISIONS: Final = frozenset({"revision_id", "public_revision_id"})

Row = dict[str, Any]

_key_of = cache(word_key)


class Pattern:
    """A stored post with its rows; a text is split at the words of the post."""

    def __init__(self, post: Post, number: int) -> None:
        self.number = number
        words = own_words(number)
        self._places = {word: place for place, word in enumerate(words)}
        self._own = re.compile(rf"(?<![A-Za-z])({'|'.join(words)})(?![A-Za-z])")
        self.post = self._split(_row(post))
        self.dependent = {
            model: [self._split(_row(row)) for row in model._base_manager.filter(post=post).order_by("pk")]
            for model in _DEPENDENT
        }

    def _split(self, row: Row) -> Row:
        return {name: self._split_text(value) if isinstance(value, str) else value for name, value in row.items()}

    def _split_text(self, text: str) -> Any:
        pieces = self._own.split(text)
        return _Text(pieces, [self._places[word] for word in pieces[1::2]]) if len(pieces) > 1 else text


class _Text:
    """A text with places for words: every second piece is a word."""

    def __init__(self, pieces: list[str], places: list[int]) -> None:
        self._pieces, self._places = pieces, places

    def with_words(self, words: Sequence[str]) -> str:
        pieces = self._pieces.copy()
        pieces[1::2] = [words[place] for place in self._places]
        return "".join(pieces)


class Copier:
    """Writes copies of posts, in batches."""

    def __init__(self, post_ids: Sequence[int]) -> None:
        posts = Post.objects.in_bulk(post_ids)
        self._patterns = [Pattern(posts[id], number) for number, id in enumerate(post_ids)]
        self._next = {model: _last_id(model) + 1 for model in (Post, PostTag, ChainLink, *_DEPENDENT)}
        self._categories, self._tags, self._series = map(_ids, (Category, Tag, Series))
        self._host = _host_of_feeds(posts[post_ids[0]])
        self._words: set[str] = set()
        self._writer = bulk_writer(SearchEntry)

    def copy(self, relations: Mapping[int, Mapping[str, Any]]) -> None:
        """Write the posts with these numbers."""
        rows: dict[type[models.Model], list[Row]] = {model: [] for model in (Post, *_DEPENDENT, PostTag)}
        entries: list[tuple[int, int, int, int]] = []
        for number, related in relations.items():
            pattern = self._patterns[number % len(self._patterns)]
            self._copy_one(pattern, number, related, rows, entries)
        # Posts and revisions refer to each other, which is checked at the end of a transaction.
        with transaction.atomic():
            for model, written in rows.items():
                columns = [field.attname for field in model._meta.concrete_fields]
                self._writer.write(model, columns, map(_values, written))
            self._writer.write(SearchEntry, ["word", "rank", "listed", "post_id"], entries)
            columns = [field.attname for field in ChainLink._meta.concrete_fields]
            self._writer.write(ChainLink, columns, (_row(link).values() for link in self._links(rows)))

    def _links(self, rows: Mapping[type[models.Model], list[Row]]) -> Iterator[ChainLink]:
        """Yield the links of the copied records."""
        revisions = {row["id"]: Revision(**row) for row in rows[Revision]}
        records: dict[int, list[Any]] = {post["id"]: [] for post in rows[Post]}
        for model in (model for model in CHAINED_MODELS.values() if model in rows):
            for row in rows[model]:
                record = revisions[row["id"]] if model is Revision else model(**row)
                if isinstance(record, ConnectionDeclaration):
                    record.connections = json.loads(row["connections"])
                if isinstance(record, Approval | Publication):
                    record.revision = revisions[row["revision_id"]]
                records[row["post_id"]].append(record)
        for post in rows[Post]:
            for link in links_after(ChainEnd(), records[post["id"]], post=post["id"], now=post["updated_at"]):
                link.pk = self._take(ChainLink)
                yield link

    def finish(self) -> None:
        """Learn the words of the copies, and let the tables number their next rows."""
        self._writer.close()
        new = (SearchWord(key=_key_of(word), word=word, stem=stem(word), tail=stem(word)[::-1]) for word in self._words)
        SearchWord.objects.bulk_create(sorted(new, key=lambda row: row.key), ignore_conflicts=True, batch_size=500)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), list(self._next)):
                cursor.execute(statement)

    def _copy_one(
        self,
        pattern: Pattern,
        number: int,
        related: Mapping[str, Any],
        rows: dict[type[models.Model], list[Row]],
        entries: list[tuple[int, int, int, int]],
    ) -> None:
        words, later = own_words(number), related["date"] - pattern.post["published_at"]
        post = _copied(pattern.post, words, later=later)
        post["id"] = self._take(Post)
        revisions: dict[int, int] = {}
        for model, theirs in pattern.dependent.items():
            for source in theirs:
                row = _copied(source, words, later=later)
                row |= {"id": self._take(model), "post_id": post["id"]}
                if model is Revision:
                    row["identifier"] = _digest(row["payload"])
                    revisions[source["id"]] = row["id"]
                _point(row, revisions)
                rows[model].append(row)
        _point(post, revisions)
        self._derive(post, number, related, identifier=rows[Revision][-1]["identifier"])
        rows[Post].append(post)
        for place in related["tags"]:
            tagging = {"id": self._take(PostTag), "post_id": post["id"], "tag_id": self._tags[place]}
            rows[PostTag].append(tagging | {"created_at": post["created_at"]})
        ranked = ranked_words(Searched(*(post[f"indexed_{name}"] for name in Searched._fields)))
        listed = listed_of(Post(status=post["status"], listed_at=post["listed_at"]))
        entries += [(_key_of(word), rank, listed, post["id"]) for word, rank in ranked.items()]
        self._words.update(words)

    def _derive(self, post: Row, number: int, related: Mapping[str, Any], *, identifier: str) -> None:
        """Set what does not follow from the words."""
        shown = post["search_description"] if post["search_description"].strip() else post["description"]
        series = related["series"]
        post |= {
            "slug": post_slug(number),
            "featured": False,
            "feed_id": f"tag:{self._host},{related['date']:%Y-%m-%d}:post:{post['id']}" if self._host else None,
            "category_id": self._categories[related["category"]],
            "series_id": None if series is None else self._series[series],
            "series_position": related["series_position"],
            "current_revision_identifier": identifier,
            "description_key": _digest(shown) if shown.strip() else "",
            "body_image_source_digest": _digest(f"{post['body_format']}\0{post['body']}"),
        }
        if post.get("own_findings"):
            post["own_findings"] = _kept_findings(post)

    def _take(self, model: type[models.Model]) -> int:
        self._next[model] += 1
        return self._next[model] - 1


def _row(instance: models.Model) -> Row:
    """Return the columns of a row, JSON as text."""
    return {
        field.attname: json.dumps(value, ensure_ascii=False) if isinstance(field, models.JSONField) else value
        for field in instance._meta.concrete_fields
        for value in [getattr(instance, field.attname)]
    }


def _copied(row: Row, words: Sequence[str], *, later: timedelta) -> Row:
    return {name: _exchanged(value, words, later) for name, value in row.items()}


def _exchanged(value: Any, words: Sequence[str], later: timedelta) -> Any:
    if isinstance(value, _Text):
        return value.with_words(words)
    return value + later if isinstance(value, datetime) else value


def _kept_findings(post: Row) -> str:
    # Older versions, which --checkout measures, keep none.
    from blog_engine.findings.kept import KeptFindings, StampBasis, stamp_of

    kept = KeptFindings.read(post["own_findings"])
    return str(kept and kept._replace(stamp=stamp_of(SimpleNamespace(**post), StampBasis.of(None))))


def _point(row: Row, revisions: Mapping[int, int]) -> None:
    """Point a copied row to the copied revisions."""
    for name in _REVISIONS & row.keys():
        row[name] = revisions[row[name]]


def _values(row: Row) -> Iterable[Any]:
    return row.values()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _last_id(model: type[models.Model]) -> int:
    return int(model._base_manager.aggregate(last=models.Max("pk"))["last"] or 0)


def _ids(model: type[models.Model]) -> list[int]:
    return list(model._base_manager.order_by("pk").values_list("pk", flat=True))


def _host_of_feeds(post: Post) -> str | None:
    found = re.fullmatch(r"tag:([^,]+),.*", post.feed_id or "")
    return found[1] if found else None
