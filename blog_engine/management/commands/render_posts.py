"""``render_posts``: update what is stored beside the content after an upgrade."""

from typing import Any

from django.utils import timezone

from blog_engine.management.base import Key, KeyValueCommand, is_on
from blog_engine.services import (
    check_posts,
    complete_posts,
    draw_shared_copies,
    draw_social_pictures,
    index_posts,
    read_origins,
    recount_lists,
    render_pages,
    render_posts,
    settle_reviews,
)


class Command(KeyValueCommand):
    help = (
        "Render the posts and policy pages whose stored HTML is out of date, and index the posts whose search words "
        "or places in the search index are. Complete the posts that an earlier version wrote during an upgrade. Read "
        "where the images that an earlier version stored come from, and draw their copies for networks "
        "and feeds and the pictures of posts without an image. Set again why posts wait for a review, and which "
        "findings lists know. Count the public posts of every list again. The content of posts does not change."
    )

    keys = (Key("ALL", "render everything, also what is not out of date", is_switch=True),)

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        all_rows = is_on(given, "ALL")
        # First: what it finds outdates the renderings that show it.
        self.stdout.write(f"Read where {read_origins()} images come from")
        self.stdout.write(f"Drew the copies of {draw_shared_copies()} images for networks and feeds")
        self.stdout.write(f"Rendered {render_posts(all_posts=all_rows)} posts")
        self.stdout.write(f"Rendered {render_pages(all_pages=all_rows)} policy pages")
        self.stdout.write(f"Indexed {index_posts()} posts for the search")
        self.stdout.write(f"Completed {complete_posts()} posts that an earlier version wrote")
        self.stdout.write(f"Set the review of {settle_reviews()} posts again")
        self.stdout.write(f"Noted other findings of {check_posts(now=timezone.now())} posts")
        recount_lists()
        self.stdout.write("Counted the posts of every list")
        self.stdout.write(f"Drew the pictures of {draw_social_pictures()} posts without an image")
