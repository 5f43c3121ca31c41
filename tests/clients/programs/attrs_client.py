"""The round trip with the client of openapi-python-client; run as: attrs_client.py API TOKEN PICTURE.

It prints what it found, as JSON. Run in a folder with the package ``attrs_client``, by a Python without the engine.
"""

import json
import sys
from io import BytesIO
from pathlib import Path

from attrs_client.api.images import fill_upload_ticket, open_upload_ticket, upload_image
from attrs_client.api.posts import approve_revision, get_post, list_posts, publish_post, save_post, update_post
from attrs_client.api.proposals import apply_proposal
from attrs_client.client import AuthenticatedClient
from attrs_client.models import (
    ApplyProposalBody,
    ApproveRevisionBody,
    BodyEdit,
    DryRun,
    FullPost,
    ImageObject,
    ListPostsStatus,
    OpenUploadTicketBody,
    PostList,
    PostParts,
    ProposalEnvelope,
    PublishPostBody,
    Refusal422,
    SavePostBody,
    UpdatePostBody,
    UpdatePostBodyChange,
    UploadImageBody,
    UploadTicketObject,
    WriteEnvelope,
)
from attrs_client.types import File
from httpx import Timeout

api, token, picture = sys.argv[1], sys.argv[2], Path(sys.argv[3]).read_bytes()
client = AuthenticatedClient(base_url=api, token=token, timeout=Timeout(60))

draft = save_post.sync(
    client=client,
    body=SavePostBody(
        title="Frost in attrs", body="It freezes.\n", description="Winter.", category="Soil", external_id="attrs"
    ),
)
assert type(draft) is WriteEnvelope, draft
post = draft.post
assert (draft.created, post.status.value) == (True, "draft")

for answer in (
    update_post.sync(post.id, client=client, body=UpdatePostBody.from_dict({"tags": ["ice"]})),
    save_post.sync(client=client, body=SavePostBody.from_dict({"tags": ["ice"], "slug": post.slug})),
):
    assert type(answer) is WriteEnvelope, answer
    tagged: WriteEnvelope = answer
    kept = (tagged.post.body, tagged.post.description, tagged.post.category and tagged.post.category.name)
    assert kept == ("It freezes.\n", "Winter.", "Soil"), kept

approved = approve_revision.sync(
    post.id,
    client=client,
    body=ApproveRevisionBody(revision_identifier=tagged.post.revision_identifier, name="Rosa", facts_checked=True),
)
assert type(approved) is WriteEnvelope, approved
published = publish_post.sync(post.id, client=client, body=PublishPostBody())
assert type(published) is WriteEnvelope, published
assert published.post.status.value == "published"

tried = update_post.sync(
    post.id,
    client=client,
    body=UpdatePostBody(
        edits=[BodyEdit(old="freezes", new="thaws")], change=UpdatePostBodyChange.MAINTENANCE, dry_run=True
    ),
)
assert type(tried) is DryRun, tried
assert "thaws" in tried.difference

proposed = update_post.sync(
    post.id,
    client=client,
    body=UpdatePostBody(
        edits=[BodyEdit(old="freezes", new="froze")], change=UpdatePostBodyChange.MAINTENANCE, propose=True
    ),
)
assert type(proposed) is ProposalEnvelope, proposed
applied = apply_proposal.sync(proposed.proposal.id, client=client, body=ApplyProposalBody())
assert type(applied) is ProposalEnvelope, applied
assert applied.proposal.state.value == "applied"

corrected = update_post.sync(
    post.id,
    client=client,
    body=UpdatePostBody(title="Frosts in attrs", change=UpdatePostBodyChange.CORRECTION, note="There were two."),
)
assert type(corrected) is WriteEnvelope, corrected
assert corrected.records.publication is not None
refused = update_post.sync(post.id, client=client, body=UpdatePostBody(title="Another"))
assert type(refused) is Refusal422, refused

listed = list_posts.sync(client=client, status=ListPostsStatus.PUBLISHED)
assert type(listed) is PostList, listed
read = get_post.sync(post.id, client=client)
assert type(read) is FullPost, read
parts = get_post.sync(post.id, client=client, fields=["title", "tags"])
assert type(parts) is PostParts, parts
assert parts.tags == ["ice"]

uploaded = upload_image.sync(
    client=client, body=UploadImageBody(file=File(BytesIO(picture), "quay.png", "image/png"), credit="Mina")
)
assert type(uploaded) is ImageObject, uploaded
ticket = open_upload_ticket.sync(
    client=client, body=OpenUploadTicketBody(filename="quay.png", content_type="image/png", byte_size=len(picture))
)
assert type(ticket) is UploadTicketObject, ticket
number, _, secret = ticket.upload_url.rpartition("/")[2].partition("?secret=")
filled = fill_upload_ticket.sync(number, client=client, secret=secret, body=File(BytesIO(picture)))
assert type(filled) is ImageObject, filled

sys.stdout.write(
    json.dumps(
        {
            "titles": [card.title for card in listed.posts],
            "body": read.body,
            "credit": uploaded.credit,
            "refused": refused.error.code.value,
            "same_image": filled.image_id == uploaded.image_id,
        }
    )
)
