"""Writers that change the numbers of posts of the same lists, in real transactions on PostgreSQL."""

from functools import partial

import pytest

from blog_engine import services
from blog_engine.models import ListCount
from blog_engine.queries.audit import wrong_list_counts
from blog_engine.queries.listings import number_of_posts
from tests.concurrency.races import together
from tests.support.factories import publish, save, unpublish, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

SHARED = {"category": "Soil", "tags": ["Clay", "Loam", "Sand"], "series": "Spring"}


def test_no_post_is_counted_twice_or_not_at_all() -> None:
    public = [save(title=f"Public {number}", **SHARED, publish=True).post for number in range(4)]
    drafts = [save(title=f"Draft {number}", **SHARED).post for number in range(4)]

    outcomes = together(
        *(partial(publish, draft) for draft in drafts),
        partial(unpublish, public[0]),
        partial(update, public[1], tags=["Sand", "Clay"]),
        partial(update, public[2], category="Sea", tags=["Loam"]),
        services.recount_lists,
    )

    assert not [one for one in outcomes if isinstance(one, type)]
    assert wrong_list_counts() == []
    assert number_of_posts() == 7
    assert ListCount.objects.get(category__slug="soil").posts == 6
