import { expect, it } from "vitest";
import { TEST_CAUSE } from "../../../support/builders/operations/decide.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { NO_FEE } from "../../../../src/domain/ledger/fees.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  givenCompany,
  inAccount,
  takeCreatedCompanies,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { rehashMovements } from "../../../support/faults/ledger-sql.ts";
import { movementsIn } from "../../../support/probes/ledger/ledger-rows.ts";
import {
  reportOperation,
  requestRefund,
  givenSettled,
} from "../../../support/builders/operations/object-operations.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { tamper, withoutTriggers } from "../../../support/faults/tamper.ts";

const DAY_MS = 86_400_000;

async function isFrozen(company: TestCompany): Promise<boolean> {
  return callsTo(company.id).isFrozen();
}

/** A company with a withdraw that waits and a card's credit in three parts. */
async function givenLedger() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  await givenSettled(company, 50_000);
  const card = await givenSettled(company, 900, {
    terms: { paymentMethod: "CREDIT_CARD", installments: 3, releaseDays: 30, fee: NO_FEE },
    payment: { method: "CREDIT_CARD", paymentId: `sale-${company.id}`, paidAt: clock.now() },
  });
  await withdraw(company, { amount: 1_000, fee: { basisPoints: 0, fixed: 50 } });
  await waitUntilDrained(company);
  return { clock, company, card };
}

const details = (company: TestCompany) =>
  inAccount(company.id, (_, { storage }) =>
    movementsIn(storage.sql).map(({ type, details: text }) => [type, JSON.parse(text ?? "null")]),
  );

