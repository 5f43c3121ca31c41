"""What can be done with the FAQ of a text that is not stored (service.md section 4.1)."""

from blog_engine.actor import Call, Scope
from blog_engine.content.faq_extraction import extract_faq as extract
from blog_engine.inputs.reports import ExtractFaq
from blog_engine.operations.base import operation
from blog_engine.outputs.faq import FaqProposal
from blog_engine.services._bodies import check_body_markup, check_body_size
from blog_engine.vocabulary import BodyFormat


@operation(scope=Scope.READ)
def extract_faq(data: ExtractFaq, call: Call) -> FaqProposal:
    """Propose FAQ entries for what a Markdown body asks and answers; nothing is stored."""
    check_body_size(data.body)
    check_body_markup(data.body, BodyFormat.MARKDOWN)
    return FaqProposal.of(extract(data.body, standalone_questions=data.standalone_questions))
