// Buttons with `data-copy` copy that text, those with `data-copy-from` the URL that this path answers at that moment.
// They are hidden where scripts or the clipboard are not available.

for (const button of navigator.clipboard ? document.querySelectorAll("button[data-copy]") : []) {
  button.hidden = false;
}
// For buttons that come into the page later.
document.documentElement.classList.toggle("can-copy", Boolean(navigator.clipboard));

async function textOf(button) {
  if (!button.dataset.copyFrom) {
    return button.dataset.copy;
  }
  const answer = await fetch(button.dataset.copyFrom, { redirect: "error" });
  return (await answer.json()).url;
}

async function copy(button) {
  const label = button.textContent;
  button.setAttribute("aria-live", "polite");
  try {
    await navigator.clipboard.writeText(await textOf(button));
    button.textContent = button.dataset.copied;
  } catch (fault) {
    if (!button.dataset.failed) {
      throw fault;
    }
    button.textContent = button.dataset.failed;
  }
  setTimeout(() => {
    button.textContent = label;
  }, 3000);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-copy], button[data-copy-from]");
  if (button && button.textContent !== button.dataset.copied) {
    copy(button);
  }
});
