import { inAccount } from "../../support/builders/companies/company.ts";
import { cents } from "../../support/fakes/fake-psp/book.ts";
import type { Debit } from "../../support/fakes/fake-psp/automatic/debit-book.ts";
import type { MandateRecord } from "../../support/fakes/fake-psp/automatic/mandate-book.ts";
import { netInLedger, openContradictions } from "../agreement/agreement.ts";
import { dayAt, dueDay, plusDays, settlesOn, timeOf } from "./calendar.ts";
import { pulledTwice } from "./dunning-ends.ts";
import type { SubscriptionsLife } from "./life.ts";

const DAY_MS = 86_400_000;
/** What has changed at the PSP since then may not be read yet. */
const READ_WITHIN_MS = 2 * DAY_MS;
/** A cycle whose last attempt is so old is over. */
const OVER_AFTER_DAYS = 20;
/** The same of one that is dunned: a charge is waited for that nobody decides. */
const DUNNED_AFTER_DAYS = 65;
const DEBITED = new Set(["active", "past_due"]);
const ENDED_AT_PSP = new Set(["REJEITADA", "CANCELADA", "EXPIRADA"]);

interface OurSubscription {
  id: string;
  status: string;
  mandate: { id: string | null; needsApproval?: true };
}

interface OurCycle {
  subscriptionId: string;
  transactionId: string;
  cycle: number;
  dueDate: string;
  status: string;
  isPaid: boolean;
  isDunned: boolean;
  attempts: { day: string; status: string; isUntaken?: true }[];
}

type CycleRow = Omit<OurCycle, "isPaid" | "isDunned" | "attempts"> & {
  attempts: string;
  paidAt: number;
  dunning: string | null;
};

/** A life's end: what the PSP has is the truth. */
export async function disagreements(
  life: SubscriptionsLife,
  quietSince: number,
): Promise<string[]> {
  const { subscriptions, cycles } = await ourBooks(life);
  const twice = [...debitsByCycle(life)].filter(([, paid]) => paid > 1);
  return [
    ...(await moneyFaults(life)),
    ...twice.map(([place]) => `${place} was debited twice`),
    ...subscriptions.flatMap((each) => subscriptionFaults(life, each)),
    ...orphans(life, subscriptions),
    ...debitFaults(life, cycles),
    ...cycles.flatMap((each) => stuckCycle(life, each)),
    ...(await pulledTwice(life)),
    ...undebited(life, subscriptions, quietSince),
  ];
}

/** Each centavo at the PSP is in the ledger once, or a contradiction names it; what is not there is never in the ledger. */
async function moneyFaults(life: SubscriptionsLife): Promise<string[]> {
  const [ours, open] = await Promise.all([netInLedger(life), openContradictions(life)]);
  const theirs = life.houses?.money() ?? new Map<string, number>();
  for (const { txid = "", valor } of life.psp.book.received)
    theirs.set(withHyphens(txid), (theirs.get(withHyphens(txid)) ?? 0) + cents(valor));
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((id) => {
    const [here, there] = [ours.get(id) ?? 0, theirs.get(id) ?? 0];
    const isNamed = here < there && open.some(({ text }) => text.includes(id));
    return here === there || isNamed ? [] : [`${id}: the PSP has ${there}, the ledger ${here}`];
  });
}

function debitsByCycle({ psp }: SubscriptionsLife): Map<string, number> {
  const paid = new Map<string, number>();
  for (const { body, attempts } of psp.debits.debits.values()) {
    const place = `${body.idRec} on ${body.calendario.dataDeVencimento}`;
    const times = attempts.filter(({ status }) => status === "PAGA").length;
    paid.set(place, (paid.get(place) ?? 0) + times);
  }
  return paid;
}

function subscriptionFaults(life: SubscriptionsLife, ours: OurSubscription): string[] {
  const { id, status, mandate } = ours;
  const theirs = mandateOf(life, id);
  if (theirs === undefined)
    return mandate.id === null ? [] : [`${id}: ${mandate.id} is no mandate of it`];
  const isOver = !DEBITED.has(status) && status !== "paused" && status !== "pending_approval";
  const said = `${id} is ${status}, its mandate ${theirs.status}`;
  if (mandate.id !== theirs.idRec && !isOver) return [`${said}, unknown`];
  if (isUnread(life, theirs.history)) return [];
  const { dataFinal } = theirs.body.calendario;
  const isExpired = dataFinal !== undefined && dataFinal < dayAt(life.world.clock.now());
  const isFitting =
    status === "pending_approval"
      ? theirs.status === "CRIADA"
      : isOver
        ? isExpired || (theirs.status !== "CRIADA" && theirs.status !== "APROVADA")
        : theirs.status === "APROVADA" && !isExpired;
  return isFitting ? [] : [said];
}

/** Mandates of which no subscription knows. */
function orphans(life: SubscriptionsLife, ours: OurSubscription[]): string[] {
  const contracts = new Set(ours.map(({ id }) => id.replaceAll("-", "")));
  return [...life.psp.mandates.mandates.values()]
    .filter(({ body }) => !contracts.has(body.vinculo.contrato))
    .map(({ idRec }) => `the mandate ${idRec} is of no subscription`);
}

function debitFaults(life: SubscriptionsLife, cycles: OurCycle[]): string[] {
  return [...life.psp.debits.debits.values()].flatMap((debit) => {
    const cycle = cycles.find(({ transactionId }) => transactionId === withHyphens(debit.txid));
    if (cycle === undefined) return [`the debit ${debit.txid} is of no cycle`];
    if (isUnread(life, debit.history)) return [];
    return cycleFaults(cycle, debit);
  });
}

