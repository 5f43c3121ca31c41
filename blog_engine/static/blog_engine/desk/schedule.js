// Shows what the chosen date and time are in the time zone of the site while a person types.
// The server says the same in words before and after it schedules; without scripts nothing is missing.

const box = document.querySelector("[data-site-zone]");
const output = document.querySelector("[data-schedule-output]");
const [date, time, zone] = ["date", "time", "zone"].map((name) => box.querySelector(`[name="${name}"]`));
const plain = output.textContent;

/** How far the clocks of a time zone are from UTC at a moment, in milliseconds. */
function offsetAt(moment, timeZone) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric",
  });
  const parts = Object.fromEntries(format.formatToParts(moment).map((part) => [part.type, Number(part.value)]));
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute) - moment;
}

/** The moment at which the clocks of a time zone show the chosen time, in milliseconds; NaN if none is chosen. */
function chosenMoment(timeZone) {
  const local = Date.parse(`${date.value}T${time.value}Z`);
  const guess = local - offsetAt(local, timeZone);
  return local - offsetAt(guess, timeZone);
}

function show() {
  output.textContent = plain;
  try {
    const moment = chosenMoment(zone.value.trim());
    const there = new Intl.DateTimeFormat(document.documentElement.lang || undefined, {
      timeZone: box.dataset.siteZone, dateStyle: "long", timeStyle: "short",
    });
    output.textContent = box.dataset.words.replace("{time}", there.format(moment));
  } catch {
    // Not a whole time or not a time zone yet: the server explains what is wrong.
  }
}

for (const field of [date, time, zone]) {
  field.addEventListener("input", show);
}
show();
