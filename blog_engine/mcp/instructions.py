"""Texts for agents, in the descriptions of tools and in ``initialize``."""

from datetime import datetime

from django.utils.timezone import get_default_timezone, get_default_timezone_name

ASK_FIRST = "First show the user the final version and ask for approval; record only a real answer."
"""For tools that publish, edit or approve."""

STATE_PROVENANCE = "provenance: ai_assisted if AI wrote any of it."
"""For tools that publish, edit or approve."""

ASK_BEFORE_ADOPTING = (
    "First ask the user for evidence of dates and reviews, or for declarations; invent none, send no approval."
)
"""For the tool that adopts an article."""

NEEDS_NO_APPROVAL = "Needs no approval."
"""For tools that write without publishing a post."""

ONLY_ON_REQUEST = "Only when the user asked for exactly this."
"""For tools that take something away from readers."""

SHOW_PREVIEW = "Give the user the preview link when you ask for one."
"""For the tool that saves a draft."""

INSTRUCTIONS = """\
A blog whose posts have a history that cannot be rewritten: which revision was public when, who reviewed it, and \
whether AI helped.

To save tokens: send answer: "short" with every write to a post, fields with lists of posts, and read only what you \
need (blog_get_post with outline, section or fields).

To publish: look for existing posts; save a draft (blog_save_draft) with an external_id, so that saving again updates \
the same post; read the findings; show the user the text and the preview_url; record the answer \
(blog_approve_revision with the draft's revision_identifier); then call blog_publish_post, now or with publish_at.

To edit: send edits instead of the body, with the version that you read as expected_version. A public post takes \
blog_update_post with change (substantive or maintenance), or blog_correct_post with a note that readers see. dry_run \
writes nothing and shows findings and difference: [-old-]{+new+}.

Approval: before you publish, update or correct a post, show the user the final version and ask once whether they \
approve exactly this version and have checked its facts. Record an approval only from a real answer, with the user's \
name. No answer is no approval, and changed text needs a new one. With an edit send it without \
revision_identifier. Some blogs let only people approve (approval_incomplete): then give the user review_url \
of blog_get_preview_link, or the URL in the refusal.

To suggest an edit of a public or scheduled post, send propose: true. Once a person decided, apply it \
(blog_publish_post with proposal) or reject it (blog_remove_post with proposal and reason). What reviewers sent back \
is in blog_list_posts with review: returned.

Provenance: ai_assisted if AI wrote or rewrote anything, human_written only if a person wrote it all. Never invent \
reviewers, dates, evidence or connections.

To upload a file, call blog_upload_image with filename, content_type and byte_size, then run curl -T FILE \
"$upload_url".

id is the id or slug of a post. A new category, series or author name makes one. Omitted \
fields stay, except in blog_adopt_post; lists such as tags are replaced.

Refusals have isError true and error: {code, message, details}; nothing was written. The message says what is \
accepted. Repeat unchanged only after rate_limited, busy and unavailable. After internal_error read first.

Workflows are skills and prompts: install, publish, update, adopt, policy-pages, report."""


def instructions_at(now: datetime) -> str:
    """Return the ``instructions`` of ``initialize`` and ``server/discover``; clients show them to the model once."""
    today = now.astimezone(get_default_timezone()).date()
    return f"{INSTRUCTIONS}\n\nTime zone: {get_default_timezone_name()}; today: {today:%A}, {today}."
