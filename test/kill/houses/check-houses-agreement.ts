import { providerChargeId, transactionOfCharge } from "../../../src/domain/charges/transaction.ts";
import { moneyAtEfi, moneyAtPagarMe, moneyAtPsp } from "../../support/fakes/house-money.ts";
import { balancesOf, netExternalAmount } from "../lib/checks/check-statement.ts";
import type { Observed } from "../lib/observe.ts";
import type { StoredState } from "../psp/check-bank-agreement.ts";
import type { LiveHouses } from "./live-houses.ts";

/** Where the money is: nothing of what happens there. */
export type Houses = Pick<LiveHouses, "psp" | "efi" | "pagarme">;

/**
 * Differences between a company's books and its houses', to the centavo, and what the houses have twice. A difference
 * within the amount of contradictions that name its charge is counted, not reported.
 */
export function housesAgreementProblems(
  houses: Houses,
  { movements, lines, transactions }: Pick<Observed, "movements" | "lines" | "transactions">,
  { disputes, openRefunds }: Pick<StoredState, "disputes" | "openRefunds">,
): { problems: string[]; disputed: number } {
  const theirs = moneyAtHouses(houses);
  const ours = new Map<string, number>();
  for (const movement of movements) {
    const id = movement.transactionId ?? "no charge";
    ours.set(id, (ours.get(id) ?? 0) + netExternalAmount(movement));
  }
  const inQuestion = (id: string) => {
    const names = [id, providerChargeId(id)];
    return disputes
      .filter(({ object, text }) => names.some((name) => `${object} ${text}`.includes(name)))
      .reduce((sum, { amount }) => sum + amount, 0);
  };
  const ids = new Set([...theirs.keys(), ...ours.keys(), ...transactions.map(({ id }) => id)]);
  const problems: string[] = [];
  let disputed = 0;
  for (const id of ids) {
    const [there, here] = [theirs.get(id) ?? 0, ours.get(id) ?? 0];
    if (there === here) continue;
    if (Math.abs(there - here) <= inQuestion(id)) disputed += 1;
    else problems.push(`lost: ${id}: its house has ${there} of it, we have ${here}`);
  }
  const { blocked = 0 } = balancesOf(lines);
  const held =
    blocked === 0
      ? []
      : [`wrong: ${blocked} are blocked (${[...openRefunds.values()].join(", ")})`];
  return { problems: [...problems, ...held, ...madeTwice(houses)], disputed };
}

/** What the bank and the houses have of each transaction, in centavos, by its id. */
function moneyAtHouses({ psp, efi, pagarme }: Houses): Map<string, number> {
  const money = new Map<string, number>();
  for (const [code, amount] of [
    ...moneyAtPsp(psp.book),
    ...moneyAtEfi(efi.book),
    ...moneyAtPagarMe(pagarme.book),
  ]) {
    const id = transactionIdOf(code);
    money.set(id, (money.get(id) ?? 0) + amount);
  }
  return money;
}

/** Transactions with more than one boleto or card that could be paid, at whatever house. */
function madeTwice({ efi, pagarme }: Houses): string[] {
  const codes = [
    ...efi.book.charges
      .filter(({ status }) => status !== "new")
      .map(({ custom_id: id }) => id ?? ""),
    ...pagarme.book.orders.map(({ code }) => code as string),
  ];
  return [...Map.groupBy(codes, transactionIdOf)]
    .filter(([, all]) => all.length > 1)
    .map(([id, all]) => `doubled: ${id} was made ${all.length} times`);
}

function transactionIdOf(code: string): string {
  return transactionOfCharge(code)?.id ?? code;
}
