// Images that are dropped on the text, pasted or chosen: placeholders with an id of their own mark their places, and
// are replaced wherever they are by then. Neither caret nor selection moves.
const form = document.querySelector("[data-post-form]");
const body = document.getElementById("id_body");
const status = document.querySelector("[data-status]");
const alts = document.querySelector("[data-alts]");
const MOST_ASKED = 20;
const EMPTY_IMAGE = /!\[\]\(((?:[^()\s]|\([^()\s]*\))+)\)/g;

function start(words, { insert, replace, settled }, { upload, sayRefused }, { stored }) {
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
    const show = (part) => say(`${words.uploading.replace("{name}", file.name)} ${Math.round(100 * part)} %`, "saving");
    const { path, refused } = await stored(form, file, words, upload, show);
    if (refused) faults.push(refused);
    return put(id, refused ? "" : `![](${path})`);
  }

  // Each file gets its place at once, one below the other; they are sent one after the other, in their order.
  function take(files, from = body.selectionStart, to = body.selectionEnd) {
    const all = files.map((file) => ({ file, id: `${Date.now().toString(36)}-${++number}` }));
    const before = body.value.slice(0, from);
    const after = body.value.slice(to);
    const head = !before.trim() || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    const tail = after.startsWith("\n\n") ? "" : after.startsWith("\n") ? "\n" : "\n\n";
    insert(body, head + all.map(({ file, id }) => placeholder(file.name || words.image, id)).join("\n\n") + tail, from, to);
    faults.length = 0;
    for (const { file, id } of all) queue = queue.then(() => send(file, id));
    const mine = (queue = queue.then(() => {
      // A save waits for the newest.
      if (form.uploads !== mine) return;
      if (status.dataset.state === "saving") say(faults.length ? words.unsaved : words.uploaded, "unsaved");
      sayRefused(faults.join(" "));
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
  // At once: without a network there is no later.
  const { textareaScript, serverScript, photoScript } = form.dataset;
  start(words, ...(await Promise.all([textareaScript, serverScript, photoScript].map((one) => import(one)))));
}
