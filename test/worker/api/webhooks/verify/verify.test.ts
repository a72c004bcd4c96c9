import { describe, expect, it } from "vitest";
import { call, type Answer, type Call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { WebhookSink } from "../../../../support/fakes/webhook-sink.ts";

const PATH = "/api/v1/webhooks/verify";
const POSTBACK = "https://loja.example.com/postback";
const DAY = 24 * 60 * 60 * 1_000;
/** The longest metadata, of characters that take six bytes each when they are escaped. */
const LONGEST_METADATA = "\u3141".repeat(4_096);

/** A company with a delivered webhook, and the request that its server received. */
async function given(metadata = "ção 🍕") {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock });
  const { id } = await givenTransaction(company, { postbackUrl: POSTBACK, metadata });
  await pay(company, id);
  await sink.deliver(company, 1);
  const [request] = sink.received;
  const received = { headers: request!.headers, body: request!.rawBody };
  const verify = (changes: object = {}, options: Call = {}) =>
    call(PATH, {
      company,
      deps: { platformClock: clock },
      body: { ...received, secret: company.webhookSecret, ...changes },
      ...options,
    });
  const rotate = async (): Promise<string> => {
    const path = "/api/v1/webhooks/secret/rotate";
    return (await call(path, { method: "POST", company, deps: { platformClock: clock } })).body
      .secret;
  };
  return { clock, company, received, verify, rotate };
}

async function expectVerdict(
  answering: Promise<Answer>,
  cause: string | null,
  eventId: string | null,
): Promise<string> {
  const answer = await answering;
  await expectDocumented(`POST ${PATH}`, answer);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    verified: cause === null,
    cause,
    detail: expect.stringMatching(/^[A-Z].*\.$/),
    eventId,
  });
  return answer.body.detail;
}

const eventOf = (company: TestCompany) => `evt_${company.id}_1`;

describe("a genuine webhook", () => {
  it("verifies, and changes nothing", async () => {
    const { company, verify } = await given();
    await expectNoSideEffects(company, () => expectVerdict(verify(), null, eventOf(company)));
  });

  it("verifies without the merchant's secret, and with the longest event as a string", async () => {
    const { company, verify, received } = await given(LONGEST_METADATA);
    const escaped = JSON.stringify({ ...received, secret: undefined }).replaceAll(
      /[\u0080-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    await expectVerdict(verify({}, { rawBody: escaped }), null, eventOf(company));
    await expectVerdict(verify(), null, eventOf(company));
  });

  it("fails with the right cause for each fault in the body or a header", async () => {
    const { company, verify, received } = await given();
    const { headers, body } = received;
    const { "webhook-timestamp": _gone, ...fewer } = headers;
    const cases: [object, string, string | null][] = [
      [{ headers: fewer }, "missing_header", null],
      [{ headers: { ...headers, "webhook-signature": "v1,x" } }, "malformed_header", null],
      [{ headers: { ...headers, "webhook-id": "evt_0_1" } }, "unknown_event", null],
      [{ body: body.slice(0, 100) }, "truncated_body", eventOf(company)],
      [{ body: JSON.stringify(JSON.parse(body), null, 1) }, "reserialised_body", eventOf(company)],
      [{ body: body.replace("PAID", "paid") }, "changed_body", eventOf(company)],
      [{ secret: "whsec_bG9jYWwtbG9qYS1leGVtcGxvLXNlY3JldA==" }, "wrong_secret", eventOf(company)],
      [{ receivedAt: "2026-01-01T00:00:00-03:00" }, "clock_skew", eventOf(company)],
    ];
    for (const [changes, cause, id] of cases) await expectVerdict(verify(changes), cause, id);
  });

  it("is compared with the current time when receivedAt is missing", async () => {
    const { clock, company, verify } = await given();
    const receivedAt = new Date(clock.now()).toISOString();
    clock.advance(10 * 60 * 1_000);
    await expectVerdict(verify(), "clock_skew", eventOf(company));
    await expectVerdict(verify({ receivedAt }), null, eventOf(company));
  });
});

describe("during a secret rotation", () => {
  it("the replaced secret verifies for 24 hours with a warning to rotate it out", async () => {
    const { clock, company, verify, rotate } = await given();
    const receivedAt = new Date(clock.now()).toISOString();
    await rotate();
    clock.advance(DAY - 1);
    await expectVerdict(verify({ receivedAt }), null, eventOf(company));
    clock.advance(1);
    const detail = await expectVerdict(verify({ receivedAt }), "wrong_secret", eventOf(company));
    expect(detail).toContain("rotated out");
  });

  it("the new secret does not verify older signatures", async () => {
    const { company, verify, rotate } = await given();
    const secret = await rotate();
    const detail = await expectVerdict(verify({ secret }), "wrong_secret", eventOf(company));
    expect(detail).toContain("newer");
  });
});

describe("an event of another company", () => {
  it("is unknown with the same text as an event that does not exist", async () => {
    const [ours, theirs] = [await given(), await given("theirs-alone")];
    const { headers } = theirs.received;
    const ids = [
      eventOf(theirs.company),
      `evt_${theirs.company.id}_2`,
      `evt_${ours.company.id}_2`,
      `evt_0${ours.company.id}_1`,
      "evt_1_1' OR '1'='1",
      "x",
    ];
    const answers: string[] = [];
    for (const id of ids) {
      const changes = { ...theirs.received, headers: { ...headers, "webhook-id": id } };
      const answer = await ours.verify(changes);
      await expectVerdict(Promise.resolve(answer), "unknown_event", null);
      answers.push(answer.text);
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).not.toContain("theirs-alone");
  });

  it("is wrong_secret when its signature is used for an event of this company", async () => {
    const [ours, theirs] = [await given(), await given()];
    const headers = {
      ...ours.received.headers,
      "webhook-signature": theirs.received.headers["webhook-signature"],
    };
    await expectVerdict(ours.verify({ headers }), "wrong_secret", eventOf(ours.company));
  });
});

describe("an invalid request", () => {
  it.each([
    ["headers", undefined],
    ["headers", []],
    ["headers", null],
    ["body", undefined],
    ["body", { type: "transaction.paid" }],
    ["secret", "x".repeat(256)],
    ["receivedAt", "yesterday"],
    ["receivedAt", 1_780_000_000],
    ["receivedAt", "2026-11-21"],
  ])("VALIDATION_FAILED: %s %j", async (field, value) => {
    const { verify } = await given();
    const answer = await verify({ [field]: value });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  });

  it("is judged only by its three webhook headers", async () => {
    const { verify, company } = await given();
    const { headers } = (await given()).received;
    const otherHeaders = { "content-length": 162, "x-list": [1, null], "x-object": {} };
    const foreign = verify({ headers: { ...headers, ...otherHeaders } });
    await expectVerdict(foreign, "unknown_event", null);
    const wrong = { ...headers, "webhook-id": { a: company.id } };
    await expectVerdict(verify({ headers: wrong }), "missing_header", null);
  });

  it("BODY_TOO_LARGE: rejects more than 1 MiB and accepts up to 1 MiB", async () => {
    const { company, verify } = await given();
    const rawBody = JSON.stringify({ headers: {}, body: "" });
    const fitting = verify({}, { rawBody: rawBody.padEnd(1024 * 1024, " ") });
    await expectVerdict(fitting, "missing_header", null);
    const answer = await call(PATH, { company, rawBody: rawBody.padEnd(1024 * 1024 + 1, " ") });
    await expectProblem(answer, { status: 413, code: "BODY_TOO_LARGE" });
  });
});
