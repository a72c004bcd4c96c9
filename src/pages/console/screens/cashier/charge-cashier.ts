import { z } from "@hono/zod-openapi";

const METADATA = z.object({
  cashier: z.object({ id: z.string(), name: z.string(), device: z.string().optional() }),
});

/** Who made a charge at the counter: the client id and name of the person, and the shared counter. */
export type ChargeCashier = z.infer<typeof METADATA>["cashier"];

/** What a charge of the counter has as metadata. */
export function cashierMetadata(cashier: ChargeCashier): string {
  return JSON.stringify({ cashier });
}

/** Whom a charge's metadata names as its cashier; null for none. Whoever charges writes it: `cashierOfCharge` tells. */
export function cashierInMetadata(metadata: string | null): ChargeCashier | null {
  const found = METADATA.safeParse(parsed(metadata));
  return found.success ? found.data.cashier : null;
}

/** Metadata is the merchant's own text, and need not be JSON. */
function parsed(metadata: string | null): unknown {
  try {
    return JSON.parse(metadata ?? "");
  } catch {
    return null;
  }
}
