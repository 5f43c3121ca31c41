"""Articles of another system."""

from tests.requirements.rule import R

RULES = [
    R("adoption:scope", "service.md 4.1", "POST /adoptions needs publish, before anything else, and no other scope."),
    R(
        "adoption:answer",
        "service.md 2",
        "post, created, records (revision, publication, approval, baseline, redirects), findings, dry_run.",
    ),
    R("adoption:statuses", "records.md 5.1", "201 when the post is new, also for a dry run, else 200."),
    R(
        "adoption:fields",
        "records.md 12",
        "It takes the content fields, provenance and its evidence, and the fields of the snapshot.",
    ),
    R(
        "adoption:feed-id",
        "decisions.md 10.7",
        "feed_id is a URI of at most 2,048 characters, unique, and the id of the entry in feeds; no answer shows it.",
    ),
    R(
        "adoption:required",
        "records.md 12",
        "source_system, source_id, slug, title, body_format and body are required; only body may be empty.",
    ),
    R(
        "adoption:unknown",
        "records.md 12",
        "approval, publish_at, change, note, made_by_ai and publish are unknown; nested unknown names are dotted.",
    ),
    R(
        "adoption:types",
        "records.md 12",
        "Each field in its type, nullable ones take null: validation_failed with the field.",
    ),
    R(
        "adoption:slug",
        "decisions.md 8.3",
        "A blank slug is validation_failed [slug], one of another shape slug_not_supported [slug].",
    ),
    R(
        "adoption:precedence",
        "decisions.md 9",
        "All faulty fields are named, and mixed faults have the precedence of all inputs.",
    ),
    R(
        "adoption:reviewer",
        "records.md 12",
        "An earlier approval has reviewer_name and a boolean facts_checked, else approval_incomplete.",
    ),
    R(
        "adoption:approval-parts",
        "records.md 12",
        "Their other parts, and those of connections and old_slugs, are named dotted.",
    ),
    R(
        "adoption:one-approval",
        "records.md 12",
        "declaration and imported_approval together: validation_failed [declaration, imported_approval].",
    ),
    R(
        "adoption:imported",
        "records.md 12",
        "imported_approval becomes an approval imported, with confirmed_by and evidence.",
    ),
    R(
        "adoption:declared",
        "records.md 12",
        "declaration becomes an approval declared, with declared_by and declared_on.",
    ),
    R("adoption:declared-date", "records.md 12", "declared_first_published_at is refused beside first_published_at."),
    R(
        "adoption:provenance",
        "records.md 12",
        "A provenance other than unknown needs evidence, or a declaration that supplies it.",
    ),
    R("adoption:evidence", "records.md 12", "A time is kept only with its evidence; evidence is kept without a time."),
    R("adoption:times", "records.md 12", "Timestamps need a zone and are floored to microseconds."),
    R(
        "adoption:dates",
        "records.md 12",
        "published_at is the evidenced or declared first date or null, modified_at the evidenced one or that.",
    ),
    R(
        "adoption:public",
        "records.md 12",
        "The post is public at once, by the publication adopted at the time of the operation, and never first.",
    ),
    R("adoption:revision", "records.md 12", "The adopted revision is the content, under its identifier."),
    R("adoption:baseline", "service.md 2", "The baseline keeps what is known; the history tells it."),
    R("adoption:no-gates", "records.md 12", "No gate and no hook is asked."),
    R("adoption:cleared", "records.md 12", "An import clears what it omits; an omitted author is the default one."),
    R(
        "adoption:findings",
        "records.md 14",
        "Its findings are those of a write: author_default_used, approval_incomplete, slug_changed.",
    ),
    R("adoption:category", "records.md 12", "category_description only fills an empty description."),
    R(
        "adoption:connections",
        "records.md 12",
        "connections append a declaration, of today when undated; declarations are never deleted.",
    ),
    R(
        "adoption:identity",
        "records.md 12",
        "The source finds its post, whatever slug and external_id say; else external_id or slug do.",
    ),
    R(
        "adoption:taken-over",
        "records.md 12",
        "A draft or scheduled post without records is taken over: created is false.",
    ),
    R("adoption:own-records", "records.md 12", "A post with records of its own: identity_conflict."),
    R("adoption:other-source", "records.md 12", "A post that was adopted from another source: identity_conflict."),
    R("adoption:conflict-names", "decisions.md 3.2", "The conflict names the field that led to the post."),
    R(
        "adoption:changed-here",
        "service.md 7",
        "What was published again, withdrawn, removed or moved here since: already_changed_in_gem.",
    ),
    R("adoption:reserved", "records.md 12", "A reserved or redirected slug: slug_reserved."),
    R(
        "adoption:old-slugs",
        "records.md 12",
        "old_slugs are texts or {slug, moved_on}; each becomes a redirect adoption to the present path, once.",
    ),
    R(
        "adoption:old-slug-shape",
        "records.md 12",
        "One of another shape is slug_not_supported [old_slugs.slug], the present one validation_failed.",
    ),
    R(
        "adoption:old-slug-taken",
        "records.md 12",
        "One that is reserved, or that another post or redirect uses: slug_reserved.",
    ),
    R("adoption:moved-on", "records.md 12", "An unknown moved_on is today, or the day of the first adoption."),
    R(
        "adoption:same-again",
        "records.md 12",
        "The same again writes nothing: revision same, redirects 0, all else null, created false.",
    ),
    R(
        "adoption:compared",
        "records.md 12",
        "Content, places, provenance, baseline, approval, redirects and sent connections are compared.",
    ),
    R(
        "adoption:replaced",
        "records.md 12",
        "A changed snapshot replaces revision, approvals, publication, baseline and redirects of the earlier one.",
    ),
    R(
        "adoption:dry-run",
        "service.md 4.1",
        "With dry_run: true the answer holds the proposed content and records; no rows are kept, no signal is sent.",
    ),
    R("adoption:dry-refusals", "records.md 12", "A dry run is refused as the adoption would be."),
    R("adoption:dry-images", "service.md 4.1", "A dry run fetches images and keeps no uploaded files."),
    R(
        "adoption:images",
        "records.md 12",
        "Images are taken in as in post writes; one that cannot be had refuses the adoption.",
    ),
    R(
        "adoption:all-or-nothing",
        "records.md 12",
        "A refused adoption leaves nothing: no author, category, tag or file.",
    ),
    R(
        "adoption:undated",
        "service.md 4.3",
        "Unknown dates are omitted from the page; only a real change supplies one.",
    ),
    R("adoption:listed-last", "reader.md 1.6", "Undated articles are listed last."),
    R(
        "adoption:racing",
        "records.md 21",
        "Two adoptions of one source pair: one success, one identity_conflict, one post.",
    ),
    R(
        "adoption:signals",
        "decisions.md 1",
        "Hosts hear of an adoption as of a publication, of a replacement as of an update, of a repeat nothing.",
    ),
]
