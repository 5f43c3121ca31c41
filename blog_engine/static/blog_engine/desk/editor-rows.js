// Rows of questions or connections: add, take out, move.
for (const rows of document.querySelectorAll("[data-rows]")) {
  const list = rows.querySelector("[data-rows-list]");
  const template = rows.querySelector("[data-rows-template]");
  const add = rows.querySelector("[data-rows-add]");

  const number = () => {
    list.querySelectorAll("[data-row]").forEach((row, index, all) => {
      row.querySelector("[data-row-number]").textContent = index + 1;
      row.querySelector("[data-row-buttons]").hidden = false;
      row.querySelector("[data-row-up]").disabled = index === 0;
      row.querySelector("[data-row-down]").disabled = index === all.length - 1;
    });
  };
  const changed = () => {
    number();
    list.dispatchEvent(new Event("input", { bubbles: true }));
  };

  add.addEventListener("click", () => {
    list.append(template.content.cloneNode(true));
    changed();
    list.lastElementChild.querySelector("input, textarea").focus();
  });
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const row = event.target.closest("[data-row]");
    if (!button || !row) return;
    if ("rowRemove" in button.dataset) {
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      (next?.querySelector("input, textarea") ?? add).focus();
    } else {
      if ("rowUp" in button.dataset) row.previousElementSibling?.before(row);
      else row.nextElementSibling?.after(row);
      button.focus();
    }
    changed();
    if (button.disabled) row.querySelector("input, textarea").focus();
  });
  rows.querySelector("[data-rows-buttons]").hidden = false;
  // The blank row, beside others, is for browsers without this script.
  if (list.children.length > 1) list.lastElementChild.remove();
  number();
}
