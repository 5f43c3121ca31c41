// Suggestions under the search form: a combobox with a list of links.
const WAIT = 200;

function suggest(form) {
  const input = form.elements.q;
  const list = form.querySelector("[role=listbox]");
  const status = form.querySelector("[role=status]");
  let timer;
  let asked;
  let active = -1;

  function mark(index) {
    active = index;
    input.removeAttribute("aria-activedescendant");
    [...list.children].forEach((option, number) => {
      option.ariaSelected = number === active;
      if (number !== active) return;
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    });
  }

  function move(step) {
    const count = list.children.length;
    mark((active + step + count) % count);
  }

  function reveal(isOpen) {
    list.hidden = !isOpen;
    input.ariaExpanded = isOpen;
    mark(-1);
  }

  function stop() {
    clearTimeout(timer);
    asked?.abort();
  }

  function close() {
    stop();
    status.textContent = "";
    reveal(false);
  }

  function show(posts) {
    const options = posts.map(({ title: textContent, url: href }, number) =>
      Object.assign(document.createElement("a"), {
        className: "blog-search__option",
        dir: "auto",
        href,
        id: `${list.id}-${number}`,
        role: "option",
        tabIndex: -1,
        textContent,
      }),
    );
    // A reader may have chosen before the answer to the last letters arrived.
    const chosen = list.children[active]?.href;
    list.replaceChildren(...options);
    reveal(options.length > 0);
    mark(options.findIndex(({ href }) => href === chosen));
    status.textContent = form.dataset.blogCounted.replace("{count}", options.length);
  }

  async function ask() {
    stop();
    const q = input.value.trim();
    const { length } = [...q];
    if (length < 2 || length > 100) return close();
    const { signal } = (asked = new AbortController());
    try {
      const answer = await fetch(`${form.dataset.blogSearch}?${new URLSearchParams({ q })}`, { signal });
      show(await answer.json());
    } catch {
      if (!signal.aborted) close();
    }
  }

  // Handles a key; false leaves it to the browser.
  const keys = {
    ArrowDown: () => (list.hidden ? ask() : move(1)),
    ArrowUp: () => !list.hidden && move(active < 0 ? 0 : -1),
    Enter: () => active >= 0 && list.children[active].click(),
    Escape: () => !list.hidden && close(),
  };

  input.addEventListener("keydown", (event) => {
    if (event.isComposing || !(event.key in keys)) return;
    if (keys[event.key]() !== false) event.preventDefault();
  });
  input.addEventListener("input", () => {
    mark(-1);
    stop();
    timer = setTimeout(ask, WAIT);
  });
  input.addEventListener("blur", close);
  form.addEventListener("submit", close);
  // Keeps the focus in the input while a suggestion is pressed.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", () => reveal(false));

  Object.assign(input, { ariaAutoComplete: "list", autocomplete: "off", role: "combobox" });
  input.setAttribute("aria-controls", list.id);
  reveal(false);
}

document.querySelectorAll("[data-blog-search]").forEach(suggest);
