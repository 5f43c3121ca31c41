// Connects the official TypeScript SDK with the URL alone. Run as: node connect.mjs URL [CLIENT_ID_URL], in a folder
// with @modelcontextprotocol/sdk. It prints the URL for the browser, reads the answer to the client as JSON from
// standard input, and prints what it then did.
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, document] = process.argv.slice(2);
const redirectUrl = "http://127.0.0.1:3030/callback";
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const kept = {};

const provider = {
  redirectUrl,
  clientMetadataUrl: document,
  clientMetadata: { client_name: "The TypeScript SDK", redirect_uris: [redirectUrl] },
  state: () => "a state",
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
  redirectToAuthorization: (target) => console.log(JSON.stringify({ open: target.href })),
};

const connect = async () => {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  try {
    await client.connect(transport);
    return client;
  } catch (fault) {
    if (fault.constructor.name !== "UnauthorizedError") throw fault;
    const { value } = await lines.next();
    await transport.finishAuth(JSON.parse(value).code);
    return undefined;
  }
};

const client = (await connect()) ?? (await connect());
const { tools } = await client.listTools();
const before = kept.tokens.access_token;
// As if the token had ended.
kept.tokens = { ...kept.tokens, access_token: "bo_ended" };
await client.callTool({ name: "blog_list_posts", arguments: {} });
console.log(
  JSON.stringify({
    tools: tools.length,
    client: kept.client.client_id,
    scope: kept.tokens.scope,
    refreshed: ![before, "bo_ended"].includes(kept.tokens.access_token),
  }),
);
await client.close();
process.exit(0);
