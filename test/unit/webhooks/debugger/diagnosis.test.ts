import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, test } from "vitest";
import { LOCAL_SECRETS_KEY } from "../../../../src/lib/local-key.ts";
import { toBase64 } from "../../../../src/lib/base64.ts";
import {
  signAsymmetric,
  webhookKeySeed,
  webhookKeySeeds,
} from "../../../../src/webhooks/signing/asymmetric-key.ts";
import type { Cause } from "../../../../src/webhooks/debugger/causes.ts";
import {
  diagnose,
  type EndpointSecret,
  type VerificationContext,
  type ReceivedWebhook,
} from "../../../../src/webhooks/debugger/diagnosis.ts";
import { signWebhook } from "../../../../src/webhooks/signing/sign.ts";

const ID = "evt_1_42";
const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const SENT_AT = NOW / 1_000;
const BODY = JSON.stringify({
  type: "transaction.paid",
  data: { id: "a/b", metadata: '{"pedido":"ação nº 7 🍕"}', pix: { url: "x" }, refunds: [1, 2] },
});
const PRESENT = secretOf("p");
const RETIRED = secretOf("r");
const EXPIRED = secretOf("e");
const FOREIGN = secretOf("f");
const SECRETS: EndpointSecret[] = [
  { endpoint: "endpoint", secret: PRESENT, until: null },
  { endpoint: "endpoint", secret: RETIRED, until: NOW + 1 },
  { endpoint: "endpoint", secret: EXPIRED, until: NOW },
];

let v1a: string;
let foreignV1a: string;

beforeAll(async () => {
  v1a = await asymmetric("a");
  foreignV1a = await asymmetric("b");
});

function secretOf(letter: string): string {
  return `whsec_${btoa(letter.repeat(32))}`;
}

async function asymmetric(company: string): Promise<string> {
  const seed = await webhookKeySeed([LOCAL_SECRETS_KEY], company);
  return `v1a,${toBase64(await signAsymmetric(seed, `${ID}.${SENT_AT}.${BODY}`))}`;
}

/** The gateway's headers, signed with several secrets. */
async function headersBy(...secrets: string[]): Promise<Record<string, string>> {
  const parts = await Promise.all(secrets.map((each) => signWebhook(each, ID, SENT_AT, BODY)));
  return {
    "webhook-id": ID,
    "webhook-timestamp": String(SENT_AT),
    "webhook-signature": [...parts, v1a].join(" "),
  };
}

const known: VerificationContext = {
  nowMs: NOW,
  eventBody: async (id) => (id === ID ? BODY : null),
  secrets: async () => SECRETS,
  seeds: () => webhookKeySeeds([LOCAL_SECRETS_KEY], "a"),
};

async function runDiagnosis(received: Partial<ReceivedWebhook> = {}) {
  const headers = received.headers ?? (await headersBy(PRESENT, RETIRED));
  return diagnose({ body: BODY, secret: null, receivedAt: null, ...received, headers }, known);
}

/** Expects the cause and one sentence that names the fix. */
async function expectFault(
  received: Partial<ReceivedWebhook>,
  cause: Cause,
  says: RegExp,
): Promise<void> {
  const { error } = await runDiagnosis(received);
  expect(error).toEqual({ cause, detail: expect.stringMatching(says) });
  expect(error?.detail).toMatch(/^[A-Z].*\.$/);
}

const NAMES = ["webhook-id", "webhook-timestamp", "webhook-signature"];

describe("an unchanged webhook", () => {
  test("verifies with header names in any case and header values as lists", async () => {
    const own = await headersBy(PRESENT, RETIRED);
    const shouted = Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name.toUpperCase(), [` ${value} `]]),
    );
    for (const headers of [own, shouted, { ...own, host: "loja", "x-list": ["a", "b"] }]) {
      expect(await runDiagnosis({ headers })).toEqual({ error: null, eventId: ID });
    }
  });

  test("verifies with the current secret and with a replaced secret that is still valid", async () => {
    for (const secret of [PRESENT, RETIRED, PRESENT.replace("whsec_", "")]) {
      expect((await runDiagnosis({ secret })).error).toBeNull();
    }
  });

  test("verifies by its v1 signature alone, next to unknown schemes", async () => {
    const headers = await headersBy(PRESENT);
    const [v1 = ""] = headers["webhook-signature"]!.split(" ");
    for (const kept of [v1, `v2,abc ${v1}`]) {
      const kind = { headers: { ...headers, "webhook-signature": kept } };
      expect((await runDiagnosis(kind)).error).toBeNull();
    }
  });
});

