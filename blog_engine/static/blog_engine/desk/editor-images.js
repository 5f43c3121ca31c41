// Images that are dropped on the text, pasted or chosen: placeholders with an id of their own mark their places, and
// are replaced wherever they are by then. Neither caret nor selection moves.
const form = document.querySelector("[data-post-form]");
const body = document.getElementById("id_body");
const status = document.querySelector("[data-status]");
const alts = document.querySelector("[data-alts]");
const QUALITY = 0.85;
const SIDE = 2560;
const MOST_ASKED = 20;
const EMPTY_IMAGE = /!\[\]\(((?:[^()\s]|\([^()\s]*\))+)\)/g;

// The kind of file by its first bytes; the name can lie.
async function kindOf(file) {
  const bytes = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  const text = String.fromCharCode(...bytes);
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("\x89PNG")) return "image/png";
  if (text.startsWith("GIF8")) return "image/gif";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  if (text.slice(4, 8) === "ftyp") {
    const brand = text.slice(8, 12);
    if (brand === "avif" || brand === "avis") return "image/avif";
    if (/^(heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/.test(brand)) return "image/heic";
    return "video";
  }
  if (text.startsWith("%PDF")) return "application/pdf";
  if (/^\s*<(\?xml|svg|!DOCTYPE)/i.test(text)) return "image/svg+xml";
  return file.type;
}

async function drawn(file, kind, most) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const made = (type) => new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY));
  // A photo as PNG is larger than before; a transparent picture has no other format that every reader shows.
  let blob = await made(kind === "image/png" ? "image/png" : "image/jpeg");
  if (blob.size > most) blob = await made("image/webp");
  const { originOf, withOrigin } = await import(form.dataset.originScript);
  blob = await withOrigin(blob, await originOf(file), canvas);
  const ending = { "image/png": ".png", "image/webp": ".webp" }[blob.type] ?? ".jpg";
  const name = file.name.replace(/\.[^.]*$/, "") + ending;
  return new File([blob], name, { type: blob.type });
}

// prepared(FILE, WORDS): the file as the server takes it, or {refused: words}.
async function prepared(file, words) {
  const kind = await kindOf(file);
  const { accept, most, pixels } = JSON.parse(form.dataset.images);
  const size = `${(file.size / 1048576).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 })} MB`;
  if (kind === "image/heic") {
    try {
      return { file: await drawn(file, kind, most) };
    } catch {
      return { refused: words.heic.replace("{name}", file.name) };
    }
  }
  if (!accept.includes(kind)) {
    const key = { "image/svg+xml": "svg", "application/pdf": "pdf" }[kind] ?? "noImage";
    return { refused: words[key].replace("{name}", file.name) };
  }
  if (kind === "image/gif") {
    return file.size > most ? { refused: words.tooLargeImage.replace("{name}", file.name).replace("{size}", size) } : { file };
  }
  let isLarge = file.size > most;
  try {
    const picture = await createImageBitmap(file);
    isLarge ||= picture.width * picture.height > pixels;
    picture.close();
    if (isLarge) return { file: await drawn(file, kind, most) };
  } catch {
    if (isLarge) return { refused: words.tooLargeImage.replace("{name}", file.name).replace("{size}", size) };
  }
  return { file };
}

