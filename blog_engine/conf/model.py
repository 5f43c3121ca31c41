"""Every setting of ``BLOG_ENGINE``: name, type, default and meaning."""

import re
from datetime import timedelta
from typing import Annotated, Final, Literal, Self

from django.conf import settings as django_settings
from pydantic import Field, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from blog_engine.conf.brand import Brand
from blog_engine.conf.groups import (
    ARRANGED,
    CallToAction,
    DefaultAuthor,
    Group,
    Look,
    Mcp,
    Notify,
    PageCache,
    PolicyUrls,
    PopularPosts,
    Publisher,
    Rights,
    RouteSegments,
    SocialPictures,
    ThemeColors,
    Versions,
)
from blog_engine.conf.languages import catalogue_of
from blog_engine.conf.types import (
    Count,
    CountOrZero,
    DefaultFormat,
    Diagrams,
    Duration,
    Embeds,
    ImageTypes,
    Issuers,
    LanguageCode,
    Link,
    MarkdownPlugins,
    OptionalCount,
    OptionalText,
    Origin,
    Origins,
    PathPrefixes,
    Pattern,
    PixelCount,
    PublishHook,
    Rate,
    RequestHook,
    Requirement,
    StatedProvenance,
    StorageAlias,
    Template,
    Text,
    ViewMixin,
    WritableFormats,
)
from blog_engine.content.languages import direction_of_language
from blog_engine.enums import BodyFormat, ListKind, Provenance

SET_TWICE: Final = "set_twice"
"""The type of the error for a setting that has two names, and is set under both."""

_AUTOMATIC_READERS = (
    *("bot", "crawler", "spider", "slurp", "preview", "monitor", "curl", "wget", "headless"),
    *("facebookexternalhit", "WhatsApp", "ChatGPT-User", "Claude-User", "Perplexity-User"),
    *("anthropic-ai", "cohere-ai", "Google-InspectionTool"),
)


