"""Texts for agents, in the descriptions of tools and in ``initialize``."""

ASK_FIRST = "First show the user the final version and ask for approval; record only a real answer."
"""For tools that publish, edit or approve."""

STATE_PROVENANCE = "provenance: human_written only if a person wrote it all, ai_assisted if AI wrote any of it."
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
A blog whose posts have a history that cannot be rewritten: which revision was public when, who published it, who \
reviewed it, and whether AI helped. These tools write, review, publish, correct and withdraw posts.

To publish a post: look for existing posts (blog_list_posts, blog_search_posts; lists have cards only, \
blog_get_post has the text); save a draft (blog_save_draft) with an external_id, so that saving again updates the \
same post; read the findings in the answer; show the user the text and the preview_url; record the user's answer \
(blog_approve_revision with the draft's revision_identifier); then call blog_publish_post, now or with publish_at. \
Edit a public post with blog_update_post and change (substantive or maintenance), or with blog_correct_post and a \
note that readers see.

Approval: before you publish, update or correct a post, show the user the final version and ask once whether they \
approve exactly this version and have checked its facts. Record an approval only from a real answer, with the \
user's name. No answer is no approval, and changed text needs a new one. To edit a public post, send the whole \
reviewed content with an approval that has no revision_identifier.

Provenance: ai_assisted if AI wrote or rewrote anything, human_written only if a person wrote it all. Never \
invent reviewers, dates, evidence or connections.

id is the id or the slug of a post; categories, authors and series take their id. Omitted fields keep their values, \
except in blog_adopt_post; lists such as tags and faq are replaced as a whole.

Refusals are results with isError true and error: {code, message, details}. Nothing was written then. details has \
the fields or the missing scope; the message says what is accepted. Fix the call, or ask the user; do not repeat \
it unchanged, except a little later after rate_limited, busy and unavailable. Only after internal_error can \
something have been written: read before you repeat.

Longer workflows are prompts of this server: install, publish, update, adopt, policy-pages, report."""
"""The ``instructions`` of ``initialize`` and ``server/discover``; clients show them to the model once."""
