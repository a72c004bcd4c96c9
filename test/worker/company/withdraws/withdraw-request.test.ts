import { expect, it } from "vitest";
import {
  claimPayout,
  PAID,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { accountsOf, dumpObject, movementsOf } from "../../../support/probes/ledger/ledger.ts";

it("concurrent requests with one key make one withdraw", async () => {
  const company = await givenCompany({ balance: 9_000 });

  const answers = await Promise.all(Array.from({ length: 8 }, () => withdraw(company)));

  expect(answers.filter((answer) => answer.kind === "accepted")).toHaveLength(1);
  expect(answers.filter((answer) => answer.kind === "replayed")).toHaveLength(7);
  expect(await accountsOf(company)).toMatchObject({ available: 8_000, payout: 1_000 });
});

it("concurrent requests never take more than the balance", async () => {
  const company = await givenCompany({ balance: 2_999 });

  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => withdraw(company, { idempotencyKey: `wd_${index}` })),
  );

  expect(answers.map((answer) => answer.kind).sort()).toEqual([
    "accepted",
    "accepted",
    ...Array.from({ length: 4 }, () => "insufficient_balance"),
  ]);
  expect(answers.find((answer) => answer.kind === "insufficient_balance")).toEqual({
    kind: "insufficient_balance",
    available: 999,
    held: 0,
    required: 1_000,
  });
  expect(await accountsOf(company)).toMatchObject({ available: 999, payout: 2_000 });
});

it("a replay shows the withdraw as it was accepted, whatever its status is now", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const accepted = await withdraw(company);
  await claimPayout(company);
  await reportPayout(company, PAID);

  const replayed = await withdraw(company);

  const shown = (answer: typeof accepted) =>
    "withdraw" in answer ? { ...answer.withdraw, version: null } : answer;
  expect(replayed.kind).toBe("replayed");
  expect(shown(replayed)).toEqual(shown(accepted));
});

it("a key of another request is rejected and changes nothing", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company);
  const before = await movementsOf(company);

  expect(await withdraw(company, { amount: 1_500, requestHash: "another" })).toEqual({
    kind: "key_reused",
  });

  expect(await movementsOf(company)).toEqual(before);
});

it("a rejected withdraw leaves its key free", async () => {
  const company = await givenCompany({ balance: 500 });
  const before = await dumpObject(company);

  expect((await withdraw(company)).kind).toBe("insufficient_balance");
  expect(await withdraw(company, { pixKey: null })).toEqual({ kind: "no_pix_key" });

  expect(await dumpObject(company)).toBe(before);
  expect((await withdraw(company, { amount: 500, requestHash: "another" })).kind).toBe("accepted");
});
