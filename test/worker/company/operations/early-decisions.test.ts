import { expect, it } from "vitest";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { decideInObject } from "../../../support/builders/operations/decide.ts";
import { operationsOf } from "../../../support/probes/charges/operation-rows.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  claimPayout,
  FAILED,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import {
  reportOperation,
  requestRefund,
  claimOperation,
  CLAIM_EXPIRED_MS,
  givenSettled,
} from "../../../support/builders/operations/object-operations.ts";

const DONE = { kind: "done" } as const;
const PROCESSING = { kind: "processing" } as const;

it("an operator cannot resolve a withdraw of a crashed sender before its bank was asked", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  await withdraw(company);
  await claimPayout(company);
  clock.advance(CLAIM_EXPIRED_MS);

  expect(await decideInObject(company, { kind: "payout", id: 1, report: FAILED })).toMatchObject({
    kind: "not_possible",
  });
  await reportPayout(company, FAILED);
});

it("an operator can resolve a refund only after a lookup at its bank and while none is in progress", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const charge = await givenSettled(company, 5_000);
  await requestRefund(company, charge, { amount: 2_000 });
  const { operationId } = (await operationsOf(company))[0]!;
  const decide = async () =>
    (await decideInObject(company, { kind: "operation", operationId, report: DONE })).kind;

  clock.advance(CLAIM_EXPIRED_MS);
  expect(await decide(), "nobody has asked").toBe("not_possible");
  await claimOperation(company);
  await reportOperation(company, PROCESSING);
  clock.advance(CLAIM_EXPIRED_MS);
  await claimOperation(company);
  expect(await decide(), "somebody asks").toBe("not_possible");
  clock.advance(CLAIM_EXPIRED_MS);

  expect(await decide()).toBe("decided");
});

it("the first response of a key stays, whatever is reported later", async () => {
  const company = await givenCompany({ clock: new TestClock() });
  const charge = await givenSettled(company, 5_000);
  await requestRefund(company, charge, { amount: 2_000, key: "refund_1" });
  const record = (said: typeof DONE | typeof PROCESSING) =>
    callsTo(company.id).recordOperation({
      companyId: company.id,
      id: 1,
      report: said,
      reply: {
        key: "refund_1",
        traceId: "1".repeat(32),
      },
    });

  const first = await record(PROCESSING);
  const second = await record(DONE);

  expect(first).toMatchObject({ kind: "recorded", reply: { outcome: "PENDING" } });
  expect(second).toEqual(first);
});
