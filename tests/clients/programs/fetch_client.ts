// The round trip with the client of openapi-generator's typescript-fetch; run as: fetch_client.js API TOKEN PICTURE.
// It prints what it found, as JSON. Compiled beside the folder "generated".
import { readFileSync } from "node:fs";
import {
  Configuration,
  ImagesApi,
  PostsApi,
  ProposalsApi,
  ResponseError,
  Refusal422FromJSON,
  SavePostRequestFromJSON,
  UpdatePostRequestFromJSON,
  instanceOfDryRun,
  instanceOfFullPost,
  instanceOfProposalEnvelope,
  instanceOfWriteEnvelope,
} from "./generated";
import type {
  DryRun,
  FullPost,
  ProposalEnvelope,
  ShortDryRun,
  ShortWrite,
  UpdatePostRequest,
  WriteEnvelope,
} from "./generated";

const [api, token, path] = process.argv.slice(2);
const picture = new Blob([readFileSync(path)], { type: "image/png" });
const configuration = new Configuration({ basePath: api, accessToken: token });
const [posts, proposals, images] = [
  new PostsApi(configuration),
  new ProposalsApi(configuration),
  new ImagesApi(configuration),
];

// The short ones come where `answer` asks for them.
type Written = DryRun | ProposalEnvelope | ShortDryRun | ShortWrite | WriteEnvelope;

const check = (holds: unknown, what: unknown) => {
  if (!holds) throw new Error(JSON.stringify(what));
};
const asWrite = (answer: Written): WriteEnvelope => {
  if (instanceOfWriteEnvelope(answer) && !instanceOfDryRun(answer) && !instanceOfProposalEnvelope(answer)) return answer;
  throw new Error(JSON.stringify(answer));
};
const asDryRun = (answer: Written): DryRun => {
  if (instanceOfDryRun(answer)) return answer;
  throw new Error(JSON.stringify(answer));
};
const asProposal = (answer: Written): ProposalEnvelope => {
  if (instanceOfProposalEnvelope(answer)) return answer;
  throw new Error(JSON.stringify(answer));
};

const main = async () => {
  const fields = {
    title: "Frost in fetch",
    body: "It freezes.\n",
    description: "Winter.",
    category: "Soil",
    externalId: "fetch",
  };
  const draft = asWrite(await posts.savePost({ savePostRequest: fields }));
  const id = String(draft.post.id);
  check(draft.created && draft.post.status === "draft", draft);

  const tagged = [
    await posts.updatePost({ id, updatePostRequest: UpdatePostRequestFromJSON({ tags: ["ice"] }) }),
    await posts.savePost({ savePostRequest: SavePostRequestFromJSON({ tags: ["ice"], slug: draft.post.slug }) }),
  ].map(asWrite);
  for (const { post } of tagged) {
    check(post.body === "It freezes.\n" && post.description === "Winter." && post.category?.name === "Soil", post);
  }

  const revisionIdentifier = tagged[1].post.revisionIdentifier;
  const approveRevisionRequest = { revisionIdentifier, name: "Rosa", factsChecked: true };
  asWrite(await posts.approveRevision({ id, approveRevisionRequest }));
  const published = asWrite(await posts.publishPost({ id, publishPostRequest: {} }));
  check(published.post.status === "published", published);

  const edit = (updatePostRequest: UpdatePostRequest) => posts.updatePost({ id, updatePostRequest });
  const tried = asDryRun(
    await edit({ edits: [{ old: "freezes", _new: "thaws" }], change: "maintenance", dryRun: true }),
  );
  check(tried.difference.includes("thaws"), tried);
  const proposed = asProposal(
    await edit({ edits: [{ old: "freezes", _new: "froze" }], change: "maintenance", propose: true }),
  );
  const applied = asProposal(
    await proposals.applyProposal({ proposal: proposed.proposal.id, applyProposalRequest: {} }),
  );
  check(applied.proposal.state === "applied", applied);
  const corrected = asWrite(await edit({ title: "Frosts in fetch", change: "correction", note: "There were two." }));
  check(corrected.records.publication !== null, corrected);
  const refused = await edit({ title: "Another" }).catch((fault: unknown) => fault);
  if (!(refused instanceof ResponseError)) throw refused;
  const refusal = Refusal422FromJSON(await refused.response.json());

  const listed = await posts.listPosts({ status: "published" });
  const read = await posts.getPost({ id });
  if (!instanceOfFullPost(read)) throw new Error(JSON.stringify(read));
  const full: FullPost = read;
  const parts = await posts.getPost({ id, fields: ["title", "tags"] });
  check(!instanceOfFullPost(parts) && parts.tags?.[0] === "ice", parts);

  const uploaded = await images.uploadImage({ file: new File([picture], "quay.png", { type: "image/png" }), credit: "Mina" });
  const announced = { filename: "quay.png", contentType: "image/png", byteSize: picture.size };
  const ticket = await images.openUploadTicket({ openUploadTicketRequest: announced });
  const url = new URL(ticket.uploadUrl);
  const secret = url.searchParams.get("secret") ?? "";
  const filled = await images.fillUploadTicket({ id: url.pathname.split("/").at(-1) ?? "", secret, body: picture });

  console.log(
    JSON.stringify({
      titles: listed.posts.map((card) => card.title),
      body: full.body,
      credit: uploaded.credit,
      refused: refusal.error.code,
      same_image: filled.imageId === uploaded.imageId,
    }),
  );
};

main().catch((fault: unknown) => {
  console.error(fault);
  process.exit(1);
});
