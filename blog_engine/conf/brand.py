"""The setting ``brand``: how the pages of a host look, without a template."""

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field

from blog_engine.conf.groups import Group
from blog_engine.conf.types import AbsoluteURL, Color, Link, Requirement, Text, tuple_of_list
from blog_engine.enums import ShareTarget

_LABELLED: Final = "a list of dictionaries with the keys `label` and `url`"
_PART: Final = "[A-Za-z0-9_@-][A-Za-z0-9._@-]*"


class BrandLink(Group):
    """A link of the host, as it is configured."""

    label: Text = Field(description="The text of the link.")
    url: Text = Field(description="An http(s) URL or a path on this site. With an unsafe URL, the link is not shown.")


class FontFile(Group):
    """One file of a font family, in WOFF2."""

    path: Annotated[
        str,
        Field(pattern=rf"^({_PART}/)*{_PART}\.woff2$"),
        Requirement("a path below `STATIC_URL` that ends in `.woff2`"),
    ] = Field(description="The path of the file below `STATIC_URL`.")
    weight: Annotated[
        str,
        Field(pattern=r"^[1-9][0-9]{0,2}( [1-9][0-9]{0,2})?$"),
        Requirement('text with a weight or a range, as `"400"` or `"100 900"`'),
    ] = Field(default="400", description="The weight, or the range of a variable font.")
    style: Literal["normal", "italic"] = Field(default="normal", description="The style.")


class Font(Group):
    """A font family, with the files that the host serves itself."""

    family: Annotated[
        str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 _-]{0,63}$"), Requirement("the name of a font family")
    ] = Field(description="The name of the family.")
    files: Annotated[
        tuple[FontFile, ...],
        BeforeValidator(tuple_of_list),
        Requirement("a list of dictionaries with the keys `path`, and if needed `weight` and `style`"),
    ] = Field(default=(), description="Its files; none for a font of the reader's system.")
    fallback: Literal["sans-serif", "serif", "monospace"] = Field(
        default="sans-serif", description="The kind of font used while it loads, and in its place."
    )


class Fonts(Group):
    """The fonts of a page; ``None`` for that of the theme."""

    heading: Font | None = Field(default=None, description="The font of headings.")
    text: Font | None = Field(default=None, description="The font of articles.")
    ui: Font | None = Field(
        default=None,
        description="The font of navigation, labels and summaries. Without it that of articles if its `fallback` is "
        "`sans-serif`, else that of the theme.",
    )
    code: Font | None = Field(default=None, description="The font of code.")

    def by_role(self) -> dict[str, Font]:
        """Return the fonts that the host chose, by the name that the theme has for their use."""
        text = self.text
        ui = self.ui or (text if text and text.fallback == "sans-serif" else None)
        chosen = {"display": self.heading, "body": text, "ui": ui, "mono": self.code}
        return {role: font for role, font in chosen.items() if font}

    def paths(self) -> list[str]:
        """Return the paths of all font files."""
        return [file.path for font in self.by_role().values() for file in font.files]


LinkList: TypeAlias = Annotated[tuple[BrandLink, ...], BeforeValidator(tuple_of_list), Requirement(_LABELLED)]
Stylesheets: TypeAlias = Annotated[
    tuple[Annotated[str, Field(pattern=rf"^({_PART}/)*{_PART}\.css$")], ...],
    BeforeValidator(tuple_of_list),
    Requirement("a list of paths below `STATIC_URL` that end in `.css`"),
]


def _each_once(targets: tuple[ShareTarget, ...]) -> tuple[ShareTarget, ...]:
    if len(set(targets)) < len(targets):
        raise ValueError("a target is named twice")
    return targets


ShareTargets: TypeAlias = Annotated[
    tuple[Annotated[ShareTarget, Field(strict=False)], ...],
    BeforeValidator(tuple_of_list),
    AfterValidator(_each_once),
    Requirement(f"a list out of {', '.join(f'`{target}`' for target in ShareTarget)}, each at most once"),
]


class Brand(Group):
    """The look of a host."""

    accent: Color = Field(default="", description="The colour of links and buttons, from which others are derived.")
    logo_url: Link = Field(
        default=None,
        description="The logo in the header, in a square before the name of the site. With `logo_has_name`, up to five "
        "times as wide as high.",
    )
    logo_dark_url: Link = Field(default=None, description="The logo in dark mode.")
    logo_has_name: bool = Field(default=False, description="The logo shows the name, which is then not written out.")
    icon_url: Link = Field(default=None, description="The icon in browser tabs, in place of `favicon_url`.")
    fonts: Fonts = Field(default=Fonts(), description="The fonts of headings, articles, navigation and code.")
    stylesheets: Stylesheets = Field(
        default=(), description="Own stylesheets, by their paths below `STATIC_URL`; loaded after those of the blog."
    )
    navigation: LinkList = Field(default=(), description="Links in the header, before those of the blog.")
    footer_links: LinkList = Field(default=(), description="Links in the footer.")
    social_links: Annotated[
        tuple[AbsoluteURL, ...], BeforeValidator(tuple_of_list), Requirement("a list of absolute http(s) URLs")
    ] = Field(default=(), description="Profiles of the publisher, in the footer and in structured data.")
    cards: Literal["grid", "list"] = Field(
        default="grid", description="How lists arrange posts: as a grid of cards, or one below the other."
    )
    card_style: Literal["panel", "plain"] = Field(
        default="panel", description="Cards with a background and a border, or without."
    )
    sidebar: bool = Field(default=True, description="Show the sidebar beside the index, lists and search.")
    share: ShareTargets = Field(
        default=tuple(ShareTarget), description="Where articles can be shared, in order; `[]` for nowhere."
    )
    progress: bool = Field(default=True, description="Show on articles how far one has read.")

    def static_paths(self) -> list[str]:
        """Return the paths of all files of the host below ``STATIC_URL``, each once."""
        return list(dict.fromkeys([*self.stylesheets, *self.fonts.paths()]))
