"""Settings that are dictionaries, and the colours that they result in."""

import re
from pathlib import Path
from typing import Annotated, Final, Literal, Self, TypeAlias

from django.contrib.staticfiles import finders
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from blog_engine.conf.colors import brand_colors, flatten
from blog_engine.conf.types import (
    Color,
    Count,
    CountOrZero,
    Days,
    EventTypes,
    IndexNowKey,
    KindOfAuthor,
    Link,
    ListLength,
    ReceiverURL,
    Requirement,
    Segment,
    SigningKey,
    Text,
    WebURL,
    tuple_of_list,
)
from blog_engine.enums import AuthorType, EventType, ListKind, PolicyKind

Mode: TypeAlias = Literal["light", "dark"]

THEME: Final = "blog_engine/theme.css"
Look: TypeAlias = Literal["default", "plain", "editorial", "product"]
ARRANGED: Final[dict[str, dict[str, object]]] = {
    "plain": {"cards": "list", "card_style": "plain", "sidebar": False},
    "editorial": {"card_style": "plain", "sidebar": False},
}
"""What a look sets of ``brand`` where the host does not."""

CANVAS: Final[dict[Mode, str]] = {"light": "#ffffff", "dark": "#000000"}
"""The colour that browsers paint behind a page."""
_PROPERTY: Final = re.compile(r"--blog-([a-z0-9-]+):\s*light-dark\((#[0-9a-fA-F]{6}),\s*(#[0-9a-fA-F]{6})\)")


class Group(BaseModel):
    """A dictionary of settings: strict types, no other keys, immutable."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class DefaultAuthor(Group):
    """The author of a new post that is sent without one."""

    name: Text = Field(description="The name.")
    type: KindOfAuthor = Field(default=AuthorType.PERSON, description="A person or an organization.")
    url: WebURL = Field(default=None, description="A page about the author.")
    logo_url: WebURL = Field(default=None, description="The logo of an organization.")


class Publisher(Group):
    """The publisher of the blog."""

    name: Text = Field(description="The name, shown in the footer, in feeds and in structured data.")
    url: WebURL = Field(default=None, description="A page about the publisher.")
    logo_url: WebURL = Field(default=None, description="The publisher's logo, for structured data.")


class RouteSegments(Group):
    """The first path segment of each kind of list page; each is a reserved slug."""

    category: Segment = Field(default="category", description="Category pages.")
    tag: Segment = Field(default="tag", description="Tag pages.")
    author: Segment = Field(default="author", description="Author pages.")
    series: Segment = Field(default="series", description="Series pages.")

    def of(self, kind: ListKind) -> str:
        """Return the segment of a kind of list."""
        segment: str = getattr(self, kind)
        return segment

    def values(self) -> frozenset[str]:
        """Return all four segments."""
        return frozenset({self.category, self.tag, self.author, self.series})

    @model_validator(mode="after")
    def _check_segments_differ(self) -> Self:
        if len(self.values()) < len(type(self).model_fields):
            raise ValueError("two segments are equal")
        return self


class CallToAction(Group):
    """The call to action below an article."""

    title: str = Field(default="", description="The heading; blank for none.")
    text: str = Field(default="", description="The sentence under the heading; blank for none.")
    label: Text = Field(description="The text of the link.")
    url: Text = Field(description="The target of the link. With an unsafe URL, the call to action is not shown.")


class PolicyUrls(Group):
    """Pages of the host that replace the engine's policy pages."""

    responsible_party: Link = Field(default=None, description="Who answers for the content.")
    corrections: Link = Field(default=None, description="How mistakes are corrected.")
    editorial: Link = Field(default=None, description="How content is made and checked.")
    ai_use: Link = Field(default=None, description="How AI is used.")

    def of(self, kind: PolicyKind) -> str | None:
        """Return the configured URL of a kind; ``None`` when it is missing or blank."""
        url: str | None = getattr(self, kind.value)
        return url if url and url.strip() else None


class PopularPosts(Group):
    """The list of the most viewed posts, beside the index, lists and search."""

    enabled: bool = Field(default=False, description="Show the list.")
    days: Days = Field(default=30, description="The days that count, today included.")
    limit: ListLength = Field(default=5, description="The most posts in the list.")


