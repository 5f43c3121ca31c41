// Completion of names (category, series, author), and tags as chips. The field of the form keeps the value: without this
// script, tags are a text with commas.
const form = document.querySelector("[data-post-form]");

// The same as on the server (post_fields.py).
const SEPARATORS = /[,\uff0c\u3001\u060c\u061b]/;

function complete(input, url, commit, Combobox) {
  const list = document.createElement("ul");
  const live = document.createElement("span");
  list.id = `${input.id}_names`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", form.dataset.wordNames);
  list.className = "editor-names";
  list.hidden = true;
  live.className = "visually-hidden";
  live.setAttribute("role", "status");
  input.after(list, live);
  input.autocomplete = "off";

  const combobox = new Combobox(input, list, { tabInsertsSuggestions: false });
  let timer = 0;
  let asked = 0;
  const close = () => {
    if (list.hidden) return;
    list.hidden = true;
    combobox.stop();
  };
  const ask = async () => {
    const turn = ++asked;
    const words = input.value.trim();
    if (!words) return close();
    const answer = await fetch(`${url}?${new URLSearchParams({ q: words })}`);
    const { names } = answer.ok ? await answer.json() : { names: [] };
    if (turn !== asked || document.activeElement !== input) return;
    // A writer may have chosen before the answer to the last letters arrived.
    const chosen = list.querySelector("[aria-selected=true]")?.textContent;
    combobox.clearSelection();
    list.replaceChildren(
      ...names.map((name, index) => {
        const option = document.createElement("li");
        option.id = `${list.id}_${index}`;
        option.setAttribute("role", "option");
        option.textContent = name;
        if (name === chosen) {
          option.setAttribute("aria-selected", "true");
          input.setAttribute("aria-activedescendant", option.id);
        }
        return option;
      }),
    );
    live.textContent = form.dataset.wordResults.replace("{number}", names.length);
    if (!names.length || (names.length === 1 && names[0] === input.value)) return close();
    if (list.hidden) combobox.start();
    list.hidden = false;
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 200);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !list.hidden) {
      event.stopPropagation();
      close();
    }
  });
  input.addEventListener("blur", close);
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("combobox-commit", (event) => {
    asked++;
    close();
    commit(event.target.textContent);
  });
}

function chips(field, url, Combobox) {
  const kept = field.querySelector("input");
  const entry = kept.cloneNode();
  const list = document.createElement("ul");
  list.className = "editor-chips";
  list.setAttribute("role", "list");
  entry.removeAttribute("name");
  entry.value = "";
  kept.id += "_kept";
  kept.hidden = true;
  kept.before(list);
  kept.after(entry);

  const read = () => kept.value.split(SEPARATORS).map((name) => name.trim()).filter(Boolean);
  const write = (names) => {
    kept.value = names.join(", ");
    draw();
    kept.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const draw = () => {
    list.replaceChildren(
      ...read().map((name, index) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = name;
        button.title = form.dataset.wordTakeOut.replace("{name}", name);
        button.setAttribute("aria-label", button.title);
        button.addEventListener("click", () => {
          write(read().filter((_, place) => place !== index));
          entry.focus();
        });
        item.append(button);
        return item;
      }),
    );
  };
  const add = (text) => {
    const names = read();
    const known = new Set(names.map((name) => name.toLowerCase()));
    for (const name of text.split(SEPARATORS).map((one) => one.trim())) {
      if (name && !known.has(name.toLowerCase())) names.push(name);
    }
    entry.value = "";
    write(names);
  };
  entry.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") {
      // The chosen name of the list is added instead.
      if (entry.hasAttribute("aria-activedescendant")) return;
      event.preventDefault();
      if (entry.value.trim()) add(entry.value);
    } else if (event.key === "Backspace" && !entry.value) write(read().slice(0, -1));
  });
  entry.addEventListener("input", (event) => {
    if (!event.isComposing && SEPARATORS.test(entry.value)) add(entry.value);
    // What is typed here is no change of the form yet.
    event.stopPropagation();
  });
  entry.addEventListener("blur", () => entry.value.trim() && add(entry.value));
  kept.addEventListener("desk:set", draw);
  complete(entry, url, add, Combobox);
  draw();
}

if (form) {
  const { default: Combobox } = await import(form.dataset.combobox);
  for (const field of document.querySelectorAll("[data-complete]")) {
    const input = field.querySelector("input");
    if ("completeList" in field.dataset) chips(field, field.dataset.complete, Combobox);
    else {
      complete(input, field.dataset.complete, (name) => {
        input.value = name;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }, Combobox);
    }
  }
}
