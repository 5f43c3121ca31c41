"""The house style at the desk."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from blog_engine import services
from blog_engine.admin.post_fields import RowsField
from blog_engine.admin.records import RecordFormView, long_text_field
from blog_engine.content.terms import AvoidedTerm
from blog_engine.errors import Refusal, RevisionMismatch
from blog_engine.inputs.base import parse
from blog_engine.inputs.house_style import (
    LONGEST_TERM,
    MOST_SECTIONS,
    MOST_TERMS,
    MOST_WORDS_OF_TERM,
    SaveHouseStyle,
    contradiction_in,
    is_findable,
)
from blog_engine.inputs.types import LARGEST_INTEGER, SHORT_TEXT
from blog_engine.models import HouseStyle
from blog_engine.queries.house_style import house_styles
from blog_engine.queries.records import categories

Rows = tuple[tuple[str, ...], ...]

NUMBERS = ("least_words", "most_words", "least_description", "most_description", "least_sources")


class _OptionalRows(RowsField):
    """Rows of which only the first text is needed."""

    def __init__(self, *columns: str, most: int, **options: Any) -> None:
        super().__init__(*columns, is_one_line=True, **options)
        self._most = most

    def to_python(self, value: Iterable[Iterable[str]] | None) -> Rows:
        return tuple(tuple(text.strip() for text in row) for row in super().to_python(value))

    def validate(self, value: Rows) -> None:
        if len(value) > self._most:
            raise ValidationError(_("At most %(most)d entries.") % {"most": self._most})
        for number, row in enumerate(value, start=1):
            if any("\0" in text or len(text) > SHORT_TEXT for text in row):
                raise _fault(number, _("a text has at most %(most)d characters.") % {"most": SHORT_TEXT})
            if not row[0]:
                raise _fault(number, _("fill in the first text, or empty the others."))


def _fault(number: int, sentence: str) -> ValidationError:
    return ValidationError(_("Entry %(number)d: %(sentence)s"), params={"number": number, "sentence": sentence})


def _number_field(label: Any, help_text: Any = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=1,
        max_value=LARGEST_INTEGER,
        help_text=help_text,
        widget=forms.NumberInput(attrs={"class": "vIntegerField", "inputmode": "numeric"}),
    )


class HouseStyleForm(forms.Form):
    """All rules; what is blank is no rule."""

    tone = long_text_field(
        gettext_lazy("Tone"),
        rows=8,
        help_text=gettext_lazy(
            "How posts are written, in Markdown. Agents read it before they write; nothing checks it."
        ),
    )
    terms = _OptionalRows("term_avoid", "term_use", "term_reason", most=MOST_TERMS, label=gettext_lazy("Terms"))
    least_words = _number_field(gettext_lazy("Fewest words of a text"))
    most_words = _number_field(gettext_lazy("Most words of a text"))
    least_description = _number_field(gettext_lazy("Fewest characters of a description"))
    most_description = _number_field(gettext_lazy("Most characters of a description"))
    least_sources = _number_field(
        gettext_lazy("Fewest sources"), gettext_lazy("Links to different pages on other sites.")
    )
    sections = _OptionalRows(
        "section_heading", "section_category", most=MOST_SECTIONS, label=gettext_lazy("Headings that posts need")
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    """The version of the house style that the user began with."""

    def __init__(self, *args: Any, categories: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.categories = categories

    @property
    def faulty(self) -> dict[str, int]:
        """The number of the row at fault, by the name of its field."""
        found = {name: faults[0].params for name, faults in self.errors.as_data().items()}
        return {name: params["number"] for name, params in found.items() if params and "number" in params}

    @property
    def category_keys(self) -> set[str]:
        """The ids of the categories, as the form sends them."""
        return {key for key, _name in self.categories}

    @property
    def numbers(self) -> list[forms.BoundField]:
        """The fields of limits."""
        return [self[name] for name in NUMBERS]

    def clean_terms(self) -> Rows:
        """Return the terms; raises ``ValidationError`` for one that is too long or contradicts another rule."""
        rows: Rows = self.cleaned_data["terms"]
        for number, row in enumerate(rows, start=1):
            if not (is_findable(row[0]) and is_findable(row[1])):
                limits = {"words": MOST_WORDS_OF_TERM, "characters": LONGEST_TERM}
                sentence = _("a term has at most %(words)d words and %(characters)d characters.") % limits
                raise _fault(number, sentence)
        position = contradiction_in([AvoidedTerm(avoid, use) for avoid, use, _reason in rows])
        if position is not None:
            raise _fault(position + 1, _("another entry avoids this term, or asks for it."))
        return rows

    def clean_sections(self) -> Rows:
        """Return the headings; raises ``ValidationError`` for a category that does not exist."""
        rows: Rows = self.cleaned_data["sections"]
        for number, (_heading, category) in enumerate(rows, start=1):
            if category and category not in self.category_keys:
                raise _fault(number, _("the category does not exist any more: choose another one."))
        return rows

    def clean(self) -> dict[str, Any]:
        for least, most in (("least_words", "most_words"), ("least_description", "most_description")):
            fewest, largest = self.cleaned_data.get(least), self.cleaned_data.get(most)
            if fewest and largest and fewest > largest:
                self.add_error(most, _("Enter a number that is at least the fewest."))
        return self.cleaned_data


class SaveHouseStyleView(RecordFormView):
    """The form of the house style."""

    form_class = HouseStyleForm
    template = "house_style.html"
    explanation = gettext_lazy(
        "The rules of this blog. Writers see in the findings of a post what does not follow them, and agents read "
        "them before they write. They stop no one from publishing."
    )

    @cached_property
    def record(self) -> HouseStyle:
        """The house style; one that is not stored if none was written."""
        if self.kwargs["object_id"] != 1:
            raise Http404
        return house_styles().first() or HouseStyle()

    def make_form(self, data: Any = None, files: Any = None) -> forms.Form:
        listed = [(str(pk), name) for pk, name in categories().order_by("name").values_list("pk", "name")]
        return HouseStyleForm(data, initial=self.initial(), categories=listed)

    def initial(self) -> dict[str, Any]:
        rules = self.record.rules
        shown = {name: rules.get(name) for name in ("tone", *NUMBERS)}
        terms = tuple((one["avoid"], one["use"], one["reason"]) for one in rules.get("terms", ()))
        sections = tuple((one["heading"], str(one["category"] or "")) for one in rules.get("sections", ()))
        return {**shown, "terms": terms, "sections": sections, "seen": self.record.version}

    def save(self, form: forms.Form) -> HouseStyle:
        sent = {name: value for name, value in form.cleaned_data.items() if value not in (None, "")}
        seen = sent.pop("seen", "")
        sent["terms"] = [dict(zip(("avoid", "use", "reason"), row, strict=True)) for row in sent["terms"]]
        sent["sections"] = [
            {"heading": heading, "category": int(category) if category else None}
            for heading, category in sent["sections"]
        ]
        saved = services.save_house_style(
            parse(SaveHouseStyle, sent), actor=self.actor, now=self.now, expected_version=seen
        )
        names = [str(form.fields[name].label) for name in form.changed_data if name != "seen"]
        if names:
            self.model_admin.log_change(self.request, saved, [{"changed": {"fields": names}}])
        return saved

    def answer(self, saved: HouseStyle) -> HttpResponse:
        text = _("The house style was saved.") if saved.version else _("The blog has no house style now.")
        return self.done(text, "change", saved.pk)

    def add_refusal(self, form: forms.Form, refusal: Refusal) -> None:
        if not isinstance(refusal, RevisionMismatch):
            super().add_refusal(form, refusal)
            return
        form.add_error(
            None,
            _("Somebody saved the house style in the meantime. Open the page again in another tab and compare."),
        )

    def heading(self) -> str:
        return _("House style")

    def links(self) -> list[tuple[str, str]]:
        return [(self.url("history", 1), pgettext("admin", "History"))] if self.record.version else []
