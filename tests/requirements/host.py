"""What a host can rely on."""

from tests.requirements.rule import R

RULES = [
    R(
        "host:inputs",
        "decisions.md 1",
        "A host's code builds an input by from_data, which raises a Refusal for every fault.",
    ),
    R(
        "host:latest-posts",
        "decisions.md 1",
        "A host's own pages can show the newest public posts, and a post knows the path of its page.",
    ),
    R(
        "host:project-urls",
        "decisions.md 10.14",
        "Metadata and README name the project, with links that work outside of the repository.",
    ),
    R(
        "host:one-mount",
        "decisions.md 1",
        "The blog mounted twice or inside i18n_patterns is a system check error with a stable id.",
    ),
    R(
        "host:login-required",
        "decisions.md 1",
        "With LoginRequiredMiddleware API, agent endpoint and previews stay open; one documented class opens the blog.",
    ),
    R(
        "host:mount",
        "service.md 1",
        "The default mount path is /blog; any other one, and SCRIPT_NAME, applies to pages, redirects and API URLs.",
    ),
    R("host:three-lines", "decisions.md 1", "An app, an include and a settings dict are all that a host writes."),
    R("host:rest-framework", "decisions.md 1", "A hostile host REST_FRAMEWORK changes nothing."),
    R(
        "host:settings",
        "decisions.md 1",
        "A bad setting is named with its dotted key and the nearest valid name, as a system check with a stable id "
        "and as ImproperlyConfigured on use.",
    ),
    R("host:override", "decisions.md 1", "override_settings works; nothing is read at import but the segments."),
    R(
        "host:checks",
        "decisions.md 9.1",
        "USE_TZ = False is a check error; a missing public_base_url with DEBUG = False a warning.",
    ),
    R(
        "host:own-database",
        "decisions.md 1",
        "With a router that keeps the blog in a database of its own, migrations, writes and the tests of a host work.",
    ),
    R(
        "host:replica",
        "decisions.md 1",
        "With a router that reads from a replica, writes and answers of the API read what was written; readers' pages "
        "read from one replica, and from the written database what it does not have yet.",
    ),
    R(
        "host:databases",
        "decisions.md 1",
        "A database other than SQLite and PostgreSQL is refused by a system check, and by the first migration before "
        "any table is made.",
    ),
    R("host:hooks", "decisions.md 1", "Hooks are a dotted path or the object itself."),
    R("host:language", "decisions.md 1", "locale defaults to LANGUAGE_CODE; the pages are in that language."),
    R(
        "host:translations",
        "reader.md 1.3",
        "Every word of the interface can be translated, and is in a second language; dates are those of the locale.",
    ),
    R(
        "host:url-names",
        "decisions.md 9.3",
        "index, post, post_markdown, preview, media, policy and sitemap can be reversed by a host.",
    ),
    R("host:signals", "decisions.md 1", "Signals (sender=Post, post, actor, outcome) are sent after the commit."),
    R("host:render-markdown", "decisions.md 1", "public.render_markdown gives a host the renderer of the articles."),
    R(
        "host:sign-stored-file",
        "decisions.md 4",
        "public.sign_stored_file signs a reference to a file that the host has.",
    ),
    R(
        "host:middleware",
        "decisions.md 9.15",
        "RedirectMiddleware is optional, costs a query on a 404 only, and leads readers only.",
    ),
    R("host:commands", "decisions.md 2", "KEY=VALUE and --key value are both accepted; EVERY keeps a command running."),
    R("host:samples", "decisions.md 8.9", "blog_sample is idempotent; its articles have their external ids."),
    R("host:example-site", "decisions.md 2", "manage.py works from any folder; the environment decides the rest."),
    R("host:stored-paths", "decisions.md 9.9", "Redirect paths are stored without SCRIPT_NAME."),
    R(
        "host:log",
        "design.md 1.2",
        "Each call that may write, and each scheduled release, leaves one line: actor, operation, post, outcome, code, "
        "duration.",
    ),
    R("host:log-lines", "design.md 1.2", "It is one line of key=value, whatever is in a name."),
    R(
        "host:log-silence",
        "service.md 5.9",
        "No line holds a secret, a title, a body or details; reading logs nothing.",
    ),
]