class SocialPictures(Group):
    """The pictures of shared links that the engine draws for posts without an image."""

    enabled: bool = Field(default=True, description="Draw them.")
    fonts: Annotated[
        tuple[Annotated[str, Field(pattern=r"^(/|[A-Za-z]:[\\/])")], ...],
        BeforeValidator(tuple_of_list),
        Requirement("a list of absolute paths"),
    ] = Field(
        default=(),
        description="Font files (TTF, OTF, TTC) or folders of them, used before the engine's own and those of the "
        "system.",
    )


class Mcp(Group):
    """The endpoint for agents."""

    enabled: bool = Field(default=True, description="Serve the endpoint.")
    max_page_size: Count = Field(default=50, description="The largest page that a list tool returns.")
    answer: Literal["full", "short"] = Field(
        default="full", description="How much tools that write posts answer where the call does not say it."
    )


class Rights(Group):
    """The licence of the content, and the wishes about its use by machines."""

    licence: WebURL = Field(default=None, description="The URL of the licence of all posts.")
    search: bool | None = Field(default=None, description="May search engines show it? `None` says nothing.")
    ai_input: bool | None = Field(default=None, description="May AI answer from it? `None` says nothing.")
    ai_train: bool | None = Field(default=None, description="May AI be trained with it? `None` says nothing.")


class PageCache(Group):
    """Pages that a process keeps in memory, and that shared caches may keep."""

    enabled: bool | None = Field(
        default=None,
        description="Keep pages. `None` keeps them while layout and templates are the engine's own, "
        "`parent_controller` is not set and `DEBUG` is off.",
    )
    max_stale: CountOrZero = Field(
        default=0,
        description="For how many seconds a page may be older than the database; 0 compares each page with the "
        "database.",
    )
    max_bytes: Count = Field(default=16_777_216, description="The most bytes that one process keeps.")
    shared_seconds: CountOrZero = Field(
        default=0,
        description="For how many seconds a shared cache, such as nginx or a CDN, may keep a page; 0 for not at all. "
        "Needs `public_base_url`.",
    )


class Webhook(Group):
    """A receiver of signed events."""

    url: ReceiverURL = Field(description="The URL that gets the events by POST.")
    secret: SigningKey = Field(repr=False, description="The secret that signs them.")
    previous_secret: SigningKey | None = Field(
        default=None, repr=False, description="The secret before it, which also signs them while receivers change over."
    )
    events: EventTypes = Field(default=tuple(EventType), description="The events that are sent.")


class Notify(Group):
    """Receivers of public changes: own receivers, a WebSub hub, search engines by IndexNow."""

    webhooks: Annotated[
        tuple[Webhook, ...],
        BeforeValidator(tuple_of_list),
        Requirement(
            "a list of dictionaries with the keys `url`, `secret` (`whsec_` and 24 to 64 bytes in Base64), if not all "
            "are wanted `events`, and while a secret is changed `previous_secret`"
        ),
    ] = Field(default=(), description="The receivers of signed events, each with its own `url`.")
    websub_hub: WebURL = Field(default=None, description="The WebSub hub that is told when the feeds change.")
    indexnow_key: IndexNowKey = Field(
        default=None,
        description="The key with which changed URLs are submitted by IndexNow. The blog serves its key file.",
    )
    indexnow_url: ReceiverURL = Field(
        default="https://api.indexnow.org/indexnow", description="Where they are submitted."
    )
    private_receivers: bool = Field(
        default=False, description="Permit receivers with `http` URLs, and with IP addresses that are not public."
    )
    kept_days: Days = Field(default=30, description="For how many days events that were sent or given up are kept.")
    review_mail: bool = Field(
        default=False, description="Mail users who are asked for a review, or whose post was sent back."
    )

    @property
    def is_on(self) -> bool:
        """Whether anything receives events."""
        return bool(self.webhooks or self.websub_hub or self.indexnow_key)

    @model_validator(mode="after")
    def _check_receivers(self) -> Self:
        urls = [webhook.url for webhook in self.webhooks]
        if len(set(urls)) < len(urls):
            raise ValueError("two receivers have one URL")
        if not self.private_receivers and not all(
            url.startswith("https://") for url in (*urls, self.websub_hub or "https://", self.indexnow_url)
        ):
            raise ValueError("an http URL")
        return self


class Versions(Group):
    """The versions of drafts."""

    days: Days = Field(default=90, description="For how many days a version of a draft is kept.")


