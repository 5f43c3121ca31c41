"""A program that reads the pages in a file with extruct, and feeds with feedparser, and prints what they find."""

import json
import sys
from pathlib import Path

import extruct
import feedparser

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
        found[name] = {"json-ld": data["json-ld"], "opengraph": data["opengraph"]}
json.dump(found, sys.stdout)
