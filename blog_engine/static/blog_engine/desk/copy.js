// Buttons with `data-copy` copy that text. They are hidden where scripts or the clipboard are not available.

const buttons = document.querySelectorAll("button[data-copy]");

for (const button of navigator.clipboard ? buttons : []) {
  const label = button.textContent;
  button.hidden = false;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}
