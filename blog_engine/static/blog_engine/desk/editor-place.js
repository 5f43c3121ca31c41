// Where the writer was: the field, the caret and what was in sight stay when the page comes back after a save, and when it
// is loaded again.
const form = document.querySelector("[data-post-form]");
const name = `desk-place:${form?.dataset.copy}`;
const KEPT = 3600000;
const CONTEXT = 60;

function place(isSaved) {
  const { activeElement: field } = document;
  const { selectionStart, selectionEnd, scrollTop, value } = form.elements.body;
  return {
    at: Date.now(),
    isSaved,
    focus: field.matches("[data-save]") ? "save" : form.contains(field) && field.id,
    caret: field.id === "id_body" ? null : typedIn(field),
    body: [selectionStart, selectionEnd, scrollTop],
    before: value.slice(Math.max(0, selectionStart - CONTEXT), selectionStart),
    page: scrollY,
  };
}

function typedIn(field) {
  return /^(text|textarea)$/.test(field.type) ? [field.selectionStart, field.selectionEnd] : null;
}

// How far the words before the caret have moved, because others wrote before them.
function shift(text, before, start) {
  const place = start - before.length;
  if (text.startsWith(before, place)) return 0;
  const found = [text.lastIndexOf(before, place), text.indexOf(before, place)].filter((one) => one >= 0);
  return found.map((one) => one - place).sort((one, other) => Math.abs(one) - Math.abs(other))[0] ?? 0;
}

function restore({ focus, caret, body, before, page }) {
  const [start, end, top] = body;
  const moved = shift(form.elements.body.value, before, start);
  form.elements.body.setSelectionRange(start + moved, end + moved);
  form.elements.body.scrollTop = top;
  // Errors are read first.
  if (document.getElementById("editor-errors")) return;
  const field = focus === "save" ? form.querySelector("[data-save]") : focus && document.getElementById(focus);
  if (field) {
    field.focus({ preventScroll: true });
    if (caret) field.setSelectionRange(...caret);
  }
  scrollTo({ top: page, behavior: "instant" });
}

if (form) {
  const [navigation] = performance.getEntriesByType("navigation");
  const kept = JSON.parse(sessionStorage.getItem(name));
  const isBack = kept && (kept.isSaved || ["reload", "back_forward"].includes(navigation?.type));
  sessionStorage.removeItem(name);
  // After the text has got its height.
  if (isBack && Date.now() - kept.at < KEPT) requestAnimationFrame(() => requestAnimationFrame(() => restore(kept)));
  let isSaved = false;
  // After the scripts that hold a form back, and not for a preview in another tab.
  addEventListener("submit", (event) => {
    if (event.target === form && !event.defaultPrevented && !event.submitter?.formTarget) isSaved = true;
  });
  addEventListener("pageshow", () => (isSaved = false));
  addEventListener("pagehide", () => sessionStorage.setItem(name, JSON.stringify(place(isSaved))));
}
