import type { PaymentMethod } from "../../../../../domain/charges/charge-status.ts";
import type { OpenWork } from "../../../../../domain/figures/service-sample.ts";
import type { StuckPlace } from "../../../../../domain/figures/stuck-money.ts";
import type { ContradictionKind } from "../../../../../domain/reconciliation/contradiction.ts";
import type { Pass } from "../company/health.tsx";

interface Pause {
  since: string;
  by: string;
  reason: string;
}

/** The gateway's status as the API shows it. Centavos. */
export interface GatewayStatus {
  at: string;
  payments: {
    since: string | null;
    methods: {
      paymentMethod: PaymentMethod;
      count: number | null;
      amount: number | null;
      weekBefore: { count: number; amount: number } | null;
    }[];
  };
  providers: {
    host: string;
    lastHour: { calls: number; p50Seconds: number | null; p95Seconds: number | null } | null;
  }[];
  webhooks: {
    since: string | null;
    firstAttempts: number | null;
    share: number | null;
    oldestOpen: string | null;
  };
  moneyStuck: { place: StuckPlace; count: number; amount: number; since: string | null }[];
  growth: {
    since: string | null;
    databases: { name: string; bytes: number; before: number | null }[];
    objects: { companyId: number; bytes: number; before: number | null }[];
    openWork: { work: OpenWork; count: number; before: number | null }[];
  };
  companies: number;
  contradictions: {
    open: number;
    held: number;
    oldestSince: string | null;
    byKind: Partial<Record<ContradictionKind, number>>;
  };
  latePasses: Pass[];
  databases: { name: string; bytes: number | null; measuredAt: string | null }[];
  pauses: {
    known: boolean;
    service: Pause | null;
    companies: (Pause & { companyId: number })[];
  };
  frozen: {
    companyId: number;
    withdraws: boolean;
    charges: boolean;
    since: string;
    by: string;
    reason: string;
  }[];
  failing: { companyId: number; name: string; checkedAt: string; violations: string[] }[];
  oldestDueDelivery: string | null;
  copies: {
    comparedRows: number;
    mendedCopies: number;
    runningRounds: number;
    share: number;
    oldestRoundEndedAt: string | null;
  };
  version: string;
  commit: string;
  alarms: {
    id: string;
    severity: "critical" | "warning";
    detail: string;
    since: string;
    resolvedAt: string | null;
    runbook: string;
  }[];
  heartbeats: {
    task: string;
    lastSuccessAt: string | null;
    lastErrorAt: string | null;
    lastError: string | null;
  }[];
}

/** Contradictions about a payout: its provider and the ledger do not agree on it, or nobody knows it. */
export const PAYOUT_KINDS: readonly ContradictionKind[] = ["payout_status", "payout_unknown"];

const MIB = 1_048_576;

/** Bytes as MiB with one decimal. */
export function mebibytes(bytes: number, language: string): string {
  const shown = new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(bytes / MIB);
  return `${shown} MiB`;
}

/** How long something has waited, in whole minutes, hours or days. */
export function waited(since: string, at: string, language: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(at) - Date.parse(since)) / 60_000));
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