class Palette(Group):
    """Colours by name; ``""`` for that of the theme, or one derived from the accent."""

    surface: Color = Field(default="", description="The page.")
    surface_raised: Color = Field(default="", description="Cards and panels.")
    surface_sunken: Color = Field(default="", description="Areas behind the page.")
    heading: Color = Field(default="", description="Headings.")
    text: Color = Field(default="", description="Text.")
    text_muted: Color = Field(default="", description="Secondary text.")
    text_subtle: Color = Field(default="", description="Small print.")
    border: Color = Field(default="", description="Quiet lines.")
    border_strong: Color = Field(default="", description="Lines that must be seen.")
    accent: Color = Field(
        default="", description="Links and buttons; the other accent colours and those of notices are derived from it."
    )
    accent_hover: Color = Field(default="", description="Links and buttons under the pointer.")
    accent_soft: Color = Field(default="", description="Quiet areas in the accent colour.")
    accent_contrast: Color = Field(default="", description="Text on the accent colour.")
    accent_2: Color = Field(default="", description="The second accent colour.")
    accent_2_soft: Color = Field(default="", description="Quiet areas in the second accent colour.")
    code_bg: Color = Field(default="", description="Behind code.")
    code_text: Color = Field(default="", description="Code.")
    code_border: Color = Field(default="", description="Lines around code.")
    notice_bg: Color = Field(default="", description="Behind notices.")
    notice_border: Color = Field(default="", description="Lines around notices.")
    notice_text: Color = Field(default="", description="Text of notices.")
    note: Color = Field(default="", description="Alerts that note something.")
    tip: Color = Field(default="", description="Alerts that give a tip.")
    important: Color = Field(default="", description="Alerts that say something important.")
    warning: Color = Field(default="", description="Alerts that warn.")
    caution: Color = Field(default="", description="Alerts of a danger; corrections and previews.")
    caution_soft: Color = Field(default="", description="Behind corrections and previews.")

    def chosen(self) -> dict[str, str]:
        """Return the colours that the host has set, by name with underscores."""
        values = {name: getattr(self, name) for name in Palette.model_fields}
        return {name: value for name, value in values.items() if value}


class ThemeColors(Palette):
    """Colours of both modes; those in ``light`` and ``dark`` are of one mode."""

    light: Palette = Field(default=Palette(), description="Colours of the light mode only.")
    dark: Palette = Field(default=Palette(), description="Colours of the dark mode only.")

    def for_mode(self, mode: Literal["light", "dark"]) -> dict[str, str]:
        """Return the host's colours of a mode, by name with underscores.

        A colour of the mode takes precedence over one of both modes.
        """
        own = self.light if mode == "light" else self.dark
        return {**self.chosen(), **own.chosen()}


_STATIC: Final = Path(__file__).parents[1] / "static"


def colors_in(stylesheet: str) -> dict[Mode, dict[str, str]]:
    """Return the colours that a style sheet sets for both modes, by name."""
    found = _PROPERTY.findall(stylesheet)
    return {
        "light": {name.replace("-", "_"): light for name, light, _ in found},
        "dark": {name.replace("-", "_"): dark for name, _, dark in found},
    }


def theme_colors(mode: Mode, *, look: Look = "default") -> dict[str, str]:
    """Return all colours of a mode as without the setting ``theme_colors``.

    They are those of the host's style sheets if these replace the engine's.
    """
    names = [THEME] if look == "default" else [THEME, sheet_of(look)]
    colors: dict[str, str] = {}
    for name in names:
        found = finders.find(name)
        for path in (_STATIC / name, *([Path(found)] if found else [])):
            colors |= colors_in(path.read_text("utf-8"))[mode]
    return colors


def sheet_of(look: Look) -> str:
    """Return the path of the style sheet of a look below ``STATIC_URL``; empty for that of the engine."""
    return "" if look == "default" else f"blog_engine/look-{look}.css"


def host_colors(colors: ThemeColors, mode: Mode, *, look: Look = "default") -> dict[str, str]:
    """Return the colours of a mode that differ from the theme's, by name.

    They are those that the host has set and those derived from its accent. An accent for both modes is adapted to be
    readable in each; one for this mode is used as it is.
    """
    chosen = colors.for_mode(mode)
    if "accent" not in chosen:
        return chosen
    known = theme_colors(mode, look=look) | chosen
    surface = flatten(known["surface"], CANVAS[mode])
    opaque = {name: flatten(color, surface) for name, color in known.items()}
    is_exact = bool((colors.light if mode == "light" else colors.dark).accent)
    derived = brand_colors(chosen.pop("accent"), opaque, is_exact=is_exact)
    return derived | chosen
