// Keeps what is written. A copy stays in this browser until the server has the same text; drafts save themselves three
// seconds after the last key, and at the latest ten seconds after the first. A save that meets a sign-in page, an
// outdated token, a removed post or no network keeps the page and says so. The server decides what is saved.
const form = document.querySelector("[data-post-form]");
const status = document.querySelector("[data-status]");
const notice = document.querySelector("[data-notice]");
const PAUSE = 3000;
const LONGEST = 10000;
const COPY_PAUSE = 1000;
const COPY_LONGEST = 5000;
const AGAIN = 30000;
// The version that was read belongs to a copy, but is no difference.
const NOT_TEXT = ["version", "opened", "base", "back", "save", "propose"];

// A text, and a button for the way out. The text stays until the next one.
function tell(words, state, ...ways) {
  status.textContent = words;
  status.dataset.state = state;
  notice.replaceChildren(
    ...ways.map(({ name, act }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button";
      button.textContent = name;
      button.addEventListener("click", act);
      return button;
    }),
  );
}

// due(PAUSE, LONGEST, ACT): a function that has ACT done after a pause, and not later than LONGEST after the first call.
function due(pause, longest, act) {
  let timer = 0;
  let first = 0;
  const ask = (wait = pause) => {
    first ||= Date.now();
    clearTimeout(timer);
    timer = setTimeout(() => {
      first = 0;
      act();
    }, Math.max(0, Math.min(wait, first + longest - Date.now())));
  };
  ask.cancel = () => {
    clearTimeout(timer);
    first = 0;
  };
  return ask;
}

