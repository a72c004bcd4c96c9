import * as z from "zod";
import type {
  ToldNothing,
  ToldPayment,
  ToldPayout,
  ToldReturn,
} from "../../domain/reconciliation/callback.ts";
import { hyphenated } from "../../domain/shared/ids.ts";
import type { Cents } from "../../domain/shared/money.ts";

/**
 * What a callback says may have happened, and to what. Nothing of it is believed: each is read back
 * from the PSP, whose answer must come to say what was told.
 */
export type CallbackHint =
  | { kind: "charge"; chargeId: string; told: ToldPayment }
  /** Received for no charge of ours. */
  | { kind: "payment"; told: ToldPayment }
  | { kind: "refund"; refundId: string; paymentId: string }
  | { kind: "payout"; payoutId: string; told: ToldPayout }
  /** It names nothing, or a return that cannot be read: for people to look at. */
  | { kind: "unreadable"; told: ToldNothing };

/** PSPs batch a few; what a larger body holds beyond it is found by the reconciliation. */
const HINTS_MAX = 100;
const END_TO_END_ID = /^[a-zA-Z0-9]{1,64}$/;
/** A UUID without hyphens: what `providerChargeId` and its like give out, and nobody else does. */
const OUR_ID = /^[0-9a-f]{32}$/;
/** Whatever a payout may be known by (Efí). */
const ID_ENVIO = /^[a-zA-Z0-9]{1,35}$/;
const RETURN_ID = /^[a-zA-Z0-9]{1,64}$/;
const VALOR = /^\d{1,10}\.\d{2}$/;
const UNREADABLE: CallbackHint = { kind: "unreadable", told: { kind: "unreadable" } };

const text = z.string().catch("");
const Return = z
  .object({ id: text, valor: text, status: text })
  .catch({ id: "", valor: "", status: "" });
const Entry = z.object({
  endToEndId: text,
  txid: text,
  status: text,
  tipo: text,
  valor: text,
  gnExtras: z.object({ idEnvio: text }).catch({ idEnvio: "" }),
  /** Absent or null: none. Anything else that is no list cannot be read. */
  devolucoes: z
    .array(Return)
    .nullish()
    .catch([{ id: "", valor: "", status: "" }]),
});
type Entry = z.infer<typeof Entry>;
const Callback = z.object({ pix: z.array(z.unknown()) });

/**
 * Reads a PSP's `POST {webhookUrl}/pix`: received and returned PIX (BACEN), and payouts
 * (Efí, by `gnExtras.idEnvio`). Each hint is given once; a body without a list of PIX has none.
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
  const read = Entry.safeParse(raw);
  if (!read.success) return [UNREADABLE];
  const { endToEndId, txid, gnExtras } = read.data;
  if (gnExtras.idEnvio !== "") return payoutHints(read.data, gnExtras.idEnvio);
  if (!END_TO_END_ID.test(endToEndId)) return [UNREADABLE];
  const devolucoes = read.data.devolucoes ?? [];
  const readable = devolucoes.filter(({ id }) => RETURN_ID.test(id));
  const told: ToldPayment = {
    kind: "payment",
    paymentId: endToEndId,
    returns: readable.map(({ id, status }) => ({ id, status: RETURN_ENDS.get(status) ?? "OPEN" })),
  };
  const received: CallbackHint = OUR_ID.test(txid)
    ? { kind: "charge", chargeId: txid, told }
    : { kind: "payment", told };
  const refunds = readable
    .filter(({ id }) => OUR_ID.test(id))
    .map(({ id }): CallbackHint => ({ kind: "refund", refundId: id, paymentId: endToEndId }));
  const unread = readable.length < devolucoes.length ? [UNREADABLE] : [];
  return [received, ...refunds, ...unread];
}

/** One that is none of ours took money all the same: it is asked about by its own id. */
function payoutHints(entry: Entry, idEnvio: string): CallbackHint[] {
  if (!ID_ENVIO.test(idEnvio)) return [UNREADABLE];
  return [{ kind: "payout", payoutId: hyphenated(idEnvio), told: toldPayout(entry) }];
}

/** A return is told by itself (Efí, `tipo` `DEVOLUCAO`): of a payout that was paid, as much at least. */
function toldPayout({ status, tipo, valor, devolucoes }: Entry): ToldPayout {
  if (tipo === "DEVOLUCAO") {
    return {
      kind: "payout",
      status: "PAID",
      returned: status === "DEVOLVIDO" ? centsOf(valor) : 0,
    };
  }
  const returned = (devolucoes ?? [])
    .filter((each) => each.status === "DEVOLVIDO")
    .reduce((sum, each) => sum + centsOf(each.valor), 0);
  return { kind: "payout", status: PAYOUT_ENDS.get(status) ?? "OPEN", returned };
}

function centsOf(valor: string): Cents {
  return VALOR.test(valor) ? Number(valor.replace(".", "")) : 0;
}

/** Any other word, also one that is new, is not the end. */
const RETURN_ENDS = new Map<string, ToldReturn["status"]>([
  ["DEVOLVIDO", "DONE"],
  ["NAO_REALIZADO", "FAILED"],
]);
const PAYOUT_ENDS = new Map<string, ToldPayout["status"]>([
  ["REALIZADO", "PAID"],
  ["NAO_REALIZADO", "FAILED"],
  ["DEVOLVIDO", "RETURNED"],
]);
