// Hides and folds what is beside the text, and remembers it in this browser. In the head, so that nothing flashes; without
// it everything is shown. What has an error, or is led to by a link, is shown, whatever is remembered.
(() => {
  const KEY = "blog-engine-editor";
  const page = document.documentElement;
  const kept = { isHidden: false, sections: {} };
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    kept.isHidden = stored?.isHidden === true;
    Object.assign(kept.sections, stored?.sections);
  } catch {
    // A browser without storage, or with a text that is not ours in it, begins with everything shown.
  }

  function remember() {
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // It lasts as long as the page.
    }
  }

  function show(isShown) {
    page.toggleAttribute("data-without-details", !isShown);
    document.querySelector("[data-details-toggle]")?.setAttribute("aria-expanded", String(isShown));
  }

  function reveal(element) {
    if (element.closest("[data-details]")) show(true);
    for (let one = element.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
  }

  function revealTarget(hash) {
    const target = hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
    if (target && target.closest("[data-post-form]")) reveal(target);
  }

  // Errors come with the page, and with the answer to a save in place.
  function watchErrors(form) {
    const seen = new WeakSet();
    const look = () => {
      for (const one of form.querySelectorAll(".errors, .errorlist")) {
        if (!seen.has(one)) reveal(one);
        seen.add(one);
      }
    };
    look();
    new MutationObserver(look).observe(form, { subtree: true, childList: true, attributeFilter: ["class"] });
  }

  function start() {
    const toggle = document.querySelector("[data-details-toggle]");
    const form = document.querySelector("[data-post-form]");
    if (!toggle || !form) return;
    toggle.hidden = false;
    show(!kept.isHidden);
    toggle.addEventListener("click", () => {
      kept.isHidden = !page.hasAttribute("data-without-details");
      show(!kept.isHidden);
      remember();
    });
    for (const section of form.querySelectorAll("details[data-fold]")) {
      const { fold } = section.dataset;
      if (typeof kept.sections[fold] === "boolean") section.open = kept.sections[fold];
      section.querySelector("summary").addEventListener("click", () => {
        kept.sections[fold] = !section.open;
        remember();
      });
    }
    watchErrors(form);
    revealTarget(location.hash);
    form.addEventListener("desk:reveal", (event) => reveal(event.target));
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.('a[href^="#"]');
      if (link) revealTarget(link.getAttribute("href"));
    });
  }

  show(!kept.isHidden);
  document.addEventListener("DOMContentLoaded", start);
})();
