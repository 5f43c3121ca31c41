// Reads the pages in a file as the reading mode of a browser does, and as defuddle does; prints what they find.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const load = createRequire(`${process.env.READING_PROGRAMS}/`);
const { Readability, isProbablyReaderable } = load("@mozilla/readability");
const { JSDOM } = load("jsdom");
const defuddle = pathToFileURL(`${process.env.READING_PROGRAMS}/node_modules/defuddle/dist/node.js`);
const { Defuddle } = await import(defuddle.href);

const plain = (html) => new JSDOM(html).window.document.body.textContent.replace(/\s+/g, " ").trim();
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
  const other = await Defuddle(new JSDOM(body, { url }).window.document, url);
  found[name].defuddle = {
    title: other.title,
    author: other.author,
    published: other.published,
    text: plain(other.content),
    pictures: other.content.match(/<img/g)?.length ?? 0,
  };
}
process.stdout.write(JSON.stringify(found));
