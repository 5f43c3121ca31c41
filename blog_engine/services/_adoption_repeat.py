"""Whether an adoption says anything that the blog does not have yet (records.md 12, comparison)."""

from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.parts import ConnectionsInput
from blog_engine.models import Approval, Baseline, Category, PostTag
from blog_engine.queries.articles import latest_declaration
from blog_engine.services._adoption_snapshot import approval_facts, baseline_facts
from blog_engine.services._edit import Edit, columns_of
from blog_engine.services._finish import connections_of

_COMPARED = (
    *("slug", "body_format", "author", "category", "series", "series_position", "featured"),
    *("canonical_url", "external_id", "feed_id", "provenance", "provenance_evidence"),
)


def repeats(edit: Edit, data: AdoptPost, baseline: Baseline) -> bool:
    """Whether the derived edit, its records and its declaration are what the earlier adoption left.

    Content is compared by its revision identifier. The redirects are compared where they are known.
    """
    columns = columns_of(edit.post)
    return (
        edit.post.current_revision_identifier == edit.before.public_identifier
        and all(columns[name] == edit.stored[name] for name in _COMPARED)
        and _has_tags(edit)
        and category_to_describe(edit, data) is None
        and _has_facts(baseline, data)
        and _has_approval(edit, data)
        and declaration_to_append(edit, data) is None
    )


def category_to_describe(edit: Edit, data: AdoptPost) -> Category | None:
    """The category of the post if it has no description yet and the adoption has one for it."""
    category = edit.post.category
    if data.category_description is None or category is None or category.description.strip():
        return None
    return category


def declaration_to_append(edit: Edit, data: AdoptPost) -> ConnectionsInput | None:
    """The declaration that was sent, unless it is the one in force; without a day, the day makes no difference."""
    sent = data.connections
    last = latest_declaration(edit.post)
    if sent is None or last is None:
        return sent
    stored = (last.connections, last.third_party_paid, last.declared_by)
    says_the_same = stored == (connections_of(sent), sent.third_party_paid, sent.declared_by)
    return None if says_the_same and sent.declared_on in (None, last.declared_on) else sent


def _has_tags(edit: Edit) -> bool:
    stored = PostTag.objects.filter(post=edit.post).values_list("tag_id", flat=True)
    return set(stored) == set(edit.tags or ())


def _has_facts(baseline: Baseline, data: AdoptPost) -> bool:
    return all(getattr(baseline, name) == value for name, value in baseline_facts(data).items())


def _has_approval(edit: Edit, data: AdoptPost) -> bool:
    facts = approval_facts(data)
    stored = list(Approval.objects.filter(post=edit.post))
    if facts is None or len(stored) != 1:
        return facts is None and not stored
    return all(getattr(stored[0], name) == value for name, value in facts.items())
