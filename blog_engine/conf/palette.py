"""Colours that a host changes (reader.md 19, decisions.md 3.25)."""

from typing import Literal

from pydantic import Field

from blog_engine.conf.groups import Group
from blog_engine.conf.types import Color


class Palette(Group):
    """Colours by name; ``""`` means the theme's own colour, or the one that follows from the accent."""

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
        default="", description="Links and buttons; the other accent colours and those of notices follow from it."
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
    warning: Color = Field(default="", description="Alerts that warn.")

    def chosen(self) -> dict[str, str]:
        """The colours that the host set here, by name with underscores."""
        values = {name: getattr(self, name) for name in Palette.model_fields}
        return {name: value for name, value in values.items() if value}


class ThemeColors(Palette):
    """Colours for both modes, and for one mode where ``light`` or ``dark`` holds them."""

    light: Palette = Field(default=Palette(), description="Colours of the light mode only.")
    dark: Palette = Field(default=Palette(), description="Colours of the dark mode only.")

    def for_mode(self, mode: Literal["light", "dark"]) -> dict[str, str]:
        """The host's colours of one mode, by name with underscores; a mode's own colour beats a shared one."""
        own = self.light if mode == "light" else self.dark
        return {**self.chosen(), **own.chosen()}
