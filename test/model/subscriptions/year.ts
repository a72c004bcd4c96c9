import type { FaultName } from "../../support/fakes/fake-psp/faults.ts";
import type { SubscriptionsLife } from "./life.ts";
import { live } from "./steps.ts";
import { dayAt, plusDays, TOWNS } from "./calendar.ts";

export const WEEKS_OF_YEAR = 52;
const JOURNEYS = ["REQUEST", "QR", "QR_AND_PAY", "QR_ON_DUE"] as const;
const AMOUNT = 4_990;
/** One in so many attempts is not paid in time. */
const ONE_IN = { noBalance: 5, overLimit: 9, broken: 13, late: 7 };
/** One in so many notices is lost, or comes twice. */
const NOTICES = { lost: 3, twice: 2 };
/** Weeks in which the bank answers nothing for some days, and what its answers are then. */
const SILENT_WEEKS = new Map<number, FaultName>([
  [3, "reset"],
  [14, "error_500"],
  [27, "unavailable"],
  [38, "malformed"],
]);
const SILENT_DAYS = 3;
/** So late the service may be: what is due meanwhile is done at once. */
const LATE_MS = 2 * 3_600_000;
/** The lists of payments are read once in so many weeks. */
const LISTED_WEEKS = 13;

/** Monthly subscriptions of all journeys, first due on different days, each approved by its payer. */
export async function subscribeAll(life: SubscriptionsLife, count: number): Promise<void> {
  const today = dayAt(life.world.clock.now());
  for (let index = 0; index < count; index++) {
    const journey = JOURNEYS[index % JOURNEYS.length]!;
    const account = { ispb: "60701190", branch: "1234", account: "567890" };
    await life.subscribe({
      customer: { name: `Maria ${index}`, document: { number: "12345678909" } },
      description: "Academia",
      amount: AMOUNT,
      period: "MONTHLY",
      firstDueDate: plusDays(today, 4 + (index % 27)),
      journey,
      retry: [1, 3, 5],
      ...(journey === "REQUEST" ? { payerAccount: account } : {}),
    });
  }
  const { mandates } = life.psp.mandates;
  for (const [index, idRec] of [...mandates.keys()].entries())
    life.psp.mandates.approve(idRec, { codMun: TOWNS[index % TOWNS.length]! });
  for (const [txid, cob] of life.psp.book.cobs) if (cob.status === "ATIVA") life.psp.pay(txid);
  await tell(life);
}

/** A week by the clock; `fails`: whether the payers' banks do as they like. */
export async function liveWeek(
  life: SubscriptionsLife,
  week: number,
  fails: boolean,
): Promise<void> {
  const fault = fails ? SILENT_WEEKS.get(week) : undefined;
  life.psp.debits.fates.clear();
  for (let day = 0; day < 7; day++) {
    if (fails) decide(life);
    if (fault !== undefined && day < SILENT_DAYS) life.psp.faultAlways(fault);
    await live(life, 1, LATE_MS);
    life.psp.clearFaults();
    if (fails) await tell(life);
  }
  if (week % LISTED_WEEKS === LISTED_WEEKS - 1) await life.work();
}

/** What becomes of the next attempts that nobody has decided about yet. */
function decide({ psp, watch }: SubscriptionsLife): void {
  for (const [index, debit] of [...psp.debits.debits.values()].entries()) {
    if (debit.status !== "ATIVA" || psp.debits.fates.has(debit.txid)) continue;
    const turn = index + debit.attempts.length + (watch.seen.get("retry") ?? 0);
    const isOne = (every: number) => turn % every === 0;
    if (isOne(ONE_IN.late)) psp.debits.decide(debit.txid, "silent");
    else if (isOne(ONE_IN.noBalance)) psp.debits.decide(debit.txid, "no_balance");
    else if (isOne(ONE_IN.overLimit)) psp.debits.decide(debit.txid, "over_limit");
    else if (isOne(ONE_IN.broken)) psp.debits.decide(debit.txid, "broken");
  }
}

/** Delivers the pending notices, the last one first: some are lost, and some come twice. */
async function tell(life: SubscriptionsLife): Promise<void> {
  for (const [index, notice] of life.psp.callbacks.splice(0).toReversed().entries()) {
    if (index % NOTICES.lost === 0) continue;
    await life.tell(notice);
    if (index % NOTICES.twice === 0) await life.tell(notice);
  }
}
