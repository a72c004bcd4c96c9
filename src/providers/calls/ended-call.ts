import type { DayQuota } from "../../domain/reconciliation/provider-calls.ts";

/** A call to a provider that has ended. */
export interface HouseCall {
  /** Its method and resource. Such as `PUT cob`. */
  call: string;
  host: string;
  /** Why no readable answer came; null for one that came. */
  fault: string | null;
  /** The house answered, and said no to an order. That it lacks what was only read is no such answer. */
  isRefused: boolean;
  /** Where the house limits its calls of a day. */
  quota?: DayQuota;
  durationMs: number;
}

/** Whether an answer says no to an order: all that does not only read is one. */
export function isOrderRefused(method: string, kind: string, fault: string | null): boolean {
  return method !== "GET" && kind !== "ok" && fault === null;
}
