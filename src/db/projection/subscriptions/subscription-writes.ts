import { and, eq, lt, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { OutboxEntry, SubscriptionEntry } from "../../../domain/events/outbox-entry.ts";
import { subscriptionSubject } from "../../../domain/shared/event-subject.ts";
import type { Subscription, SubscriptionCycle } from "../../../domain/subscriptions/records.ts";
import { TRIAL_DIGITS, TRIAL_PLACES } from "../../../domain/subscriptions/cycle-charge.ts";
import { isPayerErased } from "../../../domain/subscriptions/payer-erasure.ts";
import { subscriptionEventData } from "../../../domain/subscriptions/subscription-view.ts";
import { payerErasures } from "../../schema/payers.ts";
import { subscriptionCycles, subscriptions } from "../../schema/subscriptions/subscriptions.ts";
import { events } from "../../schema/webhooks.ts";
import { eventStatements, type WriteContext } from "../write-context.ts";

/** The projection of a subscription and of its changed cycle, and its event. */
export function subscriptionStatements(
  context: WriteContext,
  { subscription, cycle, event, isLinkOver }: SubscriptionEntry,
): BatchItem<"sqlite">[] {
  const { db, companyId, issuer } = context;
  const { number: _number, id, createdAt: _at, ...changing } = subscription;
  const projections: BatchItem<"sqlite">[] = [
    db
      .insert(subscriptions)
      .values({ companyId, ...subscription })
      .onConflictDoUpdate({
        target: [subscriptions.companyId, subscriptions.number],
        set: changing,
        setWhere: lt(subscriptions.version, subscription.version),
      }),
    ...(cycle === null ? [] : cycleStatements(context, cycle)),
  ];
  if (event === null) return projections;
  return [
    ...projections,
    ...eventStatements(context, {
      ...event,
      objectId: subscriptionSubject(id),
      data: subscriptionEventData(
        companyId,
        { subscription, cycle, event, isLinkOver },
        issuer.publicUrl,
      ),
    }),
  ];
}

/**
 * What goes with the payers of a batch's erased subscriptions, after its events: once for each of them, as an erasure changes
 * each cycle in an entry of its own. A cycle alone brings no text into an event.
 */
export function erasureStatements(
  context: WriteContext,
  entries: OutboxEntry[],
): BatchItem<"sqlite">[] {
  const erased = entries
    .filter((entry) => entry.kind === "subscription")
    .filter(({ subscription }) => isPayerErased(subscription));
  const bySubscription = Map.groupBy(erased, ({ subscription: { id } }) => id);
  return [...bySubscription.values()].flatMap((own) => erasureOf(context, own));
}

function erasureOf(context: WriteContext, own: SubscriptionEntry[]): BatchItem<"sqlite">[] {
  const { subscription } = own.at(-1) ?? {};
  if (subscription === undefined) return [];
  const isAsked = subscription.customer.erasesCharges === true;
  const isOfCycles = own.every(({ cycle, event }) => cycle !== null && event === null);
  return [
    ...(isOfCycles ? [] : [textsErased(context, subscription.id)]),
    ...(isAsked ? [chargesErased(context, subscription)] : []),
  ];
}

/** Its events had the merchant's text on it, and older ones what banks said in place of codes. */
function textsErased({ db, companyId }: WriteContext, id: string): BatchItem<"sqlite"> {
  const attempts = sql`SELECT json_group_array(json_replace(value,
      '$.message', iif(value ->> '$.code' = 'UNKNOWN', NULL, value ->> '$.message'),
      '$.providerCode', ${shortCode(sql`value ->> '$.providerCode'`)}))
    FROM json_each(body, '$.data.charge.attempts')`;
  const areListed = sql`json_type(body, '$.data.charge.attempts') = 'array'`;
  const erased = sql`json_replace(body, '$.data.metadata', NULL,
    '$.data.mandate.providerCode', ${shortCode(sql`body ->> '$.data.mandate.providerCode'`)},
    '$.data.charge.end.providerCode', ${shortCode(sql`body ->> '$.data.charge.end.providerCode'`)},
    '$.data.charge.attempts', json(iif(${areListed}, (${attempts}), 'null')))`;
  return (
    db
      .update(events)
      .set({ body: erased })
      // Of the others the archive has the body.
      .where(
        sql`rowid IN (SELECT rowid FROM events INDEXED BY events_object
            WHERE company_id = ${companyId} AND object_id = ${subscriptionSubject(id)})
          AND iif(archive_file IS NULL, body <> ${erased}, false)`,
      )
  );
}

/** As the function of that name in the domain. */
function shortCode(text: SQL): SQL {
  const place = "[A-Za-z0-9]";
  const isOwn = sql`length(${text}) BETWEEN 2 AND 40 AND ${text} GLOB '[A-Z0-9]*'
    AND ${text} NOT GLOB '*[^A-Z0-9_.-]*' AND ${text} GLOB '*[A-Z]*' AND ${text} GLOB '*[0-9_]*'
    AND ${text} NOT GLOB ${"*[0-9]".repeat(7)} || '*'`;
  return sql`iif(${text} GLOB ${place.repeat(4)} OR (${isOwn}), ${text}, NULL)`;
}

/**
 * Puts its charges in line for their erasure: a request knew of those that there were. A cycle may have many by which it was
 * to be paid by hand.
 */
function chargesErased(
  { db, companyId }: WriteContext,
  { id, updatedAt }: Subscription,
): BatchItem<"sqlite"> {
  const byHand = sql`its.recovery ->> '$.byHand.id'`;
  const isOther = TRIAL_PLACES.map((place) => isByHand(byHand, place));
  return db
    .insert(payerErasures)
    .select(
      sql`SELECT ${companyId}, transactions.seq, 'request', ${updatedAt}, NULL
        FROM subscription_cycles AS its CROSS JOIN transactions
          ON transactions.id IN (its.transaction_id, ${byHand})
            OR ${sql.join(isOther, sql` OR `)}
        WHERE its.company_id = ${companyId} AND its.subscription_id = ${id}`,
    )
    .onConflictDoUpdate({
      target: [payerErasures.companyId, payerErasures.seq],
      set: { reason: "request", dueAt: sql`excluded.due_at` },
    });
}

/** Whether a charge's id is one of `byHandChargeIds`: without the digits of its trial it is the same as `id`. */
function isByHand(id: SQL, place: number): SQL {
  const rest = place + TRIAL_DIGITS + 1;
  const [before, after] = [sql`substr(${id}, 1, ${place})`, sql`substr(${id}, ${rest})`];
  return sql`transactions.id BETWEEN ${before} || '00' || ${after} AND ${before} || 'ff' || ${after}
    AND substr(transactions.id, ${rest}) = ${after}
    AND transactions.pix ->> '$.subscriptionId' = its.subscription_id`;
}

/** One that is opened again after a restore, under a new number, takes the place of the lost one. */
function cycleStatements(context: WriteContext, cycle: SubscriptionCycle): BatchItem<"sqlite">[] {
  const { db, companyId } = context;
  const { subscriptionId, cycle: place, number } = cycle;
  const lost = and(
    eq(subscriptionCycles.companyId, companyId),
    eq(subscriptionCycles.subscriptionId, subscriptionId),
    eq(subscriptionCycles.cycle, place),
    lt(subscriptionCycles.number, number),
  );
  const written = cycleStatement(context, cycle);
  return cycle.version > 1 ? [written] : [db.delete(subscriptionCycles).where(lost), written];
}

function cycleStatement(
  { db, companyId }: WriteContext,
  cycle: SubscriptionCycle,
): BatchItem<"sqlite"> {
  const { status, amount, debit, attempts, recovery, updatedAt, version } = cycle;
  return db
    .insert(subscriptionCycles)
    .values({ companyId, ...cycle })
    .onConflictDoUpdate({
      target: [subscriptionCycles.companyId, subscriptionCycles.number],
      set: { status, amount, debit, attempts, recovery, updatedAt, version },
      setWhere: lt(subscriptionCycles.version, version),
    });
}
