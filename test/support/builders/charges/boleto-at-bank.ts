import { requireTransaction } from "../../../../src/api/transactions/attempts/shown-at.ts";
import { syncCharge } from "../../../../src/api/transactions/sync.ts";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { TestClock } from "../../fakes/clock.ts";
import { cronDeps } from "../../fakes/cron.ts";
import { FakeBank } from "../../fakes/fake-bank.ts";
import { givenCompany } from "../companies/company.ts";
import { bookingOf } from "../operations/operations.ts";
import { changeDueDate } from "../operations/refund.ts";
import { givenTransaction } from "./transaction.ts";

const CUSTOMER = { name: "Maria da Conceição", document: { number: "12345678909" } };

/** A boleto that is due in three days, and how it stands. */
export async function givenBoleto(terms: object = {}) {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const deps = cronDeps(clock, bank);
  const today = saoPauloDay(clock.now());
  const boleto = { dueDate: addDays(today, 3), ...terms };
  const created = await givenTransaction(
    company,
    { amount: 2_500, paymentMethod: "BOLETO", customer: CUSTOMER, boleto },
    { deps },
  );
  const id: string = created.id;
  const change = (dueDate: string, key?: string) =>
    changeDueDate(company, id, dueDate, { deps, ...(key === undefined ? {} : { key }) });
  /** As its provider's callback does. */
  const sync = async () => {
    const context = await bookingOf(company, bank, clock);
    return syncCharge(context, bank, await requireTransaction(context, id));
  };
  return { clock, company, bank, deps, today, created, id, change, sync };
}
