import * as z from "zod";
import { hyphenated } from "../../domain/ids.ts";

/**
 * What a callback says something may have happened to. Nothing of it is believed: each is read back
 * from the PSP.
 */
export type CallbackHint =
  | { kind: "charge"; chargeId: string; paymentId: string }
  /** Received for no charge of ours. */
  | { kind: "payment"; paymentId: string }
  | { kind: "refund"; refundId: string; paymentId: string }
  | { kind: "payout"; payoutId: string };

/** PSPs batch a few; what a larger body holds beyond it is found by the reconciliation. */
const HINTS_MAX = 100;
const END_TO_END_ID = /^[a-zA-Z0-9]{1,64}$/;
/** A UUID without hyphens: what `providerChargeId` and its like give out, and nobody else does. */
const OUR_ID = /^[0-9a-f]{32}$/;

const text = z.string().catch("");
const Entry = z.object({
  endToEndId: text,
  txid: text,
  gnExtras: z.object({ idEnvio: text }).catch({ idEnvio: "" }),
  devolucoes: z.array(z.object({ id: text }).catch({ id: "" })).catch([]),
});
const Callback = z.object({ pix: z.array(z.unknown()) });

/**
 * Reads a PSP's `POST {webhookUrl}/pix`: received and returned PIX (BACEN), and payouts
 * (Efí, by `gnExtras.idEnvio`). What is not understood is passed over; each hint is given once.
 */
export function callbackHints(body: unknown): CallbackHint[] {
  const callback = Callback.safeParse(body);
  if (!callback.success) return [];
  const hints = new Map<string, CallbackHint>();
  for (const entry of callback.data.pix) {
    for (const hint of hintsOf(entry)) {
      hints.set(JSON.stringify(hint), hint);
      if (hints.size >= HINTS_MAX) return [...hints.values()];
    }
  }
  return [...hints.values()];
}

function hintsOf(raw: unknown): CallbackHint[] {
  const entry = Entry.safeParse(raw);
  if (!entry.success) return [];
  const { endToEndId, txid, gnExtras, devolucoes } = entry.data;
  if (gnExtras.idEnvio !== "") {
    return OUR_ID.test(gnExtras.idEnvio)
      ? [{ kind: "payout", payoutId: hyphenated(gnExtras.idEnvio) }]
      : [];
  }
  if (!END_TO_END_ID.test(endToEndId)) return [];
  const received: CallbackHint = OUR_ID.test(txid)
    ? { kind: "charge", chargeId: txid, paymentId: endToEndId }
    : { kind: "payment", paymentId: endToEndId };
  const refunds = devolucoes
    .filter(({ id }) => OUR_ID.test(id))
    .map(({ id }): CallbackHint => ({ kind: "refund", refundId: id, paymentId: endToEndId }));
  return [received, ...refunds];
}
