// The tools as the TypeScript SDKs convert them; run as: node convert.mjs URL TOKEN, in a folder with the packages.
// It prints the schemas of the protocol's client, and what the SDK of Vercel sends to Gemini, as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { dynamicTool, generateText, jsonSchema } from "ai";

const [url, token] = process.argv.slice(2);
const client = new Client({ name: "test", version: "1" });
const requestInit = { headers: { Authorization: `Bearer ${token}` } };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
const { tools } = await client.listTools();
const called = await client.callTool({ name: "blog_list_posts", arguments: {} });
if (called.isError) throw new Error(JSON.stringify(called));

let sent;
const answer = {
  candidates: [{ content: { role: "model", parts: [{ text: "Done." }] }, finishReason: "STOP" }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
};
const fetch = async (_, { body }) => {
  sent = JSON.parse(body);
  return new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } });
};
const google = createGoogleGenerativeAI({ apiKey: "none", fetch });
const offered = Object.fromEntries(
  tools.map(({ name, description, inputSchema }) => [
    name,
    dynamicTool({ description, inputSchema: jsonSchema(inputSchema), execute: async () => null }),
  ]),
);
await generateText({ model: google("gemini-2.5-flash"), tools: offered, prompt: "List the posts." });
const declarations = sent.tools.flatMap((one) => one.functionDeclarations ?? []);

const saysAType = ["type", "anyOf", "$ref", "enum", "const", "allOf", "oneOf"];
const untyped = (schema, path) => {
  if (!schema || typeof schema !== "object") return [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => [
    ...(saysAType.some((key) => part[key] !== undefined) ? [] : [`${path}.${name}`]),
    ...untyped(part, `${path}.${name}`),
  ]);
  return [...own, ...untyped(schema.items, path), ...(schema.anyOf ?? []).flatMap((part) => untyped(part, path))];
};
const report = (pairs) => ({ tools: pairs.length, untyped: pairs.flatMap(([name, schema]) => untyped(schema, name)) });
console.log(
  JSON.stringify({
    "@modelcontextprotocol/sdk": report(tools.map((tool) => [tool.name, tool.inputSchema])),
    "ai, @ai-sdk/google": report(declarations.map((one) => [one.name, one.parameters ?? one.parametersJsonSchema])),
  }),
);
await client.close();
