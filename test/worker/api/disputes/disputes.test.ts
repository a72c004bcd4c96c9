import { expect, it } from "vitest";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { givenPaid } from "../../../support/builders/charges/transaction.ts";
import { disputePath, givenDisputed } from "../../../support/builders/operations/dispute.ts";
import { resolveDispute, simulate } from "../../../support/builders/operations/refund.ts";
import { dispute, givenSettled } from "../../../support/builders/operations/object-operations.ts";
import {
  givenUnexpectedPayment,
  reportDispute,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { anyTime } from "../../../support/probes/http/matchers.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const WEEK_MS = 7 * 86_400_000;

const listed = (company: TestCompany, query = "") => call(`/api/v1/disputes${query}`, { company });

const disputeEvents = async (company: TestCompany, id: string) =>
  (await eventsOf(company)).filter(({ objectId }) => objectId === `dispute:${id}`);

it("a dispute is listed with its reason and the MED's deadline, and has events of its own", async () => {
  const company = await givenCompany();
  const { id, transactionId } = await givenDisputed(company);

  const shown = await call(disputePath(id), { company });
  expect(shown.body.data).toStrictEqual({
    id,
    transactionId,
    paymentId: null,
    reason: "MED_FRAUD",
    amount: 2_500,
    held: 2_500,
    status: "open",
    deadline: anyTime,
    openedAt: anyTime,
    updatedAt: anyTime,
    evidence: null,
    response: null,
  });
  const { deadline, openedAt } = shown.body.data;
  expect(Date.parse(deadline) - Date.parse(openedAt)).toBe(WEEK_MS);
  await expectDocumented("GET /api/v1/disputes/{id}", shown);
  const page = await listed(company);
  expect(page.body).toEqual({ items: [shown.body.data], after: null, hasMore: false });
  await expectDocumented("GET /api/v1/disputes", page);

  await resolveDispute(company, transactionId, "lost");

  const { evidence: _evidence, response: _response, ...opened } = shown.body.data;
  const events = await disputeEvents(company, id);
  expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
    ["dispute.opened", 1],
    ["dispute.lost", 2],
  ]);
  expect(events.map(({ body }) => body.data)).toEqual([
    { companyId: company.id, ...opened, previousStatus: null },
    {
      companyId: company.id,
      ...opened,
      held: 0,
      status: "lost",
      updatedAt: anyTime,
      previousStatus: "open",
    },
  ]);
});

it("the sandbox's bank says why and until when", async () => {
  const company = await givenCompany();
  const deadline = "2030-01-02T03:04:05.000Z";
  const { id } = await givenDisputed(company, { reason: "MED_AUTOMATIC_PIX", deadline });
  const { body } = await call(disputePath(id), { company });
  expect(body.data).toMatchObject({ reason: "MED_AUTOMATIC_PIX", deadline });

  const { id: paid } = await givenPaid(company, 2_500);
  const answer = await simulate(company, paid, "dispute", {
    reason: "CHARGEBACK",
    deadline: "soon",
  });
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["reason", "deadline"],
  });
});

it("a list has a page after another and a filter, chargebacks included", async () => {
  const company = await givenCompany();
  const first = await givenDisputed(company, { reason: "OTHER" });
  const second = await givenDisputed(company);
  await resolveDispute(company, second.transactionId, "won");
  const { id: paid } = await givenPaid(company, 2_500);
  await simulate(company, paid, "chargeback");

  const newest = await listed(company, "?limit=2");
  expect(newest.body.items).toMatchObject([
    { transactionId: paid, reason: "CHARGEBACK", status: "lost", deadline: null },
    { id: second.id, status: "won" },
  ]);
  const rest = await listed(company, `?limit=2&after=${newest.body.after}`);
  expect(rest.body).toMatchObject({
    items: [{ id: first.id, reason: "OTHER", deadline: null }],
    after: null,
    hasMore: false,
  });
  const open = await listed(company, "?status=open");
  expect(open.body.items.map((item: { id: string }) => item.id)).toEqual([first.id]);
  await expectProblem(await listed(company, "?status=OPEN&limit=0"), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["status", "limit"],
  });
});

it("a dispute about a payment that nobody expected is listed with its payment", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await reportDispute(company, paymentId, { status: "OPEN", reason: "MED_FRAUD" });
  await reportDispute(company, paymentId, { status: "OPEN", deadline: Date.UTC(2030, 0, 1) });
  await reportDispute(company, paymentId, { status: "LOST" });

  const { body } = await listed(company);
  expect(body.items).toMatchObject([
    {
      transactionId: null,
      paymentId,
      reason: "MED_FRAUD",
      held: 0,
      status: "lost",
      deadline: "2030-01-01T00:00:00.000Z",
    },
  ]);
  const types = (await disputeEvents(company, body.items[0].id)).map(({ type }) => type);
  expect(types).toEqual(["dispute.opened", "dispute.lost"]);
});

it("a report with another deadline moves it and announces nothing", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const report = { id: "D 1", deadline: Date.UTC(2030, 0, 1) };
  await dispute(company, transaction, { id: "D 1", reason: "MED_OPERATIONAL_FAILURE" });

  expect(await dispute(company, transaction, report)).toEqual({ kind: "recorded" });
  expect(await dispute(company, transaction, report)).toEqual({ kind: "already" });

  const { body } = await call(disputePath("D 1"), { company });
  expect(body.data).toMatchObject({
    reason: "MED_OPERATIONAL_FAILURE",
    deadline: "2030-01-01T00:00:00.000Z",
  });
  expect(await disputeEvents(company, "D 1")).toHaveLength(1);
});

it("another company's dispute is unknown", async () => {
  const { id } = await givenDisputed(await givenCompany());
  const stranger = await givenCompany();
  for (const path of [disputePath(id), `${disputePath(id)}/dossier`]) {
    await expectProblem(await call(path, { company: stranger }), {
      status: 404,
      code: "NOT_FOUND",
    });
  }
});
