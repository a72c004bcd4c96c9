import { getCookie, setCookie } from "hono/cookie";
import { findForPayer } from "../../api/checkout/payer.ts";
import { toTransactionRecord } from "../../db/projection/transaction-mapper.ts";
import type { PaymentLink } from "../../domain/links/payment-link.ts";
import { withExpiryApplied } from "../../methods/expired-view.ts";
import type { CheckoutContext } from "../checkout/context.ts";
import { depsOfCompany } from "../../http/context.ts";

const COOKIE = "charge";
/** Longer than a boleto, too, usually waits. */
const KEPT_SECONDS = 30 * 24 * 60 * 60;

type Limited = Pick<PaymentLink, "id" | "slug" | "maxPayments">;

/** A charge that this browser has made under a link and not paid yet. */
interface OwnCharge {
  secureId: string;
  checkoutId: string;
}

/**
 * Remembers in the payer's browser which charge of a limited link is its own. The value is the charge's
 * `secureId`, which nobody guesses, for this link's page only.
 */
export function rememberCharge(c: CheckoutContext, link: Limited, secureId: string): void {
  if (link.maxPayments === null) return;
  setCookie(c, COOKIE, secureId, {
    path: `/l/${link.slug}`,
    httpOnly: true,
    sameSite: "Lax",
    secure: new URL(c.req.url).protocol === "https:",
    maxAge: KEPT_SECONDS,
  });
}

/** The open charge of a payer who comes back to a limited link: one reservation is enough. Null where there is none. */
export async function findOwnCharge(
  c: CheckoutContext,
  { link }: { link: Limited },
): Promise<OwnCharge | null> {
  const secureId = link.maxPayments === null ? undefined : getCookie(c, COOKIE);
  if (secureId === undefined) return null;
  const { outer } = c.env;
  const found = await findForPayer(outer.env, secureId);
  if (found === null || found.row.paymentLinkId !== link.id) return null;
  const { checkoutId } = found.row;
  const nowMs = depsOfCompany(outer.get("deps"), found.payee).clock.now();
  const { status } = withExpiryApplied(toTransactionRecord(found.row), nowMs);
  const isOpen = status === "creating" || status === "waiting_payment";
  return isOpen && checkoutId !== null ? { secureId, checkoutId } : null;
}
