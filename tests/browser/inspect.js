// What a page must not contain, whatever was written in it. Answers the offences, each as a line.
const ELEMENTS = new Set(`
  html head meta title link script body header main footer nav aside section article div span p h1 h2 h3 h4 h5 h6
  a strong em del q code pre blockquote ul ol li table thead tbody tr th td hr br sup sub img picture source
  figure figcaption bdi mark kbd b i u s ins small abbr dl dt dd details summary time data button form label input blog-text`.split(/\s+/));
const MATH = new Set(`
  math mrow mi mn mo mtext ms mspace mfrac msqrt mroot mstyle mpadded mphantom menclose msub msup msubsup munder mover
  munderover mtable mtr mtd semantics annotation`.split(/\s+/));
const OF_MATH = new Set(`
  display displaystyle scriptlevel mathvariant stretchy fence form accent accentunder movablelimits largeop minsize maxsize
  lspace rspace width height depth voffset linethickness notation columnalign columnspacing rowspacing columnlines rowlines
  linebreak encoding`.split(/\s+/));
const ATTRIBUTES = new Set(`
  class id href rel src srcset sizes alt title width height lang dir align type name content property media charset
  hidden tabindex role datetime loading decoding fetchpriority value maxlength action for autocapitalize autocomplete enterkeyhint
  checked disabled open start`.split(/\s+/));
const ADDRESSES = ["href", "src", "action"];

// Icons of the engine's templates: drawings of paths, outside of texts.
const ICON = { svg: new Set(["viewBox", "aria-hidden"]), path: new Set(["d"]) };

function isIcon(element) {
  return element.namespaceURI === "http://www.w3.org/2000/svg" && element.localName in ICON
    && !element.closest(".blog-prose") && element.getAttributeNames().every((name) => ICON[element.localName].has(name));
}

function offencesOf(element) {
  if (isIcon(element)) return [];
  const found = [];
  const { localName, namespaceURI } = element;
  if (namespaceURI === "http://www.w3.org/1998/Math/MathML") {
    if (!MATH.has(localName)) found.push("element");
    found.push(...[...element.attributes].filter(({ name }) => !OF_MATH.has(name)).map(({ name }) => `attribute ${name}`));
    return found.map((what) => `${what}: ${element.outerHTML.slice(0, 200)}`);
  }
  if (!ELEMENTS.has(localName) || namespaceURI !== "http://www.w3.org/1999/xhtml") found.push("element");
  for (const { name, value } of element.attributes) {
    const isOurs = ATTRIBUTES.has(name) || /^(data-blog|data-theme|data-lang|aria-)/.test(name);
    // Script moves the progress bar; no stylesheet could.
    if (!isOurs && !(name === "style" && element.hasAttribute("data-blog-progress"))) found.push(`attribute ${name}`);
    if (ADDRESSES.includes(name) && !isHarmless(element, value)) found.push(`address ${value}`);
  }
  if (localName === "script" && !isOurScript(element)) found.push("script");
  if (localName === "form" && !element.classList.contains("blog-search")) found.push("form");
  if (localName === "input" && !(element.type === "search" || (element.type === "checkbox" && element.disabled))) found.push("input");
  return found.map((what) => `${what}: ${element.outerHTML.slice(0, 200)}`);
}

function isHarmless(element, value) {
  const { protocol, origin } = new URL(value, element.ownerDocument.location.href);
  const isOfTheWeb = ["http:", "https:"].includes(protocol);
  if (element.localName === "a") return isOfTheWeb || protocol === "mailto:";
  // A text may show pictures of other sites, and say that it stood elsewhere first.
  const mayLead = element.matches(".blog-prose img, link[rel=canonical]");
  return origin === element.ownerDocument.location.origin || (isOfTheWeb && mayLead);
}

function isOurScript(script) {
  if (script.type === "application/ld+json") return Boolean(JSON.parse(script.textContent)["@graph"]);
  return new URL(script.src).pathname.startsWith("/static/blog_engine/") && script.textContent === "";
}

// Loads pages of this site in frames, several at once, and gives the offences of all of them.
async function inspect({ paths, atOnce }) {
  const offences = [];
  const rest = [...paths];
  const work = async () => {
    for (let path = rest.shift(); path; path = rest.shift()) {
      const frame = document.createElement("iframe");
      const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
      frame.src = path;
      document.body.append(frame);
      await loaded;
      const page = frame.contentDocument;
      if (!page.querySelector("footer.blog-footer")) offences.push(`${path}: is cut short`);
      for (const element of page.querySelectorAll("*")) {
        offences.push(...offencesOf(element).map((offence) => `${path}: ${offence}`));
      }
      frame.remove();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return offences;
}
