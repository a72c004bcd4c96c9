import * as z from "zod";
import { ourChargeId } from "../../domain/psp/psp-ids.ts";
import type { CallbackNotification } from "../notification.ts";

const text = z.string().catch("");
const Named = z.object({ code: text }).catch({ code: "" });
/** A notice's body: `data` is the charge, which names its order, or the order itself. */
const Notice = z.object({ type: text, data: z.object({ code: text, order: Named }) });
const UNREADABLE: CallbackNotification = { kind: "unreadable", report: { kind: "unreadable" } };

/**
 * Which charge of ours a notice is about. Notices have no signature, so nothing else of them is read: the charge is
 * asked at the house. A notice about what others made has none; one of another shape is for people to look at.
 */
export function readNotice(body: unknown): CallbackNotification[] {
  const notice = Notice.safeParse(body);
  if (!notice.success) return [UNREADABLE];
  const { code, order } = notice.data.data;
  const chargeId = ourChargeId(order.code) ?? ourChargeId(code);
  return chargeId === null ? [] : [{ kind: "subject", chargeId }];
}