async function start(words, copies, server, texts) {
  let changes = 0;
  let saved = 0;
  let saving = null;
  let isStopped = false;
  let isLeaving = false;
  let isTakingIn = false;
  let key = form.dataset.copy;

  const data = () => {
    const all = new FormData(form);
    for (const name of [...all.keys()]) if (name.endsWith("_file")) all.delete(name);
    // An image that is still on its way is no part of the text.
    if (all.has("body")) all.set("body", all.get("body").replace(/!\[[^\]\n]*\]\(upload:[^)\n]*\)/g, ""));
    return all;
  };

  // A letter that was typed and removed again is no change.
  const isChanged = () => copies.differences(copies.entriesOf(form), opened, NOT_TEXT).length > 0;

  // Why a save failed, and the way out, stay until the next key.
  const isTold = () => status.dataset.state === "failed";

  const keepCopy = async () => {
    if (isLeaving || changes === saved) return;
    if (!saving && !isChanged()) {
      saved = changes;
      saveSoon.cancel();
      if (!isStopped && !isTold()) tell("", "");
      await copies.drop(key).catch(() => {});
      return;
    }
    try {
      await copies.keep({ key, at: Date.now(), url: location.pathname, entries: copies.entriesOf(form) });
      if (!form.dataset.autosave && changes !== saved && !isTold()) tell(words.keptHere, "unsaved");
    } catch {
      tell(words.noCopy, "failed");
    }
  };
  const copySoon = due(COPY_PAUSE, COPY_LONGEST, keepCopy);

  // What the server has now. False if the writer has gone on where others changed something: the next save asks again.
  async function applySaved(reply, sent) {
    const { created, values } = reply;
    const { body } = form.elements;
    const isSame = (name) => !form.elements[name] || valueOf(form.elements[name]) === (sent.get(name) ?? "");
    if (reply.came_in.some((name) => name in values && !isSame(name))) return false;
    if (reply.lines?.length) {
      await texts.settled(body);
      isTakingIn = true;
      const fits = texts.takeIn(body, sent.get("body").replace(/\r\n?/g, "\n"), reply.lines);
      isTakingIn = false;
      if (!fits) return false;
    }
    form.elements.version.value = reply.version;
    form.elements.opened.value = reply.opened;
    form.elements.base.value = reply.base ?? sent.get("body");
    for (const [name, value] of Object.entries({ ...values, ...(created && { title: created.title }) })) {
      const input = form.elements[name];
      if (!input || !isSame(name)) continue;
      if (input.type === "checkbox") input.checked = value;
      else input.value = value;
      input.dispatchEvent(new Event("desk:set"));
    }
    if ("findings" in reply) document.querySelector("[data-findings]").innerHTML = reply.findings;
    if (!created) return true;
    document.querySelector("[data-state-bar]").innerHTML = created.bar;
    history.replaceState(null, "", created.change);
    form.action = created.change;
    for (const name of ["autosave", "check", "preview", "current", "copy"]) form.dataset[name] = created[name];
    copies.drop(key).catch(() => {});
    key = form.dataset.copy;
    return true;
  }

  const valueOf = (input) => (input.type === "checkbox" ? (input.checked ? input.value : "") : input.value);

  // What Save would refuse, at the fields.
  function showErrors(errors) {
    for (const list of form.querySelectorAll(".errorlist")) list.remove();
    for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    for (const field of form.querySelectorAll(".errors")) field.classList.remove("errors");
    for (const [name, text] of Object.entries(errors)) {
      const place = form.querySelector(`#id_${CSS.escape(name)}, [name="${CSS.escape(name)}"]`);
      const [list, item] = [document.createElement("ul"), document.createElement("li")];
      list.className = "errorlist";
      list.id = `error_${name}`;
      item.textContent = text;
      list.append(item);
      if (!place) continue;
      if (place.matches("details")) place.querySelector("summary").after(list);
      else place.before(list);
      place.closest(".editor-field")?.classList.add("errors");
      if (!place.matches("input, textarea, select")) continue;
      place.setAttribute("aria-invalid", "true");
      place.setAttribute("aria-errormessage", list.id);
    }
  }

  // The ways to the fields that Save refuses; the caret stays where it is.
  function refuse(message, errors) {
    showErrors(errors);
    const ways = Object.keys(errors).map((name) => {
      const place = form.querySelector(`#id_${CSS.escape(name)}, [name="${CSS.escape(name)}"]`);
      const act = () => {
        // editor-fold.js opens what hides it.
        place?.dispatchEvent(new Event("desk:reveal", { bubbles: true }));
        (place?.matches("details") ? place.querySelector("input, textarea") : place)?.focus();
      };
      const label = place?.labels?.[0]?.textContent ?? place?.querySelector("summary")?.textContent;
      return { name: label?.trim() || name, act };
    });
    tell(`${words.notSaved} ${message}`, "failed", ...ways);
  }

  // What to do when the server cannot be asked as usual. The text is in the form and in the copy.
  function explain(outcome, again) {
    const ways = {
      "signed-out": [words.signedOut, "failed", { name: words.signIn, act: signIn }],
      forbidden: [words.forbidden, "failed", { name: words.copyText, act: copyText }],
      gone: [words.gone, "failed", { name: words.asNew, act: saveAsNew }],
      "too-large": [words.tooLarge, "failed"],
      offline: [words.offline, "failed", { name: words.tryAgain, act: again }],
      failed: [words.failed, "failed", { name: words.tryAgain, act: again }],
    };
    tell(...ways[outcome]);
    if (outcome === "offline" || outcome === "failed") saveSoon(AGAIN);
  }

  function signIn() {
    window.open(form.dataset.signIn, "desk-sign-in", "popup,width=480,height=640");
  }

  async function copyText() {
    await navigator.clipboard.writeText(form.elements.body?.value ?? "");
  }

  // A new post with the text of one that somebody removed.
  function saveAsNew() {
    sendBack(form.dataset.add, copies.entriesOf(form).filter(([name]) => !["version", "opened", "slug"].includes(name)), key);
  }

  // The page of the form, filled with these entries by the server; nothing is written. It goes on with their copy.
  function sendBack(url, entries, copy) {
    const sent = document.createElement("form");
    sent.method = "post";
    sent.action = url;
    const token = form.elements.csrfmiddlewaretoken.value;
    for (const [name, value] of [...entries, ["back", "1"], ["copy", copy], ["csrfmiddlewaretoken", token]]) {
      const input = document.createElement("textarea");
      [input.name, input.value] = [name, value];
      sent.append(input);
    }
    sent.hidden = true;
    document.body.append(sent);
    isLeaving = true;
    sent.submit();
  }

  async function send(isWhole) {
    const at = changes;
    const sent = data();
    if (isWhole) sent.set("whole", "1");
    tell(words.saving, "saving");
    const { outcome, reply } = await server.post(form, form.dataset.autosave, sent);
    if (outcome !== "answered") {
      await keepCopy();
      explain(outcome, save);
      return null;
    }
    if (reply.errors) showErrors(reply.errors);
    if (["saved", "unchanged", "merged"].includes(reply.state)) {
      const fits = reply.state === "unchanged" || (await applySaved(reply, sent));
      if (fits && reply.is_complete) {
        saved = at;
        opened = changes === at ? copies.entriesOf(form) : copies.entriesIn(sent);
        if (changes === at) await copies.drop(key).catch(() => {});
      }
    }
    if (reply.state === "conflict") isStopped = true;
    if (changes === at) tell(reply.message, reply.state);
    else tell(words.unsaved, "unsaved");
    return reply;
  }

  function save(isWhole = false, isAsked = isWhole) {
    saveSoon.cancel();
    if (saving || isStopped || isLeaving || (changes === saved && !isAsked)) return saving;
    const at = changes;
    saving = send(isWhole).finally(() => {
      saving = null;
      if (changes !== at) saveSoon();
    });
    return saving;
  }
  const saveSoon = due(PAUSE, LONGEST, () => form.dataset.autosave && save());

  // When the page gets the focus again: whether somebody else saved the post, or the writer signed in again.
  async function look() {
    if (saving || isStopped || isLeaving) return;
    const wasCut = status.dataset.state === "failed";
    const { outcome, reply } = await server.present(form);
    if (outcome === "answered" && reply.version !== null && String(reply.version) !== form.elements.version.value && !saving) {
      // A draft takes in what is new by saving.
      if (form.dataset.autosave) save(false, true);
      else tell(reply.message, "conflict");
    } else if (outcome === "answered" && wasCut) {
      if (form.dataset.autosave) save();
      else tell(words.signedInAgain, "unsaved");
    } else if (outcome === "signed-out" && changes !== saved) {
      explain(outcome, look);
    }
  }

  // Before the form is sent: the server can be reached, and the writer is signed in. Otherwise the page stays.
  async function isReady() {
    await Promise.all([saving, form.uploads]);
    const { outcome } = await server.present(form);
    if (outcome === "answered") return true;
    await keepCopy();
    explain(outcome, () => form.requestSubmit(form.querySelector("[data-save]")));
    return false;
  }

  let isChecking = false;
  form.addEventListener("submit", async (event) => {
    if (event.submitter?.formTarget || isLeaving) return;
    event.preventDefault();
    if (isChecking) return;
    isChecking = true;
    const { submitter } = event;
    try {
      await Promise.all([saving, form.uploads]);
      if (form.dataset.autosave && !isStopped && submitter?.matches("[data-save]") && !hasFiles()) {
        const reply = await save(true);
        if (!reply || ["saved", "unchanged", "merged"].includes(reply.state)) return;
        if (Object.keys(reply.errors ?? {}).length) return refuse(reply.message, reply.errors);
      } else if (form.dataset.check && submitter?.matches("[data-save]")) {
        const sent = data();
        sent.set("check", "1");
        const { outcome, reply } = await server.post(form, form.dataset.check, sent);
        if (outcome === "answered" && Object.keys(reply.errors).length) return refuse(reply.message, reply.errors);
      }
      if (!(await isReady())) return;
      await keepCopy();
      // A proposal has the text of the copy from then on.
      if (submitter?.name === "propose") sessionStorage.setItem(`desk-proposed:${key}`, Date.now());
      isLeaving = true;
      form.requestSubmit(submitter);
    } finally {
      isChecking = false;
    }
  });
  const hasFiles = () => [...form.querySelectorAll("input[type=file][name]")].some((input) => input.files.length);

  form.addEventListener("input", () => {
    if (isTakingIn) return;
    changes++;
    if (!isStopped) tell(words.unsaved, "unsaved");
    copySoon();
    saveSoon();
  });
  form.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("[data-save]"));
  });
  window.addEventListener("beforeunload", (event) => {
    if (isLeaving || changes === saved) return;
    keepCopy();
    if (isChanged()) event.preventDefault();
  });
  document.addEventListener("visibilitychange", () => document.hidden && keepCopy());
  window.addEventListener("focus", look);
  window.addEventListener("online", () => changes !== saved && saveSoon(0));
  window.addEventListener("pageshow", (event) => {
    // A page from the browser's memory is older than what was saved from it.
    isLeaving = false;
    if (event.persisted) look();
  });

  // The text of the last time, if the server does not have it.
  async function offer() {
    const isNew = !form.elements.version.value || form.elements.version.value === "0";
    const found = await copies.beginningWith(isNew ? form.dataset.copies : key);
    // A copy that this page made meanwhile is not of the last time.
    const earlier = found.filter((one) => one.at < performance.timeOrigin && (isNew || one.key === key));
    for (const copy of earlier) {
      const changed = copies.differences(copy.entries, opened, NOT_TEXT);
      if (changed.length) showCopy(copy, changed);
      else await copies.drop(copy.key, copy.at);
    }
  }

  function showCopy(copy, changed) {
    const section = copies.section(document.querySelector("[data-copy-template]"), copy, changed, form);
    section.querySelector("[data-copy-take]").addEventListener("click", () => {
      isLeaving = true;
      sendBack(form.action || location.href, copy.entries, copy.key);
    });
    form.before(section);
  }

  let opened = copies.entriesAsServed(form);
  // A form that comes back from the server with errors, or with a text of this browser, has what is not saved yet.
  if (document.getElementById("editor-errors") || "unsaved" in form.dataset) {
    changes = 1;
    opened = [];
    tell(words.unsaved, "unsaved");
    saveSoon();
  } else {
    await offer();
    // What was typed while the scripts were still loading.
    if (changes === 0 && isChanged()) form.dispatchEvent(new Event("input"));
  }
  document.getElementById("editor-errors")?.focus();
}

if (form) {
  const words = JSON.parse(document.getElementById("editor-words").textContent);
  const { copiesScript, serverScript, textareaScript } = form.dataset;
  const [copies, server, texts] = await Promise.all([copiesScript, serverScript, textareaScript].map((one) => import(one)));
  await start(words, copies, server, texts);
}
