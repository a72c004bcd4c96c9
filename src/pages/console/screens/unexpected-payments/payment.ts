import type { getUnexpectedPayment } from "../../../../api/payments/routes.ts";
import { maskName } from "../../../../domain/access/masks.ts";
import {
  UNEXPECTED_REASONS,
  type UnexpectedReason,
} from "../../../../domain/charges/unexpected-payment.ts";
import type { PaidBy } from "../../../../domain/charges/transaction.ts";
import { asTyped } from "../../form.ts";
import type { RouteBody, TypedText } from "../../../../http/openapi/route-types.ts";
import type { Language } from "../../texts.ts";
import type { Form } from "../answers.tsx";

/** The amount in centavos. */
export type Payment = RouteBody<typeof getUnexpectedPayment>["data"];

export const PAYMENTS_PATH = "/console/unexpected-payments";

const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;

/** Who paid, masked also for those who may see it; null where the provider does not say. */
export function payerText(payer: PaidBy | null): string | null {
  if (payer === null) return null;
  const parts = [payer.name === null ? "" : maskName(payer.name), payer.documentMasked ?? ""];
  return parts.filter((part) => part !== "").join(", ") || null;
}

/** How long ago in words, in hours and then in days. */
export function age(iso: string, nowMs: number, language: Language): string {
  const hours = Math.max(0, Math.floor((nowMs - Date.parse(iso)) / HOUR_MS));
  const labels = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  return hours < HOURS_OF_DAY
    ? labels.format(-hours, "hour")
    : labels.format(-Math.floor(hours / HOURS_OF_DAY), "day");
}

/** The rules of a posted form, as they were typed. */
export function rulesOf(form: Form): Partial<Record<UnexpectedReason, TypedText>> {
  return Object.fromEntries(
    UNEXPECTED_REASONS.flatMap((reason) => {
      const rule = form[reason];
      return rule === undefined ? [] : [[reason, asTyped(rule)] as const];
    }),
  );
}
