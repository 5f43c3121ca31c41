"""Whether the records of a public revision hold together (records.md 16, E19 A)."""

from blog_engine.content.revision import RevisionContent, revision_identifier, revision_payload
from blog_engine.enums import Provenance
from blog_engine.models import Revision
from blog_engine.queries.history import content_of
from blog_engine.queries.posts import ReportedPost
from blog_engine.report.surface.checks._expected_content import content_in
from blog_engine.report.surface.checks._verdict import Verdict, verdict


def judge_records(record: ReportedPost, revision: Revision) -> Verdict:
    """Payload, identifier and present content are the same, and the revision was published and approved.

    An article of unknown origin that nobody reviewed is not verified: nobody said that it would be.
    """
    faults = []
    if stored_content(revision) is None:
        faults.append("The stored text of the public revision does not belong to its identifier.")
    if revision_identifier(revision_payload(content_of(record.post, faq=record.faq))) != revision.identifier:
        faults.append("The post in the database is not the content of its public revision.")
    if all(entry.revision_id != revision.pk for entry in record.publications):
        faults.append("No publication of the public revision is recorded.")
    is_reviewed = any(one.revision_id == revision.pk and one.facts_checked for one in record.approvals)
    missing = [] if is_reviewed else ["Nobody is recorded to have checked the facts of the public revision."]
    if record.post.provenance == Provenance.UNKNOWN:
        return verdict(faults=faults, doubts=missing)
    return verdict(faults=faults + missing)


def stored_content(revision: Revision) -> RevisionContent | None:
    """What the revision recorded; ``None`` when its payload is not what the identifier says."""
    return content_in(revision.payload) if revision_identifier(revision.payload) == revision.identifier else None
