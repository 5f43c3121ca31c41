// The list of posts: a box that chooses all posts of the page, and a count of the chosen ones.

const form = document.getElementById("changelist-form");
const all = document.getElementById("list-all");

if (form && all) {
  const boxes = [...form.querySelectorAll('input[name="_selected_action"]')];
  const chosen = form.querySelector(".list-chosen");
  const words = chosen.textContent;

  const show = () => {
    const number = boxes.filter((box) => box.checked).length;
    all.checked = number === boxes.length;
    all.indeterminate = number > 0 && number < boxes.length;
    chosen.textContent = number ? `${words} ${number}` : words;
  };

  all.closest("label").hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    show();
  });
  form.addEventListener("change", show);
  // The browser may restore boxes when the reader comes back.
  window.addEventListener("pageshow", show);
}
