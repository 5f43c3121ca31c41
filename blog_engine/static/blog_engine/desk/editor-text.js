// The text of a post: keyboard shortcuts, pictures that are dropped or pasted, words, bytes and outline.
// Nothing reads the whole text at each key: it is counted half a second after the last one.
const form = document.querySelector("[data-post-form]");
const body = document.getElementById("id_body");
const status = document.querySelector("[data-status]");
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MOST_HEADINGS = 300;

// As typed, so that the browser can undo it.
function insert(text, from = body.selectionStart, to = body.selectionEnd) {
  body.focus();
  body.setSelectionRange(from, to);
  if (!document.execCommand("insertText", false, text)) {
    body.setRangeText(text, from, to, "end");
    body.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function insertPicture(alt, path) {
  const start = body.selectionStart;
  insert(`![${alt}](${path})`);
  body.setSelectionRange(start + 2, start + 2 + alt.length);
}

function headings(text) {
  const found = [];
  let fence = "";
  let at = 0;
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (mark && !fence) fence = mark;
    else if (mark && mark.startsWith(fence)) fence = "";
    else if (!fence) {
      const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$/.exec(line);
      if (heading && found.length < MOST_HEADINGS) found.push({ level: heading[1].length, text: heading[2], at });
    }
    at += line.length + 1;
  }
  return found;
}

function showOutline(list, found) {
  list.replaceChildren(
    ...found.map((heading) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      item.dataset.level = heading.level;
      button.type = "button";
      button.textContent = heading.text;
      button.addEventListener("click", () => {
        body.focus();
        body.setSelectionRange(heading.at, heading.at);
        // Browsers scroll to the selection when the focus comes back.
        body.blur();
        body.focus();
      });
      item.append(button);
      return item;
    }),
  );
  if (!found.length) list.textContent = form.dataset.wordNoHeadings;
}

// Pieces with a letter or a digit; not the marks of headings and lists.
function words(text) {
  return text.split(/\s+/).filter((piece) => /[\p{L}\p{N}]/u.test(piece)).length;
}

// With the digits of the server.
function written(number) {
  return number.toLocaleString(document.documentElement.lang, { numberingSystem: "latn" });
}

// As the server writes 1.0 KB, so that it looks like the limit beside it.
function kilobytes(facts, size) {
  return facts.dataset.wordKilobyte.replace(/1(.)0/, (_, sign) => (size / 1024).toFixed(1).replace(".", sign));
}

function wordCount(facts, number) {
  const form = new Intl.PluralRules(document.documentElement.lang).select(number);
  return facts.getAttribute(`data-word-count-${form}`).replace("{number}", written(number));
}

function count() {
  const facts = document.querySelector("[data-facts]");
  const text = body.value;
  facts.hidden = false;
  facts.querySelector("[data-words]").textContent = wordCount(facts, words(text));
  facts.querySelector("[data-bytes]").textContent = kilobytes(facts, new Blob([text]).size);
  showOutline(facts.querySelector("[data-outline]"), headings(text));
}

async function upload(file) {
  const data = new FormData();
  data.set("file", file);
  const token = form.elements.csrfmiddlewaretoken.value;
  const answer = await fetch(form.dataset.upload, { method: "POST", body: data, headers: { "X-CSRFToken": token } });
  const reply = await answer.json();
  if (!answer.ok) throw new Error(reply.message);
  return reply;
}

async function uploadInto(file) {
  const wait = `![${form.dataset.wordUploading.replace("{name}", file.name.replace(/[[\]]/g, ""))}]()`;
  insert(wait);
  status.textContent = form.dataset.wordUploading.replace("{name}", file.name);
  let text = "";
  try {
    text = `![${form.dataset.wordAlt}](${(await upload(file)).path})`;
    status.textContent = form.dataset.wordUploaded;
  } catch (fault) {
    status.textContent = `${form.dataset.wordUploadFailed} ${fault.message ?? ""}`;
  }
  const at = body.value.indexOf(wait);
  if (at < 0) return;
  insert(text, at, at + wait.length);
  if (text) body.setSelectionRange(at + 2, at + 2 + form.dataset.wordAlt.length);
}

function insertTable() {
  const head = form.dataset.wordTable;
  const start = body.value.slice(0, body.selectionStart);
  insert(`${start && !start.endsWith("\n\n") ? (start.endsWith("\n") ? "\n" : "\n\n") : ""}${head}\n| --- | --- |\n|  |  |\n`);
}

if (form && body) {
  let timer = 0;
  body.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(count, 500);
  });
  count();

  body.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const button = document.querySelector(`[data-tool][data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });

  form.addEventListener("file-attachment-accepted", async (event) => {
    for (const attachment of event.detail.attachments) await uploadInto(attachment.file);
  });
  form.querySelector("[data-insert=table]")?.addEventListener("click", insertTable);
  document.addEventListener("desk:picture", (event) => insertPicture(form.dataset.wordAlt, event.detail.path));
}
