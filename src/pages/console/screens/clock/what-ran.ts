import type { Texts } from "../../texts.ts";

/** What became due, in words; a kind that the texts do not know as it is. */
export function whatRan(kind: string, { kinds }: Pick<Texts["clock"], "kinds">): string {
  const words: Record<string, string> = kinds;
  return words[kind] ?? kind;
}

/** Where the console shows what became due; null for what has no page of its own. */
export function pathOfRan({ kind, id }: { kind: string; id: string }): string | null {
  switch (kind) {
    case "release":
    case "charge_expiry":
    case "charge_lookup":
      return `/console/payments/${id}`;
    case "dispute_deadline":
    case "dispute_response":
      return `/console/disputes/${id}`;
    case "delivery":
      return `/console/events/${id}`;
    case "payout":
      return `/console/withdraws/${id}`;
    case "debit":
    case "retry":
    case "subscription":
      return `/console/subscriptions/${id}`;
    default:
      return null;
  }
}
