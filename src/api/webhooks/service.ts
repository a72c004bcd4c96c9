import { callCompany } from "../../company-client/stub.ts";
import type { Clock } from "../../domain/shared/clock.ts";
import { deliveryId } from "../../domain/events/delivery.ts";
import { configOf, type Env } from "../../config.ts";
import { errorFields, log } from "../../lib/log.ts";
import type { DeliveryDeps, DeliveryLeaseClient } from "../../webhooks/delivery/deliver.ts";
import { resolveHost } from "../../webhooks/delivery/public-host.ts";
import { queueDelaySeconds } from "../../webhooks/delivery/retry-schedule.ts";

/** Delay before a delivery whose company object did not answer is tried again. */
const RETRY_LATER_MS = 10_000;

/** The network, randomness, queue and leases that deliveries use outside of tests. */
export function systemSender(env: Env, platformClock: Clock): DeliveryDeps {
  return {
    platformClock,
    fetch: (input, init) => fetch(input, init),
    resolve: configOf(env).environment === "local" ? null : resolveHost,
    jitter: () => Math.random(),
    enqueueWakeUp: async (ref, delayMs) => {
      const delaySeconds = queueDelaySeconds(delayMs);
      if (delaySeconds === null) return;
      await env.WEBHOOKS.send({ deliveryId: deliveryId(ref) }, { delaySeconds });
    },
    leases: companyLeases(env),
  };
}

/** Leases of a company's object. While the object does not answer, deliveries wait. */
function companyLeases(env: Env): DeliveryLeaseClient {
  return {
    acquire: async (companyId, request) => {
      try {
        return await callCompany(env, companyId, (account) =>
          account.acquireDeliveryLease(request),
        );
      } catch (error) {
        log("warn", "delivery_lease_failed", { ...errorFields(error), companyId });
        return { kind: "retry_later", waitMs: RETRY_LATER_MS };
      }
    },
    release: async (companyId, request, keepLease) => {
      try {
        return await callCompany(env, companyId, (account) =>
          account.releaseDeliveryLease({ request, shouldContinue: keepLease }),
        );
      } catch (error) {
        log("warn", "delivery_lease_release_failed", { ...errorFields(error), companyId });
        return { continue: false, next: [] };
      }
    },
  };
}
