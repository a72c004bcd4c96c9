import { expect, it } from "vitest";
import { compose } from "../../../../src/company/compose.ts";
import {
  givenCompany,
  inAccount,
  takeCreatedCompanies,
} from "../../../support/builders/companies/company.ts";

const FOUND = {
  finding: "payout_status:withdraw:7:Paid",
  kind: "payout_status",
  object: "withdraw:7",
  said: { status: "paid" },
  booked: { status: "Failed" },
  amount: 700,
  held: 700,
} as const;
const DISMISSED = {
  action: "dismiss",
  amount: null,
  transactionId: null,
  reason: "the bank was wrong",
  by: "one operator",
  at: 3,
} as const;

it("a repeated finding is one contradiction and holds its money until it is resolved", async () => {
  const company = await givenCompany();
  await inAccount(company.id, (_, { storage }) => {
    const { contradictions } = compose(storage.sql).stores;
    const open = (finding: string, held: number) =>
      storage.transactionSync(() => contradictions.open({ ...FOUND, finding, held }, 1));

    const first = open(FOUND.finding, 700);
    expect(open(FOUND.finding, 700).number).toBe(first.number);
    expect(open("another", 50).number).toBe(first.number + 1);
    expect(contradictions.heldTotal()).toBe(750);

    storage.transactionSync(() => contradictions.decide(first, DISMISSED, "another one", 4));
    expect(contradictions.heldTotal()).toBe(50);
    expect(open(FOUND.finding, 700).status).toBe("decided");
    expect(contradictions.heldTotal()).toBe(50);
    expect(() =>
      storage.transactionSync(() => contradictions.decide(first, DISMISSED, "another one", 5)),
    ).toThrow(/final/);
  });
  // Nobody has told the object its company, so that nothing of this is for D1.
  takeCreatedCompanies();
});
