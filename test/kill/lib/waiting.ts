import type { Merchant } from "../../../tools/lib/merchant.ts";

const PAGE_SIZE = 100;

/** What a company reads before somebody decides it: the newest of each. */
export interface Waiting {
  /** Refunds and returns that wait for an approval. */
  exits: string[];
  /** Payments that nobody expected and nobody decided. */
  kept: string[];
}

/** Reads what waits for a decision; null if the service does not answer. */
export async function readWaiting(merchant: Merchant): Promise<Waiting | null> {
  const idsOf = async (path: string): Promise<string[] | null> => {
    const answer = await merchant.call("GET", `${path}&limit=${PAGE_SIZE}`).catch(() => null);
    return answer?.status === 200 ? answer.body.items.map(({ id }: { id: string }) => id) : null;
  };
  const exits = await idsOf("/api/v1/refunds?approval=pending");
  const kept = await idsOf("/api/v1/payments/unexpected?status=kept");
  return exits === null || kept === null ? null : { exits, kept };
}
