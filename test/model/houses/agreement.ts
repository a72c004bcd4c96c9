import { transactionOfCharge } from "../../../src/domain/charges/transaction.ts";
import { inAccount } from "../../support/builders/companies/company.ts";
import type { EfiCharge } from "../../support/fakes/efi-cobrancas/book.ts";
import { moneyAtEfi, moneyAtPagarMe } from "../../support/fakes/house-money.ts";
import { inQuestion, netInLedger, openContradictions } from "../agreement/agreement.ts";
import type { HousesLife } from "./life.ts";

/**
 * Differences between a company's ledger and its houses' books, which are the truth, and what a house did twice. A
 * difference within the amount of the open contradictions that name it, or of a refund that nobody could decide yet, is
 * left to an operator.
 */
export async function disagreements(life: HousesLife): Promise<string[]> {
  const [ours, open, undecided] = await Promise.all([
    netInLedger(life),
    openContradictions(life),
    undecidedRefunds(life),
  ]);
  const theirs = moneyByTransaction(life);
  const differences = [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((id) => {
    const [here, there] = [ours.get(id) ?? 0, theirs.get(id) ?? 0];
    if (here === there) return [];
    const names = namesAtHouses(life, id);
    if (Math.abs(here - there) <= inQuestion(open, names)) return [];
    // What may have gone back is less than the ledger has, by no more than was ordered.
    if (here > there && here - there <= (undecided.get(id) ?? 0)) return [];
    return [`${id}: its house has ${there}, the ledger ${here}`];
  });
  return [...differences, ...doneTwice(life)];
}

/** What the houses have, by our transaction. */
function moneyByTransaction({ efi, pagarme }: HousesLife): Map<string, number> {
  const all = [...moneyAtEfi(efi.book), ...moneyAtPagarMe(pagarme.book)];
  return new Map(all.map(([chargeId, amount]) => [transactionOfCharge(chargeId)!.id, amount]));
}

/** How the houses and our contradictions name a charge. */
function namesAtHouses({ efi, pagarme }: HousesLife, transactionId: string): string[] {
  const isIts = (code: string | null) =>
    code !== null && transactionOfCharge(code)?.id === transactionId;
  const atEfi = efi.book.charges.filter((charge) => isIts(charge.custom_id));
  const atPagarMe = pagarme.book.orders.filter((order) => isIts(order.code));
  return [
    transactionId,
    ...atEfi.map(({ id }) => `efi:${id}`),
    ...atPagarMe.map(({ charges: [charge] }) => charge.id as string),
  ];
}

/** Centavos of refunds that were sent and have no end, by transaction. */
async function undecidedRefunds({ world }: HousesLife): Promise<Map<string, number>> {
  const rows = await inAccount(world.company.id, (_, { storage }) =>
    storage.sql
      .exec<{ id: string; amount: number }>(
        `SELECT transaction_id AS id, sum(amount) AS amount FROM operations
         WHERE kind = 'refund' AND status = 'PENDING' GROUP BY transaction_id`,
      )
      .toArray(),
  );
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}

/** Charges that could be paid twice, and refunds that were ordered more often than the company asked for them. */
function doneTwice(life: HousesLife): string[] {
  const { efi, pagarme, asked } = life;
  const payable = efi.book.charges.filter(({ status }) => status !== "new");
  const charges = [
    ...payable.map((charge: EfiCharge) => charge.custom_id ?? ""),
    ...pagarme.book.orders.map(({ code }) => code as string),
  ];
  const made = Map.groupBy(charges, (code) => code);
  const twice = [...made].filter(([, all]) => all.length > 1).map(([code]) => `${code} made twice`);
  const refunded = asked.flatMap((each) => {
    const chargeId = life.chargeIdOf(each) ?? "";
    const isAtEfi = payable.some(({ custom_id: id }) => id === chargeId);
    const ordered = isAtEfi ? efi.charge(chargeId).refunds : [];
    const atPagarMe = pagarme.refundsOrdered.get(chargeId) ?? 0;
    const sum = ordered.reduce((total, amount) => total + amount, atPagarMe);
    return sum > each.refundsAsked ? [`${chargeId} refunded ${sum} of ${each.refundsAsked}`] : [];
  });
  return [...twice, ...refunded];
}
