"""A program that reads the pages in a file with extruct and trafilatura, and feeds with feedparser."""

import json
import sys
from pathlib import Path

import extruct
import feedparser
import trafilatura

found = {}
for name, one in json.loads(Path(sys.argv[1]).read_text("utf-8")).items():
    if name.startswith("feed"):
        feed = feedparser.parse(one["body"].encode())
        found[name] = {
            "fault": bool(feed.bozo),
            "version": feed.version,
            "entries": [{"title": entry.title, "summary": entry.summary} for entry in feed.entries],
        }
    else:
        data = extruct.extract(one["body"], base_url=one["url"], errors="strict", uniform=True)
        text = trafilatura.extract(one["body"], url=one["url"], include_comments=False) or ""
        facts = trafilatura.extract_metadata(one["body"], default_url=one["url"])
        found[name] = {
            "json-ld": data["json-ld"],
            "opengraph": data["opengraph"],
            "text": " ".join(text.split()),
            "facts": {key: getattr(facts, key) for key in ("title", "author", "date", "sitename", "description")},
        }
json.dump(found, sys.stdout)
