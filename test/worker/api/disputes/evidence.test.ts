import { expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import {
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import {
  disputePath,
  givenDisputed,
  submitEvidence,
} from "../../../support/builders/operations/dispute.ts";
import { resolveDispute } from "../../../support/builders/operations/refund.ts";
import {
  givenUnexpectedPayment,
  reportDispute,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { CRASH, withAccounts } from "../../../support/faults/faulty-env.ts";
import { evict, replaceInObject, unavailableProjection } from "../../../support/faults/object.ts";
import { anyTime } from "../../../support/probes/http/matchers.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { operatorEventsOf } from "../../../support/probes/contradictions/contradictions.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { env } from "../../../support/builders/companies/env.ts";

const TEXT = { text: "The customer got the goods." };
const LINKS = { links: ["https://loja.example.com/pedidos/1001"] };
const DELIVERY = { delivery: { carrier: "Correios", deliveredTo: "Maria da Silva" } };

const shown = async (company: TestCompany, id: string) =>
  (await call(disputePath(id), { company })).body.data;

it("evidence is kept field by field, audited, and reported to operators without its content", async () => {
  const company = await givenCompany();
  const { id, transactionId } = await givenDisputed(company);

  const first = await submitEvidence(company, id, { ...TEXT, ...DELIVERY });
  expect(first.status).toBe(200);
  await expectDocumented("POST /api/v1/disputes/{id}/evidence", first);
  expect(first.body.data.evidence).toStrictEqual({
    ...TEXT,
    ...DELIVERY,
    links: [],
    files: [],
    submittedAt: anyTime,
  });
  await submitEvidence(company, id, { ...LINKS, text: "" });

  expect((await shown(company, id)).evidence).toMatchObject({ text: null, ...DELIVERY, ...LINKS });
  const { body: trail } = await call("/api/v1/audit", { company });
  expect(trail.items.slice(-2)).toMatchObject([
    {
      action: "dispute.evidence",
      target: `dispute:${id}`,
      after: { fields: ["delivery", "text"] },
    },
    { action: "dispute.evidence", after: { fields: ["links", "text"] } },
  ]);
  expect(JSON.stringify(trail)).not.toContain("Maria");
  const events = await operatorEventsOf(company);
  expect(events).toMatchObject([
    { type: "dispute.evidence_submitted", data: { id, transactionId, status: "open" } },
    { type: "dispute.evidence_submitted" },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/Maria|goods|loja\.example/);
});

it("a dispute about a payment that nobody expected takes evidence too", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await reportDispute(company, paymentId, { id: "D 1", status: "OPEN" });
  const { status, body } = await submitEvidence(company, "D 1", TEXT);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ transactionId: null, paymentId, evidence: TEXT });
  await reportDispute(company, paymentId, { id: "D 1", status: "WON" });
  expect(await shown(company, "D 1")).toMatchObject({ status: "won", evidence: TEXT });
});

it("a request is done once for each key, and its first answer is replayed", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company);
  const first = await submitEvidence(company, id, TEXT, { key: "k1" });
  await submitEvidence(company, id, { text: "Another word." }, { key: "k2" });

  const replay = await submitEvidence(company, id, TEXT, { key: "k1" });

  expect(replay.body).toEqual(first.body);
  expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
  expect((await shown(company, id)).evidence.text).toBe("Another word.");
  await expectProblem(await submitEvidence(company, id, LINKS, { key: "k1" }), {
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });
});

it("evidence whose answer is lost is stored once, and D1 has it after the object died", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company);
  await replaceInObject(company, unavailableProjection());
  const lostReply = withAccounts(env, async (label, run) => {
    const answer = await run();
    if (label === "submitEvidence") throw new Error(CRASH);
    return answer;
  });
  await expectProblem(await submitEvidence(company, id, TEXT, { env: lostReply }), {
    status: 500,
    code: "INTERNAL_ERROR",
  });
  await evict(company);
  expect((await shown(company, id)).evidence).toBeNull();

  const again = await submitEvidence(company, id, TEXT);
  await waitUntilDrained(company);

  expect(again.body.data.evidence).toMatchObject(TEXT);
  expect((await shown(company, id)).evidence).toEqual(again.body.data.evidence);
  expect(await operatorEventsOf(company)).toHaveLength(1);
});

it.each<[string, unknown, string[]]>([
  ["nothing", {}, ["body"]],
  ["a link that is not https", { links: ["http://a.com", "x"] }, ["links.0", "links.1"]],
  ["a link with user-info", { links: ["https://me:pw@a.com"] }, ["links.0"]],
  ["too many links", { links: Array(21).fill("https://a.com") }, ["links"]],
  ["a delivery that is a text", { delivery: "at the door" }, ["delivery"]],
  ["an unknown field", { txt: "x" }, ["body", "txt"]],
  [
    "card numbers",
    { text: "4242424242424242", delivery: { a: "4242 4242 4242 4242" } },
    ["text", "delivery.a"],
  ],
])("%s is refused", async (_name, body, fields) => {
  const { company, id } = await sharedDispute();
  const answer = await submitEvidence(company, id, body);
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
  expect((await shown(company, id)).evidence).toBeNull();
});

let shared: Promise<{ company: TestCompany; id: string }> | undefined;
/** One dispute for the requests that change nothing. */
function sharedDispute() {
  shared ??= givenCompany().then(async (company) => ({
    company,
    ...(await givenDisputed(company)),
  }));
  return shared;
}

it("more than 16 KB in all, after the deadline, or of an ended dispute is refused", async () => {
  const company = await givenCompany();
  const { id, transactionId } = await givenDisputed(company);
  await submitEvidence(company, id, { text: "ç".repeat(8_000) });
  await expectProblem(await submitEvidence(company, id, { delivery: { note: "x".repeat(400) } }), {
    status: 422,
    code: "EVIDENCE_TOO_LARGE",
  });
  await resolveDispute(company, transactionId, "won");
  await expectProblem(await submitEvidence(company, id, TEXT), {
    status: 409,
    code: "INVALID_STATE",
  });
  const late = await givenDisputed(company, { deadline: "2026-01-01T00:00:00Z" });
  await expectProblem(await submitEvidence(company, late.id, TEXT), {
    status: 422,
    code: "EVIDENCE_DEADLINE_PASSED",
  });
  await expectProblem(await submitEvidence(company, "nothing", TEXT), {
    status: 404,
    code: "NOT_FOUND",
  });
});

it("without pii:read the words and the proof of delivery are masked", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company);
  await submitEvidence(company, id, { ...TEXT, ...LINKS, ...DELIVERY });
  const reader = await givenApplication(company, { scopes: ["transactions:read"] });
  expect((await shown(reader, id)).evidence).toMatchObject({
    text: "***",
    ...LINKS,
    delivery: { carrier: "***", deliveredTo: "***" },
  });
});
