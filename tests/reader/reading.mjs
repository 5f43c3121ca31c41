// Reads the pages on a file as the reading mode of a browser does; prints what it finds.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const load = createRequire(`${process.env.READING_PROGRAMS}/`);
const { Readability, isProbablyReaderable } = load("@mozilla/readability");
const { JSDOM } = load("jsdom");

const found = {};
for (const [name, { url, body }] of Object.entries(JSON.parse(readFileSync(process.argv[2], "utf-8")))) {
  const { document } = new JSDOM(body, { url }).window;
  const isReaderable = isProbablyReaderable(document);
  const article = new Readability(document).parse();
  found[name] = {
    isReaderable,
    title: article?.title,
    byline: article?.byline,
    lang: article?.lang,
    dir: article?.dir,
    excerpt: article?.excerpt,
    text: article?.textContent.replace(/\s+/g, " ").trim(),
  };
}
process.stdout.write(JSON.stringify(found));
