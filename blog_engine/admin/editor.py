"""Base of the views of the editor: the post, who may change it, uploads, and the page of the form."""

import json
from collections.abc import Iterable
from typing import Final
from uuid import uuid4

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse, QueryDict
from django.template.defaultfilters import filesizeformat
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from blog_engine.admin._image_words import IMAGE_WORDS, sentence_for_image, too_large_words
from blog_engine.admin.base import DeskView, Permission, add_refusal, may
from blog_engine.admin.conversation import conversation_on_top
from blog_engine.admin.images import ShownImage, shown_image, store_upload
from blog_engine.admin.post_form import PostForm
from blog_engine.admin.post_page import state_of
from blog_engine.admin.words import sentence_for
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.enums import BodyFormat, PolicyKind, PostStatus
from blog_engine.errors import NotFound, Refusal, SlugReserved
from blog_engine.findings import Finding, findings_of
from blog_engine.models import Post
from blog_engine.queries.articles import latest_declaration
from blog_engine.queries.images import images_with_ids
from blog_engine.queries.people import author_of_user
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.posts import read_post
from blog_engine.queries.proposals import waiting_for
from blog_engine.rules.proposals import PROPOSABLE_STATUSES

IMAGES: Final = ("cover_image", "social_image")
_TOOLS: Final = (
    ("bold", gettext_lazy("Bold"), "B", "b"),
    ("italic", gettext_lazy("Italic"), "I", "i"),
    ("header-2", gettext_lazy("Heading"), "H2", ""),
    ("header-3", gettext_lazy("Lower heading"), "H3", ""),
    ("link", gettext_lazy("Link"), "", "k"),
    ("quote", gettext_lazy("Quote"), "", ""),
    ("code", gettext_lazy("Code"), "", "e"),
    ("unordered-list", gettext_lazy("List"), "", ""),
    ("ordered-list", gettext_lazy("Numbered list"), "", ""),
    ("strikethrough", gettext_lazy("Struck through"), "S", ""),
)
"""The buttons of the toolbar: style, name, sign in place of the name, and the key that, with Ctrl or ⌘, presses it."""

_SCRIPTS: Final = (
    *("editor-text", "editor-images", "editor-paste", "editor-rows"),
    *("editor-pictures", "editor-names", "editor-preview", "editor-follow", "editor-grow", "editor-autosave"),
    "editor-place",
)
"""What they share is imported by the URL in the form: the storage of a host may give every file another name."""

_MOST_PIXELS: Final = 16_000_000
"""Larger photos are made smaller in the browser: no reader sees more, and not every format above it is accepted."""

_WORDS: Final = {
    "unsaved": gettext_lazy("Not saved yet."),
    "saving": gettext_lazy("Saving…"),
    "keptHere": gettext_lazy("Not saved yet. This browser keeps a copy."),
    "noCopy": gettext_lazy("Not saved yet, and this browser cannot keep a copy. Save soon."),
    "signedOut": gettext_lazy("You are signed out. Your text is still here, and this browser keeps a copy."),
    "signIn": gettext_lazy("Sign in"),
    "signedInAgain": gettext_lazy("You are signed in again. Not saved yet."),
    "forbidden": gettext_lazy("You have no permission to save this any more. Your text is still here."),
    "copyText": gettext_lazy("Copy the text"),
    "gone": gettext_lazy("Somebody removed this post. Your text is still here."),
    "asNew": gettext_lazy("Continue as a new draft"),
    "tooLarge": gettext_lazy(
        "This is more than the server takes at once. Your text is still here: shorten it, and save."
    ),
    "offline": gettext_lazy("No connection to the server. Your text is still here; saving is tried again."),
    "noNetwork": gettext_lazy("There is no connection to the server."),
    "failed": gettext_lazy("The server could not save. Your text is still here; saving is tried again."),
    "tryAgain": gettext_lazy("Try now"),
    "notSaved": gettext_lazy("Nothing was saved yet. Correct this:"),
    **IMAGE_WORDS,
}
"""The sentences that scripts show; names in braces are filled in there."""


_NUMBERS: Final = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}
"""A number for each name that browsers have for a plural form (Intl.PluralRules), in every language of the desk."""


def _word_counts() -> dict[str, str]:
    """Return the sentence for the number of words, which a script counts, in each plural form."""
    texts = {name: ngettext("%(number)s word", "%(number)s words", number) for name, number in _NUMBERS.items()}
    return {name: text % {"number": "{number}"} for name, text in texts.items()}


