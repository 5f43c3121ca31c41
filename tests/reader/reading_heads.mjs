// Reads the heads of the pages in a file as previews of links do; prints what open-graph-scraper and metascraper find.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const load = createRequire(`${process.env.READING_PROGRAMS}/`);
const openGraph = load("open-graph-scraper");
const metascraper = load("metascraper")(
  ["author", "date", "description", "image", "title"].map((name) => load(`metascraper-${name}`)()),
);

const found = {};
for (const [name, { url, body }] of Object.entries(JSON.parse(readFileSync(process.argv[2], "utf-8")))) {
  const { result } = await openGraph({ html: body });
  found[name] = { openGraph: result, metascraper: await metascraper({ html: body, url }) };
}
process.stdout.write(JSON.stringify(found));
