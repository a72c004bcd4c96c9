import { execFile } from "node:child_process";
import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { loadPyodide, type PyodideInterface } from "pyodide";
import { beforeAll, describe, expect, test } from "vitest";
import { webhookExamples, webhookPayloadsPage } from "../../../tools/lib/webhook-examples.ts";
import { EVENT_TYPES } from "../../../src/domain/events/event-types.ts";

const REPOSITORY = join(import.meta.dirname, "../../..");
const PAGE = readFileSync(join(REPOSITORY, "docs/webhooks.md"), "utf8");
const EXAMPLES = join(REPOSITORY, "docs/examples/webhooks");
const SECRET = `whsec_${randomBytes(24).toString("base64")}`;

test("the page of payloads equals the rendered one and has every event type", () => {
  const page = readFileSync(join(REPOSITORY, "docs/generated/webhook-payloads.md"), "utf8");
  expect(page).toBe(webhookPayloadsPage());
  for (const type of EVENT_TYPES) expect(page).toContain(`\n## ${type}\n`);
});

/** The code for Node of the page, which is marked for execution here. */
function nodeCode(): string {
  const mark = "<!-- executed by test/e2e/webhooks/docs.test.ts -->";
  const code = PAGE.split(mark)[1]?.split("```")[1];
  if (code === undefined) throw new Error("no code for Node");
  return code.slice(code.indexOf("\n"));
}

interface Received {
  body: string;
  headers: Record<string, string>;
}

/** An event as a merchant receives it, signed by independent code. */
function received(ageSeconds = 0): Received {
  const { body } = webhookExamples().find(({ type }) => type === "withdraw.paid")!;
  const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds);
  const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
  const hmac = (text: string) => createHmac("sha256", key).update(text).digest("base64");
  return {
    body,
    headers: {
      "webhook-id": "evt_1_42",
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${hmac("another")} v1,${hmac(`evt_1_42.${timestamp}.${body}`)} v1a,AA==`,
    },
  };
}

const REFUSED: [string, Received][] = [
  ["another body", { ...received(), body: received().body.replace("Paid", "Fail") }],
  ["another id", { ...received(), headers: { ...received().headers, "webhook-id": "evt_1_43" } }],
  ["another time", { ...received(), headers: { ...received().headers, ...timeOf(received(9)) } }],
  ["an old one", received(301)],
];

/** Webhooks that were not signed by Centavo. */
const STRANGERS: [string, Received][] = [
  ["no headers", { ...received(), headers: {} }],
  ["no timestamp", { ...received(), headers: { ...received().headers, "webhook-timestamp": "" } }],
  [
    "an odd signature",
    { ...received(), headers: { ...received().headers, "webhook-signature": "v1,é" } },
  ],
];

function timeOf({ headers }: Received): Record<string, string> {
  return { "webhook-timestamp": headers["webhook-timestamp"] ?? "" };
}

async function runNode({ body, headers }: Received): Promise<unknown> {
  const code = `${nodeCode()}\nconsole.log(JSON.stringify(eventOf(${JSON.stringify(body)}, ${JSON.stringify(headers)})));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", code],
    { cwd: REPOSITORY, env: { ...process.env, CENTAVO_WEBHOOK_SECRET: SECRET } },
  );
  return JSON.parse(stdout);
}

describe("the code for Node", () => {
  test("accepts a genuine webhook", async () => {
    expect(await runNode(received())).toEqual(JSON.parse(received().body));
  });

  test.each(REFUSED)("rejects %s", async (_name, request) => {
    await expect(runNode(request)).rejects.toThrow("WebhookVerificationError");
  });
});

describe("the code for Python", () => {
  let python: PyodideInterface;

  beforeAll(async () => {
    python = await loadPyodide({ env: { CENTAVO_WEBHOOK_SECRET: SECRET, HOME: "/" } });
    python.runPython(readFileSync(join(EXAMPLES, "event_of.py"), "utf8"));
  });

  const run = ({ body, headers }: Received) => {
    python.globals.set("request", JSON.stringify({ body, headers }));
    return JSON.parse(
      python.runPython(`
request = json.loads(request)
json.dumps(event_of(request["body"].encode(), request["headers"]))`) as string,
    );
  };

  test("accepts a genuine webhook", () => {
    expect(run(received())).toEqual(JSON.parse(received().body));
  });

  test.each([...REFUSED, ...STRANGERS])("rejects %s", (_name, request) => {
    expect(() => run(request)).toThrow("ValueError");
  });
});

describe("the code for public keys", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");

  /** Whether the example takes a body for an event that Centavo signed. */
  async function isTaken(body: string, signed: Received): Promise<boolean> {
    const { isOurs } = (await import(join(EXAMPLES, "public-key.js"))) as {
      isOurs: (body: string, headers: Record<string, string>, keys: KeyObject[]) => boolean;
    };
    const { "webhook-timestamp": timestamp } = signed.headers;
    const text = Buffer.from(`evt_1_42.${timestamp}.${signed.body}`);
    const signature = `v1,AA== v1a,${sign(null, text, privateKey).toString("base64")}`;
    return isOurs(body, { ...signed.headers, "webhook-signature": signature }, [publicKey]);
  }

  test("takes a genuine webhook, and neither another body nor an old one", async () => {
    expect(await isTaken(received().body, received())).toBe(true);
    expect(await isTaken("{}", received())).toBe(false);
    expect(await isTaken(received(301).body, received(301))).toBe(false);
  });
});

test("the code for returnUrl takes what the gateway signed, and nothing else", async () => {
  const { isOurs } = (await import(join(REPOSITORY, "docs/examples/checkout/return-url.js"))) as {
    isOurs: (query: Record<string, string>, secret: string) => boolean;
  };
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
  const text = `centavo:return-url\nid\nPAID\n${timestamp}`;
  const signature = `v1,AA== v1,${createHmac("sha256", key).update(text).digest("base64")}`;
  const query = { transactionId: "id", status: "PAID", timestamp, signature };
  expect(isOurs(query, SECRET)).toBe(true);
  expect(isOurs({ ...query, status: "FAILED" }, SECRET)).toBe(false);
  expect(isOurs({ ...query, timestamp: "0" }, SECRET)).toBe(false);
});
