"""Translation groups beside each other, in real transactions on PostgreSQL."""

from collections.abc import Callable
from typing import Any

import pytest

from blog_engine import services
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.records import OrderSeries
from blog_engine.models import Post, Series
from tests.concurrency.races import Held, race, slowly, together
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, save, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def translating(post: Post, translated: Post) -> Callable[[], Any]:
    return lambda: update(post, translation_of=translated.pk)


@requirement("posts.translations.language")
def test_of_two_translations_into_one_language_the_second_is_refused() -> None:
    english = save(title="Garden").post
    held = Held()

    _, refused = race(
        held,
        slowly(held, lambda: save(title="Garten", language="de", translation_of=english.pk)),
        lambda: save(title="Der Garten", language="de", translation_of=english.pk),
    )

    assert refused is ValidationFailed
    grouped = Post.objects.filter(translation_group__isnull=False).order_by("pk")
    assert list(grouped.values_list("title", flat=True)) == ["Garden", "Garten"]


@requirement("posts.translations.language")
def test_two_posts_of_a_group_cannot_take_one_language_at_once() -> None:
    english = save(title="Garden").post
    german = save(title="Garten", language="de", translation_of=english.pk).post
    french = save(title="Jardin", language="fr", translation_of=english.pk).post
    held = Held()

    _, refused = race(held, slowly(held, lambda: update(german, language="it")), lambda: update(french, language="it"))

    assert refused is ValidationFailed
    assert set(Post.objects.values_list("language", flat=True)) == {"", "it", "fr"}


@requirement("posts.translations")
def test_posts_that_name_each_other_at_once_all_get_a_group() -> None:
    one, two, three = (save(title=f"Post {tag}", language=tag).post for tag in ("de", "fr", "it"))

    outcomes = together(
        *(translating(*pair) for pair in [(one, two), (two, three), (three, one), (two, one), (one, three)])
    )

    assert not [outcome for outcome in outcomes if isinstance(outcome, type)]
    assert not Post.objects.filter(translation_group=None).exists()


@requirement("posts.translations")
def test_the_order_of_a_series_and_its_translations_wait_for_each_other() -> None:
    one, two = (save(title=f"Part {tag}", language=tag, series="Tides").post for tag in ("de", "fr"))
    data = OrderSeries(id=Series.objects.get().pk, posts=(two.pk, one.pk))

    def ordering() -> object:
        return services.order_series(data, actor=EDITOR, now=LATER)

    outcomes = together(*[translating(two, one), ordering, translating(one, two), ordering] * 2)

    assert not [outcome for outcome in outcomes if isinstance(outcome, type)]