class BlogSettings(Group):
    """The validated settings of a host, with defaults.

    ``model_fields_set`` names the settings that the host has set. Hooks are kept as written; ``blog_engine.conf`` has
    a function for each that returns the object.
    """

    # Who publishes
    site_name: Text = Field(description="The name of the site.")
    default_author: DefaultAuthor = Field(description="The author of a new post that names none.")
    publisher: Publisher = Field(description="Who publishes the blog.")
    public_base_url: Origin = Field(
        default=None,
        description="The origin of every absolute URL. Without it, the origin of the request is used. "
        "A final `/` is removed.",
    )

    # Pages
    locale: LanguageCode = Field(
        default_factory=lambda: django_settings.LANGUAGE_CODE, description="The language of the reader pages."
    )
    blog_title: Text = Field(default="Blog", description="The title of the index page and of the feeds.")
    blog_tagline: OptionalText = Field(default=None, description="The description of the index page.")
    title_suffix: str = Field(
        default_factory=lambda known: f" — {known['site_name']}",
        description='Appended to the title of every page; `""` for nothing.',
    )
    layout: Template = Field(
        default="blog_engine/layout.html",
        description="The template that every page extends. It needs the blocks `head` and `content`.",
    )
    parent_controller: ViewMixin = Field(
        default=None,
        description="A class that every reader view inherits from first, for login walls, headers and context. "
        "Previews do not inherit from it.",
    )
    route_segments: Annotated[RouteSegments, Requirement("a dictionary of segments that differ from each other")] = (
        Field(
            default=RouteSegments(),
            description="The first path segment of the list pages. Read when the URL patterns are built: a change "
            "needs a restart.",
        )
    )
    posts_per_page: Count = Field(default=12, description="Cards on a page of the index and of the lists.")
    primary_list_type: Literal["categories", "tags"] = Field(
        default="categories", description="The lists that search engines can index and the sitemap contains."
    )
    faq_collapsed: bool = Field(default=True, description="Show FAQ entries closed.")
    call_to_action: CallToAction | None = Field(default=None, description="The call to action below an article.")
    default_social_image_url: Link = Field(default=None, description="The image of shared links to a post without one.")
    social_pictures: SocialPictures = Field(
        default=SocialPictures(),
        description="The pictures of shared links that are drawn for posts without a cover and a social image.",
    )
    favicon_url: Link = Field(
        default=None,
        description="The icon in browser tabs and bookmarks. Without it, the engine's icon is used.",
    )
    touch_icon_url: Link = Field(
        default=None,
        description="The icon on home screens: an opaque PNG, 180 pixels wide and high.",
    )
    policy_urls: PolicyUrls = Field(
        default=PolicyUrls(), description="Pages of the host that replace the engine's policy pages."
    )
    popular_posts: PopularPosts = Field(
        default=PopularPosts(), description="The list of the most viewed posts, beside the index, lists and search."
    )
    public_history: Literal["off", "dates", "names", "full"] = Field(
        default="dates",
        description="What readers see of the history of an article on its page “How this article was made”: nothing; "
        "how it was made, its checks, corrections and dates; also who wrote and reviewed its versions; or also the "
        "text of every version that was public, with the records that prove it, ids of users and tokens included.",
    )
    page_cache: PageCache = Field(
        default=PageCache(), description="Pages that a process keeps, and that shared caches may keep."
    )
    prefetch: bool | None = Field(
        default=None,
        description="Let browsers load the page of a link that a reader is about to open, by Speculation Rules. `None` "
        "lets them while `parent_controller` is not set, which may count requests.",
    )
    look: Look = Field(
        default="default",
        description="The colours, type and shapes of the pages: `plain` (one column, a list of posts), `editorial` "
        "(serif text on warm paper, cards without boxes), `product` (sans-serif type, round panels), or those of the "
        "engine. `theme_colors` and `brand` change each of them.",
    )
    brand: Brand = Field(
        default=Brand(), validate_default=True, description="How the pages look: accent, logo, fonts, links and layout."
    )
    card_art: Literal["none", "quiet", "drawing"] = Field(
        default="none",
        description="What posts without a cover show: nothing (a text card and no banner), shapes in quiet tones, or "
        "a drawing.",
    )
    color_scheme: Literal["system", "light", "dark"] = Field(
        default="system", description="Follow the reader's system, with a switch on the page, or use one mode."
    )
    theme_colors: Annotated[ThemeColors, Requirement("a dictionary of colours, or of `light` and `dark` colours")] = (
        Field(default=ThemeColors(), description="Colours that replace those of the theme, in both modes or in one.")
    )

    rights: Rights = Field(
        default=Rights(), description="The licence of the content, and what machines are asked to do with it."
    )

    # Feeds and sitemap
    feed_content: Literal["summary", "full"] = Field(
        default="summary", description="What feeds contain: the description or the whole article."
    )
    feed_size: Count = Field(default=20, description="Entries in a feed.")
    serve_sitemap: bool = Field(default=True, description="Serve `sitemap.xml`.")

    serve_llms_txt: bool = Field(
        default=True, description="Serve `llms.txt` and `llms-full.txt`, the public posts as text for readers' agents."
    )

    # Writing
    body_formats: WritableFormats = Field(
        default=(BodyFormat.MARKDOWN,), description="The formats that are accepted for bodies."
    )
    default_body_format: DefaultFormat = Field(
        default=BodyFormat.MARKDOWN,
        validate_default=True,
        description="The format of a body that is sent without one. It must be one of `body_formats`.",
    )
    markdown_hardbreaks: bool = Field(default=True, description="Render a newline in Markdown as a line break.")
    markdown_plugins: MarkdownPlugins = Field(
        default=(),
        description="Called with the `MarkdownIt` parser of bodies, to extend it. What they add to the HTML passes the "
        "allow list; the plain text of a body is made without them.",
    )
    diagrams: Diagrams = Field(
        default={},
        description="The module script that draws code blocks in a language, such as "
        '`{"mermaid": "site/mermaid.js"}`. Only pages with such a block load it.',
    )
    embeds: Embeds = Field(
        default=(),
        description="The providers whose content readers can load by a click where a paragraph is a bare URL. Their "
        "hosts have to be in your `frame-src`.",
    )
    max_body_bytes: Count = Field(
        default=262_144, description="The largest body of a post or policy page, in UTF-8 bytes."
    )
    ai_label: Literal["when_required", "always"] = Field(
        default="when_required",
        description="Show the AI notice until an AI-assisted post is approved, or always.",
    )
    default_provenance: StatedProvenance = Field(
        default=Provenance.UNKNOWN,
        description="The provenance of a new post that is sent without one: `ai_assisted`, `human_written` or "
        "`unknown`. `human_written` does not apply to a post that is sent with `made_by_ai`.",
    )
    require_approval: bool = Field(
        default=False, description="Release only content that a reviewer approved with its facts checked."
    )
    approvals_by: Literal["anyone", "people"] = Field(
        default="anyone",
        description="Who approves: any caller with the scope `publish`, under any name, or only people, each under the "
        "name of the own account. With `people`, no other approval fulfils `require_approval` or clears the label. Run "
        "`render_posts` after a change.",
    )
    distinct_reviewer: bool = Field(
        default=False, description="Refuse the approval of a version by the person or token that wrote it."
    )
    approvals_signed: bool = Field(
        default=False,
        description="Accept and count only approvals that a person signs at the desk with a passkey; needs the extra "
        "`passkeys`. Run `render_posts` after a change.",
    )
    before_publish: PublishHook = Field(
        default=None,
        description="Called as `before_publish(post, context)` before a post is released. A non-empty return value "
        "refuses the release and is sent to the client.",
    )
    preview_expires_in: Duration = Field(default=timedelta(days=7), description="How long a preview link is valid.")
    versions: Versions = Field(default=Versions(), description="The versions of drafts that people can go back to.")

    # Images
    storage: StorageAlias = Field(default="default", description="Where image files are kept.")
    image_delivery: Literal["redirect", "proxy"] = Field(
        default="redirect", description="Redirect readers to the URL of the storage, or serve the bytes from here."
    )
    max_image_bytes: Count = Field(default=10_485_760, description="The largest image, in bytes.")
    max_image_pixels: PixelCount = Field(
        default=50_000_000,
        description="The largest image, in pixels over all frames of an animation. Fewer pixels need less memory.",
    )
    image_content_types: ImageTypes = Field(
        default=("image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"),
        description="The image types to accept, out of these five. SVG is never accepted.",
    )
    image_fetch_policy: Literal["public_only", "open"] = Field(
        default="public_only",
        description="Import images from public IP addresses only, or also from internal servers.",
    )

    # Page views and reports
    page_views: bool = Field(default=True, description="Count article views by day, without data about visitors.")
    view_counting: Literal["buffered", "immediate"] = Field(
        default="buffered",
        description="Keep views in the memory of the process for at most 5 seconds and store them together, or store "
        "each view at once.",
    )
    page_view_bot_pattern: Pattern = Field(
        default=re.compile("|".join(map(re.escape, _AUTOMATIC_READERS)), re.IGNORECASE),
        description="A view is not counted when this pattern is found in its `User-Agent`.",
    )
    page_view_retention_days: OptionalCount = Field(
        default=None, description="The days of views that `prune_page_views` keeps; `None` keeps all."
    )
    sign_in_destinations: PathPrefixes = Field(
        default=None,
        description="The paths below which links of an article can lead to a sign-in page, for the surface report. "
        "`[]` declares that there are none.",
    )

    # Webhooks
    notify: Annotated[
        Notify,
        Requirement(
            "a dictionary with keys out of "
            + ", ".join(f"`{name}`" for name in Notify.model_fields)
            + "; receivers need `public_base_url`, different URLs, and `https` unless `private_receivers` is set"
        ),
    ] = Field(default=Notify(), description="Who is told by webhook, WebSub or IndexNow when a public post changes.")

    # Access
    authenticate: RequestHook = Field(
        default=None,
        description="Called as `authenticate(request)` in place of the check for a token. It returns an object with "
        "`name` and optionally `scopes` and `id`, or `None`.",
    )
    oauth_authorization_server: Issuers = Field(
        default=None,
        description="The issuer of the OAuth tokens that `authenticate` accepts, or a list of issuers. Clients of the "
        "agent endpoint are told where to get a token (RFC 9728).",
    )
    api_rate_limit: Rate = Field(
        default="120/m", description="Requests of one actor to the API and the agent endpoint together."
    )
    api_allowed_origins: Origins = Field(
        default=(),
        description="The origins of other sites whose pages can call the API and the agent endpoint in a browser, with "
        "a token. Each is exact: there is no wildcard.",
    )
    search_rate_limit: Rate = Field(default="30/m", description="Searches from one IP address.")
    trusted_proxies: CountOrZero = Field(
        default=0,
        description="How many of the last IP addresses in `X-Forwarded-For` are your own proxies. "
        "Used for limits by IP address.",
    )
    mcp: Mcp = Field(default=Mcp(), description="The endpoint for agents.")
    oauth: bool = Field(
        default=False,
        description="Issue tokens by OAuth, so that agents connect with the URL alone. Needs the extra `oauth`, the "
        "app `oauth2_provider`, and `OAUTH2_PROVIDER = blog_engine.oauth.provider.PROVIDER`.",
    )
    oauth_registration: bool = Field(
        default=True,
        description="Let programs register themselves (RFC 7591). Without it, only those connect that publish their "
        "metadata at a URL, or that an administrator registered.",
    )

    @property
    def language(self) -> str:
        """``locale`` as a language tag of HTML."""
        return self.locale.replace("_", "-")

    @property
    def catalogue(self) -> str:
        """Django's language for messages and dates, such as ``zh-hans`` for ``zh-CN``."""
        return catalogue_of(self.language) or self.language.lower()

    @property
    def direction(self) -> str:
        """The writing direction of the reader pages, ``ltr`` or ``rtl``."""
        return direction_of_language(self.language)

    @property
    def has_public_history(self) -> bool:
        """Whether articles have a page about how they were made."""
        return self.public_history != "off"

    @property
    def primary_list(self) -> ListKind:
        """The kind of list that ``primary_list_type`` names."""
        return ListKind.TAG if self.primary_list_type == "tags" else ListKind.CATEGORY

    @field_validator("brand")
    @classmethod
    def _arrange_by_look(cls, value: Brand, info: ValidationInfo) -> Brand:
        arranged = ARRANGED.get(info.data.get("look", "default"), {})
        return value.model_copy(update={key: arranged[key] for key in arranged.keys() - value.model_fields_set})

    @field_validator("default_body_format")
    @classmethod
    def _check_default_body_format(cls, value: BodyFormat, info: ValidationInfo) -> BodyFormat:
        if value not in info.data.get("body_formats", (value,)):
            raise ValueError("not one of body_formats")
        return value

    @property
    def colors(self) -> ThemeColors:
        """``theme_colors`` with the accent of ``brand``."""
        accent = self.brand.accent
        return self.theme_colors.model_copy(update={"accent": accent}) if accent else self.theme_colors

    @field_validator("notify")
    @classmethod
    def _check_notify(cls, value: Notify, info: ValidationInfo) -> Notify:
        if value.is_on and info.data.get("public_base_url", "") is None:
            raise ValueError("no public_base_url")
        return value

    @model_validator(mode="after")
    def _check_brand(self) -> Self:
        if self.brand.accent and self.theme_colors.accent:
            raise PydanticCustomError(SET_TWICE, "set twice", {"key": "theme_colors.accent", "other": "brand.accent"})
        if self.brand.icon_url and self.favicon_url:
            raise PydanticCustomError(SET_TWICE, "set twice", {"key": "favicon_url", "other": "brand.icon_url"})
        return self
