import type { EfiBook, EfiCharge } from "./efi-cobrancas/book.ts";
import { cents, type PspBook } from "./fake-psp/book.ts";
import type { PagarMeBook } from "./pagarme/book.ts";

/** Statuses at Efí in which a card is charged, also before its money is credited. */
const CHARGED = new Set(["approved", "paid", "contested"]);

/** What Efí has of each charge of ours, in centavos, by our charge id; inert charges have nothing. */
export function moneyAtEfi({ charges }: EfiBook): Map<string, number> {
  const money = new Map<string, number>();
  for (const charge of charges) {
    if (charge.custom_id === null) continue;
    const before = money.get(charge.custom_id) ?? 0;
    money.set(charge.custom_id, before + moneyOf(charge));
  }
  return money;
}

function moneyOf({ status, total, paidValue, payment, givenBack }: EfiCharge): number {
  if (!CHARGED.has(status)) return 0;
  const isCard = payment?.credit_card !== undefined;
  return (isCard ? total : (paidValue ?? 0)) - givenBack;
}

/** What Pagar.me has of each charge of ours, in centavos, by our charge id. */
export function moneyAtPagarMe(book: PagarMeBook): Map<string, number> {
  const money = new Map<string, number>();
  for (const { code, charges } of book.orders) {
    for (const charge of charges) {
      const isTakenBack = charge.status === "chargedback";
      const left = isTakenBack ? 0 : (charge.paid_amount ?? 0) - book.givenBackOf(charge.id);
      money.set(code, (money.get(code) ?? 0) + left);
    }
  }
  return money;
}

/** What a PSP has of each charge of ours, in centavos, by its txid. */
export function moneyAtPsp({ received }: Pick<PspBook, "received">): Map<string, number> {
  const money = new Map<string, number>();
  for (const { txid, valor, devolucoes } of received) {
    if (txid === undefined) continue;
    const back = devolucoes.filter(({ status }) => status === "DEVOLVIDO");
    const left = back.reduce((sum, each) => sum - cents(each.valor), cents(valor));
    money.set(txid, (money.get(txid) ?? 0) + left);
  }
  return money;
}