it("a movement contains the payee, the amount and the release days", async () => {
  const { clock, company, card } = await givenLedger();
  await requestRefund(company, card, { amount: 400, key: "rf_1" });
  await reportOperation(company, { kind: "failed", reason: "no" });
  const paidAt = clock.now();
  clock.advance(31 * DAY_MS);
  await waitUntilDrained(company);

  const part = (installment: number, amount: number) => ({
    installment,
    amount,
    dueAt: paidAt + installment * 30 * DAY_MS,
  });
  const said = await details(company);
  expect(said).toEqual([
    ["charge_paid", expect.objectContaining({ paidAmount: 50_000, fee: 0, releases: [] })],
    [
      "charge_paid",
      {
        paymentId: `sale-${company.id}`,
        paidAmount: 900,
        fee: 0,
        releases: [part(1, 300), part(2, 300), part(3, 300)],
      },
    ],
    [
      "withdraw_requested",
      {
        payoutId: expect.stringMatching(/./),
        amount: 1_000,
        fee: 50,
        pixKey: "11222333000181",
        pixKeyType: "CNPJ",
        creditorDocument: "11222333000181",
      },
    ],
    ["refund_requested", { taken: [part(3, 300), part(2, 100)] }],
    ["refund_failed", { putBack: [part(3, 300), part(2, 100)] }],
    ["credit_released", { released: [part(1, 300)] }],
  ]);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

const PAYEE = "I1 withdraw 1 differs from what was accepted";
const RELEASES = /^I1 transaction .* has pending releases that differ from its movements$/;

it.each([
  ["payee", "UPDATE withdraws SET pix_key = '99888777000166'", PAYEE],
  ["payee's document", "UPDATE withdraws SET creditor_document = '99888777000166'", PAYEE],
  ["payee's kind of key", "UPDATE withdraws SET pix_key_type = 'EVP'", PAYEE],
  ["payout id", "UPDATE withdraws SET payout_id = payout_id || '0'", PAYEE],
  ["fee", "UPDATE withdraws SET fee = 0", PAYEE],
  ["amount", "UPDATE withdraws SET amount = 900", PAYEE],
  ["movement", "UPDATE withdraws SET movements = '[1]'", PAYEE],
  ["credit's day", "UPDATE releases SET due_at = due_at + 1 WHERE installment = 2", RELEASES],
  ["credit's amount", "UPDATE releases SET amount = amount + 1 WHERE installment = 2", RELEASES],
  [
    "credits' shares",
    "UPDATE releases SET amount = amount + CASE installment WHEN 1 THEN 5 WHEN 2 THEN -5 ELSE 0 END",
    RELEASES,
  ],
  ["credit's number", "UPDATE releases SET installment = 4 WHERE installment = 3", RELEASES],
  ["credit", "DELETE FROM releases WHERE installment = 2", RELEASES],
])(
  "a %s that differs from its movement is found and freezes withdraws",
  async (_, sql, violation) => {
    const { company } = await givenLedger();
    expect((await auditAll(company)).violations).toEqual([]);
    const rows = await keepRows(company);
    await tamper(company, sql);

    for (let time = 0; time < 2; time++) {
      const { violations } = await auditAll(company);
      expect(violations).toContainEqual(expect.stringMatching(violation));
    }
    expect((await auditAll(company, true)).violations).toContainEqual(
      expect.stringMatching(violation),
    );
    expect(await isFrozen(company)).toBe(true);
    expect(await claimPayout(company)).toMatchObject({
      kind: expect.stringMatching(/frozen|settled|not_/),
    });
    await rows();
    expect((await auditAll(company)).violations).toEqual([]);
  },
);

it("a forecast day that is not the sum of its credits is reported", async () => {
  const { company } = await givenLedger();
  const move = (amount: number) =>
    tamper(
      company,
      `UPDATE release_days SET amount = amount + ${amount} WHERE day = (SELECT min(day) FROM release_days)`,
      `UPDATE release_days SET amount = amount - ${amount} WHERE day = (SELECT max(day) FROM release_days)`,
    );
  await move(5);

  const { violations } = await auditAll(company);

  const told = expect.stringMatching(/^I4 the day .* is not the sum of its credits$/);
  expect(violations).toEqual([told, told]);
  await move(-5);
  expect((await auditAll(company)).violations).toEqual([]);
});

it("a credit that was released early is found, also when no credits remain", async () => {
  const { company } = await givenLedger();
  const rows = await keepRows(company);
  await tamper(company, "UPDATE releases SET due_at = 1 WHERE installment = 1");
  await waitUntilDrained(company);

  expect((await auditAll(company)).violations).toContainEqual(expect.stringMatching(RELEASES));

  expect(await isFrozen(company)).toBe(true);
  await rows();
  // What was released cannot be taken back: its invariants are broken for good.
  takeCreatedCompanies();
});

it.each([
  [
    "state",
    "UPDATE withdraws SET status = 'Paid'",
    /^I4 withdraw 1 has an amount in flight that differs/,
  ],
  ["row", "DELETE FROM withdraws", /^I1 withdraw 1 does not exist$/],
])(
  "a withdraw's %s that contradicts its movements is found in a check from the start",
  async (_, sql, fault) => {
    const { company } = await givenLedger();
    const rows = await keepRows(company);
    await tamper(company, sql);

    const { violations } = await auditAll(company, true);

    expect(violations).toContainEqual(expect.stringMatching(fault));
    await rows();
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

/** Copies what is acted upon as it is; what is answered puts it back. */
async function keepRows(company: TestCompany): Promise<() => Promise<void>> {
  const tables = ["withdraws", "releases"];
  await tamper(
    company,
    ...tables.map((table) => `CREATE TABLE kept_${table} AS SELECT * FROM ${table}`),
  );
  return () =>
    tamper(
      company,
      ...tables.flatMap((table) => [
        `DELETE FROM ${table}`,
        `INSERT INTO ${table} SELECT * FROM kept_${table}`,
        `DROP TABLE kept_${table}`,
      ]),
    );
}

it("a payout whose payee differs from its movement is not sent and freezes at once", async () => {
  const { company } = await givenLedger();
  const rows = await keepRows(company);
  await tamper(company, "UPDATE withdraws SET pix_key = '99888777000166'");

  expect(await claimPayout(company)).toEqual({ kind: "frozen" });

  expect(await isFrozen(company)).toBe(true);
  await rows();
  await callsTo(company.id).setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
  expect(await claimPayout(company)).toMatchObject({ kind: "send", order: { amount: 1_000 } });
  await reportPayout(company, PAID);
});

it("a payout is not sent when its movement was rewritten", async () => {
  const { company } = await givenLedger();
  const kept = "99888777000166";
  await tamper(
    company,
    `UPDATE withdraws SET pix_key = '${kept}'`,
    `UPDATE movements SET details = json_set(details, '$.pixKey', '${kept}')
     WHERE withdraw_id = 1`,
  );

  expect(await claimPayout(company)).toEqual({ kind: "frozen" });

  await tamper(
    company,
    "UPDATE withdraws SET pix_key = '11222333000181'",
    `UPDATE movements SET details = json_set(details, '$.pixKey', '11222333000181')
     WHERE withdraw_id = 1`,
  );
  expect((await auditAll(company)).violations).toEqual([]);
});

it("a payout whose status was polled is not sent again to another payee", async () => {
  const { clock, company } = await givenLedger();
  expect((await claimPayout(company)).kind).toBe("send");
  await reportPayout(company, { kind: "unknown" });
  clock.advance(DAY_MS);
  const rows = await keepRows(company);
  await tamper(company, "UPDATE withdraws SET pix_key = '99888777000166'");

  expect(await claimPayout(company)).toMatchObject({ kind: "query", maySend: false });

  await rows();
  await reportPayout(company, PAID);
});

it("movements without details are verified by their postings", async () => {
  const { company } = await givenLedger();
  await inAccount(company.id, (_, { storage: { sql } }) =>
    withoutTriggers(sql, () => {
      sql.exec("UPDATE movements SET details = NULL");
      rehashMovements(sql);
    }),
  );

  expect((await auditAll(company, true)).violations).toEqual([]);
  expect(await claimPayout(company)).toMatchObject({ kind: "send" });
  await reportPayout(company, PAID);
  await tamper(company, "UPDATE withdraws SET amount = 900");
  expect((await auditAll(company, true)).violations).toContain(PAYEE);
  await tamper(company, "UPDATE withdraws SET amount = 1000");
});
