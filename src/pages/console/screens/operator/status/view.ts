import type { getGatewayStatus } from "../../../../../api/operator/status/routes.ts";
import type { ContradictionKind } from "../../../../../domain/reconciliation/contradiction.ts";
import type { RouteBody } from "../../../../../http/openapi/route-types.ts";

/** The gateway's status. Centavos. */
export type GatewayStatus = RouteBody<typeof getGatewayStatus>;

/** Contradictions about a payout: its provider and the ledger do not agree on it, or nobody knows it. */
export const PAYOUT_KINDS: readonly ContradictionKind[] = ["payout_status", "payout_unknown"];

const MIB = 1_048_576;

/** Bytes as MiB with one decimal. */
export function mebibytes(bytes: number, language: string): string {
  const shown = new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(bytes / MIB);
  return `${shown} MiB`;
}

/** How long something has waited, in whole minutes, hours or days; the first minute counts whole. */
export function waited(since: string, at: string, language: string): string {
  const minutes = Math.max(1, Math.floor((Date.parse(at) - Date.parse(since)) / 60_000));
  const [count, unit] = largestUnit(minutes);
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "long",
  }).format(count);
}

function largestUnit(minutes: number): [count: number, unit: "minute" | "hour" | "day"] {
  if (minutes < 120) return [minutes, "minute"];
  return minutes < 2_880
    ? [Math.floor(minutes / 60), "hour"]
    : [Math.floor(minutes / 1_440), "day"];
}
