"""``blog_report``: print the surface report."""

from typing import Any

from django.core.management.base import CommandError

from blog_engine.enums import ReportRows
from blog_engine.errors import Refusal
from blog_engine.management.base import Key, KeyValueCommand, is_on, reading_call
from blog_engine.operations.base import execute
from blog_engine.operations.reports import get_surface_report


class Command(KeyValueCommand):
    help = "Compare the public pages of the blog with its records, and print the surface report. Changes nothing."
    keys = (
        Key("SCOPE", "site (default), post or all"),
        Key("POST", "id or slug of the post, with SCOPE=post"),
        Key("PAGE", "page of posts, from 1"),
        Key("PER_PAGE", "posts per page (default and most: 50)"),
        Key("REACH", "true: fetch the pages over the network, and test how crawlers reach them"),
        Key("SHOW", "all (default), or problems: only results that failed or are not verified"),
        Key("JSON", "print the JSON object of the API", is_switch=True),
    )

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        as_json = is_on(given, "JSON")
        sent = {name.lower(): value for name, value in given.items() if name != "JSON"}
        sent.setdefault("show", ReportRows.ALL.value)
        try:
            report = execute(get_surface_report, sent, reading_call("blog_report"))
        except Refusal as refusal:
            raise CommandError(": ".join(filter(None, [refusal.code, ", ".join(refusal.details)]))) from refusal
        # Django's output wrapper adds a newline where there is none.
        self.stdout.write(report.model_dump_json(indent=2) if as_json else report.as_text())
