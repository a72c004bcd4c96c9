import type { Notifier } from "../../../src/company/outbox/ports.ts";

/** A notifier that records its notifications. */
export function recordingNotifier() {
  const deliveryIds: string[] = [];
  const withdrawIds: number[] = [];
  const recheckIds: number[] = [];
  const wakeUps: Notifier = {
    notifyDeliveries: async (ids) => void deliveryIds.push(...ids),
    notifyPayouts: async (_companyId, due) => {
      withdrawIds.push(...due.withdrawIds);
      recheckIds.push(...due.recheckIds);
    },
  };
  return { ...wakeUps, deliveryIds, withdrawIds, recheckIds };
}
