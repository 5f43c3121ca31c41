// The button that switches from the mode of the system to light, dark, and back.
const MODES = ["system", "light", "dark"];
const KEY = "blog-theme";
const root = document.documentElement;

const current = () => root.dataset.theme ?? "system";

function keep(mode) {
  try {
    if (mode === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, mode);
  } catch {
    // Without storage, the choice lasts until the page is left.
  }
}

for (const button of document.querySelectorAll("[data-blog-theme-switch]")) {
  const label = button.querySelector("[data-blog-label]");
  const names = {
    system: button.dataset.blogLabelSystem,
    light: button.dataset.blogLabelLight,
    dark: button.dataset.blogLabelDark,
  };
  const show = () => {
    label.textContent = names[current()];
  };
  button.addEventListener("click", () => {
    const next = MODES[(MODES.indexOf(current()) + 1) % MODES.length];
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    keep(next);
    show();
  });
  show();
  button.hidden = false;
}
