"""The form of an author."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from blog_engine.admin.lists import AUTHOR_TYPES
from blog_engine.admin.records import RecordText, long_text_field, name_field, slug_field
from blog_engine.enums import AuthorType
from blog_engine.inputs.types import LINK_LENGTH, LONGEST_LIST, SHORT_TEXT
from blog_engine.models.base import http_url
from blog_engine.queries.people import user_named


class AuthorForm(forms.Form):
    """The fields of an author."""

    name = name_field(help_text=gettext_lazy("Posts that are already stored keep their byline."))
    slug = slug_field()
    type = forms.ChoiceField(
        label=pgettext_lazy("admin", "Type"),
        choices=AUTHOR_TYPES,
        widget=forms.RadioSelect,
        initial=AuthorType.PERSON.value,
    )
    bio = long_text_field(
        gettext_lazy("About the author"), help_text=gettext_lazy("Readers see it on the author's page.")
    )
    url = RecordText(
        label=pgettext_lazy("admin", "URL"),
        required=False,
        max_length=LINK_LENGTH,
        validators=[http_url],
        widget=forms.URLInput(attrs={"class": "vURLField"}),
    )
    profile_urls = long_text_field(
        gettext_lazy("Profiles elsewhere"), rows=3, help_text=gettext_lazy("One URL in each line.")
    )
    fediverse = RecordText(
        label=gettext_lazy("Handle in the fediverse"),
        required=False,
        max_length=SHORT_TEXT,
        help_text=gettext_lazy("Such as @name@example.social: Mastodon shows it with links to articles."),
    )
    host_reference = RecordText(
        label=gettext_lazy("Reference of the site"),
        required=False,
        max_length=SHORT_TEXT,
        help_text=gettext_lazy("What the site itself calls this author."),
    )
    user = RecordText(
        label=gettext_lazy("User of the desk"),
        required=False,
        max_length=SHORT_TEXT,
        help_text=gettext_lazy("The user name of the person whose new posts have this byline."),
        widget=forms.TextInput(
            attrs={"list": "targets", "autocomplete": "off", "spellcheck": "false", "class": "vTextField"}
        ),
    )
    avatar = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    avatar_upload = forms.FileField(
        label=gettext_lazy("Upload a new image"), required=False, widget=forms.FileInput(attrs={"accept": "image/*"})
    )

    def clean_url(self) -> str | None:
        """Return the URL, or ``None`` if it is blank."""
        return self.cleaned_data["url"] or None

    def clean_user(self) -> Any:
        """Return the id of the user, or ``None`` if the name is blank."""
        name = self.cleaned_data["user"]
        user = user_named(name) if name else None
        if name and user is None:
            raise forms.ValidationError(_("No user has this user name."))
        return None if user is None else user.pk

    def clean_profile_urls(self) -> list[str]:
        """Return the URLs; raises ``ValidationError`` for a line that is none."""
        lines = [line.strip() for line in self.cleaned_data["profile_urls"].splitlines()]
        urls = [line for line in lines if line]
        for url in urls:
            http_url(url)
        if len(urls) > LONGEST_LIST:
            raise forms.ValidationError(_("At most %(most)s URLs."), params={"most": LONGEST_LIST})
        return urls
