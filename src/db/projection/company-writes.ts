import type { BatchItem } from "drizzle-orm/batch";
import { anchorEventData, freezeEventData } from "../../domain/events/event-body.ts";
import type { AnchorEntry, FreezeEntry } from "../../domain/events/outbox-entry.ts";
import { FREEZE_SUBJECT, ledgerSubject } from "../../domain/shared/event-subject.ts";
import { endpointTargets, eventStatements, type WriteContext } from "./write-context.ts";

/** Only the event: the anchor is already in D1. */
export function anchorStatements(context: WriteContext, entry: AnchorEntry): BatchItem<"sqlite">[] {
  const { companyId, webhookUrl } = context;
  return eventStatements(context, {
    ...entry.event,
    objectId: ledgerSubject(entry.currency),
    data: anchorEventData(companyId, entry, entry.event),
    targets: endpointTargets(webhookUrl),
  });
}

/** Only the event: the object alone knows whether the company is frozen. */
export function freezeStatements(context: WriteContext, entry: FreezeEntry): BatchItem<"sqlite">[] {
  const { companyId, webhookUrl } = context;
  return eventStatements(context, {
    ...entry.event,
    objectId: FREEZE_SUBJECT,
    data: freezeEventData(companyId, entry, entry.event),
    targets: endpointTargets(webhookUrl),
  });
}
