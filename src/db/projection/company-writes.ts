import { and, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { FREEZE_WITHDRAWS, type ShownFreeze } from "../../domain/access/freeze.ts";
import { anchorEventData, freezeEventData } from "../../domain/events/event-body.ts";
import type { AnchorEntry, FreezeEntry } from "../../domain/events/outbox-entry.ts";
import { FREEZE_SUBJECT, ledgerSubject } from "../../domain/shared/event-subject.ts";
import { STOP_REASON_BITS } from "../../domain/storage/storage-limits.ts";
import type { Database } from "../client.ts";
import { companies } from "../schema/companies.ts";
import { eventStatements, type WriteContext } from "./write-context.ts";

/** Only the event: the anchor is already in D1. */
export function anchorStatements(context: WriteContext, entry: AnchorEntry): BatchItem<"sqlite">[] {
  const { companyId } = context;
  return eventStatements(context, {
    ...entry.event,
    objectId: ledgerSubject(entry.currency),
    data: anchorEventData(companyId, entry, entry.event),
  });
}

/** The event, and a copy of the freeze for operators and for creates; the object decides by its own. */
export function freezeStatements(context: WriteContext, entry: FreezeEntry): BatchItem<"sqlite">[] {
  const { db, companyId } = context;
  const copy = freezeStatement(db, companyId, freezeOf(entry));
  const event = eventStatements(context, {
    ...entry.event,
    objectId: FREEZE_SUBJECT,
    data: freezeEventData(companyId, entry, entry.event),
  });
  return [copy, ...event];
}

/** The freeze that an entry tells of; null if it ended one. */
function freezeOf({ cause, scope, since, event }: FreezeEntry): ShownFreeze | null {
  if (event.type === "company.unfrozen") return null;
  return { ...cause, ...(scope ?? FREEZE_WITHDRAWS), since: since ?? event.timestamp };
}

/** Copies a company's freeze as its object has it. Writes nothing if that is unchanged. */
export function freezeStatement(db: Database, companyId: number, freeze: ShownFreeze | null) {
  const bit = STOP_REASON_BITS.freeze;
  const stop =
    freeze?.charges === true ? sql`charges_stopped | ${bit}` : sql`charges_stopped & ~${bit}`;
  const isChanged = sql`${companies.freeze} IS NOT ${freeze === null ? null : JSON.stringify(freeze)}`;
  return db
    .update(companies)
    .set({ freeze, chargesStopped: stop })
    .where(and(eq(companies.id, companyId), isChanged));
}
