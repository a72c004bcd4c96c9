import { expect, it } from "vitest";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { claim, FAILED, report, withdraw } from "../../../support/builders/commands.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import {
  answerOperation,
  askRefund,
  claimOperation,
  CLAIMER_IS_DEAD_MS,
  givenSettled,
} from "../../../support/builders/object-operations.ts";

const DONE = { kind: "done" } as const;
const PROCESSING = { kind: "processing" } as const;

it("a withdraw whose sender died is not the operator's to decide before its bank was asked", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  await withdraw(company);
  await claim(company);
  clock.advance(CLAIMER_IS_DEAD_MS);
  const object = companyStub(env, company.id);

  expect(await object.decidePayout(company.id, 1, FAILED)).toEqual({ kind: "under_way" });
  await report(company, FAILED);
});

it("a refund is the operator's to decide only once its bank was asked, and by nobody just now", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const charge = await givenSettled(company, 5_000);
  await askRefund(company, charge, { amount: 2_000 });
  const decide = async () =>
    (await companyStub(env, company.id).decideOperation(company.id, 1, DONE)).kind;

  clock.advance(CLAIMER_IS_DEAD_MS);
  expect(await decide(), "nobody has asked").toBe("under_way");
  await claimOperation(company);
  await answerOperation(company, PROCESSING);
  clock.advance(CLAIMER_IS_DEAD_MS);
  await claimOperation(company);
  expect(await decide(), "somebody asks").toBe("under_way");
  clock.advance(CLAIMER_IS_DEAD_MS);

  expect(await decide()).toBe("recorded");
});

it("what a key was answered first stays its answer, whoever reports later under it", async () => {
  const company = await givenCompany({ clock: new TestClock() });
  const charge = await givenSettled(company, 5_000);
  await askRefund(company, charge, { amount: 2_000, key: "refund_1" });
  const record = (said: typeof DONE | typeof PROCESSING) =>
    companyStub(env, company.id).recordOperation(company.id, 1, said, {
      key: "refund_1",
      traceId: "1".repeat(32),
    });

  const first = await record(PROCESSING);
  const second = await record(DONE);

  expect(first).toMatchObject({ kind: "recorded", reply: { outcome: "PENDING" } });
  expect(second).toEqual(first);
});
