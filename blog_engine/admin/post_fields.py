"""Form fields of the editor: texts as browsers send them, comma-separated names, and rows of texts."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from blog_engine.content.text import fold
from blog_engine.inputs.types import LONGEST_LIST, LONGEST_TEXT, SHORT_TEXT

MOST_ROWS: Final = 200
"""Longer lists are not shown: Django accepts a thousand fields in one form."""


OWN_DIRECTION: Final = {"dir": "auto"}
"""The attribute of a control whose text may run in another direction than the page."""


class LineField(forms.CharField):
    """A text in one line, without line ends and without white space around it, as browsers send it.

    It can be blank, and has at most 255 characters, unless a form says otherwise.
    """

    def __init__(self, label: Any = None, help_text: Any = "", **options: Any) -> None:
        super().__init__(label=label, help_text=help_text, **{"required": False, "max_length": SHORT_TEXT, **options})

    def to_python(self, value: Any) -> Any:
        return super().to_python(re.sub(r"[\r\n]", "", value) if isinstance(value, str) else value)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**({} if widget.is_hidden else OWN_DIRECTION), **super().widget_attrs(widget)}


class LinesField(forms.CharField):
    """A text of several lines, whose ends are line feeds whatever the browser sends. It can be blank."""

    def __init__(self, label: Any, help_text: Any = "", *, rows: int, **options: Any) -> None:
        area = forms.Textarea(attrs={"rows": rows, **OWN_DIRECTION})
        limits = {"required": False, "max_length": LONGEST_TEXT, **options}
        super().__init__(label=label, help_text=help_text, strip=False, widget=area, **limits)

    def to_python(self, value: Any) -> Any:
        text = value.replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else value
        return super().to_python(text)


SEPARATORS: Final = re.compile("[,\N{FULLWIDTH COMMA}\N{IDEOGRAPHIC COMMA}\N{ARABIC COMMA}\N{ARABIC SEMICOLON}]")
"""The commas of every language of the interface, and what Arabic writers separate lists with."""


class NamesField(LineField):
    """Names separated by commas; its value is a tuple, without those that are the same name."""

    def to_python(self, value: Any) -> tuple[str, ...]:  # type: ignore[override]  # names instead of their text
        text = ", ".join(value) if isinstance(value, tuple) else value
        names = (name.strip() for name in SEPARATORS.split(str(super().to_python(text))))
        spellings: dict[str, str] = {}
        for name in names:
            if name:
                spellings.setdefault(fold(name), name)
        return tuple(spellings.values())

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, tuple) else value

    def run_validators(self, value: Any) -> None:
        if self.disabled:
            return
        super().run_validators(", ".join(value))
        if len(value) > LONGEST_LIST:
            raise ValidationError(_("At most %(most)d entries can be edited here.") % {"most": LONGEST_LIST})
        if any(len(name) > SHORT_TEXT for name in value):
            raise ValidationError(_("A tag has at most 255 characters."))


class MinuteField(forms.DateTimeField):
    """A time to the minute, in the time zone of the site; it can be blank, and is then ``None``."""

    def __init__(self, **options: Any) -> None:
        control = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(required=False, widget=control, **options)

    def to_python(self, value: Any) -> datetime | None:
        found = super().to_python(value)
        # As the control shows it, so that a time with seconds does not count as changed.
        return None if found is None else found.replace(second=0, microsecond=0)


class _Columns(forms.Widget):
    """Reads rows of inputs that have the same names in each row; the template of the page draws them."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self.names = names

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> tuple[tuple[str, ...], ...]:
        if not isinstance(data, MultiValueDict):
            return ()
        columns = [data.getlist(one) for one in self.names]
        # A browser sends every input of a row, so that columns of different lengths are not from this page.
        # Blank rows are left out here, so that a form with errors does not show them again.
        return tuple(row for row in zip(*columns, strict=False) if any(text.strip() for text in row))

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return not any(one in data for one in self.names)


class RowsField(forms.Field):
    """Rows of texts; blank rows are left out, and half a row is refused."""

    def __init__(self, *columns: str, is_one_line: bool = False, **options: Any) -> None:
        super().__init__(required=False, widget=_Columns(columns), **options)
        self._ends = "" if is_one_line else "\n"

    def to_python(self, value: Iterable[Iterable[str]] | None) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(re.sub(r"\r\n|\r|\n", self._ends, text) for text in row) for row in value or ())

    def validate(self, value: tuple[tuple[str, ...], ...]) -> None:
        if self.disabled:
            return
        if len(value) > MOST_ROWS:
            raise ValidationError(_("At most %(most)d entries can be edited here.") % {"most": MOST_ROWS})
        for number, row in enumerate(value, start=1):
            if any("\0" in text for text in row):
                raise ValidationError(pgettext("admin", "Null characters are not allowed."))
            if not all(text.strip() for text in row):
                raise ValidationError(_("Entry %(number)d is half empty: fill in both texts.") % {"number": number})
