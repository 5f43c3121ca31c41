"""A dry run leaves everything as it was, and shows what the import would do."""

from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine import signals
from blog_engine.importing.source import ImageUse, Item, SourceTerm
from blog_engine.models import Post
from tests.importing.old_blogs import OLD, draft, entry, run_import, scheduled
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, save
from tests.support.images import gallery, gallery_while, png
from tests.support.tables import everything_stored

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]


@requirement("import.dry-run")
def test_a_dry_run_leaves_every_row_and_file_as_it_was_and_fetches_nothing_twice() -> None:
    sent: list[Any] = []

    def note(sender: Any, **kwargs: Any) -> None:
        sent.append(kwargs)

    with gallery(one=png("red"), two=png("blue")) as server:
        old = f"http://127.0.0.1:{server.port}"
        text = f"![a]({old}/one.png)"
        known = [entry(1, body="Old."), draft(2)]
        run_import(*known, url=old)
        save(slug="post-3")
        before = everything_stored()
        posts: list[Item] = [
            replace(known[0], body=text, series="S", series_position=1),
            replace(known[1], title="New"),
            entry(3, body=text, cover=ImageUse(url=f"{old}/two.png"), author="Ann", former_urls=("/x",)),
            entry(4, slug="post-3", title="t" * 300),
            scheduled(5, NOW + timedelta(days=9), series="S", series_position=1),
            SourceTerm("author", "Ann", description="Digs."),
        ]
        signals.post_published.connect(note)
        signals.post_updated.connect(note)
        try:
            tried = run_import(*posts, url=old, dry_run=True, now=LATER)
        finally:
            signals.post_published.disconnect(note)
            signals.post_updated.disconnect(note)

        asked = [head.split(" ", 2)[1] for head in server.requests]
        assert everything_stored() == before
        assert (sent, sorted(asked)) == ([], ["/one.png", "/two.png"])
        done = run_import(*posts, url=old, now=LATER)
    assert tried.results == done.results
    assert tried.losses == done.losses
    assert tried.old_paths == done.old_paths
    assert everything_stored() != before


@requirement("import.dry-run")
def test_others_can_write_while_images_are_fetched() -> None:
    numbers = count()

    def write() -> None:
        save(title="Meanwhile", slug=f"m{next(numbers)}")

    with gallery_while(write) as server, gallery_while(write) as other:
        old = f"http://127.0.0.1:{server.port}"
        text = f"![a]({old}/one.png) ![b](http://127.0.0.1:{other.port}/two.png)"

        outcome = run_import(entry(url=None, body=text), url=old, dry_run=True)

    assert (outcome.results, outcome.losses) == ({"1": "published"}, {"1": []})
    assert Post.objects.filter(title="Meanwhile").count() == 2


@requirement("import.memory")
def test_the_queries_of_a_post_do_not_depend_on_the_number_of_posts() -> None:
    def queries(number: int, first: int) -> int:
        entries = [entry(one, former_urls=(f"{OLD}/?p={one}",), tags=("a",)) for one in range(first, first + number)]
        with CaptureQueriesContext(connection) as captured:
            run_import(*entries)
        return len(captured)

    queries(1, 1)
    few, many = queries(5, 100), queries(25, 200)

    assert many / 25 <= few / 5
