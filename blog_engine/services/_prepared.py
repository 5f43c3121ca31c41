"""Work of a write before it locks anything: edited and rendered bodies, and gathered images."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from secrets import token_hex
from types import MappingProxyType
from typing import Any, Final, TypeVar

from blog_engine.conf import get_settings, markdown_plugins
from blog_engine.content.edits import EditDoesNotApply, EditedTextTooLong, edited
from blog_engine.content.faq import FaqPair, answer_has_markup, is_answer_parsed
from blog_engine.content.options import TooMuchMarkup
from blog_engine.content.plain_text import check_markup
from blog_engine.enums import BodyFormat
from blog_engine.errors import Busy, ValidationFailed
from blog_engine.inputs.edits import text_edit
from blog_engine.inputs.posts import FaqItem, PostFields
from blog_engine.models import Post, Proposal
from blog_engine.queries.post_names import no_such_post
from blog_engine.rendering.bodies import DerivedBody, body_source_digest, derive_body, derive_new_body
from blog_engine.rules.proposals import RebasedBody, rebased_body
from blog_engine.services.images import Gathered

R = TypeVar("R")
T = TypeVar("T")

_ATTEMPTS: Final = 3
"""How often a write is undone because it needs a body that was not made or rendered before."""


def until_prepared(write: Callable[["Prepared"], R]) -> R:
    """Run a write; while it needs something that was not prepared, undo it, prepare that and run it again.

    Nothing is edited or rendered while a post is locked. The last attempt works where it is, so that a write ends
    although it finds another body each time, such as one that the host's hook makes up.
    """
    prepared = Prepared()
    for _ in range(_ATTEMPTS):
        try:
            return write(prepared)
        except NotPrepared as missing:
            missing.prepare()
    prepared.works_at_once = True
    return write(prepared)


class NotPrepared(Exception):
    """A write needs something that takes long and was not prepared; ``prepare`` does it."""

    def __init__(self, prepare: Callable[[], object]) -> None:
        super().__init__()
        self.prepare = prepare


@dataclass(frozen=True, slots=True)
class PostImages:
    """The images that a write brings."""

    cover: Gathered | None = None
    social: Gathered | None = None
    body_digests: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The digests of external images by their URLs in the body, as far as they could be fetched."""


class Prepared:
    """The bodies and images that one write has ready.

    ``ready`` is the work of an earlier step, whose bodies are not rendered again.
    """

    def __init__(self, ready: "Prepared | None" = None) -> None:
        self.images: PostImages | None = None
        """``None`` until the images are gathered, which a write that runs again does not repeat."""
        self.made_bodies: dict[Hashable, Any] = ready.made_bodies if ready else {}
        """What edits and proposals make of a body, by what they start from."""
        self.works_at_once = False
        # Footnotes carry the id of their post, which a new post does not have yet.
        self.footnote_prefix: Final[str] = ready.footnote_prefix if ready else f"fn-new{token_hex(8)}-"
        self._bodies: dict[tuple[str, str], DerivedBody] = ready._bodies if ready else {}
        self._checked: set[str] = ready._checked if ready else set()

    def make(self, key: Hashable, work: Callable[[], T]) -> T:
        """Return what the work makes of a body, which is done once for each key; call it outside of a transaction."""
        if key not in self.made_bodies:
            self.made_bodies[key] = work()
        made: T = self.made_bodies[key]
        return made

    def made(self, key: Hashable, work: Callable[[], T]) -> T:
        """Return what ``make`` made; raises ``NotPrepared`` when it was not called for this key."""
        if key not in self.made_bodies:
            self._need(partial(self.make, key, work))
        made: T = self.made_bodies[key]
        return made

    def _need(self, prepare: Callable[[], object]) -> None:
        if not self.works_at_once:
            raise NotPrepared(prepare)
        prepare()

    def render(self, body: str, body_format: str, language: str = "") -> DerivedBody:
        """Derive everything from a body; call it outside of a transaction.

        ``language`` is that of the post; empty for the language of the blog.
        """
        derived = derive_body(body, body_format, footnote_prefix=self.footnote_prefix, language=language)
        self._bodies[body_source_digest(body, body_format), language] = derived
        return derived

    def render_new(self, body: str, body_format: str, language: str = "") -> DerivedBody:
        """Check the markup of a body and derive everything from it, as above. Raises ``ValidationFailed(["body"])``."""
        with refusing_too_much_markup():
            derived = derive_new_body(body, body_format, footnote_prefix=self.footnote_prefix, language=language)
        digest = body_source_digest(body, body_format)
        self._bodies[digest, language] = derived
        self._checked.add(digest)
        return derived

    def body(self, body: str, body_format: str, language: str = "") -> DerivedBody:
        """Return the derived body; raises ``NotPrepared`` when there is none, or one that is out of date."""
        key = body_source_digest(body, body_format), language
        derived = self._bodies.get(key)
        if derived is None or not derived.is_current(language):
            self._need(partial(self.render, body, body_format, language))
        return self._bodies[key]

    def require_current(self, body: str, body_format: str, language: str = "") -> None:
        """Raise ``NotPrepared`` if a body that was rendered is out of date, or ``Busy`` at the last attempt.

        One query if the body names images of the blog. Call it once the images are held.
        """
        derived = self._bodies.get((body_source_digest(body, body_format), language))
        if derived is None or derived.is_current(language):
            return
        if self.works_at_once:
            raise Busy
        raise NotPrepared(partial(self.render, body, body_format, language))

    def require_answers(self, faq: Sequence[FaqPair]) -> None:
        """Raise ``NotPrepared`` for an FAQ whose answers were not parsed, which the findings of a post follow from."""
        unknown = [pair for pair in faq if not is_answer_parsed(pair.answer)]
        if unknown:
            self._need(partial(parse_answers, unknown))

    def check(self, body: str, body_format: str) -> None:
        """Check the markup of a body; call it outside of a transaction. Raises ``ValidationFailed(["body"])``."""
        check_body_markup(body, body_format)
        self._checked.add(body_source_digest(body, body_format))

    def require_checked(self, body: str, body_format: str, language: str = "") -> None:
        """Raise ``NotPrepared`` for a new body whose markup was not checked."""
        if body_source_digest(body, body_format) in self._checked:
            return
        self._need(partial(self.render_new, body, body_format, language))


