"""``blog_evidence``: write the evidence of a post (proof.evidence)."""

from typing import Any

from django.core.management.base import CommandError

from blog_engine.archives import owner_only
from blog_engine.errors import Refusal
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import EvidenceOf
from blog_engine.management.base import Key, KeyValueCommand, reading_call
from blog_engine.operations.posts import whole_evidence
from blog_engine.queries.database import one_snapshot


class Command(KeyValueCommand):
    help = (
        "Write everything that proves the history of a post, as GET /posts/:id/evidence returns it, for "
        "python -m blog_engine.verify. It has no limit of size. It also has reviewed drafts and proposals, which "
        "readers never saw."
    )
    keys = (
        Key("POST", "id or slug of the post"),
        Key("CHECKPOINT", "number of the checkpoint (default: the newest one that covers the post)"),
        Key("OUTPUT", "file to write, which must not exist (default: standard output)"),
    )

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        if "POST" not in given:
            raise CommandError("Name the post: POST=<id or slug>.")
        sent = {"id": given["POST"]} | ({"checkpoint": given["CHECKPOINT"]} if "CHECKPOINT" in given else {})
        try:
            with one_snapshot():
                text = whole_evidence(parse(EvidenceOf, sent), reading_call("blog_evidence")).model_dump_json(indent=2)
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        if "OUTPUT" not in given:
            self.stdout.write(text)
            return
        try:
            with open(given["OUTPUT"], "x", encoding="utf-8", opener=owner_only) as file:
                file.write(f"{text}\n")
        except OSError as fault:
            raise CommandError(f"{given['OUTPUT']} cannot be written: {fault.strerror}.") from fault
        self.stdout.write(f"Wrote {given['OUTPUT']}")
