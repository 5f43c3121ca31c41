"""The form of a post: its fields, what they show of a stored post, and the input that follows from what was changed."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, ClassVar, Final, cast

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import URLValidator
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from blog_engine.admin._origin_words import ASK_FOR_ORIGIN, ORIGINS, answer_about_ai, origin_fault, stored_origin
from blog_engine.admin.post_fields import (
    MOST_ROWS,
    SEPARATORS,
    LineField,
    LinesField,
    MinuteField,
    NamesField,
    RowsField,
)
from blog_engine.conf import get_settings
from blog_engine.content.languages import LONGEST_TAG, normalized_language
from blog_engine.content.text import MAX_SLUG_LENGTH, fold, is_slug
from blog_engine.enums import PostStatus, Provenance
from blog_engine.inputs.types import LARGEST_INTEGER, LINK_LENGTH
from blog_engine.models import Author, Category, ConnectionDeclaration, Post, Series
from blog_engine.queries.posts import is_slug_in_use, tag_names
from blog_engine.queries.records import same_named
from blog_engine.rules.content_fields import BY_CONTROL, CONTENT_FIELDS, FieldKind, FieldPlace
from blog_engine.rules.slugs import slug_for_post

_LARGEST_ID: Final = 10**18 - 1
_DECLARATION: Final = ("connections", "third_party_paid", "declared_by")
"""Fields that are recorded together."""
_NOT_PROPOSED: Final = frozenset(name for name, one in BY_CONTROL.items() if FieldPlace.PROPOSALS in one.absent)
"""Fields that a proposal does not take."""
REVISED: Final = frozenset(name for name, one in BY_CONTROL.items() if one.is_revised)
"""Fields of the content that a reviewer checks and whose changes the history of a public post records."""

COLUMNS: Final = tuple(
    one for one in CONTENT_FIELDS if one.in_form and one.kind is not FieldKind.ROWS and not one.column
)
"""The fields of the form that show a column of the post."""


def _image_field(label: Any, help_text: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, help_text=help_text, required=False, min_value=1, max_value=_LARGEST_ID)


class PostForm(forms.Form):
    """A post as people edit it.

    A new post has the ``byline`` unless the writer takes it out. The field ``opened`` has the digests of the values
    that the page showed when it was opened. A form that ``proposes`` has the fields that a proposal takes; the others
    can be read.
    """

    title = LineField(_("Title"), required=True)
    description = LinesField(
        pgettext_lazy("admin", "Description"), _("One or two sentences for lists, feeds and search engines."), rows=2
    )
    body = LinesField(pgettext_lazy("admin", "Text"), rows=24, max_length=None)
    faq = RowsField("faq_question", "faq_answer", label=_("Questions and answers"))
    cover_image = _image_field(_("Cover"), _("The number of an image in the library, or empty for none."))
    cover_image_file = forms.FileField(label=_("Upload a cover"), required=False)
    cover_alt = LineField(_("What the cover shows"), _("In words, for readers who do not see it."))
    social_image = _image_field(
        _("Image of shared links"), _("Shown where the article is shared; without one, the cover.")
    )
    social_image_file = forms.FileField(label=_("Upload an image for shared links"), required=False)
    category = LineField(_("Category"), _("A new name makes a new category."))
    tags = NamesField(
        pgettext_lazy("admin", "Tags"),
        _("Separated by commas; a name can contain anything else. New names make new tags."),
        max_length=None,
    )
    series = LineField(_("Series"), _("A new name makes a new series."))
    series_position = forms.IntegerField(
        label=_("Place in the series"), required=False, min_value=1, max_value=LARGEST_INTEGER
    )
    author = LineField(_("Author"), _("A new name makes a new author; empty is the author of the blog."))
    coauthors = NamesField(_("Further authors"), _("Separated by commas, in the order of the byline."), max_length=None)
    provenance = forms.ChoiceField(label=_("How was this written?"), choices=ORIGINS, widget=forms.RadioSelect)
    provenance_evidence = LinesField(_("How this is known"), rows=2)
    connections = RowsField("connection_party", "connection_relation", is_one_line=True, label=_("Connections"))
    third_party_paid = forms.BooleanField(label=_("A third party paid for this article"), required=False)
    declared_by = LineField(
        _("Declared by"), _("Whose statement this is. With no connections above, it states that there are none.")
    )
    slug = LineField(_("Last part of the URL"), _("Made from the title when it is empty."), max_length=MAX_SLUG_LENGTH)
    canonical_url = LineField(
        _("Original URL"), _("If the article was published elsewhere first."), max_length=LINK_LENGTH
    )
    featured = forms.BooleanField(label=_("Show first on the index"), required=False)
    noindex = forms.BooleanField(label=_("Hide from search engines"), required=False)
    expires_at = MinuteField(label=_("Withdraw on"), help_text=_("From this moment on the page says that it is gone."))
    search_title = LineField(_("Title for search engines"), _("If it differs from the title."))
    search_description = LinesField(_("Description for search engines"), rows=2)
    language = LineField(
        pgettext_lazy("admin", "Language"),
        _("A tag such as de or pt-BR; empty for the language of the blog."),
        max_length=LONGEST_TAG,
    )
    translation_of = LineField(
        _("Translation of"),
        _("The last part of the URL of this article in another language."),
        max_length=MAX_SLUG_LENGTH,
    )

    version = LineField(widget=forms.HiddenInput, max_length=None)
    opened = LineField(widget=forms.HiddenInput, max_length=None)
    base = LinesField("", rows=1, max_length=None)
    """The text with which the page was opened, from which two writers are merged."""

    EDITED: ClassVar[tuple[str, ...]]
    """The fields of the post, in the order of the form."""

    def __init__(
        self,
        sent: QueryDict | None = None,
        files: "MultiValueDict[str, UploadedFile[bytes]] | None" = None,
        *,
        post: Post | None = None,
        declared: ConnectionDeclaration | None = None,
        proposes: bool = False,
        byline: Author | None = None,
    ) -> None:
        self.post, self.byline = post, byline
        self.sent = QueryDict() if sent is None else sent
        self.shown = shown_values(post, declared) | ({"author": byline.name} if byline else {})
        super().__init__(sent, files, initial={**self.shown, "version": version_of(post)}, label_suffix="")
        for name in self.EDITED:
            if BY_CONTROL[name].kind is FieldKind.TEXT:
                self.fields[name].widget.attrs["lang"] = self.text_language
        self.proposes = proposes
        for name in [*_fields_not_shown(self.shown), *(_NOT_PROPOSED if proposes else ())]:
            self.fields[name].disabled = True
        if self.shown["provenance"] == Provenance.UNKNOWN:
            self.fields["provenance"].help_text = ASK_FOR_ORIGIN
        self.stored_digests = {name: self._digest(name, self.stored_value(name)) for name in self.EDITED}
        self.initial["opened"] = opened_with(self.stored_digests)
        self.initial["base"] = self.stored_value("body")
        self.fields["base"].widget.attrs["hidden"] = True

    def clean_opened(self) -> dict[str, str]:
        """Return the digests that the page was opened with; those of the stored values if the form sent none."""
        parts = (part.partition(":") for part in self.cleaned_data["opened"].split())
        return self.stored_digests | {name: digest for name, _, digest in parts}

    def clean(self) -> dict[str, Any]:
        """Check what the writer changed; stored values that other callers wrote stay as they are."""
        cleaned = super().clean() or self.cleaned_data
        changed = self.mine
        if "slug" in changed and not (is_slug(cleaned["slug"]) or (self.post is None and not cleaned["slug"])):
            self.add_error("slug", _("Use lower-case letters, digits and single hyphens."))
        if "language" in changed and cleaned["language"]:
            tag = normalized_language(cleaned["language"])
            if tag is None:
                self.add_error("language", _("Enter a language tag, such as de or pt-BR."))
            else:
                cleaned["language"] = tag
        if "canonical_url" in changed and cleaned["canonical_url"]:
            try:
                URLValidator(schemes=["http", "https"])(cleaned["canonical_url"])
            except ValidationError as fault:
                self.add_error("canonical_url", fault)
        if "author" in changed and self.post is not None and not cleaned["author"]:
            self.add_error("author", self.fields["author"].error_messages["required"])
        for name, model in (("category", Category), ("series", Series)):
            # The service would take them for the id of a record.
            is_number = name in changed and re.fullmatch("[0-9]+", fold(cleaned[name]))
            if is_number and same_named(model, cleaned[name]) is None:
                self.add_error(name, _("No record has this name. Digits alone make none: add it on its own page."))
        if "series" in changed & cleaned.keys() and not cleaned["series"] and "series_position" not in changed:
            cleaned["series_position"] = None
        elif "series_position" in changed and cleaned["series_position"] and not cleaned.get("series"):
            self.add_error("series_position", _("Enter a series above first: a place is one in a series."))
        if "provenance" in changed and (words := origin_fault(self.post, cleaned["provenance"])):
            self.add_error("provenance", words)
        if changed & set(_DECLARATION) and not cleaned.get("declared_by") and "declared_by" in cleaned:
            self.add_error("declared_by", _("Enter who declares this."))
        return cleaned

    @property
    def opened_digests(self) -> dict[str, str]:
        """The digests of the values with which the page was opened."""
        digests: dict[str, str] = self.cleaned_data.get("opened") or self.stored_digests
        return digests

    @property
    def base_body(self) -> str | None:
        """The text with which the page was opened, or ``None`` if the form does not have that one."""
        base = self.cleaned_data.get("base", "")
        is_that = self._digest("body", base) == self.opened_digests.get("body")
        return base if "base" in self.sent and is_that else None

    @property
    def mine(self) -> set[str]:
        """The fields that the writer changed and that are valid; one that was not sent is not changed."""
        return {
            name
            for name in self.EDITED
            if name in self.cleaned_data
            and self._is_sent(name)
            and self._digest(name, self.cleaned_data[name])
            not in {self.opened_digests.get(name), self.stored_digests[name]}
        }

    @property
    def theirs(self) -> set[str]:
        """The fields whose stored value is not the one with which the page was opened."""
        return {name for name, digest in self.stored_digests.items() if self.opened_digests.get(name, digest) != digest}

    @cached_property
    def opened_version(self) -> int | None:
        """The version of the post with which the page was opened."""
        version = self.cleaned_data.get("version", "")
        return int(version) if re.fullmatch("[0-9]{1,18}", version, re.ASCII) else None

    def fields_to_send(self, names: set[str]) -> dict[str, object]:
        """Return the fields of an input for these changes."""
        values = {name: self.cleaned_data[name] for name in names - set(_DECLARATION)}
        sent = {name: _TO_INPUT[name](value) if name in _TO_INPUT else value for name, value in values.items()}
        if not sent.get("slug", True):
            del sent["slug"]
        if self.byline and "author" not in names:
            sent["author"] = str(self.byline.pk)
        elif not values.get("author", True):
            del sent["author"]
        if "provenance" in names:
            sent |= stored_origin(self.cleaned_data["provenance"])
        if names & set(_DECLARATION):
            declared = self.cleaned_data
            sent["connections"] = {
                "connections": [{"party": party, "relation": relation} for party, relation in declared["connections"]],
                "third_party_paid": declared["third_party_paid"],
                "declared_by": declared["declared_by"],
            }
        return sent

    @property
    def text_language(self) -> str:
        """The language of the texts as a tag: that of the post, or else of the blog."""
        return normalized_language(str(self["language"].value() or "")) or get_settings().language

    def data_with_stored(self, names: Iterable[str]) -> QueryDict:
        """Return what was sent, with the stored values of these fields."""
        data = self.sent.copy()
        for name in names:
            field, value = self.fields[name], self.stored_value(name)
            if isinstance(field, RowsField):
                for place, column in enumerate(field.widget.names):
                    data.setlist(column, [row[place] for row in value])
            elif isinstance(field, forms.BooleanField) and not value:
                data.pop(name, None)
            else:
                shown = field.prepare_value(value)
                data[name] = "" if shown is None else str(shown)
        return data

    def text_of(self, name: str, value: Any) -> str:
        """Return the value of a field as text for people, such as for a comparison."""
        field = self.fields[name]
        if isinstance(field, RowsField):
            return "\n\n".join("\n".join(row) for row in value or ())
        if isinstance(field, forms.ChoiceField):
            return str(dict(cast("Iterable[tuple[str, str]]", field.choices)).get(value, value))
        if isinstance(field, forms.BooleanField):
            return str(pgettext_lazy("admin", "Yes") if value else pgettext_lazy("admin", "No"))
        if isinstance(value, tuple):
            return ", ".join(value)
        return "" if value is None else str(value)

    def stored_value(self, name: str) -> Any:
        """Return the stored value of a field as a browser sends it back."""
        field = self.fields[name]
        try:
            return field.to_python(self.shown[name])
        except ValidationError:
            return self.shown[name]

    def _is_sent(self, name: str) -> bool:
        """Return whether the form holds the field; a box that is not ticked is not sent, but the digests are."""
        field = self.fields[name]
        if field.disabled:
            return False
        if isinstance(field, forms.BooleanField):
            return "opened" in self.sent
        return not field.widget.value_omitted_from_data(self.sent, self.files, name)

    def _digest(self, name: str, value: Any) -> str:
        text = json.dumps([name, value], default=str, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


PostForm.EDITED = tuple(
    name
    for name in PostForm.base_fields
    if name not in {"cover_image_file", "social_image_file", "version", "opened", "base"}
)


def shown_values(post: Post | None, declared: ConnectionDeclaration | None = None) -> dict[str, Any]:
    """Return what the form shows of a post read by ``queries.posts.read_post`` and its last declaration."""
    if post is None:
        return dict.fromkeys(BY_CONTROL) | {"provenance": get_settings().default_provenance.value}
    columns = {one.name: getattr(post, one.stored_in) for one in COLUMNS}
    return {name: "" if value is None else value for name, value in columns.items()} | {
        "faq": tuple((row.question, row.answer) for row in post.faqs.all()),
        "cover_image": post.cover_image_id,
        "social_image": post.social_image_id,
        "category": post.category.name if post.category else "",
        "tags": tuple(tag_names(post)),
        "series": post.series.name if post.series else "",
        "author": post.author_name,
        "coauthors": post.byline[1:],
        "provenance": answer_about_ai(post),
        "connections": tuple((entry["party"], entry["relation"]) for entry in declared.connections) if declared else (),
        "third_party_paid": declared.third_party_paid if declared else False,
        "declared_by": declared.declared_by if declared else "",
        "translation_of": next((other.slug for other in post.translations), ""),
    }


def opened_with(digests: Mapping[str, str]) -> str:
    """Return the digests of values as the field ``opened`` has them."""
    return " ".join(f"{name}:{digest}" for name, digest in digests.items())


def version_of(post: Post | None) -> int:
    """Return the version of a post, or 0 of one that is not stored yet."""
    return 0 if post is None else post.version


def slug_for_title(post: Post, sent: dict[str, object]) -> str | None:
    """Return the slug that a draft gets with the title sent, if its own was made from the title and never public."""
    # The language may be given after the title.
    made = {slug_for_post(post.title, language=language) for language in (post.language, "")}
    if post.slug not in made or post.status != PostStatus.DRAFT or post.public_revision_id is not None:
        return None
    wanted = slug_for_post(str(sent["title"]), language=str(sent.get("language", post.language) or ""))
    return None if wanted == post.slug or is_slug_in_use(wanted) else wanted


def field_label(name: str) -> str:
    """Return the label of a field of a post, or its name if the form does not have it."""
    field = PostForm.base_fields.get(name)
    return str(field.label) if field is not None else name


def _image(number: int | None) -> object:
    return None if number is None else {"image_id": number}


_TO_INPUT: Final[Mapping[str, Callable[[Any], object]]] = {
    "faq": lambda rows: [{"question": question, "answer": answer} for question, answer in rows],
    "cover_image": _image,
    "social_image": _image,
    "tags": list[Any],
    # Not text alone, which can be an id or a slug.
    "author": lambda name: {"name": name},
    "coauthors": lambda names: [{"name": name} for name in names],
}
"""What the input takes for the value of a field, where it is not the same."""


def _fields_not_shown(shown: Mapping[str, Any]) -> list[str]:
    """Return the fields that the form cannot hold: long lists, and tags and authors whose names have a comma."""
    names = [name for name in ("faq", "connections") if len(shown[name] or ()) > MOST_ROWS]
    listed = (name for name in ("tags", "coauthors") if any(map(SEPARATORS.search, shown[name] or ())))
    return [*names, *listed]
