import { callCompany } from "../../company-client/stub.ts";
import type { Clock } from "../../domain/shared/clock.ts";
import { deliveryId } from "../../domain/events/delivery.ts";
import { configOf, type Env } from "../../config.ts";
import { errorFields, log } from "../../lib/log.ts";
import type { DeliveryDeps, DeliveryLeaseClient } from "../../webhooks/delivery/deliver.ts";
import { resolveHost } from "../../webhooks/delivery/public-host.ts";
import { queueDelaySeconds } from "../../webhooks/delivery/schedule.ts";

/** When an object that could not be asked for a slot is asked again. */
const RETRY_LATER_MS = 10_000;

/** What deliveries need of the world as it is: network, chance, queue, and the company's object. */
export function systemSender(env: Env, clock: Clock): DeliveryDeps {
  return {
    clock,
    fetch: (input, init) => fetch(input, init),
    // Local development sends to loopback on purpose and need not reach a resolver.
    resolve: configOf(env).environment === "local" ? async () => [] : resolveHost,
    jitter: () => Math.random(),
    enqueueWakeUp: async (ref, delayMs) => {
      const delaySeconds = queueDelaySeconds(delayMs);
      if (delaySeconds === null) return;
      await env.WEBHOOKS.send({ deliveryId: deliveryId(ref) }, { delaySeconds });
    },
    leases: companyLeases(env),
  };
}

/** The slots that a company's object gives. While it is away nothing is sent, and nothing forgotten. */
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
    release: async (companyId, request, goOn) => {
      try {
        return await callCompany(env, companyId, (account) =>
          account.releaseDeliveryLease(request, goOn),
        );
      } catch (error) {
        log("warn", "delivery_lease_release_failed", { ...errorFields(error), companyId });
        return { continue: false, next: [] };
      }
    },
  };
}
