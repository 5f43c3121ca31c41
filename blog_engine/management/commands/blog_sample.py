"""``blog_sample``: create the sample articles (host.samples)."""

from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from blog_engine.blog_urls import BlogURLs
from blog_engine.errors import Refusal
from blog_engine.management.base import KeyValueCommand
from blog_engine.management.sample import make_samples


class Command(KeyValueCommand):
    help = "Create the three sample articles. Running it again changes nothing."

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        try:
            posts = make_samples(now=timezone.now())
        except Refusal as refusal:
            raise CommandError(f"{refusal.code}: {', '.join(refusal.details)}") from refusal
        urls = BlogURLs.on("")
        for post in posts:
            self.stdout.write(f"Sample article: {urls.post_path(post.slug)}")
