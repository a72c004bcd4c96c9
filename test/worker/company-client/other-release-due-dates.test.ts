import { expect, it } from "vitest";
import { persistentDifferences } from "../../../src/api/operator/audit/service.ts";
import { requireTransaction } from "../../../src/api/transactions/attempts/shown-at.ts";
import { syncCharge } from "../../../src/api/transactions/sync.ts";
import type { Snapshot } from "../../../src/company/snapshot.ts";
import { addDays } from "../../../src/domain/shared/calendar-day.ts";
import { repairProjection } from "../../../src/db/projection/projection-diff.ts";
import { givenBoleto } from "../../support/builders/charges/boleto-at-bank.ts";
import { env, waitUntilDrained } from "../../support/builders/companies/company.ts";
import { freshEndToEndId } from "../../support/builders/operations/object-operations.ts";
import { bookingOf } from "../../support/builders/operations/operations.ts";
import { answering, withoutCall } from "../../support/fakes/older-object.ts";
import { eventsOf } from "../../support/probes/webhooks/webhook-rows.ts";

it("a boleto's payment is booked also at an object of a release that changes no due date", async () => {
  const { company, bank, clock, id } = await givenBoleto();
  bank.setPayments({
    paymentId: freshEndToEndId(),
    method: "PIX",
    amount: 2_600,
    paidAt: clock.now(),
  });
  const older = await bookingOf(company, bank, clock, withoutCall("dueDatesOf"));

  expect(await syncCharge(older, bank, await requireTransaction(older, id))).toBe("paid");

  expect((await eventsOf(company)).map(({ type }) => type)).toContain("payment.unexpected");
});

it("an object of a release that changes no due date is compared with D1, and D1 mended by it", async () => {
  const { company, bank, id, created, today, change } = await givenBoleto();
  // Its object knows a charge from its first operation on.
  bank.onDueDate = async () => ({ kind: "refused", reason: "Data de vencimento inválida." });
  await change(addDays(today, 9));
  await waitUntilDrained(company);
  await env.DB.prepare("UPDATE transactions SET amount = 1 WHERE id = ?").bind(id).run();
  const older = answering("snapshot", (snapshot: Snapshot) => ({
    ...snapshot,
    charges: snapshot.charges.map(({ boleto: _boleto, ...charge }) => charge),
  }));
  const query = { transactionIds: [id], withdrawIds: [] };

  const differences = await persistentDifferences(older, company.id, query);
  await repairProjection(older, company.id, differences);

  expect(differences.charges).toMatchObject([{ mismatches: [{ field: "amount" }] }]);
  expect((await persistentDifferences(env, company.id, query)).charges).toEqual([]);
  const row = await env.DB.prepare(
    "SELECT boleto ->> '$.dueDate' AS day FROM transactions WHERE id = ?",
  )
    .bind(id)
    .first();
  expect(row).toEqual({ day: created.boleto.dueDate });
});