function start(words, { insert, replace, settled }, { upload }) {
  let queue = Promise.resolve();
  let number = 0;
  const faults = [];

  const say = (text, state) => {
    status.textContent = text;
    status.dataset.state = state;
  };
  const placeholder = (name, id) => `![${words.uploading.replace("{name}", name.replace(/[[\]\n]/g, ""))}](upload:${id})`;

  async function put(id, text) {
    await settled(body);
    const found = new RegExp(`!\\[[^\\]\\n]*\\]\\(upload:${id}\\)(\\n\\n)?`).exec(body.value);
    if (!found) return;
    // Nothing is left of an image that did not arrive, nor are its blank lines.
    const end = found.index + (text ? found[0].length - (found[1]?.length ?? 0) : found[0].length);
    replace(body, found.index, end, text);
  }

  async function send(file, id) {
    const ready = await prepared(file, words);
    if (ready.refused) {
      faults.push(ready.refused);
      return put(id, "");
    }
    const show = (part) => say(`${words.uploading.replace("{name}", file.name)} ${Math.round(100 * part)} %`, "saving");
    show(0);
    const { ok, outcome, reply } = await upload(form, ready.file, show);
    if (ok) return put(id, `![](${reply.path})`);
    faults.push(reply?.message ?? `${words.uploadFailed.replace("{name}", file.name)} ${words[outcomeWords[outcome]] ?? ""}`);
    return put(id, "");
  }
  const outcomeWords = { "signed-out": "signedOut", "too-large": "tooLarge", offline: "noNetwork", forbidden: "forbidden" };

  // Each file gets its place at once, one below the other; they are sent one after the other, in their order.
  function take(files, from = body.selectionStart, to = body.selectionEnd) {
    const all = files.map((file) => ({ file, id: `${Date.now().toString(36)}-${++number}` }));
    const before = body.value.slice(0, from);
    const after = body.value.slice(to);
    const head = !before.trim() || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    const tail = after.startsWith("\n\n") ? "" : after.startsWith("\n") ? "\n" : "\n\n";
    insert(body, head + all.map(({ file, id }) => placeholder(file.name || words.image, id)).join("\n\n") + tail, from, to);
    faults.length = 0;
    for (const { file, id } of all) queue = queue.then(() => send(file, id)).catch(() => put(id, ""));
    const mine = (queue = queue.then(() => {
      // A save waits for the newest.
      if (form.uploads !== mine) return;
      if (faults.length) say(faults.join(" "), "failed");
      else if (status.dataset.state === "saving") say(words.uploaded, "unsaved");
      ask();
    }));
    form.uploads = mine;
  }

  const imagesOf = (transfer) => [...(transfer?.files ?? [])];

  // Where the pointer is in the text; browsers that cannot say it leave the caret where it was.
  function placeAt(event) {
    const place = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    return place?.offsetNode === body ? place.offset : body.selectionEnd;
  }

  body.addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    body.toggleAttribute("data-drop", true);
  });
  body.addEventListener("dragleave", () => body.removeAttribute("data-drop"));
  body.addEventListener("drop", (event) => {
    body.removeAttribute("data-drop");
    const files = imagesOf(event.dataTransfer);
    if (!files.length) return;
    event.preventDefault();
    const place = placeAt(event);
    take(files, place, place);
  });
  // What is pasted: see editor-paste.js.
  body.addEventListener("desk:files", (event) => take(event.detail));
  const chosen = document.getElementById("editor-attach");
  chosen?.addEventListener("change", () => {
    const files = [...chosen.files];
    chosen.value = "";
    if (files.length) take(files);
  });
  document.addEventListener("desk:picture", (event) => {
    insert(body, `![](${event.detail.path})`);
    ask();
  });

  // The alternative text, asked beside each image that has none.
  function ask() {
    const found = [...new Set([...body.value.matchAll(EMPTY_IMAGE)].map((one) => one[1]))].slice(0, MOST_ASKED);
    const list = alts.querySelector("[data-alts-list]");
    const known = new Map([...list.children].map((item) => [item.dataset.path, item]));
    for (const [path, item] of known) if (!found.includes(path) && !item.contains(document.activeElement)) item.remove();
    for (const path of found) if (!known.has(path)) list.append(question(path));
    alts.hidden = !list.children.length;
  }

  function question(path) {
    const item = alts.querySelector("template").content.firstElementChild.cloneNode(true);
    item.dataset.path = path;
    item.querySelector("img").src = path;
    const input = item.querySelector("input");
    // It goes into the text at each pause, so that it is saved and copied with it.
    let pause = 0;
    let put = "";
    let isTaken = false;
    const apply = () => {
      const text = input.value.trim().replace(/[\\[\]]/g, "\\$&").replace(/\s+/g, " ");
      const at = text === put ? -1 : body.value.indexOf(`![${put}](${path})`);
      if (at < 0) return;
      replace(body, at + 2, at + 2 + put.length, text);
      put = text;
    };
    const keep = () => {
      clearTimeout(pause);
      if (!isTaken) apply();
      isTaken = true;
      // The same image can be in the text once more.
      put = "";
      setTimeout(ask);
    };
    input.addEventListener("input", (event) => {
      event.stopPropagation();
      isTaken = false;
      clearTimeout(pause);
      pause = setTimeout(apply, 1000);
    });
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      // Not every browser sends `change` for what an extension or a dictation filled in.
      keep();
      (item.nextElementSibling?.querySelector("input") ?? body).focus();
    });
    input.addEventListener("change", keep);
    return item;
  }

  let timer = 0;
  body.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 500);
  });
  ask();
}

if (form && body && alts) {
  const words = JSON.parse(document.getElementById("editor-words").textContent);
  start(words, ...(await Promise.all([import(form.dataset.textareaScript), import(form.dataset.serverScript)])));
}
