import type { BatchItem } from "drizzle-orm/batch";
import { lt } from "drizzle-orm";
import type { PaymentLinkEntry } from "../../domain/events/outbox-entry.ts";
import { linkEventData } from "../../domain/links/payment-link.ts";
import { paymentLinkSubject } from "../../domain/shared/event-subject.ts";
import { paymentLinks } from "../schema/payments.ts";
import { eventStatements, type WriteContext } from "./write-context.ts";

/** The projection of a payment link, and its event. */
export function linkStatements(
  context: WriteContext,
  { link, payment, event }: PaymentLinkEntry,
): BatchItem<"sqlite">[] {
  const { db, companyId } = context;
  const { number: _number, id, slug: _slug, terms: _terms, createdAt: _at, ...changing } = link;
  const projection = db
    .insert(paymentLinks)
    .values({ companyId, ...link })
    .onConflictDoUpdate({
      target: [paymentLinks.companyId, paymentLinks.number],
      set: changing,
      setWhere: lt(paymentLinks.version, link.version),
    });
  if (event === null) return [projection];
  return [
    projection,
    ...eventStatements(context, {
      ...event,
      objectId: paymentLinkSubject(id),
      data: linkEventData(companyId, link, payment, event),
    }),
  ];
}
