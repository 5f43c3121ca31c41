"""What the doctor says of an installation."""

from tests.requirements.rule import R

RULES = [
    R("doctor:answer", "service.md 2", "{checks: [{name, status, message}]}; status is ok, warning or error."),
    R("doctor:scope", "service.md 4.1", "GET /doctor needs read and takes no input."),
    R("doctor:order", "decisions.md 4", "Thirteen checks in their order, whatever the state of the host."),
    R(
        "doctor:unavailable",
        "records.md 15",
        "An unexpected exception makes one check an error, with class and message, and the others still run.",
    ),
    R("doctor:ordinary", "records.md 15", "An error of the installation is an ordinary answer: 200."),
    R("doctor:reads", "records.md 15", "Nothing is modified."),
    R("doctor:secrets", "service.md 5", "No secret of the settings stands in a message."),
    R(
        "doctor:configuration",
        "records.md 15",
        "Configuration: error for bad settings, warning for names of an installer and what the system checks warn of.",
    ),
    R(
        "doctor:migrations",
        "records.md 15",
        "Migrations: error for a missing table or an unapplied migration, which it names.",
    ),
    R(
        "doctor:route",
        "records.md 15",
        "Route: error when the engine is not mounted or hides routes of the host behind it; ok names the mount.",
    ),
    R(
        "doctor:hidden-posts",
        "decisions.md 10.12",
        "A value of route_segments that is the slug of a stored post is an error of Route and of check --database.",
    ),
    R("doctor:redirects", "decisions.md 9.15", "Route warns of redirects outside the mount that no middleware serves."),
    R(
        "doctor:templates",
        "decisions.md 4",
        "Templates: error for a missing or broken template and for a layout that lacks one of its two blocks.",
    ),
    R(
        "doctor:layout-parts",
        "records.md 15",
        "Templates: error for a title, viewport or canonical link in a layout besides those of the pages; warning "
        "for a layout without skip link, policy links or theme switch.",
    ),
    R(
        "doctor:theme",
        "records.md 15",
        "Theme: error without its stylesheet, warning for an override of a contrast below 4.5:1.",
    ),
    R(
        "doctor:static-files",
        "decisions.md 4",
        "Static files: error or warning when a file of the blog cannot be served.",
    ),
    R("doctor:authentication", "records.md 15", "Authentication: ok with the hook or an active token, else a warning."),
    R("doctor:rate-limit", "decisions.md 4", "Rate limit: warning when the cache is per process or cannot count."),
    R("doctor:schedule", "decisions.md 4", "Schedule: warning only when a post is overdue by more than five minutes."),
    R(
        "doctor:storage",
        "decisions.md 4",
        "Storage: a probe is written, read and deleted; a fault is an error, and no probe stays.",
    ),
    R("doctor:formats", "decisions.md 4", "It tells when AVIF, WebP or libmagic are not supported."),
    R("doctor:open-imports", "service.md 4.1", "Doctor reports image_fetch_policy open."),
    R(
        "doctor:policies",
        "service.md 4.3",
        "Doctor opens configured policy URLs, which must answer exactly 200, and recognizes published local pages.",
    ),
    R(
        "doctor:patience",
        "records.md 15",
        "Silent policy pages are waited for together, for three seconds at most; bodies are not waited for.",
    ),
    R(
        "doctor:gaps",
        "decisions.md 5.1",
        "Records: what a deleted revision, approval, publication or baseline leaves is an error with the post's id.",
    ),
    R(
        "doctor:records",
        "decisions.md 5.1",
        "Records: identifier and dates of every public post are recomputed; what differs is an error with its id.",
    ),
    R(
        "doctor:protection",
        "decisions.md 4",
        "Records also tells when the append-only protection is not in the database.",
    ),
    R(
        "doctor:newest",
        "decisions.md 9.16",
        "The API checks the 500 most recently changed public posts and says so; the command checks all.",
    ),
    R(
        "doctor:declarations",
        "records.md 15",
        "Declarations: warning when primary_list_type or sign_in_destinations is not set explicitly.",
    ),
    R(
        "doctor:command",
        "decisions.md 2",
        "blog_doctor prints a line for each check, or with --json the object of the API, and exits 1 on an error.",
    ),
]
