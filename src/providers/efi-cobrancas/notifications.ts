import { mayBeForgotten } from "../../domain/psp/provider-refs.ts";
import * as z from "zod";
import type { CallbackNotification, NoticedCharge, NoticeReport } from "../notification.ts";
import { leavesOpen } from "./charge-report.ts";
import { parseAs, type EfiClient } from "./client.ts";
import { chargeIdOf } from "./lists.ts";
import { meaningOf } from "./problems.ts";
import type { EfiRefs, Seen } from "./refs.ts";
import { timeOf } from "./time.ts";
import { Notice } from "./wire.ts";

/** A form with one token; whatever else it holds is never read. */
const Body = z.object({ notification: z.uuid() });
const UNREADABLE: CallbackNotification = { kind: "unreadable", report: { kind: "unreadable" } };

/** What Efí posts to a charge's `notification_url`. */
export function readNotification(body: unknown): CallbackNotification[] {
  const read = Body.safeParse(body);
  return [read.success ? { kind: "notice", token: read.data.notification } : UNREADABLE];
}

/**
 * Our charges of which a notice tells, by `custom_id` and the `charge_id` that is stored of it. Keeps what it says of a
 * boleto's payment.
 */
export async function readNotice(
  { client, refs, nowMs }: { client: EfiClient; refs: EfiRefs; nowMs: number },
  token: string,
): Promise<NoticeReport> {
  const answer = await client.call({ method: "GET", path: ["notification", token] });
  if (answer.kind === "problem") {
    const meaning = meaningOf(answer.code);
    // Efí names a token that it does not know as a wrong field.
    return { kind: meaning === "not_found" || meaning === "refused" ? "not_found" : "unknown" };
  }
  const read = parseAs(Notice, answer);
  if (read === null) return { kind: "unknown" };
  const charges: NoticedCharge[] = [];
  const changes = Map.groupBy(read.data, (change) => chargeIdOf(change.custom_id));
  for (const [chargeId, ofCharge] of changes) {
    if (chargeId === null) continue;
    const ref = await refs.charge(chargeId);
    if (ref === null) {
      // One that is forgotten is looked up by who asks about it.
      if (mayBeForgotten(chargeId, nowMs)) charges.push({ chargeId, isOpen: false });
      continue;
    }
    const own = ofCharge.filter(
      ({ identifiers }) => ref.efiId === undefined || ref.efiId === identifiers.charge_id,
    );
    const last = own.at(-1);
    if (last === undefined) continue;
    charges.push({ chargeId, isOpen: leavesOpen(last.status.current, ref.method) });
    const told = firstPayment(own);
    if (told === null || (await refs.seen(chargeId)).told !== undefined) continue;
    await refs.addSeen(chargeId, { told });
  }
  return charges.length === 0 ? { kind: "not_found" } : { kind: "known", charges };
}

/** What the first change that tells of a payment says of it; null where none does. */
function firstPayment(changes: Notice["data"]): NonNullable<Seen["told"]> | null {
  for (const { status, value, created_at: text, received_by_bank_at: day } of changes) {
    const at = timeOf(text);
    if (status.current !== "paid" || value == null || at === null) continue;
    return { value, at, isByBank: day != null };
  }
  return null;
}
