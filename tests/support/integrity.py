"""Invariants of stored rows and files, how somebody with all rights breaks them, and evidence."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote, unquote, urlsplit

import pytest
from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.db import connection
from django.test import Client

from blog_engine import verify
from blog_engine.models import Baseline, ChainLink, Image, PolicyPage, Post, Publication, Redirect, Revision
from blog_engine.models._guard import ORIGIN_COLUMNS
from blog_engine.models.protection import missing_protection
from blog_engine.queries.audit import audit_public_posts
from blog_engine.queries.chain_audit import faults_in_chains, faulty_checkpoints, posts_without_links
from blog_engine.queries.database import engine_connection
from blog_engine.rules.chain import CHAINED_MODELS, ChainedRecord, ChainEnd, links_after
from blog_engine.services import make_checkpoint
from tests.support.clients import client_with
from tests.support.databases import replayed
from tests.support.factories import (
    ARTICLE,
    CONNECTIONS,
    DECLARATION,
    LATER,
    adopt,
    approve,
    propose,
    publish,
    reject,
    save,
    unpublish,
    update,
)
from tests.support.hosts import file_names
from tests.support.tables import HISTORY, everything_stored, execute, unprotected

_HISTORY = [
    *("Revision", "Publication", "Approval", "Baseline", "ConnectionDeclaration", "StatusChange", "Image"),
    *("ChainLink", "Checkpoint"),
]
_OF_THE_BLOG_ITSELF = ("/blog/api/", "/blog/preview/")
"""Paths where redirects are not served: clients get JSON, an old preview link gets a page that says so."""
_PICTURE_OF_POST = re.compile(r"blog_engine/social/\d+\.png")
_SUFFIXES = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif", "image/avif": "avif"}


def assert_all_is_well() -> None:
    """Check all invariants of this module."""
    assert_history_is_whole()
    assert_history_is_chained()
    assert_images_are_their_files()
    assert_posts_and_images_answer()
    assert_redirects_are_flat()
    assert_redirects_answer()
    assert_pages_answer()


def assert_history_is_whole() -> None:
    """Check identifiers, that public content is the public revision, and that each post was first published once."""
    for revision in Revision.objects.all():
        payload = json.dumps(json.loads(revision.payload), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        assert payload == revision.payload
        assert hashlib.sha256(payload.encode()).hexdigest() == revision.identifier
    for post in Post.objects.select_related("public_revision"):
        kinds = list(Publication.objects.filter(post=post).order_by("id").values_list("entry_type", flat=True))
        baselines = list(Baseline.objects.filter(post=post))
        assert (kinds[:1] in (["first"], ["adopted"])) is (post.public_revision is not None), (post, kinds)
        assert [kind for kind in kinds[1:] if kind in {"first", "adopted"}] == [], (post, kinds)
        assert len(baselines) == kinds.count("adopted")
        for baseline in baselines:
            adopted = Publication.objects.get(post=post, entry_type="adopted")
            assert adopted.revision_id == baseline.adopted_revision_id
        if post.status == "published":
            assert post.public_revision is not None
            assert post.public_revision.identifier == post.current_revision_identifier


def assert_history_is_chained() -> None:
    """Check that each record has its link, and that every link is whole."""
    assert posts_without_links() == []
    assert faults_in_chains(newest_links=None) == {}
    assert faulty_checkpoints(recompute=True) == []


def assert_images_are_their_files(*, and_nothing_else: bool = True) -> None:
    """Check that each image has a file with its bytes, and with ``and_nothing_else`` that no image lacks its row."""
    media = Path(settings.MEDIA_ROOT)
    expected = {_name_of(image): image for image in Image.objects.all()}
    for name, image in expected.items():
        data = (media / name).read_bytes()
        assert (hashlib.sha256(data).hexdigest(), len(data)) == (image.sha256, image.byte_size)
    if and_nothing_else:
        # The pictures of posts without an image are drawn after the write, and named for the post.
        of_images = {name for name in file_names(FileSystemStorage(media)) if not _PICTURE_OF_POST.fullmatch(name)}
        assert of_images == set(expected)


def assert_posts_and_images_answer() -> None:
    """Check that readers get the index, every published post in both formats, and every image."""
    published = list(Post.objects.filter(status="published").values_list("slug", flat=True))
    for path in ["/blog/", *(f"/blog/{slug}{format}" for slug in published for format in ("", ".md"))]:
        assert Client().get(path).status_code == 200, path
    for image in Image.objects.all():
        path = f"/blog/media/{image.sha256}/{quote(image.filename, safe='')}"
        assert Client().get(path).status_code in {200, 302}, path


def assert_redirects_are_flat() -> None:
    """Check that no redirect leads to another one, and that no two have the same path, however it is encoded."""
    rows = list(Redirect.objects.all())
    paths = {_plain(row.old_path) for row in rows}
    assert len(paths) == len(rows)
    chained = [row for row in rows if row.new_path is not None and _plain(_path_of(row.new_path)) in paths]
    assert chained == [], [(row.old_path, row.new_path) for row in rows]


def assert_redirects_answer() -> None:
    """Check that an old path in the blog redirects or is gone, unless a page is there."""
    published = {f"/blog/{slug}" for slug in Post.objects.filter(status="published").values_list("slug", flat=True)}
    for row in Redirect.objects.filter(old_path__startswith="/blog/"):
        if row.old_path.startswith(_OF_THE_BLOG_ITSELF):
            continue
        response = Client().get(row.old_path)
        plain = _plain(row.old_path)
        if plain in published or plain.removesuffix(".md").removesuffix(".html") in published:
            assert response.status_code in {200, 301}, (row.old_path, response.status_code)
        else:
            assert response.status_code in {200, 301, 302, 410}, (row.old_path, row.new_path, response.status_code)
        if response.status_code == 410:
            assert row.new_path is None


def assert_pages_answer() -> None:
    """Check that readers get published policy pages and no drafts, and that published ones have a text."""
    for page in PolicyPage.objects.all():
        is_hidden = bool(settings.BLOG_ENGINE.get("policy_urls", {}).get(page.kind))
        is_there = page.status == "published" and not is_hidden
        status = Client().get(f"/blog/policies/{page.slug}").status_code
        assert (status == 200) is is_there, (page.kind, page.status, status)
        assert page.status == "draft" or page.body.strip()


def _lasting(row: dict[str, Any]) -> dict[str, Any]:
    """The row without what may be said anew: where an image comes from."""
    return {name: value for name, value in row.items() if name not in ORIGIN_COLUMNS}


def assert_history_only_grew(before: dict[str, Any], after: dict[str, Any], *, except_of: int | None = None) -> None:
    """Check that no history row changed between two ``everything_stored``, except those of a post adopted again."""
    for model in _HISTORY:
        rows = {row["id"]: _lasting(row) for row in after[model]}
        lost = [row for row in before[model] if rows.get(row["id"]) != _lasting(row)]
        assert [row for row in lost if row.get("post_id") != except_of or except_of is None] == [], model


def _name_of(image: Image) -> str:
    return f"blog_engine/images/{image.sha256[:2]}/{image.sha256}.{_SUFFIXES[image.content_type]}"


def _plain(path: str) -> str:
    return unquote(path).rstrip("/") or "/"


def _path_of(target: str) -> str:
    return (
        target.split("#")[0].split("?")[0] if target.startswith("/") else urlsplit(target)._replace(query="").geturl()
    )


def assert_nothing_is_half(*, and_no_other_files: bool = True) -> None:
    """Check that no write is partial.

    Identifiers, dates and posts agree with the history, each image has its file, readers get all of it, and the
    database still refuses to change the history.
    """
    assert_history_is_whole()
    assert_images_are_their_files(and_nothing_else=and_no_other_files)
    assert_redirects_are_flat()
    assert_posts_and_images_answer()
    assert_redirects_answer()
    assert audit_public_posts(newest=None).differing == {}
    assert missing_protection(engine_connection()) == []


def rows_beside_findings() -> dict[str, Any]:
    """Return ``rows`` without the codes of findings: a link to a post that came later is no fault any more."""
    return {name: found for name, found in rows().items() if name != "FindingCode"}


def rows() -> dict[str, Any]:
    """Return every row that a write creates, without tokens, which record when they were used, and page views."""
    stored = everything_stored()
    del stored["ApiToken"], stored["PageView"], stored["files"]
    return stored


CHECKED = LATER + timedelta(hours=1)
"""When the checkpoint of the story is made."""
Read = pytest.CaptureFixture[str]


@dataclass(frozen=True)
class Told:
    """A post with records of every kind, and the checkpoint over it that others have a copy of."""

    post: Post
    published: Path
    folder: Path

    def evidence(self, *, number: int | None = 1) -> bytes:
        """Return the evidence for a checkpoint, as the blog answers."""
        query = "" if number is None else f"?checkpoint={number}"
        response = client_with("read").get(f"/blog/api/v1/posts/{self.post.pk}/evidence{query}")
        assert response.status_code == 200, response.content
        return bytes(response.content)

    def verdict(self, capsys: Read, *, number: int | None = 1, published: Path | None = None) -> tuple[int, str]:
        """Return the exit status and the words of the verifier, with the published checkpoint."""
        return verdict_on(self.evidence(number=number), published or self.published, folder=self.folder, capsys=capsys)


def verdict_on(evidence: bytes, *others: Path, folder: Path, capsys: Read) -> tuple[int, str]:
    """Return the exit status and the words of the verifier."""
    file = folder / "evidence.json"
    file.write_bytes(evidence)
    capsys.readouterr()
    status = verify.main([str(one) for one in (file, *others)])
    return status, capsys.readouterr().out


def tell_of_a_post(folder: Path) -> Told:
    """An adopted post that was corrected, withdrawn and published again, among others, and a published checkpoint."""
    post = _story()
    return Told(post, publish_checkpoint(folder), folder)


@replayed
def _story() -> Post:
    save(title="Before", publish=True)
    post = adopt(ARTICLE, declaration=DECLARATION, connections=CONNECTIONS).post
    update(post, body="It leaves at eleven.", change="correction", note="It left at ten before.", now=LATER)
    approve(post, identifier=Post.objects.get(pk=post.pk).current_revision_identifier, now=LATER)
    unpublish(post, now=LATER)
    publish(post, now=LATER)
    reject(propose(post, title="The late ferry", change="maintenance"))
    save(title="After", publish=True)
    make_checkpoint(now=CHECKED)
    return post


def publish_checkpoint(folder: Path, *, number: int = 1) -> Path:
    """Return a copy of a published checkpoint, which no one with the database can change later."""
    response = client_with().get(f"/blog/checkpoints/{number}")
    assert response.status_code == 200
    copy = folder / f"checkpoint-{number}.json"
    copy.write_bytes(response.content)
    return copy


@contextmanager
def past_the_engine() -> Iterator[None]:
    """Drop the triggers of all tables inside the block, and create them again after it."""
    with unprotected(*HISTORY):
        yield


Place = tuple[ChainedRecord, datetime]
"""A record, and the time that its link claims."""


def places_of(post: Post) -> list[Place]:
    """Return the records of a post in the order of their links; those without one last."""
    links = {(link.kind, link.record): link for link in ChainLink.objects.filter(post=post.pk)}
    rows: list[tuple[int, int, Place]] = []
    for kind, model in CHAINED_MODELS.items():
        for row in model._default_manager.filter(post=post.pk):
            link = links.get((kind.value, row.pk))
            rows.append((link.position if link else 10_000, row.pk, (row, link.chained_at if link else row.created_at)))
    return [place for *_, place in sorted(rows, key=lambda one: one[:2])]


def chain_anew(post: Post, places: Sequence[Place]) -> None:
    """Replace the chain of a post by one whose hashes are right, as somebody would who knows how they are made."""
    ids = [link.pk for link in ChainLink.objects.filter(post=post.pk).order_by("pk")]
    spare = max(ChainLink.objects.values_list("pk", flat=True)) + 1
    execute("DELETE FROM blog_engine_chainlink WHERE post = %s", post.pk)
    end = ChainEnd()
    for number, (record, chained_at) in enumerate(places):
        (link,) = links_after(end, [record], post=post.pk, now=chained_at)
        link.pk = ids[number] if number < len(ids) else spare + number
        link.save()
        end = ChainEnd.of(link)


def insert_row(row: Any) -> None:
    """Insert a row past the models."""
    columns = {
        field.column: field.get_db_prep_save(getattr(row, field.attname), connection)
        for field in row._meta.concrete_fields
        if getattr(row, field.attname) is not None
    }
    names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
    execute(f"INSERT INTO {row._meta.db_table} ({names}) VALUES ({marks})", *columns.values())  # noqa: S608  our own tables


Document: TypeAlias = dict[str, Any]

AFTER = "2026-11-21T16:00:00.711000Z"
"""A time after the checkpoint of the story."""
_UNPROVEN = re.compile(r"NOT covered|, not proven:$")


_KEPT: list[tuple[bytes, bytes]] = []


@dataclass(frozen=True)
class Kept:
    """Evidence that was made once, and the folder with its published checkpoint."""

    evidence: bytes
    folder: Path

    @property
    def published(self) -> Path:
        return self.folder / "checkpoint-1.json"


def keep_evidence(request: pytest.FixtureRequest, folder: Path) -> Kept:
    """Return the evidence of the story and its checkpoint, which all tests of one process edit."""
    if not _KEPT:
        request.getfixturevalue("db")
        story = tell_of_a_post(folder)
        _KEPT.append((story.evidence(), story.published.read_bytes()))
    found = Kept(_KEPT[0][0], folder)
    found.published.write_bytes(_KEPT[0][1])
    return found


def chain_again(evidence: Document) -> None:
    """Make every digest and hash of the chain those of the records, in the order of the links."""
    records = {one["position"]: one["record"] for one in evidence["records"]}
    previous = ""
    for position, link in enumerate(evidence["chain"], start=1):
        link |= {"position": position, "previous": previous}
        if position in records:
            link |= {"kind": records[position]["kind"], "digest": verify.digest_of_json(records[position])}
        link["hash"] = previous = verify.link_hash(link, post=evidence["post"]["id"])


def seal(evidence: Document) -> None:
    """Chain the records again, and make a checkpoint over all of them: evidence of a blog that wrote such records."""
    chain_again(evidence)
    end = evidence["chain"][-1]
    root = verify.leaf_hash(evidence["post"]["id"], end["position"], end["hash"])
    evidence["inclusion"] = {"position": end["position"], "index": 0, "path": []}
    evidence["checkpoint"] |= {"size": 1, "root": root.hex()}
    sign_checkpoint(evidence)


def sign_checkpoint(evidence: Document) -> None:
    """Give the checkpoint the hash of its content."""
    evidence["checkpoint"]["hash"] = verify.checkpoint_hash(evidence["checkpoint"])


def append(evidence: Document, kind: str, **values: Any) -> None:
    """Append a record with a link whose hashes are right; both claim to be made after the checkpoint."""
    record = {"kind": kind, "post": evidence["post"]["id"], "created_at": AFTER} | values
    position = len(evidence["chain"]) + 1
    evidence["records"].append({"position": position, "record": record})
    evidence["chain"].append({"chained_at": AFTER})
    chain_again(evidence)


def take_out(evidence: Document, position: int) -> None:
    """Remove a record and its link, move the others up, and chain them again."""
    evidence["records"] = [one for one in evidence["records"] if one["position"] != position]
    for one in evidence["records"]:
        one["position"] -= one["position"] > position
    del evidence["chain"][position - 1]
    evidence["inclusion"]["position"] -= 1
    chain_again(evidence)


def place_of(evidence: Document, kind: str, *, last: bool = False) -> int:
    """Return the position of the first or last record of a kind."""
    places = [one["position"] for one in evidence["records"] if one["record"]["kind"] == kind]
    return int(places[-1 if last else 0])


def record_of(evidence: Document, kind: str, *, last: bool = False) -> Document:
    """Return the first or last record of a kind."""
    place = place_of(evidence, kind, last=last)
    return next(one["record"] for one in evidence["records"] if one["position"] == place)


def add_content(evidence: Document, payload: str) -> str:
    """Append a revision with a payload; return its identifier."""
    identifier = hashlib.sha256(payload.encode()).hexdigest()
    evidence["payloads"].append({"identifier": identifier, "payload": payload})
    append(evidence, "revision", identifier=identifier, actor="Ines Editor", made_by_ai=None)
    return identifier


def replace_payload(evidence: Document, number: int, payload: str) -> None:
    """Replace a payload and its identifier, also wherever records name it."""
    old = evidence["payloads"][number]["identifier"]
    text = json.dumps(evidence).replace(old, hashlib.sha256(payload.encode()).hexdigest())
    evidence |= json.loads(text)
    evidence["payloads"][number]["payload"] = payload


def entry_of(words: str, position: int) -> list[str]:
    """Return the lines about a record in the history that the verifier prints."""
    return next(lines for lines in _blocks(words.splitlines()) if lines[0].startswith(f"  {position}. "))


def proven_part(words: str) -> str:
    """Return what the verifier prints without saying that it is not proven."""
    lines = iter(words.splitlines())
    kept, above = list[str](), None
    for line in lines:
        depth = len(line) - len(line.lstrip())
        above = None if above is not None and depth <= above else above
        if above is None and _UNPROVEN.search(line):
            above = depth
        kept += [line] if above is None else []
    return "\n".join(kept)


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Yield the entries of the history with the lines below them."""
    block: list[str] = []
    for line in [*lines, ""]:
        if not line.startswith("   "):
            if block:
                yield block
            block = []
        block.append(line)
