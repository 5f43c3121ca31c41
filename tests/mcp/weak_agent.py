"""A weak agent: its blog, its calls, and the next call that it makes out of the words of a refusal."""

import json
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

from blog_engine.models import Author, Category, Post
from tests.support.clients import call_of, client_with
from tests.support.clients import post as send
from tests.support.factories import publish, save, store_image, update

Arguments = dict[str, Any]
BODY = """What it costs to keep a boat.

## Notes

What to remember when it rains: a rope, a lamp. The rope is old.

Take the lamp. Leave the rope.
"""


@dataclass(frozen=True)
class Blog:
    """A small blog: a public post, which had another slug before, its author and category, a draft and an image."""

    public: Post
    draft: Post
    author: int
    category: Category
    image: int

    @classmethod
    def make(cls) -> "Blog":
        first = publish(save(title="Fog and rain", slug="fog", body=BODY, category="History", author="Ada").post).post
        public = update(first, slug="fog-and-rain").post
        draft = save(title="Sharpening kitchen knives", slug="sharpening-kitchen-knives", body=BODY).post
        author = Author.objects.get(name="Ada").pk
        return cls(public, draft, author, Category.objects.get(name="History"), store_image().pk)


@dataclass
class Next:
    """The next call; ``stops`` if a person has to act first."""

    tool: str
    arguments: Arguments
    stops: bool = False


def next_call(tool: str, arguments: Arguments, message: str) -> Next:
    """Return the call that a message leads to, by the first of the ways that it names."""
    found = Next(tool, deepcopy(arguments))
    for pattern, follow in WAYS:
        if match := re.search(pattern, message):
            follow(found, match, message)
            return found
    pytest.fail(f"the message names no way out: {message}")


def stop(call: Next, match: re.Match[str], message: str) -> None:
    call.stops = True


def rename(call: Next, match: re.Match[str], message: str) -> None:
    names = {old: new for new, old in re.findall(r"(\w+) instead of (\w+)", message)}
    call.arguments = {names.get(key, key): value for key, value in call.arguments.items()}
    if "edits" in call.arguments:
        call.arguments["edits"] = [
            {names.get(key, key): value for key, value in edit.items()} for edit in call.arguments["edits"]
        ]


def leave_out(call: Next, match: re.Match[str], message: str) -> None:
    del call.arguments[match[1] or match[2]]


def set_status(call: Next, match: re.Match[str], message: str) -> None:
    """Take the call that does what the field said, if the post is stored; a new draft only leaves it out."""
    wanted = call.arguments.pop(match[1])
    if "id" in call.arguments:
        does = {"published": "publishes", "draft": "makes a post a draft", "archived": "archives"}[wanted]
        tool = re.search(rf"(blog_\w+) or \w+ \S+ {does}", message)
        assert tool is not None
        call.tool = tool[1]


def flatten(call: Next, match: re.Match[str], message: str) -> None:
    call.arguments |= call.arguments.pop(match[1])


def keep_one(call: Next, match: re.Match[str], message: str) -> None:
    call.arguments[match[2]] = {match[1]: call.arguments[match[2]][match[1]]}


def replaced(name: str, value: Callable[[Arguments, re.Match[str]], object]) -> Callable[..., None]:
    def follow(call: Next, match: re.Match[str], message: str) -> None:
        call.arguments[name] = value(call.arguments, match)

    return follow


def name_post(call: Next, match: re.Match[str], message: str) -> None:
    field = next(name for name in ("translation_of", "id", "post", "slug") if name in call.arguments)
    call.arguments[field] = match[1]


def in_first_edit(name: str, value: Callable[[re.Match[str]], object]) -> Callable[..., None]:
    def follow(call: Next, match: re.Match[str], message: str) -> None:
        call.arguments["edits"][0][name] = value(match)

    return follow


def other_tool(call: Next, match: re.Match[str], message: str) -> None:
    call.tool = match[1]
    if (more := match[2]) and ": true" in more:
        call.arguments[more.split()[1].rstrip(":")] = True


def edit_by_id(call: Next, match: re.Match[str], message: str) -> None:
    call.tool = match[1]


