import { expect, it } from "vitest";
import { LedgerStore, type Movement } from "../../../../src/company/ledger/ledger-store.ts";
import { givenCompany, inAccount } from "../../../support/builders/companies/company.ts";

const movement = (amount: number): Movement => ({
  type: "correction",
  postings: [
    { account: "provider", amount: -amount },
    { account: "available", amount },
  ],
});

it("the newest movement is read anew after a rollback, and after a nested commit that failed or did not", async () => {
  const company = await givenCompany({ balance: 2_500 });
  const seen = await inAccount(company.id, (_, { storage }) => {
    const ledger = new LedgerStore(storage.sql);
    const commit = <Answer>(change: () => Answer): Answer => {
      try {
        return storage.transactionSync(() => {
          ledger.beginCommit();
          return change();
        });
      } finally {
        ledger.endCommit();
      }
    };
    const failed = (change: () => void) => {
      try {
        commit(() => {
          change();
          throw new Error("rolled back");
        });
      } catch {
        return ledger.balance("available");
      }
      return null;
    };
    const answers: unknown[] = [];
    try {
      commit(() => {
        answers.push(failed(() => ledger.post(movement(100), 1)));
        answers.push(ledger.balance("available"));
        ledger.post(movement(10), 1);
        answers.push(failed(() => ledger.post(movement(7), 1)));
        ledger.post(movement(1), 1);
        commit(() => ledger.post(movement(1_000), 1));
        ledger.post(movement(1), 1);
        answers.push(ledger.balance("available"), ledger.newestHead().movement);
        throw new Error("all is rolled back");
      });
    } catch {
      answers.push(ledger.balance("available"), ledger.newestHead().movement);
    }
    return answers;
  });
  expect(seen).toEqual([2_500, 2_500, 2_510, 3_512, 5, 2_500, 1]);
});
