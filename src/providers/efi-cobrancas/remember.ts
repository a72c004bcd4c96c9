import type { RegisteredBoleto } from "../../domain/charges/payment-details.ts";
import type { DisputeRecord } from "../../domain/disputes/dispute.ts";
import type { ProviderRefs } from "../../domain/psp/provider-refs.ts";
import { chargebackNumberOf, efiIdOf, EfiRefs, paymentIdOf, txidOfCode } from "./refs.ts";

const WAYS = ["bank", "pix"] as const;

/** The ids that the payment of a boleto may have. */
export function paymentIdsOf({ ourNumber }: RegisteredBoleto): string[] {
  const efiId = efiIdOf(`efi:${ourNumber}`);
  return efiId === null ? [] : WAYS.map((paidBy) => paymentIdOf(efiId, paidBy));
}

/**
 * Remembers anew what a restore of the database has made forgotten of a boleto: by what Pix it is paid, and how it was
 * paid, if a payment of it is booked.
 */
export async function rememberBoleto(
  refs: ProviderRefs,
  chargeId: string,
  { ourNumber, qrcode }: RegisteredBoleto,
  isBooked: (paymentId: string) => boolean,
): Promise<void> {
  const efiId = efiIdOf(`efi:${ourNumber}`);
  if (efiId === null) return;
  const remembered = new EfiRefs(refs);
  const pixTxid = txidOfCode(qrcode ?? "");
  if (pixTxid !== null) await remembered.rememberPix(chargeId, { efiId, pixTxid });
  const paidBy = WAYS.find((way) => isBooked(paymentIdOf(efiId, way)));
  if (paidBy !== undefined) await remembered.addSeen(chargeId, { paidBy });
}

/** Remembers a booked chargeback anew, so that the next one of its charge is another. Disputes of others change nothing. */
export async function rememberDispute(
  refs: ProviderRefs,
  chargeId: string,
  { id, status }: Pick<DisputeRecord, "id" | "status">,
): Promise<void> {
  const number = chargebackNumberOf(id);
  if (number === null) return;
  await new EfiRefs(refs).rememberChargeback(chargeId, number, status === "WON");
}
