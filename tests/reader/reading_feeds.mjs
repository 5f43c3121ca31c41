// Reads the feeds in a file with four programs; prints what each finds, in the same form.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const load = createRequire(`${process.env.READING_PROGRAMS}/`);
const Parser = load("rss-parser");
const { parseFeed } = load("@rowanmanning/feed-parser");
const feedsmith = load("feedsmith");
const { extractFromJson, extractFromXml } = load("@extractus/feed-extractor");

const linkOf = (links) => links.find((link) => link.rel === "alternate").href;
const day = (time) => new Date(time).toISOString();

const { atom, json } = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const found = {};
const rss = await new Parser().parseString(atom.body);
found["rss-parser"] = {
  feed: { title: rss.title, link: rss.link },
  // Its date is that of the last change.
  entries: rss.items.map((one) => ({ id: one.id, title: one.title, link: one.link, text: one.content })),
};
const rowan = parseFeed(atom.body).toJSON();
found["feed-parser"] = {
  feed: { title: rowan.title, link: rowan.url, description: rowan.description },
  entries: rowan.items.map((one) => ({
    ...{ id: one.id, title: one.title, link: one.url, published: day(one.published), text: one.content },
    authors: one.authors.map(({ name }) => name),
  })),
};
const smith = feedsmith.parseFeed(atom.body).feed;
found["feedsmith"] = {
  feed: { title: smith.title.value, link: linkOf(smith.links), description: smith.subtitle.value },
  entries: smith.entries.map((one) => ({
    ...{ id: one.id, title: one.title.value, link: linkOf(one.links), published: day(one.published), text: one.content.value },
    authors: one.authors.map(({ name }) => name),
  })),
};
const smithJson = feedsmith.parseFeed(json.body).feed;
found["feedsmith json"] = {
  feed: { title: smithJson.title, link: smithJson.home_page_url, description: smithJson.description },
  entries: smithJson.items.map((one) => ({
    ...{ id: one.id, title: one.title, link: one.url, published: day(one.date_published), text: one.content_html },
    authors: one.authors.map(({ name }) => name),
  })),
};
for (const [name, read] of [
  ["feed-extractor", extractFromXml(atom.body, { descriptionMaxLen: 0 })],
  ["feed-extractor json", extractFromJson(JSON.parse(json.body), { descriptionMaxLen: 0 })],
]) {
  const isJson = name.endsWith("json");
  found[name] = {
    // Of Atom it takes the first link, which is that of the feed, and the date of the last change.
    feed: { title: read.title, description: read.description, ...(isJson && { link: read.link }) },
    entries: read.entries.map((one) => ({
      ...{ id: one.id, title: one.title, link: one.link, text: one.description },
      ...(isJson && { published: day(one.published) }),
    })),
  };
}
process.stdout.write(JSON.stringify(found));
