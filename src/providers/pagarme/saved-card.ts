import * as z from "zod";
import type { ChargeOrder } from "../charge.ts";
import { idOf, type Charge } from "./wire.ts";

/**
 * A card in the wallet of its customer at Pagar.me, which has every card that was charged by a token, and the charge that
 * put it there. A merchant's repeat names that charge.
 */
const WalletCard = z.object({
  customerId: idOf("cus"),
  cardId: idOf("card"),
  chargeId: idOf("ch"),
});
type WalletCard = z.infer<typeof WalletCard>;

/** What a charged card is charged by again; null where the house does not name it, or its customer. */
export function savedCardOf({ id, customer, last_transaction: last }: Charge): string | null {
  const card = WalletCard.safeParse({
    customerId: customer?.id,
    cardId: last?.card?.id,
    chargeId: id,
  });
  return card.success ? JSON.stringify(card.data) : null;
}

/** The card of what `savedCardOf` gave. */
export function walletCard(savedCard: string): WalletCard {
  return WalletCard.parse(JSON.parse(savedCard));
}

/** The saved card that an order charges; null where it charges none. */
export function walletCardOf(order: ChargeOrder): WalletCard | null {
  if (order.paymentMethod !== "CREDIT_CARD" || !("savedCard" in order.card.source)) return null;
  return walletCard(order.card.source.savedCard);
}
