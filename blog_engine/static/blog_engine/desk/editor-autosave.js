// Drafts save themselves three seconds after the last change. Before the page is left with changes, the browser asks;
// when it gets the focus again, it looks whether somebody else saved the post. The server decides what is saved.
// The form is sent only after a save that is under way: of a new post, both would make one.
const form = document.querySelector("[data-post-form]");
const status = document.querySelector("[data-status]");
const PAUSE = 3000;
const PATIENCE = 30000;
let timer = 0;
let changes = 0;
let saved = 0;
let saving = null;
let isWaiting = false;
let isStopped = false;
let isLeaving = false;

const say = (words, state) => {
  status.textContent = words;
  status.dataset.state = state;
};

function applySaved(reply, sent) {
  form.elements.version.value = reply.version;
  form.elements.opened.value = reply.opened;
  for (const [name, value] of Object.entries(reply.values)) {
    const input = form.elements[name];
    if (input && input.value === (sent.get(name) ?? "")) input.value = value;
  }
  document.querySelector("[data-findings]").innerHTML = reply.findings;
  if (reply.pages.change) {
    history.replaceState(null, "", reply.pages.change);
    form.action = reply.pages.change;
    for (const name of ["autosave", "preview", "current"]) form.dataset[name] = reply.pages[name];
  }
}

function save() {
  if (saving || isStopped || isLeaving || changes === saved) return;
  saving = send().finally(() => {
    saving = null;
  });
}

async function send() {
  const at = changes;
  const data = new FormData(form);
  for (const name of [...data.keys()]) if (name.endsWith("_file")) data.delete(name);
  say(form.dataset.wordSaving, "saving");
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await fetch(form.dataset.autosave, { method: "POST", body: data, redirect: "error", signal });
    const reply = await answer.json();
    if (reply.state === "saved") {
      applySaved(reply, data);
      if (reply.is_complete) saved = at;
    }
    if (reply.state === "conflict" || reply.state === "refused") isStopped = reply.state === "conflict";
    say(reply.message || (reply.state === "unchanged" ? "" : form.dataset.wordFailed), reply.state);
  } catch {
    say(form.dataset.wordFailed, "failed");
    soon(10 * PAUSE);
  }
  if (changes !== at) soon(PAUSE);
}

function soon(pause) {
  clearTimeout(timer);
  if (form.dataset.autosave) timer = setTimeout(save, pause);
}

async function look() {
  if (!form.dataset.current || saving || isStopped) return;
  try {
    const reply = await (await fetch(form.dataset.current)).json();
    if (String(reply.version) === form.elements.version.value || saving) return;
    isStopped = true;
    say(reply.message, "conflict");
  } catch {
    // The next save tells.
  }
}

if (form) {
  form.addEventListener("input", () => {
    changes++;
    if (!form.dataset.autosave) say(form.dataset.wordUnsaved, "unsaved");
    soon(PAUSE);
  });
  form.addEventListener("submit", async (event) => {
    if (event.submitter?.formTarget) return;
    if (!saving) {
      isLeaving = true;
      return;
    }
    event.preventDefault();
    if (isWaiting) return;
    isWaiting = true;
    await saving;
    isWaiting = false;
    form.requestSubmit(event.submitter);
  });
  form.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    if (form.dataset.autosave) save();
    else form.requestSubmit(form.querySelector("[data-save]"));
  });
  window.addEventListener("beforeunload", (event) => {
    if (!isLeaving && changes !== saved) event.preventDefault();
  });
  window.addEventListener("focus", look);
  window.addEventListener("pageshow", (event) => {
    // A page from the browser's memory is older than what was saved from it.
    isLeaving = false;
    if (event.persisted) look();
  });
  if (document.getElementById("editor-errors")) changes = 1;
  document.getElementById("editor-errors")?.focus();
}
