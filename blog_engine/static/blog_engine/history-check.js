// Recomputes the public evidence of an article in the browser, as blog_engine/verify.py does (proof.verify.checks).
const SAME_ORIGIN = { cache: "no-store", credentials: "same-origin" };

class Unverified extends Error {}
class Unreachable extends Error {}

function require(condition, reason) {
  if (!condition) throw new Unverified(reason);
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  // All keys of records are ASCII, so that the order of code units is that of code points.
  const pairs = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${pairs.join(",")}}`;
}

function hex(bytes) {
  return Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
}

function bytesOf(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer()));
}

async function digest(value) {
  return hex(await sha256(canonical(value)));
}

function only(object, ...names) {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}

async function rootOfPath(leaf, index, size, path) {
  let root = leaf;
  let last = size - 1;
  if (index > last) return null;
  for (const one of path.map(bytesOf)) {
    if (last === 0) return null;
    if (index % 2 || index === last) {
      root = await sha256(Uint8Array.of(1), one, root);
      while (index && index % 2 === 0) {
        index = Math.floor(index / 2);
        last = Math.floor(last / 2);
      }
    } else {
      root = await sha256(Uint8Array.of(1), root, one);
    }
    index = Math.floor(index / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? hex(root) : null;
}

async function checkCheckpoint(checkpoint) {
  const hash = await digest(only(checkpoint, "number", "created_at", "boundary", "size", "root", "previous"));
  require(hash === checkpoint.hash, "checkpoint");
}

async function checkChain({ chain, post, records }) {
  const known = new Map(records.map(({ position, record }) => [position, record]));
  require(known.size === records.length, "records");
  let previous = "";
  for (const [number, link] of chain.entries()) {
    require(link.position === number + 1 && link.previous === previous, `link ${number + 1}`);
    const fields = only(link, "position", "kind", "digest", "chained_at", "previous");
    require((await digest({ post: post.id, ...fields })) === link.hash, `link ${number + 1}`);
    const record = known.get(link.position);
    const fits = !record || (record.kind === link.kind && record.post === post.id);
    require(fits && (!record || (await digest(record)) === link.digest), `record ${link.position}`);
    previous = link.hash;
  }
  require([...known.keys()].every((position) => position >= 1 && position <= chain.length), "records");
}

async function checkTexts({ payloads, records }) {
  const recorded = new Set(records.filter(({ record }) => record.kind === "revision").map(({ record }) => record.identifier));
  for (const { identifier, payload } of payloads) {
    require(recorded.has(identifier) && hex(await sha256(payload)) === identifier, `text ${identifier}`);
  }
}

function secondOf(time) {
  return Math.floor(Date.parse(time) / 1000);
}

function checkPage({ records }) {
  const publications = records.map(({ record }) => record).filter(({ kind }) => kind === "publication");
  // Records have microseconds, which not every browser reads.
  const seconds = publications.map(({ occurred_at: time }) => secondOf(`${time.slice(0, 19)}Z`));
  const released = new Set(publications.map(({ revision }, index) => `${revision} ${seconds[index]}`));
  for (const event of document.querySelectorAll("[data-blog-version]:not([data-blog-withheld])")) {
    const { blogVersion: version } = event.dataset;
    require(released.has(`${version} ${secondOf(event.querySelector("time").dateTime)}`), `version ${version}`);
  }
}

async function checkInclusion({ chain, checkpoint, inclusion, post }) {
  const covered = chain[inclusion.position - 1];
  require(covered, "inclusion");
  const leaf = canonical({ post: post.id, position: covered.position, hash: covered.hash });
  const root = await rootOfPath(await sha256(Uint8Array.of(0), leaf), inclusion.index, checkpoint.size, inclusion.path);
  require(root === checkpoint.root, "root");
}

async function load(path) {
  const response = await fetch(path, SAME_ORIGIN).catch(() => null);
  if (!response?.ok) throw new Unreachable(path);
  return response.json();
}

async function verify({ evidence: path, checkpoint: latest }) {
  const evidence = await load(path);
  const { chain, checkpoint, inclusion } = evidence;
  await checkChain(evidence);
  await checkTexts(evidence);
  checkPage(evidence);
  if (!checkpoint || !inclusion) return "uncovered";
  const published = await load(latest.replace(/[^/]+$/, checkpoint.number));
  require(published.hash === checkpoint.hash, "checkpoint");
  await checkCheckpoint(published);
  await checkCheckpoint(checkpoint);
  await checkInclusion(evidence);
  return inclusion.position < chain.length ? "partly" : "verified";
}

for (const section of document.querySelectorAll("[data-blog-check]")) {
  const button = section.querySelector("button");
  const result = section.querySelector("[role=status]");
  const say = (state, detail = "") => {
    result.dataset.state = state;
    result.textContent = [section.dataset[state], detail && `(${detail})`].filter(Boolean).join(" ");
  };
  button.hidden = false;
  button.addEventListener("click", async () => {
    if (!globalThis.crypto?.subtle) return say("unable");
    button.disabled = true;
    say("working");
    try {
      say(await verify(section.dataset));
    } catch (fault) {
      say(fault instanceof Unreachable ? "unreachable" : "failed", fault instanceof Unverified ? fault.message : "");
    }
    button.disabled = false;
  });
}
