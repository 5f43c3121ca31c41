// Copies of unsaved text in this browser, by user and page, until the server has the same.
const STORE = "copies";
const DAYS = 30;

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let opening = null;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("blog-desk", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

async function store(mode) {
  return (await open()).transaction(STORE, mode, { durability: "strict" }).objectStore(STORE);
}

// keep(COPY): stores {key, entries, at}; entries are pairs of name and value, as FormData has them.
export async function keep(copy) {
  await done((await store("readwrite")).put(copy));
}

// drop(KEY, BEFORE): removes a copy, unless it is from a later time.
export async function drop(key, before = Infinity) {
  const copies = await store("readwrite");
  const kept = await done(copies.get(key));
  if (kept && kept.at <= before) await done(copies.delete(key));
}

// beginningWith(START): the copies of which the key begins so, newest first. Those of a month ago are removed.
export async function beginningWith(start) {
  const copies = await store("readwrite");
  const found = await done(copies.getAll(IDBKeyRange.bound(start, `${start}\uffff`)));
  const oldest = Date.now() - DAYS * 86400000;
  for (const copy of found) if (copy.at < oldest) copies.delete(copy.key);
  return found.filter((copy) => copy.at >= oldest).sort((one, other) => other.at - one.at);
}

// entriesOf(FORM): what a form holds, without files and what each request has of its own.
export function entriesOf(form) {
  return entriesIn(new FormData(form));
}

// entriesAsServed(FORM): what the server sent in it, whatever was entered since, such as while scripts were loading.
export function entriesAsServed(form) {
  const served = form.cloneNode(true);
  served.reset();
  return entriesOf(served);
}

export function entriesIn(data) {
  return [...data].filter(([name, value]) => typeof value === "string" && !["csrfmiddlewaretoken", "whole"].includes(name));
}

// What two lists of entries differ in, by name: the texts of both.
export function differences(ours, theirs, except) {
  const joined = (entries) => {
    const found = new Map();
    for (const [name, value] of entries) {
      const text = value.replace(/\r\n?/g, "\n");
      found.set(name, found.has(name) ? `${found.get(name)}\n${text}` : text);
    }
    return found;
  };
  const [mine, other] = [joined(ours), joined(theirs)];
  const names = [...new Set([...mine.keys(), ...other.keys()])].filter((name) => !except.includes(name));
  return names
    .map((name) => ({ name, mine: mine.get(name) ?? "", other: other.get(name) ?? "" }))
    .filter(({ mine, other }) => mine.trim() !== other.trim());
}

// The lines that differ: those at the beginning and the end that are the same are left out.
export function changedLines(before, after) {
  const [old, present] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < present.length && old[start] === present[start]) start++;
  let end = 0;
  const most = Math.min(old.length, present.length) - start;
  while (end < most && old[old.length - 1 - end] === present[present.length - 1 - end]) end++;
  return [old.slice(start, old.length - end), present.slice(start, present.length - end)];
}

// section(TEMPLATE, COPY, CHANGED, FORM): what offers a copy, with its differences; the way to take it is the page's.
export function section(template, copy, changed, form) {
  const made = template.content.firstElementChild.cloneNode(true);
  const when = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  made.querySelector("[data-copy-time]").textContent = when.format(copy.at);
  const list = made.querySelector("[data-copy-differences]");
  for (const { name, mine, other } of changed) {
    const [term, text] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = form.querySelector(`[name="${CSS.escape(name)}"]`)?.labels?.[0]?.textContent ?? name;
    const [old, present] = changedLines(other, mine);
    for (const [tag, lines] of [["del", old], ["ins", present]]) {
      const part = document.createElement(tag);
      part.dir = "auto";
      part.textContent = lines.join("\n");
      if (part.textContent) text.append(part);
    }
    list.append(term, text);
  }
  made.querySelector("[data-copy-drop]").addEventListener("click", async () => {
    await drop(copy.key);
    made.remove();
  });
  return made;
}
