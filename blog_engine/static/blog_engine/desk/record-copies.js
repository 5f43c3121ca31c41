// Keeps a copy of what is typed in the form of a record in this browser, until the server has the same text. After a lost
// session, a crash or a failed save it is offered back.
const template = document.querySelector("[data-copy-template]");
const form = template.parentElement.querySelector("form");
const { copyKey: key, copiesScript } = template.dataset;
const copies = await import(copiesScript);
const PAUSE = 1000;
const LONGEST = 5000;
// When the stored text was read belongs to a copy, but is no difference.
const NOT_TEXT = ["seen"];

const opened = copies.entriesAsServed(form);
const isRefused = Boolean(form.querySelector(".errornote"));
let timer = 0;
let first = 0;

async function keep() {
  clearTimeout(timer);
  first = 0;
  const entries = copies.entriesOf(form);
  if (copies.differences(entries, opened, NOT_TEXT).length || isRefused) {
    await copies.keep({ key, at: Date.now(), url: location.pathname, entries });
  } else await copies.drop(key);
}

form.addEventListener("input", () => {
  first ||= Date.now();
  clearTimeout(timer);
  timer = setTimeout(keep, Math.max(0, Math.min(PAUSE, first + LONGEST - Date.now())));
});
// Sending leaves the page, so it waits for the copy: what comes may be a sign-in page, or no network.
let isKept = false;
form.addEventListener("submit", async (event) => {
  if (isKept || !timer) return;
  const { submitter } = event;
  if (submitter?.formTarget) {
    keep();
    return;
  }
  event.preventDefault();
  try {
    await keep();
  } finally {
    isKept = true;
    form.requestSubmit(submitter);
    isKept = false;
  }
});
document.addEventListener("visibilitychange", () => document.hidden && first && keep());

function putBack(entries) {
  for (const [name, value] of entries) {
    const field = form.elements[name];
    if (field) field.value = value;
  }
  form.dispatchEvent(new Event("input"));
}

if (isRefused) await keep();
else {
  const found = (await copies.beginningWith(key)).filter((one) => one.key === key && one.at < performance.timeOrigin);
  for (const copy of found) {
    const changed = copies.differences(copy.entries, opened, NOT_TEXT);
    if (changed.length) {
      const section = copies.section(template, copy, changed, form);
      section.querySelector("[data-copy-take]").addEventListener("click", () => {
        putBack(copy.entries);
        section.remove();
      });
      form.before(section);
    } else await copies.drop(key, copy.at);
  }
  // What was typed while the scripts were still loading.
  if (copies.differences(copies.entriesOf(form), opened, NOT_TEXT).length) form.dispatchEvent(new Event("input"));
}