function cycleFaults(cycle: OurCycle, debit: Debit): string[] {
  const said = `${cycle.transactionId}: cycle ${cycle.cycle} is ${cycle.status}, its debit ${debit.status}`;
  if (debit.status === "CONCLUIDA") {
    const ours = cycle.attempts.filter(({ isUntaken }) => isUntaken !== true);
    const text = JSON.stringify(ours.map(({ day, status }) => [day, status === "paid"]));
    const theirs = debit.attempts.map((each) => [each.dataLiquidacao, each.status === "PAGA"]);
    const isSame = text === JSON.stringify(theirs);
    return cycle.status === "paid" && isSame ? [] : [`${said}: ${text}`];
  }
  if (!ENDED_AT_PSP.has(debit.status)) return [];
  if (cycle.status === "open") return [said];
  return cycle.status === "paid" && !cycle.isPaid ? [said] : [];
}

function stuckCycle({ world, psp }: SubscriptionsLife, cycle: OurCycle): string[] {
  const days = cycle.isDunned ? DUNNED_AFTER_DAYS : OVER_AFTER_DAYS;
  const isOld = plusDays(cycle.dueDate, days) < dayAt(world.clock.now());
  // Its code can be paid longer.
  const isPayable = psp.book.cobs.get(cycle.transactionId.replaceAll("-", ""))?.status === "ATIVA";
  const isStuck = cycle.status === "open" && isOld && !isPayable;
  const isUnpaid = cycle.status === "paid" && !cycle.isPaid;
  return isStuck || isUnpaid ? [`${JSON.stringify(cycle)} at the end`] : [];
}

/** Cycles of lasting subscriptions, with a mandate of use, that settled in the quiet days and were not debited. */
function undebited(
  life: SubscriptionsLife,
  subscriptions: OurSubscription[],
  quietSince: number,
): string[] {
  const now = life.world.clock.now();
  return subscriptions.flatMap(({ id, status, mandate: { needsApproval = false } }) => {
    const mandate = mandateOf(life, id);
    if (!DEBITED.has(status) || mandate === undefined || needsApproval) return [];
    const approvedAt = Date.parse(mandate.history.at(-1)?.data ?? "");
    const begun = Math.max(quietSince, approvedAt) + 12 * DAY_MS;
    const paid = new Set(
      [...life.psp.debits.debits.values()]
        .filter(({ body, status: is }) => body.idRec === mandate.idRec && is === "CONCLUIDA")
        .map(({ body }) => body.calendario.dataDeVencimento),
    );
    return dueBetween(mandate, firstDebited(life, id), begun, now - READ_WITHIN_MS)
      .filter((due) => !paid.has(due))
      .map((due) => `${id} was not debited for ${due}`);
  });
}

/** The first cycle of journeys 3 and 4 is the code that the payer is offered with the approval, paid or not. */
function firstDebited({ asked }: SubscriptionsLife, id: string): number {
  const journey = asked.find((each) => each.id === id)?.body["journey"];
  return journey === "QR_AND_PAY" || journey === "QR_ON_DUE" ? 2 : 1;
}

function dueBetween(
  { body, pagador }: MandateRecord,
  firstCycle: number,
  from: number,
  to: number,
): string[] {
  const days = body.calendario;
  const due: string[] = [];
  for (let cycle = firstCycle; cycle < 1_000; cycle++) {
    const day = dueDay(days, cycle);
    const settles = timeOf(settlesOn(day, pagador?.["codMun"] ?? ""), 23);
    if (settles > to || day > (days.dataFinal ?? "9999")) return due;
    if (timeOf(day) > from) due.push(day);
  }
  return due;
}

function mandateOf({ psp }: SubscriptionsLife, id: string): MandateRecord | undefined {
  const contract = id.replaceAll("-", "");
  return [...psp.mandates.mandates.values()].find(({ body }) => body.vinculo.contrato === contract);
}

function isUnread({ world }: SubscriptionsLife, history: { data: string }[]): boolean {
  const changed = Date.parse(history.at(-1)?.data ?? "");
  return world.clock.now() - changed < READ_WITHIN_MS;
}

async function ourBooks({ world }: SubscriptionsLife) {
  return inAccount(world.company.id, (_, { storage: { sql } }) => ({
    subscriptions: sql
      .exec<{ id: string; status: string; mandate: string }>(
        "SELECT id, status, mandate FROM subscriptions",
      )
      .toArray()
      .map(({ id, status, mandate }): OurSubscription => {
        return { id, status, mandate: JSON.parse(mandate) };
      }),
    cycles: sql
      .exec<CycleRow>(
        `SELECT subscription_id AS subscriptionId, cycles.transaction_id AS transactionId, cycle, cycles.due_date AS dueDate,
           cycles.status, attempts, recovery ->> '$.dunning' AS dunning, coalesce(charges.paid_at, by_hand.paid_at, 0) AS paidAt
         FROM subscription_cycles AS cycles LEFT JOIN charges ON charges.transaction_id = cycles.transaction_id
         LEFT JOIN charges AS by_hand ON by_hand.transaction_id = recovery ->> '$.byHand.id'`,
      )
      .toArray()
      .map(({ subscriptionId, transactionId, cycle, dueDate, status, ...row }): OurCycle => ({
        subscriptionId,
        transactionId,
        cycle,
        dueDate,
        status,
        isPaid: row.paidAt > 0,
        isDunned: row.dunning !== null,
        attempts: JSON.parse(row.attempts) as OurCycle["attempts"],
      })),
  }));
}

function withHyphens(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
