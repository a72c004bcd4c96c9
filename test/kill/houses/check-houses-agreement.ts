import { transactionOfCharge } from "../../../src/domain/charges/transaction.ts";
import { moneyAtEfi, moneyAtPagarMe } from "../../support/fakes/house-money.ts";
import type { Houses } from "../../support/fakes/house-acts.ts";
import { balancesOf, netExternalAmount } from "../lib/checks/check-statement.ts";
import type { Observed } from "../lib/observe.ts";
import type { StoredState } from "../psp/check-bank-agreement.ts";

/** Differences between a company's books and its houses', to the centavo, and what a house did twice. */
export function housesAgreementProblems(
  houses: Houses,
  { movements, lines, transactions }: Pick<Observed, "movements" | "lines" | "transactions">,
  { disputes, openRefunds }: Pick<StoredState, "disputes" | "openRefunds">,
): string[] {
  const { efi, pagarme } = houses;
  const theirs = new Map<string, number>();
  for (const [code, amount] of [...moneyAtEfi(efi.book), ...moneyAtPagarMe(pagarme.book)]) {
    theirs.set(transactionOfCharge(code)?.id ?? code, amount);
  }
  const ours = new Map<string, number>();
  for (const movement of movements) {
    const id = movement.transactionId ?? "no charge";
    ours.set(id, (ours.get(id) ?? 0) + netExternalAmount(movement));
  }
  const ids = new Set([...theirs.keys(), ...ours.keys(), ...transactions.map(({ id }) => id)]);
  const problems = [...ids].flatMap((id) => {
    const [there, here] = [theirs.get(id) ?? 0, ours.get(id) ?? 0];
    const isNamed = disputes.some(({ object, text }) => `${object} ${text}`.includes(id));
    return there === here || isNamed
      ? []
      : [`lost: ${id}: its house has ${there} of it, we have ${here}`];
  });
  const { blocked = 0 } = balancesOf(lines);
  const held = blocked === 0 ? [] : [`wrong: ${blocked} are blocked (${openRefunds.join(", ")})`];
  return [...problems, ...held, ...madeTwice(houses)];
}

/** Charges of one id of ours that could both be paid. */
function madeTwice({ efi, pagarme }: Houses): string[] {
  const codes = [
    ...efi.book.charges
      .filter(({ status }) => status !== "new")
      .map(({ custom_id: id }) => id ?? ""),
    ...pagarme.book.orders.map(({ code }) => code as string),
  ];
  return [...Map.groupBy(codes, (code) => code)]
    .filter(([, all]) => all.length > 1)
    .map(([code, all]) => `doubled: ${code} was made ${all.length} times`);
}