describe("missing_header", () => {
  test.each(NAMES)("names %s when it is absent or empty", async (name) => {
    const { [name]: _gone, ...rest } = await headersBy(PRESENT);
    for (const headers of [rest, { ...rest, [name]: " " }, { ...rest, [name]: [] }]) {
      await expectFault({ headers }, "missing_header", new RegExp(`header ${name} is missing`));
    }
  });
});

describe("malformed_header", () => {
  test.each([
    ["webhook-timestamp", "2026-11-21T12:00:00Z"],
    ["webhook-timestamp", `${NOW}`],
    ["webhook-timestamp", "-1"],
    ["webhook-timestamp", "1.5"],
    ["webhook-signature", "v1,"],
    ["webhook-signature", `v1,${"ab".repeat(32)}`],
    ["webhook-signature", "v2,abc"],
    ["webhook-signature", "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="],
    [
      "webhook-signature",
      Array(7)
        .fill(`v1,${"A".repeat(43)}=`)
        .join(" "),
    ],
  ])("%s: %s", async (name, value) => {
    const headers = { ...(await headersBy(PRESENT)), [name]: value };
    await expectFault({ headers }, "malformed_header", new RegExp(`header ${name} `));
  });

  test("reports a cut v1a, or a signature without v1", async () => {
    const headers = await headersBy(PRESENT);
    const [v1 = ""] = headers["webhook-signature"]!.split(" ");
    for (const signature of [v1a, `${v1} ${v1a.slice(0, -10)}`]) {
      const broken = { ...headers, "webhook-signature": signature };
      await expectFault({ headers: broken }, "malformed_header", /webhook-signature/);
    }
  });

  test.each(["webhook-id", "webhook-timestamp"])("reports %s that appears twice", async (name) => {
    const headers = { ...(await headersBy(PRESENT)), [name]: ["1", "2"] };
    await expectFault({ headers }, "malformed_header", /several times/);
  });
});

test("unknown_event: the company has no such event", async () => {
  const headers = { ...(await headersBy(PRESENT)), "webhook-id": "evt_1_43" };
  expect(await runDiagnosis({ headers })).toEqual({
    error: { cause: "unknown_event", detail: expect.stringMatching(/credentials/) },
    eventId: null,
  });
});

describe("the body", () => {
  const shuffled = JSON.stringify(
    Object.fromEntries(Object.entries(JSON.parse(BODY)).toReversed()),
  );
  const bytes = new TextEncoder().encode(BODY);
  const cutWithin = new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0xc3) + 1));

  test.each([
    ["without its end", BODY.slice(0, -1)],
    ["empty", ""],
    ["cut inside a character", cutWithin],
    ["cut inside a surrogate pair", BODY.slice(0, BODY.indexOf("🍕") + 1)],
  ])("truncated_body: %s", async (_name, body) => {
    await expectFault({ body }, "truncated_body", /first \d+ of \d+ bytes/);
  });

  test.each([
    ["a line end after it", `${BODY}\n`, /white space around it/],
    ["a byte order mark before it", `\uFEFF${BODY}`, /byte order mark/],
    ["indented", JSON.stringify(JSON.parse(BODY), null, 2), /parsed and written/],
    ["another order of members", shuffled, /parsed and written/],
    ["accents escaped", BODY.replaceAll("ç", "\\u00e7"), /parsed and written/],
    ["slashes escaped", BODY.replaceAll("/", "\\/"), /parsed and written/],
    ["a number written otherwise", BODY.replace("[1,", "[1.0,"), /parsed and written/],
  ])("reserialised_body: %s", async (_name, body, says) => {
    expect(body).not.toBe(BODY);
    await expectFault({ body }, "reserialised_body", says);
  });

  test.each([
    ["another value", BODY.replace("paid", "gone")],
    ["one member more", BODY.replace("{", '{"more":1,')],
    ["one member less", BODY.replace('"type":"transaction.paid",', "")],
    ["an inherited name for a member", BODY.replace('"type"', '"toString"')],
    ["a list in another order", BODY.replace("[1,2]", "[2,1]")],
    ["a list as an object", BODY.replace("[1,2]", '{"0":1,"1":2}')],
    ["no JSON", "type=transaction.paid"],
    ["more behind it", `${BODY}{}`],
    ["null", "null"],
    ["deeper than any stack", "[".repeat(100_000) + "]".repeat(100_000)],
  ])("changed_body: %s", async (_name, body) => {
    await expectFault({ body }, "changed_body", /from character \d+ on/);
  });

  test("changed_body: names a body that was decoded in another charset", async () => {
    const body = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    await expectFault({ body }, "changed_body", /Latin-1/);
  });
});

