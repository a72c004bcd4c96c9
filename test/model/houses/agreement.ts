import { transactionOfCharge } from "../../../src/domain/charges/transaction.ts";
import { inAccount } from "../../support/builders/companies/company.ts";
import type { EfiCharge } from "../../support/fakes/efi-cobrancas/book.ts";
import { cents } from "../../support/fakes/fake-psp/book.ts";
import { moneyAtEfi, moneyAtPagarMe, moneyAtPsp } from "../../support/fakes/house-money.ts";
import { inQuestion, netInLedger, openContradictions } from "../agreement/agreement.ts";
import type { AccountName } from "./accounts.ts";
import type { Asked, HousesLife } from "./life.ts";

/**
 * Differences between a company's ledger and its houses' books, which are the truth, and what was done twice or at an
 * account that should not have it. A difference within the amount of the open contradictions that name it, or of a refund
 * that nobody could decide yet, is left to an operator.
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
  return [...differences, ...doneTwice(life), ...madeElsewhere(life)];
}

/** What the houses have, by our transaction. */
function moneyByTransaction({ efi, pagarme, psps }: HousesLife): Map<string, number> {
  const money = new Map<string, number>();
  for (const [chargeId, amount] of [
    ...moneyAtEfi(efi.book),
    ...moneyAtPagarMe(pagarme.book),
    ...psps.flatMap(({ book }) => [...moneyAtPsp(book)]),
  ]) {
    const { id } = transactionOfCharge(chargeId)!;
    money.set(id, (money.get(id) ?? 0) + amount);
  }
  return money;
}

/** How the houses and our contradictions name a charge. */
function namesAtHouses({ efi, pagarme, psps }: HousesLife, transactionId: string): string[] {
  const isIts = (code: string | null = null) =>
    code !== null && transactionOfCharge(code)?.id === transactionId;
  const atEfi = efi.book.charges.filter((charge) => isIts(charge.custom_id));
  const atPagarMe = pagarme.book.orders.filter((order) => isIts(order.code));
  return [
    transactionId,
    ...atEfi.map(({ id }) => `efi:${id}`),
    ...atPagarMe.map(({ charges: [charge] }) => charge.id as string),
    ...psps.flatMap(({ book }) =>
      book.received.filter(({ txid }) => isIts(txid)).map(({ endToEndId }) => endToEndId),
    ),
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
  const { efi, pagarme, psps, asked } = life;
  const made = Map.groupBy(madeAt(life), ({ code }) => code);
  const twice = [...made].filter(([, all]) => all.length > 1).map(([code]) => `${code} made twice`);
  const atHouses = madeAt(life).filter(({ account }) => account === "efi" || account === "pagarme");
  const both = Map.groupBy(atHouses, ({ code }) => transactionOfCharge(code)?.id ?? code);
  const elsewhere = [...both].filter(([, all]) => all.length > 1);
  const open = psps.flatMap(({ book }) =>
    [...book.cobs].filter(([, { status }]) => status === "ATIVA").map(([txid]) => txid),
  );
  const payable = Map.groupBy(open, (txid) => transactionOfCharge(txid)?.id ?? txid);
  const shadows = [...payable].filter(([, all]) => all.length > 1);
  const refunded = asked.flatMap((each) => {
    const chargeId = life.chargeIdOf(each) ?? "";
    const isAtEfi = payableAtEfi(life).some(({ custom_id: id }) => id === chargeId);
    const sum =
      total(isAtEfi ? efi.charge(chargeId).refunds : []) +
      (pagarme.refundsOrdered.get(chargeId) ?? 0) +
      total(refundsAtPsps(life, each));
    return sum > each.refundsAsked ? [`${chargeId} refunded ${sum} of ${each.refundsAsked}`] : [];
  });
  twice.push(...elsewhere.map(([id]) => `${id} made at both houses`));
  return [...twice, ...shadows.map(([id]) => `${id} can be paid twice`), ...refunded];
}

/** Charges at accounts that took none of their kind when the company asked for them. */
function madeElsewhere(life: HousesLife): string[] {
  const takers = new Map(life.asked.map((asked) => [asked.id, asked.takers]));
  return madeAt(life).flatMap(({ account, code }) => {
    const of = takers.get(transactionOfCharge(code)?.id ?? "");
    return of === undefined || of.has(account) ? [] : [`${code} made at ${account}`];
  });
}

/** What was made at each account, by our charge ids. */
function madeAt(life: HousesLife): { account: AccountName; code: string }[] {
  const { pagarme, psps } = life;
  const codes: [AccountName, string[]][] = [
    ["efi", payableAtEfi(life).map(({ custom_id: id }) => id ?? "")],
    ["pagarme", pagarme.book.orders.map(({ code }) => code as string)],
    ["psp-one", [...psps[0].book.cobs.keys()]],
    ["psp-two", [...psps[1].book.cobs.keys()]],
  ];
  return codes.flatMap(([account, all]) => all.map((code) => ({ account, code })));
}

function payableAtEfi({ efi }: HousesLife): EfiCharge[] {
  return efi.book.charges.filter(({ status }) => status !== "new");
}

/** What PSPs gave back of a charge, or are about to, because the company ordered it. */
function refundsAtPsps({ psps }: HousesLife, { id }: Asked): number[] {
  const received = psps.flatMap(({ book }) => book.received);
  return received
    .filter(({ txid = "" }) => id !== null && transactionOfCharge(txid)?.id === id)
    .flatMap(({ devolucoes }) => devolucoes)
    .filter((each) => !isOfOthers(each) && each.status !== "NAO_REALIZADO")
    .map(({ valor }) => cents(valor));
}

/** Whether a payer's bank or the account's owner asked for it. */
function isOfOthers({ id }: { id: string }): boolean {
  return /^(?:med|app)/.test(id);
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
