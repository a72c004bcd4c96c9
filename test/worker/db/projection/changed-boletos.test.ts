import { expect, it } from "vitest";
import { diffProjection, repairProjection } from "../../../../src/db/projection/projection-diff.ts";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import type { BoletoCharge } from "../../../../src/domain/charges/payment-details.ts";
import { initialChargeState } from "../../../../src/domain/charges/transaction.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { encodeBoleto } from "../../../../src/methods/boleto/boleto-code.ts";
import { boletoExpiresAt } from "../../../../src/methods/boleto/boleto-terms.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  takeCreatedCompanies,
} from "../../../support/builders/companies/company.ts";

const BOLETO = {
  amount: 2_500,
  paymentMethod: "BOLETO",
  customer: { name: "Maria da Conceição", document: { number: "12345678909" } },
};

function changed(dueDate: string) {
  return {
    dueDate,
    registered: {
      ...encodeBoleto({ bank: "999", amount: 2_500, dueDate, freeField: "0".repeat(25) }),
      ourNumber: "1",
      qrcode: null,
    },
    expiresAt: boletoExpiresAt({ dueDate, fine: null, interest: null }),
  };
}

/** A boleto of which the object tells changes of its due date by their versions. */
async function givenChanges() {
  const company = await givenCompany();
  const { id, boleto } = await givenTransaction(company, BOLETO);
  const tell = (version: number, dueDate: string) => {
    const state = { ...initialChargeState(1), status: "waiting_payment" as const, version };
    const entry = { kind: "transaction", transactionId: id, state, event: null } as const;
    return projectionWriter(env).write(company.id, [{ ...entry, boleto: changed(dueDate) }], 1);
  };
  const stored = async () => {
    const row = await env.DB.prepare(
      "SELECT boleto, expires_at, next_sweep_at FROM transactions WHERE id = ?",
    )
      .bind(id)
      .first<{ boleto: string; expires_at: number; next_sweep_at: number | null }>();
    if (row === null) throw new Error("the charge is not there");
    return { ...row, boleto: JSON.parse(row.boleto) as BoletoCharge };
  };
  /** Compares D1 with an object of that version, changed by the version `since`, and repairs it; what differed. */
  const repair = async (version: number, dueDate?: string, since = version) => {
    const state = { ...initialChargeState(1), status: "waiting_payment" as const, version };
    const known = dueDate === undefined ? null : { ...changed(dueDate), version: since };
    const charge = { transactionId: id, amount: BOLETO.amount, state, boleto: known };
    const diffs = await diffProjection(env, company.id, { charges: [charge], withdraws: [] });
    await repairProjection(env, company.id, diffs);
    return diffs.charges.flatMap(({ mismatches }) => mismatches.map(({ field }) => field));
  };
  // What is told here its object never said, so the two differ.
  takeCreatedCompanies();
  return { id, first: boleto.dueDate as string, tell, repair, stored };
}

it("a changed due date brings its line, expiry and next sweep with it, and keeps what else the boleto says", async () => {
  const { first, tell, stored } = await givenChanges();
  const before = await stored();
  const { expiresAt, ...boleto } = changed(addDays(first, 4));

  await tell(2, boleto.dueDate);

  expect(await stored()).toEqual({
    boleto: { ...before.boleto, ...boleto, version: 2 },
    expires_at: expiresAt,
    next_sweep_at: expiresAt,
  });
});

it("a late older due date does not overwrite a newer one", async () => {
  const { first, tell, stored } = await givenChanges();
  await tell(4, addDays(first, 9));
  const newest = await stored();

  await tell(2, addDays(first, 4));

  expect(await stored()).toEqual(newest);
});

it("a due date comes to a charge whose status was mended before", async () => {
  const { id, first, tell, stored } = await givenChanges();
  await env.DB.prepare("UPDATE transactions SET version = 5 WHERE id = ?").bind(id).run();

  await tell(4, addDays(first, 9));

  expect((await stored()).boleto.dueDate).toBe(addDays(first, 9));
});

it("an ended charge is not swept for its new due date", async () => {
  const { id, first, tell, stored } = await givenChanges();
  await env.DB.prepare("UPDATE transactions SET next_sweep_at = NULL WHERE id = ?").bind(id).run();

  await tell(4, addDays(first, 9));

  expect((await stored()).next_sweep_at).toBeNull();
});

it("a due date comes to a charge that was mended after its object went back in time", async () => {
  const { first, tell, repair, stored } = await givenChanges();
  await tell(5, addDays(first, 9));

  expect(await repair(3)).toContain("version");
  expect((await stored()).boleto).toMatchObject({ dueDate: addDays(first, 9), version: 4 });
  await tell(4, addDays(first, 4));

  expect((await stored()).boleto).toMatchObject({ dueDate: addDays(first, 4), version: 4 });
});

it("a repair brings the due date, line and expiry that the object has", async () => {
  const { first, tell, repair, stored } = await givenChanges();
  await tell(3, addDays(first, 4));
  const { expiresAt, ...boleto } = changed(addDays(first, 9));

  expect(await repair(3, boleto.dueDate)).toEqual(["dueDate"]);

  expect(await stored()).toMatchObject({
    boleto: { ...boleto, version: 3 },
    expires_at: expiresAt,
  });
  expect(await repair(3, boleto.dueDate)).toEqual([]);
});

it("a repair of a charge whose boleto never changed gives it no version", async () => {
  const { repair, stored } = await givenChanges();
  const { boleto } = await stored();

  expect(await repair(3)).toContain("version");

  expect((await stored()).boleto).toEqual(boleto);
});

it("an object that went back between two changes takes no later one from D1, however often it is compared", async () => {
  const { first, tell, repair, stored } = await givenChanges();
  const [earlier, later] = [addDays(first, 4), addDays(first, 9)];
  await tell(3, earlier);
  await tell(7, later);
  const { expiresAt, ...boleto } = changed(later);

  expect(await repair(3, earlier)).toEqual(["version"]);
  // It goes on without another change, past the version that the later one had.
  expect(await repair(3, earlier)).toEqual([]);
  expect(await repair(9, earlier, 3)).toEqual(["version"]);

  expect(await stored()).toMatchObject({ boleto, expires_at: expiresAt });
  await tell(11, earlier);
  expect((await stored()).boleto).toMatchObject({ dueDate: earlier, version: 11 });
});

it("the first change after an object went back comes to D1", async () => {
  const { first, tell, repair, stored } = await givenChanges();
  await tell(3, addDays(first, 4));
  await tell(7, addDays(first, 9));
  await repair(3, addDays(first, 4));

  await tell(4, addDays(first, 6));

  expect((await stored()).boleto).toMatchObject({ dueDate: addDays(first, 6) });
});