describe("wrong_secret", () => {
  test("reports a signature with an unknown secret", async () => {
    await expectFault(
      { headers: await headersBy(FOREIGN) },
      "wrong_secret",
      /secret of this company/,
    );
  });

  test("reports a changed timestamp", async () => {
    const headers = { ...(await headersBy(PRESENT)), "webhook-timestamp": String(SENT_AT + 1) };
    await expectFault({ headers }, "wrong_secret", /this webhook-timestamp/);
  });

  test("reports a signature with an expired secret", async () => {
    const headers = await headersBy(EXPIRED);
    await expectFault({ headers }, "wrong_secret", /ended at 2026-11-21T12:00:00.000Z/);
  });

  test("reports a v1a of another company's key", async () => {
    const headers = await headersBy(PRESENT);
    headers["webhook-signature"] = headers["webhook-signature"]!.replace(v1a, foreignV1a);
    await expectFault({ headers }, "wrong_secret", /v1a/);
  });

  test.each([
    ["with white space around it", `${PRESENT}\n`, /white space/],
    ["cut", PRESENT.slice(0, -2), /base64/],
    ["only the prefix", "whsec_", /base64/],
    ["a public key", "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=", /base64/],
    ["unknown", FOREIGN, /unknown/],
    ["rotated out", EXPIRED, /rotated out and ended at 2026/],
  ])("reports the merchant's own secret, %s", async (_name, secret, says) => {
    await expectFault({ secret }, "wrong_secret", says);
  });

  test("accepts the merchant's own secret without its padding", async () => {
    const secret = PRESENT.replace(/=$/, "");
    expect(secret).not.toBe(PRESENT);
    expect((await runDiagnosis({ secret })).error).toBeNull();
  });

  test("reports the merchant's own secret when it is newer than the signature", async () => {
    const received = { headers: await headersBy(RETIRED), secret: PRESENT };
    await expectFault(received, "wrong_secret", /newer than this attempt/);
    const own = new Webhook(PRESENT).sign(ID, new Date(NOW), BODY);
    expect(received.headers["webhook-signature"]).not.toContain(own);
  });
});

describe("clock_skew", () => {
  test.each([
    [300_999, "after"],
    [-300_000, "before"],
  ])("%i ms is within the five minutes of every library", async (distance) => {
    expect((await runDiagnosis({ receivedAt: NOW + distance })).error).toBeNull();
  });

  test.each([
    [301_000, /received 301 s after its webhook-timestamp/],
    [-301_000, /received 301 s before its webhook-timestamp/],
    [3_600_000, /received 3600 s after/],
  ])("%i ms: reports the amount and the direction", async (distance, says) => {
    await expectFault({ receivedAt: NOW + distance }, "clock_skew", says);
    await expectFault({ receivedAt: NOW + distance }, "clock_skew", /NTP/);
  });

  test("requests receivedAt when it is missing", async () => {
    const late = { ...known, nowMs: NOW + 400_000, secrets: async () => SECRETS };
    const received = {
      headers: await headersBy(PRESENT),
      body: BODY,
      secret: null,
      receivedAt: null,
    };
    const { error } = await diagnose(received, late);
    expect(error).toEqual({ cause: "clock_skew", detail: expect.stringMatching(/receivedAt/) });
  });
});

test("reports the first of several causes; fixed one by one, they appear in their order", async () => {
  const right = await headersBy(PRESENT);
  const { "webhook-id": _id, ...withoutId } = right;
  const wrong = { "webhook-timestamp": "x", "webhook-signature": "x" };
  const late = { receivedAt: NOW + 999_000_000, secret: FOREIGN };
  const foreign = await headersBy(FOREIGN);
  const steps: Partial<ReceivedWebhook>[] = [
    { ...late, headers: { ...withoutId, ...wrong }, body: "" },
    { ...late, headers: { ...right, ...wrong, "webhook-id": "evt_1_43" }, body: "" },
    { ...late, headers: { ...foreign, "webhook-id": "evt_1_43" }, body: "" },
    { ...late, headers: foreign, body: BODY.slice(0, -1) },
    { ...late, headers: foreign, body: `${BODY}\n` },
    { ...late, headers: foreign, body: "{}" },
    { ...late, headers: foreign },
    { ...late, headers: right },
    { ...late, headers: right, secret: PRESENT },
    { headers: right, secret: PRESENT },
  ];
  const causes: (Cause | undefined)[] = [];
  for (const step of steps) causes.push((await runDiagnosis(step)).error?.cause);
  expect(causes).toEqual([
    "missing_header",
    "malformed_header",
    "unknown_event",
    "truncated_body",
    "reserialised_body",
    "changed_body",
    "wrong_secret",
    "wrong_secret",
    "clock_skew",
    undefined,
  ]);
});

test("reports a secret that no library could use before the event is read", async () => {
  const headers = { ...(await headersBy(PRESENT)), "webhook-id": "evt_1_43" };
  expect((await runDiagnosis({ headers, secret: "x" })).error?.cause).toBe("wrong_secret");
});
