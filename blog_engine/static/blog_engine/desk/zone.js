// Remembers the time zone of the browser, in which the desk shows planned times; a zone that was chosen before stays.
const { zoneCookie } = document.currentScript.dataset;

if (!document.cookie.split("; ").some((one) => one.startsWith(`${zoneCookie}=`))) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const secure = location.protocol === "https:" ? "; secure" : "";
  if (timeZone) document.cookie = `${zoneCookie}=${timeZone}; path=/; max-age=31536000; samesite=lax${secure}`;
}
