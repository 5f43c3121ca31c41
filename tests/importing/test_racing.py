"""Two imports of one blog at once, and other writers in between."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connections

from blog_engine.importing.plan import Plan
from blog_engine.importing.source import LossKind, SourcePost
from blog_engine.models import Baseline, Post, Redirect
from tests.importing.old_blogs import OLD, Outcome, draft, entry, run_import
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.integrity import assert_all_is_well, rows

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]

POSTS = [
    *(
        entry(number, tags=("a", f"t{number}"), author="Ann", former_urls=(f"{OLD}/?p={number}",))
        for number in range(8)
    ),
    *(draft(number) for number in range(8, 12)),
]


@requirement("import.racing")
def test_of_two_imports_at_once_each_post_is_stored_once() -> None:
    start = Barrier(2)

    def run() -> Outcome:
        try:
            start.wait(10)
            return run_import(*POSTS)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        outcomes = [pool.submit(run), pool.submit(run)]
        results = [outcome.result() for outcome in outcomes]

    assert sorted(Post.objects.values_list("slug", flat=True)) == sorted(f"post-{number}" for number in range(12))
    assert (Baseline.objects.count(), Redirect.objects.count()) == (8, 16)
    for number in range(12):
        each = sorted(str(outcome.results[str(number)]) for outcome in results)
        assert each == ["published" if number < 8 else "draft", "unchanged"]
    assert all(loss == [] for outcome in results for loss in outcome.losses.values())
    before = rows()
    run_import(*POSTS)
    assert rows() == before
    assert_all_is_well()


@requirement("import.racing")
def test_redirects_that_another_import_stored_meanwhile_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    former_paths, outcomes = Plan.former_paths, list[Outcome]()

    def import_first(plan: Plan, *arguments: Any) -> Any:
        # The other import stores the post after this one has looked for it, and before it looks for redirects.
        if not outcomes:
            outcomes.append(Outcome())
            outcomes.append(run_import(POSTS[0]))
        return former_paths(plan, *arguments)

    monkeypatch.setattr(Plan, "former_paths", import_first)

    later = run_import(POSTS[0])

    assert (outcomes[1].results, later.results) == ({"0": "published"}, {"0": "unchanged"})
    assert Redirect.objects.count() == 2
    assert outcomes[1].losses == later.losses == {"0": []}
    assert_all_is_well()


@requirement("import.taken-slug")
@pytest.mark.parametrize("make", [entry, draft])
def test_a_slug_that_another_writer_took_meanwhile_is_not_overwritten(make: Callable[..., SourcePost]) -> None:
    taken: list[Post] = []

    def take() -> None:
        if not taken:
            taken.append(save(slug="post-1", body="Ours.").post)

    post = make(1, body="![a](/a.png)")
    outcome = run_import(post, before_images=take)

    taken[0].refresh_from_db()
    assert taken[0].body == "Ours."
    assert Post.objects.exclude(pk=taken[0].pk).get().slug == "post-1-2"
    assert LossKind.SLUG in outcome.kinds()
