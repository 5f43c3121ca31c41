"""What can be done with policy pages (service.md section 4.1)."""

from blog_engine import services
from blog_engine.actor import Call, Scope
from blog_engine.addresses import Addresses
from blog_engine.errors import NotFound
from blog_engine.inputs.records import PageRef, SavePage
from blog_engine.inputs.reports import Paged
from blog_engine.operations.base import operation
from blog_engine.outputs.pages import PageList, PageObject
from blog_engine.queries.pages import policy_pages, read_page
from blog_engine.queries.paging import page_of


@operation(scope=Scope.READ)
def list_pages(data: Paged, call: Call) -> PageList:
    """List the policy pages, drafts too."""
    return PageList.of(page_of(policy_pages(), data), Addresses.on(call.base_url))


@operation(scope=Scope.READ, refuses=[NotFound])
def get_page(data: PageRef, call: Call) -> PageObject:
    """Read one policy page, a draft too."""
    return PageObject.of(read_page(data.kind), Addresses.on(call.base_url))


@operation(scope=Scope.WRITE)
def save_page(data: SavePage, call: Call) -> PageObject:
    """Create or edit a policy page; publishing it, or changing a published one, needs publish too."""
    saved = services.save_page(data, actor=call.actor, now=call.now)
    return PageObject.of(saved.page, Addresses.on(call.base_url), created=saved.created)
