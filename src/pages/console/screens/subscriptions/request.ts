import type { createRoute } from "../../../../api/subscriptions/routes.ts";
import { parseReais } from "../../../../domain/shared/money.ts";
import type { JsonOf } from "../../../../http/openapi/route-types.ts";
import { asTyped, ifTyped } from "../../form.ts";
import type { Form } from "../answers.tsx";
import { dunningRequest } from "./dunning.tsx";

/** The retry policies that the form offers: days after the due date. */
export const RETRIES = { "135": [1, 3, 5], "357": [3, 5, 7], "3": [3], none: [] } as const;
export type RetryName = keyof typeof RETRIES;

const NUMBERS = /\d+/g;

/** The create request of the form; null where an amount is none. */
export function subscriptionRequest(form: Form): JsonOf<typeof createRoute> | null {
  const text = (name: string) => (form[name] ?? "").trim();
  const amount = parseReais(text("amount"));
  const first = text("firstPayment") === "" ? undefined : parseReais(text("firstPayment"));
  if (amount === null || first === null) return null;
  const isRequest = text("journey") === "REQUEST";
  const branch = ifTyped(text("branch"));
  const endDate = ifTyped(text("endDate"));
  const email = ifTyped(text("email"));
  const city = ifTyped(text("city"));
  const externalRef = ifTyped(text("externalRef"));
  const owner = ifTyped(text("ownerDocument"));
  return {
    customer: {
      name: text("name"),
      document: { number: text("document") },
      ...(email === undefined ? {} : { email }),
      ...(city === undefined ? {} : { city }),
    },
    ...(externalRef === undefined ? {} : { externalRef }),
    description: text("description"),
    ...(text("kind") === "variable" ? { minimumAmount: amount } : { amount }),
    period: asTyped(text("period")),
    firstDueDate: text("firstDueDate"),
    ...(endDate === undefined ? {} : { endDate }),
    journey: asTyped(text("journey")),
    retry: retryOf(text("retry"), text("retryDays")),
    dunning: dunningRequest(form),
    ...(first === undefined ? {} : { firstPayment: { amount: first } }),
    ...(isRequest
      ? {
          payerAccount: {
            ispb: text("ispb"),
            account: text("account"),
            ...(branch === undefined ? {} : { branch }),
            ...(owner === undefined ? {} : { document: { number: owner } }),
          },
        }
      : {}),
  };
}

/** The days that a person typed, such as "2, 4 e 6". */
export function retryDaysOf(typed: string): number[] {
  return Array.from(typed.matchAll(NUMBERS), ([number]) => Number(number));
}

/** The days that are typed; else what is chosen of `RETRIES`, none for a text that is not in it. */
function retryOf(name: string, typed: string): number[] | "none" {
  if (typed !== "") return retryDaysOf(typed);
  const days = Object.entries(RETRIES).find(([known]) => known === name)?.[1] ?? [];
  return days.length === 0 ? "none" : [...days];
}
