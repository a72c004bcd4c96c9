import type { Scope } from "../shared/company.ts";
import { EVENT_TYPES, type EventType } from "./event-types.ts";

/** What an event is about: the first part of its type. */
type EventObject = EventType extends `${infer Name}.${string}` ? Name : never;

const SCOPE_OF_OBJECT: Record<EventObject, Scope> = {
  transaction: "transactions:read",
  withdraw: "withdraws:read",
  dispute: "transactions:read",
  payment: "transactions:read",
  payment_link: "transactions:read",
  subscription: "transactions:read",
  balance: "balance:read",
  company: "balance:read",
  ledger: "balance:read",
  webhook: "webhooks:read",
};

/** The scope that shows an event's data: the one that the object's own routes ask for. */
export function scopeOfEvent(type: EventType): Scope {
  const [object] = type.split(".") as [EventObject];
  return SCOPE_OF_OBJECT[object];
}

/** The event types whose data these scopes show. */
export function visibleEventTypes(scopes: ReadonlySet<Scope>): ReadonlySet<EventType> {
  return new Set(EVENT_TYPES.filter((type) => scopes.has(scopeOfEvent(type))));
}