def convert(call: Next, match: re.Match[str], message: str) -> None:
    name, kind = match[1], match[2]
    sent = call.arguments[name]
    call.arguments[name] = True if kind.startswith("true") else sent.split(", ") if isinstance(sent, str) else [sent]


WAYS: tuple[tuple[str, Callable[[Next, re.Match[str], str], None]], ...] = (
    (r"with propose: true", replaced("propose", lambda sent, match: True)),
    (r"leave the approval out unless", lambda call, match, message: call.arguments.pop("approval", None) or None),
    (r"Leave (\w+) out: blog_publish_post", set_status),
    (r"Send what is in (\w+) as fields", flatten),
    (r"Send exactly one of (image_id), signed_id, url as (\w+)", keep_one),
    (r"(\w+) instead of (\w+)", rename),
    (r"Unknown tool. Did you mean (blog_\w+)( with [^?]*)?\?", other_tool),
    (r"(blog_update_post) or \S+ \S+ edits the post with an id", edit_by_id),
    (r"The nearest passage is: (.*)\Z", in_first_edit("old", lambda match: match[1])),
    (r"send occurrence from (\d+)", in_first_edit("occurrence", lambda match: int(match[1]))),
    (r"must be text that is not empty", stop),
    (r"The post that had this slug has (\S+) now", name_post),
    (r"Did you mean ([\w-]+)\? Or list", name_post),
    (r"send body\.", lambda call, match, message: call.arguments.update(body="Text.") or call.arguments.pop("edits")),
    (r"[Ll]eave (\w+) out|Leave out (\w+): the call", leave_out),
    (r"(\w+) must be [^.]*(?:, or left out)", leave_out),
    (r"(\w+) goes with \w+: send", leave_out),
    (r"(\w+) does not go with \w+: leave one", leave_out),
    (r"must be substantive, correction or (maintenance)|Send change as [^.]* or (maintenance)",
     replaced("change", lambda sent, match: match[1] or match[2])),
    (r"change must be (correction)", replaced("change", lambda sent, match: match[1])),
    (r"Send (note)", replaced("note", lambda sent, match: "The rope was old.")),
    (r"The \w+ with id (\d+) has", replaced("id", lambda sent, match: match[1])),
    (r"present content has (\w{64})", replaced("revision_identifier", lambda sent, match: match[1])),
    (r"The post has version \d+ and revision (\w{64})", replaced("expected_revision", lambda sent, match: match[1])),
    (r"(\w+) must be (a list|true or false)[^;]*, not", convert),
    (r"q must be 2 to 100 characters", replaced("q", lambda sent, match: "rope")),
    (r"(?:Give (?:this|a) .* to a person|A person (?:decides|reviews)|[Aa]sk a person)", stop),
)  # fmt: skip


EDIT = {"old": "Take the lamp.", "new": "Take a lamp."}
APPROVAL = {"name": "Grace", "facts_checked": True}


def of(tool: str, /, *, scopes: str = "rwp", **arguments: Any) -> Callable[[Blog], tuple[str, Arguments, str]]:
    """Return a row: a call, whose texts in braces are values of the blog."""

    def call(blog: Blog) -> tuple[str, Arguments, str]:
        known = {
            "<public>": str(blog.public.pk),
            "<draft>": str(blog.draft.pk),
            "<revision>": blog.draft.current_revision_identifier,
            "<author>": blog.author,
            "<category>": blog.category.pk,
            "<image>": blog.image,
        }
        filled = json.loads(json.dumps(arguments), object_hook=lambda found: _filled(found, known))
        return tool if tool.startswith("blog_") else f"blog_{tool}", filled, scopes

    return call


def _filled(found: Mapping[str, Any], known: Mapping[str, Any]) -> Arguments:
    return {key: known.get(value, value) if isinstance(value, str) else value for key, value in found.items()}


SCOPES = {"r": "read", "w": "write", "p": "publish"}


def answer_of(scopes: str, tool: str, arguments: Arguments) -> tuple[str, str]:
    """Return the code and the message of a refusal, both empty for an answer."""
    client = client_with(*(SCOPES[one] for one in scopes))
    response = send(client, call_of(tool, arguments)).json()
    if "error" in response:
        return "unknown tool", response["error"]["message"]
    error = response["result"]["structuredContent"].get("error", {})
    return error.get("code", ""), error.get("message", "")
