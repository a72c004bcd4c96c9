import type { requestWithdraw } from "../../../../api/withdraws/routes.ts";
import { PIX_KEY_TYPES } from "../../../../domain/shared/pix-key.ts";
import { parseReais } from "../../../../domain/shared/money.ts";
import type { JsonOf } from "../../../../http/openapi/route-types.ts";
import type { Form } from "../answers.tsx";

/** What a person typed; the amount in reais. */
export interface Typed {
  amount: string;
  pixKey: string;
  pixKeyType: string;
  description: string;
}

/** The fields of a form; absent ones are empty. */
export function typedOf(form: Form): Typed {
  const text = (name: string) => (form[name] ?? "").trim();
  return {
    amount: text("amount"),
    pixKey: text("pixKey"),
    pixKeyType: text("pixKeyType"),
    description: text("description"),
  };
}

/** The API's request; null if the amount is no amount. An empty key means the company's main key. */
export function withdrawRequest({
  amount,
  pixKey,
  pixKeyType,
  description,
}: Typed): JsonOf<typeof requestWithdraw> | null {
  const cents = parseReais(amount);
  if (cents === null) return null;
  const type = PIX_KEY_TYPES.find((word) => word === pixKeyType);
  return {
    amount: cents,
    ...(pixKey === "" ? {} : { pixKey }),
    ...(pixKey === "" || type === undefined ? {} : { pixKeyType: type }),
    ...(description === "" ? {} : { description }),
  };
}
