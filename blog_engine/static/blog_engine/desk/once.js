// A form is sent once: from the first click until the page is shown again, further clicks send nothing. The server
// also counts a form once that is sent twice.
const LONGEST = 30000;
const sent = new Set();

function end(form) {
  sent.delete(form);
  for (const button of form.ownerDocument.querySelectorAll("[data-sent]")) {
    if (button.form !== form) continue;
    delete button.dataset.sent;
    button.removeAttribute("aria-disabled");
  }
}

// Not disabled: a button that is disabled is not sent, and the focus leaves it.
function begin(form) {
  sent.add(form);
  for (const button of form.elements) {
    if (!/^(submit|image)$/.test(button.type)) continue;
    button.dataset.sent = "";
    button.setAttribute("aria-disabled", "true");
  }
  // A page that stays, such as when the network is gone.
  setTimeout(() => end(form), LONGEST);
}

// First of all, so that no other script acts on a second click.
document.addEventListener(
  "submit",
  (event) => {
    if (!sent.has(event.target)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

// After all other scripts: what they hold back is not sent.
window.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  // By their attributes: a field can have the name of a property.
  const is = (name) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? "";
  if (event.defaultPrevented || is("method").toLowerCase() !== "post" || !["", "_self"].includes(is("target"))) return;
  begin(form);
});

const endAll = () => [...sent].forEach(end);
window.addEventListener("pageshow", endAll);
// A person who is asked about unsaved text can stay.
window.addEventListener("beforeunload", (event) => setTimeout(() => event.defaultPrevented && endAll()));
