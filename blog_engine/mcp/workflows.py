"""The packaged workflows: prompts, and skills of the extension ``io.modelcontextprotocol/skills`` (SEP-2640)."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import yaml

from blog_engine.mcp.protocol import (
    INVALID_PARAMS,
    MARKDOWN,
    Exchange,
    Params,
    ProtocolError,
    Result,
    refuse_cursor,
    string_param,
    unknown_name,
)

_WORKFLOWS = ("install", "publish", "update", "adopt", "policy-pages", "report")
_FENCE = "---\n"


@dataclass(frozen=True, slots=True)
class Workflow:
    """A workflow as its file has it."""

    name: str
    front_matter: Mapping[str, Any]
    text: str
    """The Markdown after the front matter."""
    file: bytes
    """The whole ``SKILL.md``, whose digest clients check."""

    @property
    def title(self) -> str:
        """The name in words."""
        return self.name.replace("-", " ").capitalize()

    @property
    def description(self) -> str:
        """The purpose of the workflow, and when to use it."""
        description: str = self.front_matter["description"]
        return description

    @property
    def uri(self) -> str:
        """The URI of its file as a resource."""
        return f"skill://{self.name}/SKILL.md"

    def as_resource(self) -> Result:
        """Return the description of its file in lists of resources."""
        return {
            "uri": self.uri,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "mimeType": MARKDOWN,
            "size": len(self.file),
        }

    def as_skill(self) -> Result:
        """Return its entry in lists of skills, with the digest of its only file."""
        digest = hashlib.sha256(self.file).hexdigest()
        return {
            "uri": self.uri,
            "frontmatter": dict(self.front_matter),
            "resources": [{"uri": self.uri, "digest": f"sha256:{digest}", "size": len(self.file)}],
        }


@cache
def workflows() -> Mapping[str, Workflow]:
    """Return the workflows by name, in the order in which a publisher needs them."""
    return MappingProxyType({name: _workflow(name) for name in _WORKFLOWS})


def _workflow(name: str) -> Workflow:
    file = files("blog_engine").joinpath("skills", name, "SKILL.md").read_bytes()
    _, front_matter, text = file.decode().split(_FENCE, 2)
    return Workflow(name, yaml.safe_load(front_matter), text.strip(), file)


def list_prompts(params: Params, exchange: Exchange) -> Result:
    """Answer ``prompts/list``."""
    refuse_cursor(params)
    return {
        "prompts": [
            {"name": each.name, "title": each.title, "description": each.description} for each in workflows().values()
        ]
    }


def get_prompt(params: Params, exchange: Exchange) -> Result:
    """Answer ``prompts/get``."""
    workflow = workflow_named(string_param(params, "name", must_be="the name of a prompt"))
    text = {"type": "text", "text": workflow.text}
    return {"description": workflow.description, "messages": [{"role": "user", "content": text}]}


def workflow_named(name: str) -> Workflow:
    """Return the workflow of a prompt; raises ``ProtocolError`` for an unknown name."""
    if name not in workflows():
        raise unknown_name("prompt", name, known=workflows())
    return workflows()[name]


def list_skills(params: Params, exchange: Exchange) -> Result:
    """Answer ``skills/list``."""
    refuse_cursor(params)
    return {"skills": [each.as_skill() for each in workflows().values()]}


def get_skill(params: Params, exchange: Exchange) -> Result:
    """Answer ``skills/get``."""
    uri = string_param(params, "uri", must_be="the URI of a skill such as skill://publish/SKILL.md")
    skill = skill_at(uri)
    if skill is None:
        raise ProtocolError(
            INVALID_PARAMS, "No skill has this URI. skills/list has the URIs of all skills.", data={"uri": uri}
        )
    return {"skill": skill.as_skill()}


def skill_at(uri: str) -> Workflow | None:
    """Return the skill whose file has this URI, or ``None``."""
    return next((each for each in workflows().values() if each.uri == uri), None)
