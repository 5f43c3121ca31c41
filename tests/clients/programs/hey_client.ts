// The round trip with the client of hey-api; run as: hey_client.js API TOKEN PICTURE.
// It prints what it found, as JSON. Compiled beside the folder "generated".
import { readFileSync } from "node:fs";
import { client } from "./generated/client.gen";
import {
  applyProposal,
  approveRevision,
  fillUploadTicket,
  getPost,
  listPosts,
  openUploadTicket,
  publishPost,
  savePost,
  updatePost,
  uploadImage,
} from "./generated";
import type {
  DryRun,
  FullPost,
  PostParts,
  ProposalEnvelope,
  ShortDryRun,
  ShortWrite,
  UpdatePostData,
  WriteEnvelope,
} from "./generated";

const [api, token, path] = process.argv.slice(2);
const picture = new Blob([readFileSync(path)], { type: "image/png" });
client.setConfig({ baseUrl: api, auth: token });

type Whole = DryRun | ProposalEnvelope | WriteEnvelope;
// The short ones come where `answer` asks for them.
type Written = Whole | ShortDryRun | ShortWrite;

const check = (holds: unknown, what: unknown) => {
  if (!holds) throw new Error(JSON.stringify(what));
};
const data = <T>(answer: { data?: T; error?: unknown }): T => {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
};
const isWhole = (answer: Written): answer is Whole => "created_at" in answer.post;
const asWrite = (answer: Written): WriteEnvelope => {
  if (isWhole(answer) && !("difference" in answer) && !("proposal" in answer)) return answer;
  throw new Error(JSON.stringify(answer));
};
const asDryRun = (answer: Written): DryRun => {
  if (isWhole(answer) && "difference" in answer) return answer;
  throw new Error(JSON.stringify(answer));
};
const asProposal = (answer: Written): ProposalEnvelope => {
  if (isWhole(answer) && "proposal" in answer) return answer;
  throw new Error(JSON.stringify(answer));
};

const main = async () => {
  const fields = {
    title: "Frost in hey",
    body: "It freezes.\n",
    description: "Winter.",
    category: "Soil",
    external_id: "hey",
  };
  const draft = asWrite(data(await savePost({ body: fields })));
  const to = { id: draft.post.id };
  check(draft.created && draft.post.status === "draft", draft);

  const edit = async (body: UpdatePostData["body"]) => data(await updatePost({ path: to, body }));
  const { post } = asWrite(await edit({ tags: ["ice"] }));
  check(post.body === "It freezes.\n" && post.description === "Winter." && post.category?.name === "Soil", post);

  const review = { revision_identifier: post.revision_identifier, name: "Rosa", facts_checked: true };
  asWrite(data(await approveRevision({ path: to, body: review })));
  const published = asWrite(data(await publishPost({ path: to, body: {} })));
  check(published.post.status === "published", published);

  const tried = asDryRun(
    await edit({ edits: [{ old: "freezes", new: "thaws" }], change: "maintenance", dry_run: true }),
  );
  check(tried.difference.includes("thaws"), tried);
  const proposed = asProposal(
    await edit({ edits: [{ old: "freezes", new: "froze" }], change: "maintenance", propose: true }),
  );
  const applied = asProposal(data(await applyProposal({ path: { proposal: proposed.proposal.id }, body: {} })));
  check(applied.proposal.state === "applied", applied);
  const corrected = asWrite(await edit({ title: "Frosts in hey", change: "correction", note: "There were two." }));
  check(corrected.records.publication !== null, corrected);
  const { error } = await updatePost({ path: to, body: { title: "Another" } });
  check(error, "was not refused");

  const listed = data(await listPosts({ query: { status: "published" } }));
  const read: FullPost | PostParts = data(await getPost({ path: to }));
  check("reading_time_minutes" in read, read);
  const parts = data(await getPost({ path: to, query: { fields: ["title", "tags"] } }));
  check(!("slug" in parts) && parts.tags?.[0] === "ice", parts);

  const file = new File([picture], "quay.png", { type: "image/png" });
  const uploaded = data(await uploadImage({ body: { file, credit: "Mina" } }));
  const announced = { filename: "quay.png", content_type: "image/png", byte_size: picture.size };
  const ticket = data(await openUploadTicket({ body: announced }));
  const url = new URL(ticket.upload_url);
  const secret = url.searchParams.get("secret") ?? "";
  const number = url.pathname.split("/").at(-1) ?? "";
  const filled = data(await fillUploadTicket({ path: { id: number }, query: { secret }, body: picture }));

  console.log(
    JSON.stringify({
      titles: listed.posts.map((card) => card.title),
      body: read.body,
      credit: uploaded.credit,
      refused: error?.error.code,
      same_image: filled.image_id === uploaded.image_id,
    }),
  );
};

main().catch((fault: unknown) => {
  console.error(fault);
  process.exit(1);
});
