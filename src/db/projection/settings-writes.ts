import type { BatchItem } from "drizzle-orm/batch";
import { settingsEventData } from "../../domain/events/event-body.ts";
import type { SettingsEntry } from "../../domain/events/outbox-entry.ts";
import { SETTINGS_SUBJECT } from "../../domain/shared/event-subject.ts";
import { eventStatements, type WriteContext } from "./write-context.ts";

/** Only the event: the settings are already in D1. */
export function settingsStatements(
  context: WriteContext,
  entry: SettingsEntry,
): BatchItem<"sqlite">[] {
  const { companyId } = context;
  return eventStatements(context, {
    ...entry.event,
    objectId: SETTINGS_SUBJECT,
    data: settingsEventData(companyId, entry, entry.event),
  });
}
