// After a change was proposed, its text is in the proposal: the copy in this browser is not offered again.
const { copyKey: key, copiesScript } = document.querySelector("[data-copy-key]").dataset;
const mark = `desk-proposed:${key}`;

if (document.querySelector(".messagelist .proposed") && sessionStorage.getItem(mark)) {
  const { drop } = await import(copiesScript);
  // What was typed later, such as in another window, is not in it.
  await drop(key, Number(sessionStorage.getItem(mark)));
  sessionStorage.removeItem(mark);
}
