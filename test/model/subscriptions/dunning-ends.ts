import { byHandChargeIds, byHandChargeId } from "../../../src/domain/subscriptions/cycle-charge.ts";
import { inAccount } from "../../support/builders/companies/company.ts";
import type { SubscriptionsLife } from "./life.ts";

/** A cycle as the object has it, and how far its dunning is. */
interface DunnedCycle {
  subscriptionId: string;
  transactionId: string;
  cycle: number;
  dueDate: string;
  /** By what it was paid beside its debit; null for nothing. */
  paidBy: string | null;
  /** The method of the newest charge beside its debit; null for a PIX, or none. */
  method: string | null;
  isOver: number | null;
}

function cyclesOf({ world }: SubscriptionsLife): Promise<DunnedCycle[]> {
  return inAccount(world.company.id, (_, { storage: { sql } }) =>
    sql
      .exec<DunnedCycle & Record<string, string | number | null>>(
        `SELECT subscription_id AS subscriptionId, transaction_id AS transactionId, cycle, due_date AS dueDate,
           recovery ->> '$.paid.by' AS paidBy, recovery ->> '$.byHand.method' AS method,
           recovery ->> '$.dunning.isOver' AS isOver
         FROM subscription_cycles`,
      )
      .toArray(),
  );
}

/** Whether a charge is one beside the debit of a cycle. */
function isBeside(cycle: DunnedCycle, id: string): boolean {
  const { first, last, from } = byHandChargeIds(byHandChargeId(cycle));
  return id >= first && id <= last && id.slice(from - 1) === first.slice(from - 1);
}

/** A cycle's attempts that its payer's bank has paid. */
function debitsPaid({ psp }: SubscriptionsLife, { transactionId }: DunnedCycle): number {
  const debit = psp.debits.debits.get(transactionId.replaceAll("-", ""));
  return (debit?.attempts ?? []).filter(({ status }) => status === "PAGA").length;
}

/** Cycles whose dunning has ended their subscription since the last look, although they were paid. */
export async function endedThoughPaid(
  life: SubscriptionsLife,
  seen: Set<string>,
): Promise<string[]> {
  if (life.houses === null) return [];
  const cycles = await cyclesOf(life);
  const ended = cycles.filter((each) => each.isOver === 1 && !seen.has(each.transactionId));
  for (const { transactionId } of ended) seen.add(transactionId);
  const byHand = life.psp.book.received.flatMap(({ txid }) =>
    txid === undefined ? [] : [withHyphens(txid)],
  );
  const paid = [...byHand, ...life.houses.cardsPaid(), ...life.houses.boletosPaid()];
  return ended.flatMap((cycle) => {
    const isPaid = paid.some((id) => isBeside(cycle, id)) || debitsPaid(life, cycle) > 0;
    const { subscriptionId: id, cycle: place } = cycle;
    return isPaid ? [`the dunning of cycle ${place} of ${id} ended, though it is paid`] : [];
  });
}

/** Cycles for which this service took money more than once: by debits, and by the saved card. */
export async function pulledTwice(life: SubscriptionsLife): Promise<string[]> {
  const cards = life.houses?.cardsPaid() ?? [];
  return (await cyclesOf(life)).flatMap((cycle) => {
    const times = debitsPaid(life, cycle) + cards.filter((id) => isBeside(cycle, id)).length;
    const { subscriptionId: id, cycle: place } = cycle;
    return times > 1 ? [`cycle ${place} of ${id} was taken ${times} times`] : [];
  });
}

/** How often each kind of dunning was lived. */
export async function dunningSeen(life: SubscriptionsLife): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  for (const { isOver, method, paidBy } of await cyclesOf(life)) {
    const kinds = [
      ...(isOver === null ? [] : ["dunned cycle"]),
      ...(isOver === 1 ? ["dunning at its end"] : []),
      ...(method === null ? [] : [`cycle with a ${method}`]),
      ...(paidBy === null ? [] : [`cycle paid by ${paidBy}`]),
    ];
    for (const kind of kinds) seen.set(kind, (seen.get(kind) ?? 0) + 1);
  }
  return seen;
}

function withHyphens(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
