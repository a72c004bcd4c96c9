import { expect, it } from "vitest";
import { serviceFigures } from "../../../../src/api/operator/status/figures.ts";
import { waitUntilDrained, type TestCompany } from "../../../support/builders/companies/company.ts";
import { env } from "../../../support/builders/companies/env.ts";
import { OPERATOR_CREDENTIALS } from "../../../support/builders/companies/operator.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { visit } from "../../../support/builders/console/visit.ts";
import { givenSession } from "../../../support/builders/console/people.ts";
import { decide, givenPending } from "../../../support/builders/withdraws/approvals.ts";
import { postOffice, sendDueEmails } from "../../../support/fakes/post-office.ts";
import { parsePayoutId } from "../../../../src/domain/shared/ids.ts";
import { TestClock } from "../../../support/fakes/clock.ts";

const MINUTE_MS = 60_000;

const clock = () => new TestClock();

async function rowsOf(company: TestCompany) {
  const { results } = await env.DB.prepare(
    "SELECT id, status, attempts, user_id FROM emails WHERE company_id = ? ORDER BY id",
  )
    .bind(company.id)
    .all<{ id: string; status: string; attempts: number; user_id: string }>();
  return results;
}

async function givenWaiting() {
  const { company, approver } = await givenPending();
  await givenSession(company, "owner", { nowMs: Date.now() });
  await givenSession(company, "support", { nowMs: Date.now() });
  await waitUntilDrained(company);
  return { company, approver };
}

it("each person who may approve gets one e-mail, whose link approves nothing", async () => {
  const { company } = await givenWaiting();
  const office = postOffice();
  const now = clock();
  await sendDueEmails(office.env, now);
  await sendDueEmails(office.env, now);
  await sendDueEmails(office.env, now);
  const rows = await rowsOf(company);
  expect(rows.map(({ status }) => status)).toEqual(["sent", "sent"]);
  // Other companies' e-mails are due as well.
  const own = office.sent.flatMap(({ text, subject }) => {
    const [, payoutId = ""] = /https:\/\/pay\.example\.com\/a\/(\S+)/.exec(text ?? "") ?? [];
    return parsePayoutId(payoutId)?.companyId === company.id ? [{ payoutId, subject }] : [];
  });
  expect(own).toHaveLength(1);
  expect(own[0]?.subject).toContain("30,00");

  const { payoutId = "" } = own[0] ?? {};
  const opened = await visit(company, `/console/approvals/${payoutId}`);
  expect([opened.status, opened.headers.get("Location")]).toEqual([303, "/console/withdraws/1"]);
  const { html } = await visit(company, "/console/withdraws/1");
  expect(html).toContain("Esperando");
});

it("an e-mail that is given up is counted for the operators, and raises an alarm", async () => {
  const { company } = await givenWaiting();
  const now = clock();
  // Those of other files' companies may be due by now, or have failed at the time of a moved clock.
  await env.DB.prepare("DELETE FROM emails WHERE company_id <> ?").bind(company.id).run();
  const before = (await serviceFigures(env, now)).emails;
  await sendDueEmails({ ...env, EMAIL: undefined } as unknown as typeof env, now);
  expect((await rowsOf(company)).map(({ status }) => status)).toEqual(["failed"]);
  const figures = await serviceFigures(env, now);
  expect(figures.emails.failed).toBe(before.failed + 1);
  expect(figures.emails.newestAt).toBe(now.now());
  const metrics = await call("/metrics", { company: { credentials: OPERATOR_CREDENTIALS } });
  expect(metrics.text).toMatch(/^centavo_emails_failed\{kind="approval"\} [1-9]/m);
  now.advance(25 * 60 * MINUTE_MS);
  expect((await serviceFigures(env, now)).emails.failed).toBe(0);
  // One that a moved clock gave up is nobody's alarm until then.
  await env.DB.prepare(
    "UPDATE emails SET updated_at = ? WHERE company_id = ? AND status = 'failed'",
  )
    .bind(now.now() + 365 * 24 * 60 * MINUTE_MS, company.id)
    .run();
  expect((await serviceFigures(env, now)).emails.failed).toBe(0);
});

it("an e-mail that is not taken is sent later, and a decision that was made first ends it", async () => {
  const { company, approver } = await givenWaiting();
  const office = postOffice();
  const now = clock();
  await sendDueEmails(office.env, now);
  office.isClosed = true;
  await sendDueEmails(office.env, now);
  expect((await rowsOf(company)).map(({ status }) => status)).toEqual(["sent", "due"]);
  await decide(approver, "refuse", 1);
  office.isClosed = false;
  now.advance(MINUTE_MS);
  await sendDueEmails(office.env, now);
  expect((await rowsOf(company)).map(({ status }) => status)).toEqual(["sent", "obsolete"]);
  expect(office.sent.filter(({ subject }) => subject.includes(company.name ?? "-"))).toEqual([]);
});

it("NOT_FOUND: the link of another company's withdraw, or of none", async () => {
  const { company } = await givenWaiting();
  for (const id of ["x", "00000000-0000-8000-8000-000100000001"]) {
    expect((await visit(company, `/console/approvals/${id}`)).status).toBe(404);
  }
});
