// Where the writer was: the field, the caret and what was in sight stay when the page comes back after a save, and when it
// is loaded again.
const form = document.querySelector("[data-post-form]");
const name = `desk-place:${form?.dataset.copy}`;
const KEPT = 3600000;

function place(isSaved) {
  const { activeElement: field } = document;
  const { selectionStart, selectionEnd, scrollTop } = form.elements.body;
  return {
    at: Date.now(),
    isSaved,
    focus: field.matches("[data-save]") ? "save" : form.contains(field) && field.id,
    caret: field.id === "id_body" ? null : typedIn(field),
    body: [selectionStart, selectionEnd, scrollTop],
    page: scrollY,
  };
}

function typedIn(field) {
  return /^(text|textarea)$/.test(field.type) ? [field.selectionStart, field.selectionEnd] : null;
}

function restore({ focus, caret, body, page }) {
  const [start, end, top] = body;
  form.elements.body.setSelectionRange(start, end);
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
