import { sql } from "drizzle-orm";
import { customType } from "drizzle-orm/sqlite-core";
import { EVENT_TYPES, type EventType } from "../domain/event-types.ts";
import { formatUuid, parseUuid } from "../domain/ids.ts";
import { assert } from "../lib/assert.ts";
import type { Stored } from "./packed-column.ts";

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** A type of event, as its place among all types. */
export const eventType = customType<{ data: EventType; driverData: number }>({
  dataType: () => "integer",
  toDriver: (type) => EVENT_TYPES.indexOf(type),
  fromDriver: (place) => {
    const type = EVENT_TYPES[place];
    assert(type !== undefined, `no type of event is number ${place}`);
    return type;
  },
});

/** What the index of balances' events holds. The number is in a migration, too. */
export const IS_BALANCE_RELEASED = sql.raw("type = 13");

/** The id of what an event is about: a UUID as its 16 bytes, any other as its text. */
export const objectId = customType<{ data: string; driverData: Stored | string }>({
  dataType: () => "any",
  toDriver: (id) => (UUID.test(id) ? Uint8Array.from(parseUuid(id)).buffer : id),
  fromDriver: (stored) =>
    typeof stored === "string" ? stored : formatUuid(new Uint8Array(stored)),
});
