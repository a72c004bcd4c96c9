import * as z from "zod";
import { ourChargeId } from "../../../domain/psp/psp-ids.ts";
import type { CallbackNotification } from "../../notification.ts";

/** What a notice of Pix Automático names: always read back, never believed. */
export type AutomaticNotification = Extract<
  CallbackNotification,
  { kind: "mandate" | "debit" | "unreadable" }
>;

/** PSPs batch a few; the list pass finds the rest of a larger body. */
const NOTIFICATIONS_MAX = 100;
const UNREADABLE: AutomaticNotification = {
  kind: "unreadable",
  report: { kind: "unreadable" },
};
const IdRec = z.object({ idRec: z.string().regex(/^[a-zA-Z0-9]{29}$/) });
const Txid = z.object({ txid: z.string().regex(/^[a-zA-Z0-9]{1,35}$/) });
const RecBody = z.object({ recs: z.array(z.unknown()) });
/** BACEN's callback and list say `cobsr`; `cobrs` is the word of the rest of the API. */
const CobrBody = z.union([
  z.object({ cobsr: z.array(z.unknown()) }).transform(({ cobsr }) => cobsr),
  z.object({ cobrs: z.array(z.unknown()) }).transform(({ cobrs }) => cobrs),
]);

/** The mandates that a `POST {webhookUrl}/rec` names, each once; the case of letters counts. */
export function parseMandateCallback(body: unknown): AutomaticNotification[] {
  const read = RecBody.safeParse(body);
  return eachOnce(read.success ? read.data.recs : [], (entry) => {
    const rec = IdRec.safeParse(entry);
    return rec.success ? { kind: "mandate", mandateId: rec.data.idRec } : UNREADABLE;
  });
}

/** The debits of ours that a `POST {webhookUrl}/cobr` names, each once. Those of others are left out. */
export function parseDebitCallback(body: unknown): AutomaticNotification[] {
  const read = CobrBody.safeParse(body);
  return eachOnce(read.success ? read.data : [], (entry) => {
    const cobr = Txid.safeParse(entry);
    if (!cobr.success) return UNREADABLE;
    const chargeId = ourChargeId(cobr.data.txid);
    return chargeId === null ? null : { kind: "debit", chargeId };
  });
}

function eachOnce(
  entries: unknown[],
  toNotification: (entry: unknown) => AutomaticNotification | null,
): AutomaticNotification[] {
  const notifications = new Map<string, AutomaticNotification>();
  for (const entry of entries) {
    const notification = toNotification(entry);
    if (notification !== null) notifications.set(JSON.stringify(notification), notification);
    if (notifications.size >= NOTIFICATIONS_MAX) break;
  }
  return [...notifications.values()];
}