def parse_answers(faq: Iterable[FaqPair | FaqItem]) -> None:
    """Parse the answers of an FAQ; call it outside of a transaction."""
    for pair in faq:
        answer_has_markup(pair.answer)


def check_body_size(body: str) -> None:
    """Raise ``ValidationFailed(["body"])`` when a body has more than ``max_body_bytes`` bytes of UTF-8."""
    if len(body.encode()) > get_settings().max_body_bytes:
        raise body_too_long()


def body_too_long() -> ValidationFailed:
    """Return the refusal of a body that is too long."""
    limit = get_settings().max_body_bytes
    return ValidationFailed(
        ["body"], hint=f"A body has at most {limit} bytes of UTF-8: shorten it, or make several posts of it."
    )


def check_body_markup(body: str, body_format: str) -> None:
    """Raise ``ValidationFailed(["body"])`` when a body would take too long to render."""
    with refusing_too_much_markup():
        check_markup(body, body_format=BodyFormat(body_format))


@contextmanager
def refusing_too_much_markup() -> Iterator[None]:
    """Raise ``ValidationFailed(["body"])`` for ``TooMuchMarkup``."""
    try:
        yield
    except TooMuchMarkup as excess:
        raise ValidationFailed(["body"], hint=f"{excess} Shorten the body, or make several posts of it.") from excess


def edit_body(data: PostFields, post: Post | None, prepared: Prepared) -> PostFields:
    """Return the fields of a write with the whole body that its ``edits`` make (posts.edits).

    Raises ``ValidationFailed`` for edits that do not apply to the body of the post, for those of a new post, and for
    edits beside a body. Call it outside of a transaction.
    """
    return _with_body(data, post, prepared.make)


def with_edited_body(data: PostFields, post: Post | None, prepared: Prepared) -> PostFields:
    """Return what ``edit_body`` made; raises ``NotPrepared`` when the post has another body now."""
    return _with_body(data, post, prepared.made)


def _with_body(data: PostFields, post: Post | None, make: Callable[..., str]) -> PostFields:
    if data.edits is None:
        return data
    if data.body is not None:
        raise ValidationFailed(["body", "edits"], hint="Send the whole body, or edits of the stored one.")
    if post is None:
        raise ValidationFailed(["edits"], hint=_no_body_to_edit(data))
    body = make((post.body, post.body_format), partial(_edited, data, post.body, post.body_format))
    return data.model_copy(update={"body": body})


def _no_body_to_edit(data: PostFields) -> str:
    a_new_one = "A new post has no body that can be edited: send body."
    return f"{no_such_post(data.slug)} {a_new_one}" if data.slug else a_new_one


def body_of_proposal(proposal: Proposal, post: Post, make: Callable[..., RebasedBody]) -> RebasedBody | None:
    """Return what a proposal makes of the body of its post, by ``Prepared.make`` or ``made``.

    ``None`` if it does not change the body.
    """
    if "body" not in proposal.base:
        return None
    return make((proposal.pk, post.body), partial(rebased_body, proposal, post.body))


def _edited(data: PostFields, body: str, body_format: str) -> str:
    try:
        with refusing_too_much_markup():
            return edited(
                body,
                [text_edit(one) for one in data.edits or ()],
                body_format=BodyFormat(body_format),
                most_bytes=get_settings().max_body_bytes,
                plugins=markdown_plugins(),
            )
    except EditedTextTooLong as fault:
        raise body_too_long() from fault
    except EditDoesNotApply as fault:
        raise ValidationFailed(["edits"], hint=str(fault)) from fault
