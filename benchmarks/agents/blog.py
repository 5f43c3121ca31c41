"""Make the blog of a run: ``python -m benchmarks.agents.blog FOLDER --checkout PATH --url URL``.

It prints the secrets of two tokens and how to serve the blog.
"""

import argparse
import json
import logging
import shutil
import sys
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image as Picture
from PIL import ImageDraw

from benchmarks.agents import wanted
from benchmarks.agents.site import ROOT, Folder, set_up
from benchmarks.agents.texts import PICTURE, Post, budget, posts

FIRST: Final = datetime(2026, 1, 5, 9, tzinfo=UTC)
SCOPES: Final = {"editor": ["read", "write", "publish"], "writer": ["read", "write"]}
"""The tokens; the ninth task has that of the writer."""
_HERE: Final = Path(__file__).parent


def main() -> None:
    """Make the blog and the folder of the agent."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a new folder for this run")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the version to measure; default: this one")
    parser.add_argument("--url", default="http://127.0.0.1:9358", help="where the blog is going to be served")
    options = parser.parse_args()
    options.folder.mkdir(parents=True)
    folder = Folder(options.folder)
    set_up(folder, checkout=options.checkout, url=options.url)
    from django.core.management import call_command

    from benchmarks.agents.state import state_of_blog

    logging.disable()
    call_command("migrate", verbosity=0)
    fill()
    secrets = make_tokens()
    folder.before.write_text(json.dumps(state_of_blog(), indent=1))
    _lay_out(folder, {"url": options.url, "tokens": secrets})
    print(f"tokens: {json.dumps(secrets)}")
    program = f"{sys.executable} {options.checkout.resolve() / 'example_site' / 'manage.py'}"
    at = options.url.rpartition("//")[2]
    print(f"serve:  (. {folder.environment}; exec {program} runserver --noreload {at})")
    print(f"agent:  works in {folder.agent}")


def fill() -> None:
    """Write the posts and their history into an empty, migrated database."""
    from blog_engine import services
    from blog_engine.actor import Actor
    from blog_engine.inputs.base import parse
    from blog_engine.inputs.images import ImageBytes, UploadImage
    from blog_engine.inputs.posts import ApproveRevision, SavePost, UpdatePost
    from blog_engine.models import Post as Row
    from blog_engine.rules.revision import stored_media_path

    editor = Actor("Ines Editor")

    def save(post: Post, number: int, *, image: Any) -> None:
        fields = {
            "title": post.title,
            "slug": post.slug,
            "description": post.description,
            "tags": post.tags,
            "category": post.tags[0].capitalize(),
            "body": post.body.replace(PICTURE, stored_media_path(image.sha256, image.filename)),
            "cover_image": {"image_id": image.pk},
            "cover_alt": "Three coloured shapes",
            "provenance": "human_written",
            "connections": {"connections": [], "third_party_paid": False, "declared_by": "Ines Editor"},
        }
        data = parse(SavePost, fields | post.fields | {"publish": post.status != "draft"})
        verb = services.save_draft if post.status == "draft" else services.publish_new_post
        verb(data, actor=editor, now=FIRST + timedelta(days=5 * number))

    def update(slug: str, now: datetime, **fields: Any) -> None:
        services.update_post(parse(UpdatePost, fields, fixed={"id": slug}), actor=editor, now=now)

    def approve(slug: str, now: datetime) -> None:
        identifier = Row.objects.get(slug=slug).current_revision_identifier
        data = ApproveRevision(id=slug, revision_identifier=identifier, name=wanted.REVIEWER, facts_checked=True)
        services.approve_revision(data, actor=editor, now=now)

    images = [
        services.store_image(
            UploadImage(file=ImageBytes(picture(number), f"shapes-{number}.jpg")), actor=editor, now=FIRST
        )
        for number in range(6)
    ]
    for number, post in enumerate(posts()):
        save(post, number, image=images[number % len(images)])
    _revise(update, approve)


def _revise(update: Any, approve: Any) -> None:
    """Give some posts a longer history."""
    for edition, month in ((2, 9), (3, 10)):
        post = budget(edition)
        kind = ("substantive", "A year of use.") if edition == 2 else ("maintenance", "A heading.")
        from blog_engine.models import Post as Row

        stored = Row.objects.get(slug=post.slug)
        # The picture of the first edition stays.
        url = stored.body.partition("](/blog/media/")[2].partition(")")[0]
        body = post.body.replace(PICTURE, f"/blog/media/{url}")
        fields = {"title": post.title, "body": body, "change": kind[0], "change_description": kind[1]}
        update(post.slug, datetime(2026, month, 14, 10, tzinfo=UTC), **fields)
    for slug, said in (("rye-bread-first-loaf", "baked for 90 minutes"), ("git-bisect-run", "available since 2007")):
        row = Row.objects.get(slug=slug)
        note = f"We had written another figure; it has to say: {said}."
        fields = {"body": f"{row.body}\nAs readers told us: {said}.\n", "change": "correction", "note": note}
        update(slug, datetime(2026, 8, 3, 10, tzinfo=UTC), **fields)
    late = datetime(2026, 10, 20, 10, tzinfo=UTC)
    for slug in ("vinyl-records-cleaning", "choosing-first-telescope", "museum-forgeries"):
        approve(slug, late)
    row = Row.objects.get(slug="museum-forgeries")
    update(row.slug, late + timedelta(days=1), body=f"{row.body}\nThe frame is on show until June.\n")


def make_tokens() -> dict[str, str]:
    """Return the secrets of new tokens by their names."""
    from blog_engine.services.tokens import create_token

    return {
        name: create_token(f"Agent ({name})", scopes=scopes, expires_at=None, now=FIRST).secret
        for name, scopes in SCOPES.items()
    }


def picture(number: int) -> bytes:
    """Return a JPEG of 1200 by 630 pixels and about 12 kB, another one for each number."""
    made = Picture.new("RGB", (1200, 630), (200, 220 - 9 * number, 190 + 7 * number))
    draw = ImageDraw.Draw(made)
    draw.ellipse((100 + 40 * number, 80, 600, 520), fill=(90, 120, 20 * number))
    draw.rectangle((500, 300, 1100, 480 + 10 * number), fill=(180, 90, 60))
    draw.polygon([(900, 60), (1150, 280), (700, 250 + number)], fill=(60, 60, 160))
    file = BytesIO()
    made.save(file, "JPEG", quality=40)
    return file.getvalue()


def _lay_out(folder: Folder, access: dict[str, Any]) -> None:
    """Write the files that the agent has."""
    (folder.agent / "files").mkdir(parents=True)
    folder.answers.mkdir()
    for name in ("call.py", "tasks.md", "prompt.md"):
        shutil.copy(_HERE / name, folder.agent)
    (folder.agent / "files" / "ferry.jpg").write_bytes(picture(9))
    (folder.agent / "access.json").write_text(json.dumps(access))


if __name__ == "__main__":
    main()
