"""The findings by which lists know imported posts."""

import pytest
import time_machine

from blog_engine.findings import findings_of, lasting_codes
from blog_engine.models import FindingCode, Post
from blog_engine.queries.posts import read_post
from tests.importing.old_blogs import OLD, draft, entry, run_import
from tests.requirements import requirement
from tests.support.factories import NOW

pytestmark = pytest.mark.django_db


@requirement("posts.list.finding")
@time_machine.travel(NOW, tick=False)
def test_a_link_to_a_post_that_comes_later_in_the_import_is_not_broken() -> None:
    run_import(
        entry(1, body=f"[Next](/2019/post-2/), [its heading]({OLD}/2019/post-2/#soil), [a draft](/2019/post-3/)"),
        entry(2, title="Post 1", body="[Back](/2019/post-1/)"),
        draft(3, body="[Public](/2019/post-1/)"),
    )

    stored = {post.slug: set[str]() for post in Post.objects.all()}
    for post, code in FindingCode.objects.values_list("post", "code"):
        stored[Post.objects.get(pk=post).slug].add(code)
    assert stored == {
        post.slug: lasting_codes(findings_of(read_post(post.pk), has_responsible_party=True, now=NOW))
        for post in Post.objects.all()
    }
    assert "link_same_site_broken" not in stored["post-2"] | stored["post-3"]
    assert "link_fragment_missing" in stored["post-1"]
