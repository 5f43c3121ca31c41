"""Instructions for agents."""

APPROVAL = (
    "Show the user the complete final text, and for a post that is not public its preview link, too. Ask once "
    "whether the user approves exactly this version and has checked its facts. Record an approval only from a "
    "real answer: with the user's own name, facts_checked true or false as the user said it, and the "
    "revision_identifier of the draft that was reviewed. An edit of a public post has no draft with an identifier "
    "to name: send the whole reviewed content together with an inline approval that has no revision_identifier, "
    "so that it binds to the revision which this very call makes. Never send the identifier of the earlier public "
    "revision for changed text. Afterwards compare the content that comes back with what was reviewed, and tell "
    "the user about every difference. No answer is no approval; never invent a review, a reviewer or a "
    "fact-check. Text that changed after the answer has to be shown and asked about again."
)
"""For publishing, updating, correcting and approving."""

PROVENANCE = (
    "Say truthfully in provenance who wrote the post: ai_assisted when AI wrote or rewrote any part of it, "
    "human_written only when a person wrote all of it."
)
"""For publishing, updating, correcting and approving."""

ADOPTION = (
    "Before an article is adopted, ask the user whether the old system kept a record of its review. Send "
    "imported_approval only when you have all of it: the reviewer, the original time, the evidence, and the "
    "person who looked at that evidence and confirms it. Otherwise send a declaration, but only when a person "
    "answers for it with all of these: the reviewer, the time of the review, whether the facts were checked, the "
    "day of the declaration, and that person's own name as declared_by. Where there is no evidence of the first "
    "publication, ask whether the person declares its date. With neither record nor declaration send neither. "
    "Never send approval with an adoption, and never invent a reviewer, a date or evidence."
)
"""For adopting articles of another system."""

ASK_FIRST = "First show the user the final version and ask for approval; record one only from a real answer."
"""``APPROVAL`` in the description of a tool."""

SAY_WHO_WROTE = (
    "provenance is ai_assisted if AI wrote or rewrote anything, human_written only if a person wrote it all."
)
"""``PROVENANCE`` in the description of a tool."""

ASK_BEFORE_ADOPTING = (
    "First ask the user for evidence of dates and reviews and for declarations; send nothing invented and no approval."
)
"""``ADOPTION`` in the description of a tool."""

NOTHING_RELEASED = "Releases no post and needs no approval."
"""In the descriptions of tools that write without releasing a post."""

ASKED_FOR = "Only when the user asked for exactly this."
"""In the descriptions of tools that take something away from the public."""

DRAFT_ADDS = "Give the user the preview link when you ask for approval."
"""For saving a draft, besides ``NOTHING_RELEASED``."""

INSTRUCTIONS = """\
A blog whose posts carry a history that nobody can rewrite: which revision was public when, who released it, who \
reviewed it, and whether AI helped. These tools write, review, publish, correct and withdraw posts.

The usual story: find what exists (blog_list_posts, blog_search_posts; lists hold cards only, blog_get_post has \
the text); save a draft (blog_save_draft) with an external_id, so that saving again writes to the same post; \
read the findings in its answer; show the text and the preview_url to the user; record the user's answer \
(blog_approve_revision with the draft's revision_identifier); then blog_publish_post, now or at publish_at. What \
is public is edited with blog_update_post and change (substantive or maintenance), or with blog_correct_post and \
a note that readers see.

Approval: before you publish, update or correct a post, show the final version and ask the user once whether \
they approve exactly this version and have checked its facts. Record an approval only from a real answer, with \
the user's name. No answer is no approval, and changed text needs a new one. For an edit of a public post send \
the whole reviewed content with approval and no revision_identifier in it.

Provenance: ai_assisted if AI wrote or rewrote anything, human_written only if a person wrote it all. Never \
invent reviewers, dates, evidence or connections.

id is the number or the slug of a post; categories, authors and series are edited by number. Fields that you \
leave out keep what is stored, except in blog_adopt_post; lists such as tags and faq are replaced whole.

Refusals are results with isError true and error: {code, message, details}. Then nothing was written. details \
names the fields or the scope that is missing; the message says what is accepted. Mend the call, or ask the \
user; do not repeat it unchanged, except after rate_limited, busy and unavailable, a little later. After \
internal_error alone something may have been written: read before you repeat.

Longer workflows are prompts of this server: install, publish, update, adopt, policy-pages, report."""
"""The ``instructions`` of ``initialize`` and ``server/discover``; clients show them to the model once."""
