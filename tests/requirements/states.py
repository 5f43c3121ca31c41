"""The states of a post and the ways between them."""

from tests.requirements.rule import R

RULES = [
    R("state:create-draft", "service.md 3", "POST /posts without publish makes a draft: 201, no records, a preview."),
    R("state:create-public", "service.md 3", "POST /posts with publish: true makes a public post: 201."),
    R("state:schedule", "service.md 3", "Creation and publication answer 202 when the post is scheduled."),
    R("state:publish", "service.md 3", "Publishing a draft with {} makes it public: revision new, publication first."),
    R("state:publish-again", "service.md 3", "Publish is idempotent in form. The answer has created: false."),
    R(
        "state:change",
        "service.md 3",
        "An edit of the public revision with change: 200, the publication is the change type, a new public revision.",
    ),
    R(
        "state:change-required",
        "service.md 3",
        "Without change: 422 change_type_required, which tells the three change types; nothing is written.",
    ),
    R("state:delete-draft", "service.md 3", "DELETE of a draft without retained history removes it: 204."),
    R("state:archive", "service.md 3", "DELETE archives a post with history."),
    R("state:unpublish", "service.md 3", "POST /posts/:id/unpublish withdraws a published or scheduled post."),
    R("state:release", "service.md 3", "A scheduled post becomes public when publish_at is reached."),
    R(
        "state:authorship",
        "decisions.md 10.1",
        "Until a revision records it, a post remembers who changed its content last and whether AI made it.",
    ),
    R("state:edits-keep", "service.md 4.1", "PATCH preserves the current publication state."),
    R(
        "state:republish",
        "records.md 5.2",
        "An unchanged post that returns keeps its dates; a changed one needs change.",
    ),
    R(
        "state:dates",
        "records.md 5.2",
        "Dates come from the publications: neither maintenance nor what the identifier does not cover moves them.",
    ),
    R("state:no-future-public", "decisions.md 3.4", "A public post cannot be sent a future publish_at."),
    R("state:archive-again", "decisions.md 3.5", "A second DELETE changes nothing; a sent redirect_to re-points it."),
    R("state:due-posts", "decisions.md 3.7", "Every due post is tried; refusals go to standard error, exit 1."),
    R(
        "state:overlapping-runs",
        "records.md 21",
        "Runs may overlap: each due post is released once, and no run waits for another.",
    ),
    R(
        "state:kept-running",
        "decisions.md 2",
        "publish_due_posts keeps running when told, outlives a database that goes away, and ends between two releases.",
    ),
    R(
        "state:task",
        "decisions.md 1",
        "On Django 6 the release is a task, too; on 5.2 its import says what to use instead, and nothing needs it.",
    ),
    R("state:gates", "decisions.md 9.6", "The gates also run on every write to a scheduled post and at its release."),
    R("state:publish-at", "decisions.md 9.17", "publish_at without offset is in TIME_ZONE; a bare date is refused."),
    R("state:cancel", "records.md 5.1", "publish_at: null turns a scheduled post into a draft."),
]
