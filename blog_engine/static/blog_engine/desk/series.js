/*
 * The order of a series: the buttons of a row move it without a request, and a row can be dragged.
 * Without this script, the buttons send the form. The order is sent in the field `posts` when it is saved.
 */

const list = document.getElementById("order");
const field = document.getElementById("id_posts");
const notice = document.getElementById("order-notice");

function rows() {
  return [...list.children];
}

function settle() {
  const all = rows();
  field.value = all.map((row) => row.dataset.id).join(",");
  all.forEach((row, place) => {
    const [up, down] = row.querySelectorAll("button");
    up.disabled = place === 0;
    down.disabled = place === all.length - 1;
  });
}

function announce(row) {
  const words = {
    title: row.querySelector("[data-title]").textContent,
    place: rows().indexOf(row) + 1,
    all: rows().length,
  };
  notice.textContent = notice.dataset.moved.replace(/%\((\w+)\)s/g, (_, name) => words[name]);
  for (const other of rows()) other.classList.toggle("moved", other === row);
}

function move(row, direction) {
  const other = direction === "up" ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return;
  if (direction === "up") other.before(row);
  else other.after(row);
  settle();
  announce(row);
}

function makeDraggable(row) {
  row.draggable = true;
  row.addEventListener("dragstart", (event) => {
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", row.dataset.id);
    row.classList.add("dragged");
  });
  row.addEventListener("dragend", () => {
    row.classList.remove("dragged");
    settle();
    announce(row);
  });
}

if (list && field) {
  list.classList.add("draggable");
  rows().forEach(makeDraggable);
  list.addEventListener("dragover", (event) => {
    const dragged = list.querySelector(".dragged");
    if (!dragged) return;
    event.preventDefault();
    const row = event.target.closest("li");
    if (!row || row === dragged) return;
    const middle = row.getBoundingClientRect().top + row.offsetHeight / 2;
    if (event.clientY < middle) row.before(dragged);
    else row.after(dragged);
  });
  list.addEventListener("drop", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=move]");
    if (!button) return;
    event.preventDefault();
    const [direction] = button.value.split(":");
    const row = button.closest("li");
    move(row, direction);
    // A button that is disabled now would lose the focus.
    if (button.disabled) [...row.querySelectorAll("button")].find((one) => !one.disabled)?.focus();
    else button.focus();
  });
}
