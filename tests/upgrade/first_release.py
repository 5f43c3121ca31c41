"""Write the database of the first release, which ``test_first_release.py`` loads.

Not a test, and not run again. The first release is commit 2f317ff, the first code that could publish a post, with
migrations 0001 to 0003. Run in an empty directory and on an empty database::

    git archive 2f317ff | tar -x -C /tmp/first
    export PYTHONPATH=/tmp/first DJANGO_SETTINGS_MODULE=example_site.settings SECRET_KEY=first
    DATABASE_URL=sqlite:////tmp/first.sqlite3 python tests/upgrade/first_release.py first_release.sqlite.sql
    DATABASE_URL=postgres://…/first python tests/upgrade/first_release.py first_release.postgresql.sql

The second one needs ``pg_dump``. Posts, their history and redirects are written by the services of that release. It had
tables, but no services, for images, adoptions, policy pages and page views: their rows are written by its models.
"""

import os
import sqlite3
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402

from blog_engine import models, services  # noqa: E402
from blog_engine.actor import Actor  # noqa: E402
from blog_engine.inputs.base import parse  # noqa: E402
from blog_engine.inputs.posts import (  # noqa: E402  # noqa: E402
    ApproveRevision,
    DeclareConnections,
    PostRef,
    PublishPost,
    RemovePost,
    SavePost,
    UpdatePost,
)
from blog_engine.queries.redirects import path_key  # noqa: E402
from blog_engine.services import rendering  # noqa: E402
from blog_engine.services.tokens import create_token, revoke_token  # noqa: E402

EDITOR = Actor("Inès Éditrice")
AGENT = Actor("Drafting agent 🤖", scopes=["read", "write"])
START = datetime(2026, 1, 5, 9, 30, 0, 123456, tzinfo=UTC)
BODY = """# Jardin d'hiver 🌿

Combining: e\u0301 and é, 日本語, עברית, an astral \U0001d518, a dash — and a quote “so”.\r
Old Mac\rline ends, too.

## Tools

- [x] a spade\n- [ ] a rake[^1]

| Tool | Use |\n| --- | --- |\n| spade | digging |

```python\nprint("soil")\n```

[^1]: Borrowed from the <b>neighbour</b> & never returned.
"""


def main(target: Path) -> None:
    """Migrate an empty database, create the records, and dump them."""
    call_command("migrate", "blog_engine", verbosity=0)
    tell_story()
    dump = dump_sqlite() if connection.vendor == "sqlite" else dump_postgresql()
    target.write_bytes(dump.encode())


def tell_story() -> None:
    """Create every kind of row of the release."""
    long_lived()
    withdrawn()
    moved_and_removed()
    waiting()
    adopted()
    beside_posts()


def save(now: datetime, *, actor: Actor = EDITOR, **fields: Any) -> models.Post:
    """Create a draft, or with ``publish=True`` a public post."""
    data = parse(SavePost, fields)
    verb = services.publish_new_post if data.publish else services.save_draft
    return verb(data, actor=actor, now=now).post


def update(post: models.Post, now: datetime, **fields: Any) -> None:
    """Change a post as the editor."""
    services.update_post(parse(UpdatePost, fields, fixed={"id": str(post.pk)}), actor=EDITOR, now=now)


def long_lived() -> None:
    """Create a post that was drafted by an agent, approved, published, corrected and changed."""
    post = save(
        START,
        actor=AGENT,
        title="Winter garden — été 🌿 日本語",
        slug="winter-garden",
        body=BODY,
        description="What grows in winter. ÉTÉ & <i>more</i>",
        tags=["Garten", "ÉTÉ", "日本"],
        category="Gardening",
        series="The year",
        series_position=1,
        faq=[
            {"question": "When? ❓", "answer": "In March.\r\nOr April."},
            {"question": "Why?", "answer": "<b>Joy</b>"},
        ],
        author={"name": "Mina Hölt", "url": "https://example.com/mina"},
        provenance="ai_assisted",
        provenance_evidence="Drafted by an agent, see ticket 7",
        made_by_ai=True,
        external_id="first-1",
        featured=True,
    )
    ref = parse(
        ApproveRevision,
        {"revision_identifier": post.current_revision_identifier, "name": "Rosa Réviseuse", "facts_checked": True},
        fixed={"id": str(post.pk)},
    )
    services.approve_revision(ref, actor=EDITOR, now=START + timedelta(hours=1))
    services.publish_post(
        parse(PublishPost, {}, fixed={"id": str(post.pk)}), actor=EDITOR, now=START + timedelta(hours=2)
    )
    update(post, START + timedelta(days=1), body=BODY + "\nMore.", change="substantive", change_description="More 🌱")
    update(post, START + timedelta(days=2), title="Winter garden", change="correction", note="The title was “wrong”.")
    update(post, START + timedelta(days=3), body=BODY + "\nMore!", change="maintenance")
    declaration = {
        "connections": [{"party": "Müller & Søn", "relation": "sent the seeds 🌰"}],
        "third_party_paid": False,
        "declared_by": "Inès Éditrice",
        "declared_on": "2026-01-09",
    }
    services.declare_connections(
        parse(DeclareConnections, declaration, fixed={"id": str(post.pk)}), actor=EDITOR, now=START + timedelta(days=4)
    )
    save(
        START + timedelta(days=5),
        title="Spring",
        body="After *winter*.",
        publish=True,
        series="The year",
        series_position=2,
        approval={"name": "Rosa Réviseuse", "facts_checked": False},
        connections={"connections": [], "third_party_paid": True, "declared_by": "Inès Éditrice"},
        provenance="human_written",
    )


