import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { env, givenCompany, type TestCompany } from "../companies/company.ts";

/**
 * A company one of whose banks tells what it took: of 100.00 by card paid today a centavo more than the agreed 3.01, of
 * which 10.00 went back, and what waits until tomorrow. Rows as the pass writes them.
 */
export async function givenSettled(): Promise<{ company: TestCompany; transactionId: string }> {
  const company = await givenCompany({ mode: "live" });
  const transactionId = crypto.randomUUID();
  const today = saoPauloDay(Date.now());
  const line = { fee: 0, anticipation: 0, agreed: 0, difference: 0, day: today, state: "paid" };
  const lines = [
    { ...line, id: "py_1", type: "CREDIT", gross: 10_000, fee: 302, agreed: 301, difference: 1 },
    { ...line, id: "py_2", type: "REFUND", gross: -1_000, anticipation: 7 },
    { ...line, id: "py_3", type: "CREDIT", gross: 5_000, fee: 9, day: addDays(today, 1) },
    { ...line, id: "py_4", type: "CREDIT", gross: 5_000, fee: 9, state: "waiting" },
  ];
  const found = [
    { kind: "fee", line: "py_1", amount: 1, day: today },
    { kind: "late", line: "py_1", amount: 10_000, day: today },
    { kind: "missing", line: "", amount: 10_000, day: today },
    { kind: "fee", line: "py_1", amount: 1, day: addDays(today, -100) },
  ];
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO settlements (company_id, account, line, transaction_id, payment_id, payment_method, type, installment,
         gross, fee, anticipation_fee, agreed, fee_difference, amount_difference, days_late, paid_on, due_on, state)
       SELECT ?, 'pagarme', value ->> 'id', ?, 'pagarme:ch_1', 'CREDIT_CARD', value ->> 'type', 1, value ->> 'gross',
         value ->> 'fee', value ->> 'anticipation', value ->> 'agreed', value ->> 'difference', 0, 0, value ->> 'day',
         value ->> 'day', value ->> 'state'
       FROM json_each(?)`,
    ).bind(company.id, transactionId, JSON.stringify(lines)),
    env.DB.prepare(
      `INSERT INTO settlement_differences (company_id, day, account, kind, transaction_id, line, amount)
       SELECT ?, value ->> 'day', 'pagarme', value ->> 'kind', ?, value ->> 'line', value ->> 'amount'
       FROM json_each(?)`,
    ).bind(company.id, transactionId, JSON.stringify(found)),
    env.DB.prepare("INSERT INTO settlement_passes VALUES (?, 'pagarme', ?, ?, NULL, ?)").bind(
      company.id,
      today,
      today,
      Number.MAX_SAFE_INTEGER,
    ),
  ]);
  return { company, transactionId };
}
