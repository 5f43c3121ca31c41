// The preview beside the form. The server makes the page of what the form holds; it is shown in a frame without scripts,
// so that neither the article nor its template can act in the name of the writer. Without this script, the button
// opens the preview in another tab.
const form = document.querySelector("[data-post-form]");
const toggle = document.querySelector("[data-preview-toggle]");
const pane = document.querySelector("[data-preview-pane]");
const frame = document.querySelector("[data-preview-frame]");
const grid = document.querySelector("[data-grid]");
let theme = "light";
let top = 0;
let timer = 0;
let turn = 0;
let busy = false;
let again = false;

// The page in the chosen theme. Its scripts would not run in the frame, and each would be an error in the console.
function framed(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const script of page.querySelectorAll("script")) script.remove();
  page.documentElement.dataset.theme = theme;
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

async function draw() {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  again = false;
  const asked = ++turn;
  const data = new FormData(form);
  for (const name of [...data.keys()]) if (name.endsWith("_file")) data.delete(name);
  try {
    const answer = await fetch(form.dataset.preview, { method: "POST", body: data, redirect: "error" });
    if (!answer.ok) throw new Error(answer.status);
    const html = await answer.text();
    if (asked === turn) {
      top = frame.contentDocument?.documentElement.scrollTop ?? 0;
      frame.srcdoc = framed(html);
    }
  } catch {
    frame.srcdoc = form.dataset.wordPreviewFailed;
  } finally {
    busy = false;
    if (again) draw();
  }
}

function soon() {
  if (pane.hidden) return;
  clearTimeout(timer);
  timer = setTimeout(draw, 800);
}

if (toggle && frame) {
  toggle.type = "button";
  toggle.setAttribute("aria-expanded", "false");
  toggle.addEventListener("click", () => {
    pane.hidden = !pane.hidden;
    grid.toggleAttribute("data-with-preview", !pane.hidden);
    toggle.setAttribute("aria-expanded", String(!pane.hidden));
    if (pane.hidden) return;
    draw();
    pane.scrollIntoView({ block: "nearest" });
  });
  form.addEventListener("input", soon);

  frame.addEventListener("load", () => {
    const page = frame.contentDocument;
    page.documentElement.scrollTo({ top, behavior: "instant" });
    // Links lead out of the preview, except those to a place in it.
    page.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[href]");
      if (!link) return;
      event.preventDefault();
      const target = link.getAttribute("href");
      if (target.startsWith("#")) page.getElementById(decodeURIComponent(target.slice(1)))?.scrollIntoView();
    });
  });

  for (const button of pane.querySelectorAll("[data-preview-theme]")) {
    button.addEventListener("click", () => {
      theme = button.dataset.previewTheme;
      for (const one of pane.querySelectorAll("[data-preview-theme]")) {
        one.setAttribute("aria-pressed", String(one === button));
      }
      if (frame.contentDocument) frame.contentDocument.documentElement.dataset.theme = theme;
    });
  }
  for (const button of pane.querySelectorAll("[data-preview-width]")) {
    button.addEventListener("click", () => {
      const isOn = button.getAttribute("aria-pressed") === "false";
      for (const one of pane.querySelectorAll("[data-preview-width]")) {
        one.setAttribute("aria-pressed", String(one === button && isOn));
      }
      grid.dataset.previewWidth = isOn ? button.dataset.previewWidth : "";
    });
  }
}
