import { expect, it } from "vitest";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import {
  CLAIM_EXPIRED_MS,
  givenSettled,
  runOperation,
} from "../../../support/builders/operations/object-operations.ts";
import { refund } from "../../../support/builders/operations/refund.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { changeSettings } from "../../../support/builders/withdraws/approvals.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { cronDeps } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { operationsOf } from "../../../support/probes/charges/operation-rows.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

/** How long a send without a response may still reach its bank. */
const TEN_MINUTES_MS = 10 * 60_000;

/** A paid charge, at a bank that does not answer a refund and does not find it. */
async function givenSilentBank() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const { id } = await givenSettled(company, 2_500);
  const deps = cronDeps(clock, bank);
  bank.onRefund = async () => ({ kind: "unknown" });
  bank.onFindRefund = async () => ({ kind: "not_found" });
  return { clock, company, bank, deps, ask: () => refund(company, id, undefined, { deps }) };
}

/** The bank refuses a repeat soon after the first send, and again once that can no longer arrive. */
async function expectFinalAfterTenMinutes({
  clock,
  company,
  bank,
}: Awaited<ReturnType<typeof givenSilentBank>>): Promise<void> {
  bank.onRefund = async () => ({ kind: "failed", reason: "the id is in use" });
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);
  expect(bank.sentRefunds).toHaveLength(2);
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });

  clock.advance(TEN_MINUTES_MS);
  await runOperation(company, bank, clock);

  expect(await operationsOf(company)).toMatchObject([{ status: "FAILED" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, blocked: 0 });
}

it("a refund without a first response does not fail at once when its repeat is rejected", async () => {
  const given = await givenSilentBank();
  expect((await given.ask()).status).toBe(202);

  await expectFinalAfterTenMinutes(given);
});

it("nor does one that had waited longer than that for its approval before it was sent", async () => {
  const given = await givenSilentBank();
  const { clock, company, bank, deps, ask } = given;
  await changeSettings(company, { refundApprovalAbove: 0 });
  expect((await ask()).body.data).toMatchObject({ refunds: [{ approval: "pending" }] });
  clock.advance(2 * TEN_MINUTES_MS);
  const { operationId } = (await operationsOf(company))[0]!;
  const path = `/api/v1/refunds/${operationId}/approve`;
  const approver = await givenApplication(company);
  expect((await call(path, { method: "POST", company: approver, deps })).status).toBe(200);
  expect(bank.sentRefunds).toHaveLength(1);

  await expectFinalAfterTenMinutes(given);
});
