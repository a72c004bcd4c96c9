import type { SpendingLimits } from "../withdraws/spending-limits.ts";
import { areNetworksWithin } from "./networks.ts";
import { lowerOf, settledAt, type Guards, type PendingSetting } from "./pending-setting.ts";

/** What limits an application. */
export interface ApplicationLimits {
  /** Canonical CIDR networks; null for any address. */
  networks: string[] | null;
  spendingLimits: SpendingLimits | null;
  /** Centavos that it sends back a day; null for no limit. */
  refundDailyLimit: number | null;
}

/** Every limit of an application that keeps money from leaving, or strangers from asking for it. */
export const APPLICATION_GUARDS: Guards<ApplicationLimits> = {
  networks: {
    of: ({ networks }) => networks,
    with: (limits, value) => ({ ...limits, networks: value as string[] | null }),
    meet: (one, other) => commonNetworks(one as string[] | null, other as string[] | null),
  },
  spendingLimits: {
    of: ({ spendingLimits }) => spendingLimits,
    with: (limits, value) => ({ ...limits, spendingLimits: value as SpendingLimits | null }),
    meet: (one, other) =>
      commonSpendingLimits(one as SpendingLimits | null, other as SpendingLimits | null),
  },
  refundDailyLimit: {
    of: ({ refundDailyLimit }) => refundDailyLimit,
    with: (limits, value) => ({ ...limits, refundDailyLimit: value as number | null }),
    meet: lowerOf,
  },
};

/** The name of `spendingLimits` before it had that one: in rows, which older code reads, and in requests until 2.0. */
const FORMER_NAME = "mandate";

/** The name by which rows know a limit. */
export function storedLimit(field: string): string {
  return field === "spendingLimits" ? FORMER_NAME : field;
}

/** The name of a limit, also of one that is given by its former name. */
export function limitNamed(field: string): string {
  return field === FORMER_NAME ? "spendingLimits" : field;
}

/** An application as it is at a time: limits that were loosened hold from the time that each waits for. */
export function applicationAt<
  Known extends ApplicationLimits & { pendingSettings: PendingSetting[] | null },
>(application: Known, nowMs: number): Known {
  const pending = (application.pendingSettings ?? []).map(
    ({ field, from, to, effectiveAt, by }) => ({
      field: limitNamed(field),
      from,
      to,
      effectiveAt,
      by,
    }),
  );
  if (pending.length === 0) return application;
  const settled = settledAt<ApplicationLimits>(
    APPLICATION_GUARDS,
    { settings: application, pending },
    nowMs,
  );
  const { networks, spendingLimits, refundDailyLimit } = settled.settings;
  return {
    ...application,
    networks,
    spendingLimits,
    refundDailyLimit,
    pendingSettings: settled.pending.length === 0 ? null : [...settled.pending],
  };
}

/**
 * What lies in both lists. Those before stay where nothing does: an application that moves keeps its address until the
 * new one holds.
 */
function commonNetworks(before: string[] | null, after: string[] | null): string[] | null {
  if (before === null) return after;
  if (after === null) return before;
  const inside = after.filter((network) => areNetworksWithin([network], before));
  const around = before.filter(
    (network) => !inside.includes(network) && areNetworksWithin([network], after),
  );
  const common = [...inside, ...around];
  return common.length === 0 ? before : common;
}

function commonSpendingLimits(
  before: SpendingLimits | null,
  after: SpendingLimits | null,
): SpendingLimits | null {
  if (before === null) return after;
  if (after === null) return before;
  return {
    dailyLimit: lowerOf(before.dailyLimit, after.dailyLimit),
    pixKeys: commonKeys(before.pixKeys, after.pixKeys),
    until: lowerOf(before.until, after.until),
  };
}

function commonKeys(before: string[] | null, after: string[] | null): string[] | null {
  if (before === null) return after;
  if (after === null) return before;
  return after.filter((key) => before.includes(key));
}
