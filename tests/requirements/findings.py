"""Advice on posts."""

from tests.requirements.rule import R

RULES = [
    R("finding:order", "records.md 14", "Findings come in the order of the table, links last."),
    R(
        "finding:descriptions",
        "records.md 14",
        "description_absent (T8): both are blank; description_duplicate (T8): a public post has the effective one.",
    ),
    R("finding:title", "records.md 14", "title_duplicate (T7): another public post has the same title."),
    R(
        "finding:category",
        "records.md 14",
        "category_absent and category_description_absent (T21), where the primary list type is categories.",
    ),
    R("finding:faq", "records.md 14", "faq_question_duplicate, faq_markup_in_answer (E19) and faq_in_body."),
    R(
        "finding:of-a-write",
        "records.md 14",
        "author_default_used, approval_incomplete and slug_changed are found by the write only, not by a reading.",
    ),
    R(
        "finding:not-recorded",
        "decisions.md 10.2",
        "note_not_recorded: a note that no publication holds; date_not_recorded: a time without evidence.",
    ),
    R(
        "finding:published-now",
        "decisions.md 10.2",
        "published_now at publish_at: its time had passed, so it is public.",
    ),
    R(
        "finding:redirect-target",
        "decisions.md 10.2",
        "redirect_target_missing at redirect_to: nothing of the blog answers readers there.",
    ),
    R("finding:provenance", "records.md 14", "provenance_unknown (E18) while it is unknown."),
    R(
        "finding:approval",
        "records.md 14",
        "approval_absent (E18): a public or scheduled revision that is not human_written, without a checked approval.",
    ),
    R("finding:connections", "records.md 14", "connections_not_declared (E21, E22) until there is a declaration."),
    R("finding:responsible", "records.md 14", "responsible_party_absent (E4, no location) while the blog names none."),
    R(
        "finding:canonical",
        "records.md 14",
        "canonical_off_site (T5): scheme, host or port differ from public_base_url, if that is set.",
    ),
    R("finding:social-image", "records.md 14", "social_image_absent (T17): no cover, no social image and no default."),
    R(
        "finding:headings",
        "records.md 14",
        "heading_level_skipped (T9) and heading_h1_in_body (T10), the first of each; code and raw HTML do not count.",
    ),
    R(
        "finding:lost-markup",
        "decisions.md 10.2",
        "html_dropped names raw HTML that is not shown; hard_wrapped: lines wrapped at a column show as line breaks.",
    ),
    R(
        "finding:image-alt",
        "records.md 14",
        "image_alt_absent (T13): the cover first, else the first image of the body.",
    ),
    R(
        "finding:image-external",
        "records.md 14",
        "image_external (E19): the first image on another host, on any host when no base is set.",
    ),
    R(
        "finding:image-unverified",
        "decisions.md 3.19",
        "image_unverified (E19) at body.images[i]: its bytes are not known.",
    ),
    R(
        "finding:image-location",
        "decisions.md 3.22",
        "image_location_data (E19) at cover_image, social_image or body.images[i].",
    ),
    R(
        "finding:links",
        "records.md 14",
        "link_same_site_broken (T14), one for each distinct link inside the mount that nothing serves.",
    ),
    R(
        "finding:links-ignored",
        "records.md 14",
        "Links out of the blog, without a base also absolute ones, are not looked up.",
    ),
    R("finding:links-previews", "records.md 14", "A preview link is served while its token is right."),
    R("finding:registry", "records.md 14", "A registry keyed by code lets a host add and replace checks."),
    R(
        "finding:queries",
        "design.md 3",
        "Links and images of a body take a fixed number of queries, however many there are.",
    ),
]
