import type { Payee } from "../../api/checkout/repository.ts";
import { NO_BRAND } from "../../domain/shared/company.ts";
import type { CheckoutContext } from "../checkout/context.ts";
import { frameOf } from "../checkout/frame.ts";
import { textsOf } from "../checkout/texts.ts";
import { page } from "../checkout/ui/layout.tsx";
import { fill } from "../shared/language.ts";

/** Why nothing can be paid here now, each with its status. The texts of a link name the same. */
export const NOTICES = {
  notFound: 404,
  foreign: 403,
  inactive: 410,
  expired: 410,
  exhausted: 410,
  full: 409,
  crowded: 429,
  tooMany: 409,
  cardAttempts: 409,
  failed: 422,
  unavailable: 503,
  cardRefused: 422,
  cardEnded: 422,
  cardForbidden: 422,
  tooLarge: 413,
  busy: 429,
} as const;
export type Notice = keyof typeof NOTICES;

/** A page that says why nothing can be paid, in the payee's look where there is one. */
export function noticePage(c: CheckoutContext, notice: Notice, payee: Payee | null) {
  const { title, text } = textsOf(c).link.notices[notice];
  const name = payee === null ? "" : nameOf(payee);
  return page(
    c,
    { title, ...lookOf(c, payee), status: NOTICES[notice] },
    <main>
      <h1>{title}</h1>
      <p>{fill(text, { payee: name })}</p>
    </main>,
  );
}

/** The look of a payee's page, and where it may stand; the gateway's own look, in no frame, for none. */
export function lookOf(c: CheckoutContext, payee: Payee | null) {
  if (payee === null) return { brand: null };
  return { brand: { ...NO_BRAND, ...payee.brand, name: nameOf(payee) }, frame: frameOf(c, payee) };
}

/** The payee's name as payers know it. */
export function nameOf({ name, brand }: Payee): string {
  return brand?.name ?? name;
}
