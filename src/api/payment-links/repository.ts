import { and, desc, eq, isNull, lt } from "drizzle-orm";
import { databaseFor } from "../../db/client.ts";
import { companies } from "../../db/schema/companies.ts";
import { paymentLinks } from "../../db/schema/payments.ts";
import type { PaymentLink } from "../../domain/links/payment-link.ts";
import type { Env } from "../../config.ts";
import { PAYEE_COLUMNS, type Payee } from "../checkout/repository.ts";

/** A company's link by its id; null if it has none. */
export async function findLink(
  env: Env,
  companyId: number,
  id: string,
): Promise<PaymentLink | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.companyId, companyId), eq(paymentLinks.id, id)));
  return row ?? null;
}

/** A link by its slug with whom it pays, in one read of two rows; null where there is none. */
export async function findLinkAndPayee(
  env: Env,
  { companyId, slug }: { companyId: number; slug: string },
): Promise<{ link: PaymentLink; payee: Payee } | null> {
  const [found] = await databaseFor(env, companyId)
    .select({ link: paymentLinks, payee: PAYEE_COLUMNS })
    .from(paymentLinks)
    .innerJoin(companies, eq(companies.id, paymentLinks.companyId))
    .where(
      and(
        eq(paymentLinks.companyId, companyId),
        eq(paymentLinks.slug, slug),
        isNull(companies.closedAt),
      ),
    );
  return found ?? null;
}

/** A company's links below a number, newest first. */
export function listLinks(
  env: Env,
  companyId: number,
  page: { before: number; limit: number },
): Promise<PaymentLink[]> {
  return databaseFor(env, companyId)
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.companyId, companyId), lt(paymentLinks.number, page.before)))
    .orderBy(desc(paymentLinks.number))
    .limit(page.limit);
}