class EditorView(DeskView):
    """Base of the views in which a post is written."""

    def stored_post(self, post_id: int) -> Post:
        """Return the post as ``read_post`` does; raises ``Http404``."""
        try:
            return read_post(post_id)
        except NotFound as unknown:
            raise Http404 from unknown

    def may_change(self, post: Post) -> bool:
        """Return whether the user may write to a post in this state, as the services decide it."""
        return may(self.request, Permission.PUBLISH if post.status in PROPOSABLE_STATUSES else Permission.WRITE)

    def may_only_propose(self, post: Post) -> bool:
        """Return whether what the user saves is a proposal, because the post takes the permission to publish."""
        is_released = post.status in PROPOSABLE_STATUSES
        return is_released and may(self.request, Permission.WRITE) and not may(self.request, Permission.PUBLISH)

    def form_for(
        self,
        post: Post | None,
        sent: QueryDict | None = None,
        files: "MultiValueDict[str, UploadedFile[bytes]] | None" = None,
    ) -> PostForm:
        """Return the form of a post, filled with what was sent."""
        declared = latest_declaration(post) if post else None
        proposes = post is not None and self.may_only_propose(post)
        byline = author_of_user(self.request.user.pk) if post is None else None
        return PostForm(sent, files, post=post, declared=declared, proposes=proposes, byline=byline)

    def copy_key(self, post: Post | None) -> str:
        """Return the key of the copy that a browser keeps of this user's unsaved text.

        Each new post has one of its own, or goes on with the one whose text was put back.
        """
        user = f"{self.request.user.pk}:"
        sent = self.request.POST.get("copy", "")
        if post is not None:
            return f"{user}post:{post.pk}"
        return sent if sent.startswith(user) else f"{user}new:{uuid4().hex}"

    def form_page(
        self, form: PostForm, *, findings: Iterable[Finding] | None = None, may_change: bool = True, **context: object
    ) -> HttpResponse:
        """Return the page of the editor."""
        post = form.post
        if findings is None:
            findings = self.findings(post) if post else ()
        kinds = ("author", "category", "post", "series", "tag")
        pages = {f"complete_{kind}": self.url("complete", kind) for kind in kinds}
        pages |= {name: self.url(name) for name in ("add", "pick_image", "upload", "paste", "signed_in")}
        if post is None:
            pages |= {name: self.url(f"{name}_new") for name in ("autosave", "preview", "current")}
        else:
            pages |= {name: self.url(name, post.pk) for name in ("autosave", "preview", "current", "article")}
        # What the writer alone may save is checked in advance, so that a page with errors need not be loaded.
        pages["check"] = pages["autosave"] if may(self.request, Permission.WRITE) else ""
        return self.page(
            "post_form.html",
            title=_("Change post") if post else _("Add post"),
            post_title=post.title if post else "",
            page_is_form=True,
            post_id=post.pk if post else None,
            post=post,
            state=state_of(post, self.request, self.url, current="change") if post else None,
            form=form,
            is_draft=post is None or post.status == PostStatus.DRAFT,
            is_public=post is not None and post.status == PostStatus.PUBLISHED,
            is_markdown=post is None or post.body_format == BodyFormat.MARKDOWN,
            public_url=BlogURLs.on(self.base_url).post_url(post.slug) if post else "",
            default_author=get_settings().default_author.name,
            max_body_bytes=get_settings().max_body_bytes,
            word_counts=_word_counts(),
            kilobyte=filesizeformat(1024),
            accept=",".join(get_settings().image_content_types),
            image_limits=json.dumps(
                {
                    "accept": sorted(get_settings().image_content_types),
                    "most": get_settings().max_image_bytes,
                    "pixels": _MOST_PIXELS,
                }
            ),
            words={name: str(text) for name, text in _WORDS.items()} | {"tooLargeImage": too_large_words()},
            copy=self.copy_key(post),
            copies=f"{self.request.user.pk}:new:",
            findings=shown_findings(findings, form),
            pages=pages,
            tools=_TOOLS,
            scripts=[f"blog_engine/desk/{name}.js" for name in _SCRIPTS],
            may_change=may_change,
            images=self.images_of(form),
            waiting_proposals=waiting_for(post.pk) if post else [],
            is_nav_sidebar_enabled=False,
            **(conversation_on_top(post, self.request, self.url) if post else {}),
            **context,
        )

    def findings(self, post: Post) -> list[Finding]:
        """Return the advice on a stored post."""
        has_responsible_party = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
        return findings_of(post, has_responsible_party=has_responsible_party, now=self.now)

    def images_of(self, form: PostForm) -> dict[str, ShownImage]:
        """Return the pictures that the form names, by field; a query if they are not those of the post."""
        ids = {name: number for name in IMAGES if (number := _number(form[name].value()))}
        loaded = [form.post.cover_image, form.post.social_image] if form.post else []
        known = {image.pk: image for image in loaded if image}
        known |= images_with_ids(set(ids.values()) - known.keys())
        return {name: shown_image(known[pk]) for name, pk in ids.items() if pk in known}

    def store_uploads(self, form: PostForm) -> None:
        """Store the uploaded pictures of a valid form and take them as chosen; a refusal is an error of the form.

        A number that no picture of the library has is an error as well.
        """
        chosen = {name: form.cleaned_data[name] for name in form.mine.intersection(IMAGES) if form.cleaned_data[name]}
        known = images_with_ids(chosen.values()) if chosen else {}
        for name, number in chosen.items():
            if number not in known:
                form.add_error(name, _("The library has no image with this number."))
        data = form.sent.copy()
        for name in IMAGES:
            file = form.cleaned_data.get(f"{name}_file")
            if file is None:
                continue
            try:
                image = store_upload(file, actor=self.actor, now=self.now)
            except Refusal as refusal:
                form.add_error(f"{name}_file", sentence_for_image(refusal, file))
            else:
                form.cleaned_data[name] = image.pk
                data[name] = str(image.pk)
        form.data = form.sent = data


def show_refusal(form: PostForm, refusal: Refusal) -> None:
    """Show the refusal of a write as errors of the form; a path that is taken is one of the slug."""
    if isinstance(refusal, SlugReserved):
        form.add_error("slug", sentence_for(refusal, "slug"))
    else:
        add_refusal(form, refusal)


def shown_findings(findings: Iterable[Finding], form: PostForm) -> list[tuple[str, str | None]]:
    """Return the messages of findings, each with the id of the element that it is about, if the form has one."""
    return [(finding.translated, _target(finding.location, form)) for finding in findings]


def _target(location: str | None, form: PostForm) -> str | None:
    name = (location or "").split(".")[0].split("[")[0]
    if name in form.fields:
        return f"id_{name}"
    # A broken link is named by its target, which is in the text.
    return "id_body" if location and name not in {"approval", "publish_at"} else None


def _number(value: object) -> int | None:
    text = str(value or "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
