import * as z from "zod";
import type {
  ReportedPayment,
  ReportedPayout,
  ReportedReturn,
} from "../../domain/reconciliation/callback.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { isEndToEndId, ourChargeId, ourPayoutId, ourRefundId } from "../../domain/psp/psp-ids.ts";
import type { CallbackNotification } from "../notification.ts";

/** What a callback of the Pix API names: always a report of its object. */
export type PixNotification = Exclude<
  CallbackNotification,
  { kind: "subject" | "notice" | "mandate" | "debit" }
>;

/** PSPs batch a few; reconciliation finds the rest of a larger body. */
const NOTIFICATIONS_MAX = 100;
/** Whatever a payout may be known by (Efí). */
const ID_ENVIO = /^[a-zA-Z0-9]{1,35}$/;
const RETURN_ID = /^[a-zA-Z0-9]{1,64}$/;
const VALOR = /^\d{1,10}\.\d{2}$/;
const UNREADABLE: PixNotification = { kind: "unreadable", report: { kind: "unreadable" } };

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
export function parseCallback(body: unknown): PixNotification[] {
  const callback = Callback.safeParse(body);
  if (!callback.success) return [];
  const notifications = new Map<string, PixNotification>();
  for (const entry of callback.data.pix) {
    for (const notification of parseEntry(entry)) {
      notifications.set(JSON.stringify(notification), notification);
      if (notifications.size >= NOTIFICATIONS_MAX) return [...notifications.values()];
    }
  }
  return [...notifications.values()];
}

function parseEntry(raw: unknown): PixNotification[] {
  const read = Entry.safeParse(raw);
  if (!read.success) return [UNREADABLE];
  const { endToEndId, txid, gnExtras } = read.data;
  if (gnExtras.idEnvio !== "") return payoutNotifications(read.data, gnExtras.idEnvio);
  if (!isEndToEndId(endToEndId)) return [UNREADABLE];
  const devolucoes = read.data.devolucoes ?? [];
  const readable = devolucoes.filter(({ id }) => RETURN_ID.test(id));
  const report: ReportedPayment = {
    kind: "payment",
    paymentId: endToEndId,
    returns: readable.map(({ id, status }) => ({
      id,
      status: FINAL_RETURN_STATUSES.get(status) ?? "OPEN",
    })),
  };
  const chargeId = ourChargeId(txid);
  const received: PixNotification =
    chargeId === null ? { kind: "payment", report } : { kind: "charge", chargeId, report };
  const refunds = readable.flatMap(({ id }): PixNotification[] => {
    const refundId = ourRefundId(id);
    return refundId === null ? [] : [{ kind: "refund", refundId, paymentId: endToEndId }];
  });
  const unread = readable.length < devolucoes.length ? [UNREADABLE] : [];
  return [received, ...refunds, ...unread];
}

/** A payout ordered by others took money all the same, so it is queried by its own id. */
function payoutNotifications(entry: Entry, idEnvio: string): PixNotification[] {
  if (!ID_ENVIO.test(idEnvio)) return [UNREADABLE];
  const payoutId = ourPayoutId(idEnvio) ?? idEnvio;
  return [{ kind: "payout", payoutId, report: reportedPayout(entry) }];
}

/** A return is reported by itself (Efí, `tipo` `DEVOLUCAO`): of a payout that was paid, as much at least. */
function reportedPayout({ status, tipo, valor, devolucoes }: Entry): ReportedPayout {
  if (tipo === "DEVOLUCAO") {
    return {
      kind: "payout",
      status: "PAID",
      returned: status === "DEVOLVIDO" ? centsOrZero(valor) : 0,
    };
  }
  const returned = (devolucoes ?? [])
    .filter((each) => each.status === "DEVOLVIDO")
    .reduce((sum, each) => sum + centsOrZero(each.valor), 0);
  return { kind: "payout", status: FINAL_PAYOUT_STATUSES.get(status) ?? "OPEN", returned };
}

function centsOrZero(valor: string): Cents {
  return VALOR.test(valor) ? Number(valor.replace(".", "")) : 0;
}

/** Any other value, also a new one, is not final. */
const FINAL_RETURN_STATUSES = new Map<string, ReportedReturn["status"]>([
  ["DEVOLVIDO", "DONE"],
  ["NAO_REALIZADO", "FAILED"],
]);
const FINAL_PAYOUT_STATUSES = new Map<string, ReportedPayout["status"]>([
  ["REALIZADO", "PAID"],
  ["NAO_REALIZADO", "FAILED"],
  ["DEVOLVIDO", "RETURNED"],
]);
