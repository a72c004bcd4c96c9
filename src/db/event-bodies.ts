import { packBeside, unpackBeside } from "./packed-values.ts";
import type { events } from "./schema/webhooks.ts";

type Event = typeof events.$inferSelect;
/** What is in an event's row and in its body. */
export type BesideBody = Pick<Event, "objectId" | "createdAt">;

/** The bytes of an event, as they stand in its row. */
export function storedBody(body: string, { objectId, createdAt }: BesideBody): Uint8Array {
  return packBeside(body, { id: objectId, at: createdAt });
}

/** The exact bytes of an event that are signed and sent; nothing where they were not read. */
export function bodyOf({ body, objectId, createdAt }: BesideBody & Pick<Event, "body">): string {
  return unpackBeside(body, { id: objectId, at: createdAt });
}
