import type { createPaymentLink, changePaymentLink } from "../../../../api/payment-links/routes.ts";
import { PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import { parseReais } from "../../../../domain/shared/money.ts";
import type { JsonOf } from "../../../../http/openapi/route-types.ts";
import type { Form } from "../answers.tsx";

/** The create request of the form; null where an amount is none. */
export function linkRequest(form: Form): JsonOf<typeof createPaymentLink> | null {
  const text = (name: string) => (form[name] ?? "").trim();
  const amounts: Partial<Record<"amount" | "minimum" | "maximum", number>> = {};
  const asked = text("kind") === "open" ? (["minimum", "maximum"] as const) : (["amount"] as const);
  for (const name of asked) {
    if (text(name) === "" && name !== "amount") continue;
    const cents = parseReais(text(name));
    if (cents === null) return null;
    amounts[name] = cents;
  }
  if (Object.keys(amounts).length === 0) amounts.minimum = 1;
  const paymentMethods = PAYMENT_METHODS.filter((method) => form[`method${method}`] === "on");
  const fields = (["name", "document", "email"] as const)
    .filter((name) => form[`ask${name}`] === "on")
    .map((name) => ({ name, required: true }));
  return {
    name: text("name"),
    ...amounts,
    ...(text("maxPayments") === "" ? {} : { maxPayments: Number(text("maxPayments")) }),
    ...(text("expires") === "" ? {} : { expiresAt: endOf(text("expires")) }),
    ...(paymentMethods.length === 0 ? {} : { paymentMethods }),
    // The form always sends it; without a card it says nothing.
    ...(form["methodCREDIT_CARD"] === "on"
      ? {
          maxInstallments: Number(text("maxInstallments")),
          ...(form["saveCard"] === "on" ? { saveCard: true } : {}),
        }
      : {}),
    ...(fields.length === 0 ? {} : { fields }),
  };
}

/** What the form changes. An empty limit or end is none. */
export function linkChange(form: Form): JsonOf<typeof changePaymentLink> {
  const { name = "", active, maxPayments = "", expires = "" } = form;
  return {
    name: name.trim(),
    active: active === "on",
    maxPayments: maxPayments.trim() === "" ? null : Number(maxPayments),
    expiresAt: expires === "" ? null : endOf(expires),
  };
}

/** The end of a day in America/Sao_Paulo, which has had no daylight saving time since 2019. */
function endOf(day: string): string {
  return `${day}T23:59:59.999-03:00`;
}