def withdrawn() -> None:
    """Create a post that was published and withdrawn."""
    post = save(START + timedelta(days=6), title="Taken back", body="Oops.", publish=True)
    services.unpublish_post(PostRef(id=str(post.pk)), actor=EDITOR, now=START + timedelta(days=7))


def moved_and_removed() -> None:
    """Create a post with a changed slug, an archived one with a redirect, one without, and a deleted draft."""
    moved = save(START + timedelta(days=8), title="Old name", slug="old-name", body="Moved.", publish=True)
    update(moved, START + timedelta(days=9), slug="new-name")
    for number, (title, fields) in enumerate([("Leads on", {"redirect_to": "winter-garden"}), ("Gone", {})]):
        post = save(START + timedelta(days=10 + number), title=title, body="Soon gone.", publish=True)
        data = parse(RemovePost, fields, fixed={"id": str(post.pk)})
        services.remove_post(data, actor=EDITOR, now=START + timedelta(days=12))
    save(START + timedelta(days=13), title="Draft", body="Not yet: ![A quay](https://example.org/quay.png)")


def waiting() -> None:
    """Create a post that is scheduled for a distant day."""
    save(START + timedelta(days=14), title="Scheduled", body="Later.", publish=True, publish_at="2999-01-01T08:00:00Z")


def adopted() -> None:
    """Create an adopted post with a baseline, an earlier approval and a cover."""
    now = START + timedelta(days=15)
    image = models.Image(
        sha256="ab" * 32,
        filename="hafen-größe.png",
        content_type="image/png",
        byte_size=68,
        width=1200,
        height=630,
        has_location=True,
        source_url="https://example.org/hafen.png",
        uploaded_by="Inès Éditrice",
        created_at=now,
    )
    image.save()
    post = save(now, title="From elsewhere", slug="from-elsewhere", body="Imported **text**.")
    with transaction.atomic():
        _adopt(post, image, now)


def _adopt(post: models.Post, image: models.Image, now: datetime) -> None:
    post.cover_image, post.cover_alt, post.faq = image, "The harbour", []
    payload = rendering.revision_payload(rendering._revision_content(post, rendering._image_entries(post)))
    identifier = rendering.revision_identifier(payload)
    revision = models.Revision(post=post, identifier=identifier, payload=payload, actor="Importer", created_at=now)
    revision.save()
    evidence = "WordPress export of 2026-01-01 “posts.xml”"
    first, last = datetime(2011, 5, 6, 7, 8, 9, 1, tzinfo=UTC), datetime(2019, 2, 3, tzinfo=UTC)
    models.Baseline(
        post=post,
        adopted_revision=revision,
        adopted_at=now,
        provenance="unknown",
        first_published_at=first,
        first_published_evidence=evidence,
        last_modified_at=last,
        last_modified_evidence=evidence,
        source_system="wordpress",
        source_id="?p=4711",
        source_body_sha256="cd" * 32,
        adopted_by="Importer",
        created_at=now,
    ).save()
    models.Publication(
        post=post, revision=revision, entry_type="adopted", occurred_at=now, released_by="Importer", created_at=now
    ).save()
    models.Approval(
        post=post,
        revision=revision,
        kind="declared",
        reviewer_name="Ólafur",
        facts_checked=True,
        approved_at=first,
        declared_on=date(2026, 1, 2),
        declared_by="Inès Éditrice",
        recorded_by="Importer",
        created_at=now,
    ).save()
    post.public_revision, post.current_revision_identifier, post.status = revision, identifier, "published"
    post.published_at, post.listed_at, post.modified_at = first, first, last
    post.store()


def beside_posts() -> None:
    """Create tokens, policy pages, a redirect by hand, page views and an author with a description."""
    create_token("Agent 🤖", scopes=["read", "write"], now=START)
    revoke_token(create_token("Old", expires_at=START + timedelta(days=90), now=START).token, now=START)
    models.PolicyPage.objects.create(
        kind="corrections",
        slug="corrections",
        title="Corrections — Berichtigungen",
        body="We *correct* mistakes.",
        status="published",
        approved_by="Inès Éditrice",
        approved_on=date(2026, 1, 3),
        updated_at=START,
    )
    models.Redirect.objects.create(
        old_path="/blog/alte-straße/",
        old_key=path_key("/blog/alte-straße/"),
        new_path="/blog/winter-garden",
        new_key=path_key("/blog/winter-garden"),
        source="manual",
        occurred_on=date(2026, 1, 4),
    )
    post = models.Post.objects.get(slug="winter-garden")
    models.PageView.objects.create(post=post, day=date(2026, 1, 20), views=17)
    models.Author.objects.filter(name="Mina Hölt").update(bio="Gärtnerin", profile_urls=["https://example.org/@mina"])


def dump_sqlite() -> str:
    """Return the tables of the app with rows, indexes and triggers."""
    connection.close()
    with sqlite3.connect(connection.settings_dict["NAME"]) as database:
        statements = [one for one in database.iterdump() if "blog_engine_" in one]
    counters = "DELETE FROM \"sqlite_sequence\" WHERE name GLOB 'blog_engine_*';"
    first = next(place for place, one in enumerate(statements) if one.startswith('INSERT INTO "sqlite_sequence"'))
    return "\n".join([*statements[:first], counters, *statements[first:]]) + "\n"


def dump_postgresql() -> str:
    """Return the whole database except the list of migrations."""
    options = ["--inserts", "--no-owner", "--no-privileges", "--exclude-table=django_migrations*"]
    run = subprocess.run(["pg_dump", *options, os.environ["DATABASE_URL"]], check=True, stdout=subprocess.PIPE)
    # Without settings and commands of psql; not splitlines(), because texts contain other line ends.
    unwanted = ("\\", "SET ", "SELECT pg_catalog.set_config", "--")
    lines = [line for line in run.stdout.decode().split("\n") if not line.startswith(unwanted)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
