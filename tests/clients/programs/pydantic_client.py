"""The round trip with the Python client of openapi-generator; run as: pydantic_client.py API TOKEN PICTURE.

It prints what it found, as JSON. Run in a folder with the package ``openapi_client``, by a Python without the engine.
"""

import json
import sys
from pathlib import Path
from typing import Any

from openapi_client import ApiClient, Configuration, ImagesApi, PostsApi, ProposalsApi
from openapi_client.exceptions import UnprocessableEntityException
from openapi_client.models import (
    ApplyProposalRequest,
    ApproveRevisionRequest,
    BodyEdit,
    DryRun,
    FullPost,
    OpenUploadTicketRequest,
    PostList,
    PostParts,
    ProposalEnvelope,
    PublishPostRequest,
    Refusal422,
    SavePostRequest,
    UpdatePostRequest,
    WriteEnvelope,
)

api, token, picture = sys.argv[1], sys.argv[2], Path(sys.argv[3]).read_bytes()
client = ApiClient(Configuration(host=api, access_token=token))
posts, proposals, images = PostsApi(client), ProposalsApi(client), ImagesApi(client)


def expect(kind: Any, answer: Any) -> Any:
    found = getattr(answer, "actual_instance", answer)
    assert type(found) is kind, found
    return found


draft = expect(
    WriteEnvelope,
    posts.save_post(
        save_post_request=SavePostRequest(
            title="Frost in pydantic",
            body="It freezes.\n",
            description="Winter.",
            category="Soil",
            external_id="pydantic",
        )
    ),
)
post = draft.post
assert (draft.created, post.status) == (True, "draft")

fields = UpdatePostRequest.from_dict({"tags": ["ice"]})
again = SavePostRequest.from_dict({"tags": ["ice"], "slug": post.slug})
for answer in (posts.update_post(post.id, update_post_request=fields), posts.save_post(save_post_request=again)):
    tagged = expect(WriteEnvelope, answer)
    kept = (tagged.post.body, tagged.post.description, tagged.post.category and tagged.post.category.name)
    assert kept == ("It freezes.\n", "Winter.", "Soil"), kept

identifier = tagged.post.revision_identifier
review = ApproveRevisionRequest(revision_identifier=identifier, name="Rosa", facts_checked=True)
expect(WriteEnvelope, posts.approve_revision(post.id, approve_revision_request=review))
published = expect(WriteEnvelope, posts.publish_post(post.id, publish_post_request=PublishPostRequest()))
assert published.post.status == "published"


def edit(**fields: Any) -> Any:
    return posts.update_post(post.id, update_post_request=UpdatePostRequest(**fields))


tried = expect(DryRun, edit(edits=[BodyEdit(old="freezes", new="thaws")], change="maintenance", dry_run=True))
assert "thaws" in tried.difference
proposed = expect(
    ProposalEnvelope, edit(edits=[BodyEdit(old="freezes", new="froze")], change="maintenance", propose=True)
)
applied = expect(
    ProposalEnvelope,
    proposals.apply_proposal(proposed.proposal.id, apply_proposal_request=ApplyProposalRequest()),
)
assert applied.proposal.state == "applied"
corrected = expect(WriteEnvelope, edit(title="Frosts in pydantic", change="correction", note="There were two."))
assert corrected.records.publication is not None
refused = ""
try:
    edit(title="Another")
except UnprocessableEntityException as fault:
    refused = expect(Refusal422, fault.data).error.code

listed = expect(PostList, posts.list_posts(status="published"))
read = expect(FullPost, posts.get_post(post.id))
parts = expect(PostParts, posts.get_post(post.id, fields=["title", "tags"]))
assert parts.tags == ["ice"]

uploaded = images.upload_image(file=("quay.png", picture), credit="Mina")
ticket = images.open_upload_ticket(
    OpenUploadTicketRequest(filename="quay.png", content_type="image/png", byte_size=len(picture))
)
number, _, secret = ticket.upload_url.rpartition("/")[2].partition("?secret=")
filled = images.fill_upload_ticket(number, secret, picture)

sys.stdout.write(
    json.dumps(
        {
            "titles": [card.title for card in listed.posts],
            "body": read.body,
            "credit": uploaded.credit,
            "refused": refused,
            "same_image": filled.image_id == uploaded.image_id,
        }
    )
)
