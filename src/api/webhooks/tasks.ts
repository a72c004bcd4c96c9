import { callCompany } from "../../company-client/stub.ts";
import type { Clock } from "../../domain/shared/clock.ts";
import { deliveryId } from "../../domain/events/delivery.ts";
import { configOf, type Env } from "../../config.ts";
import { errorFields, log } from "../../lib/log.ts";
import type { DeliveryDeps, Slots } from "../../webhooks/delivery/deliver.ts";
import { resolveHost } from "../../webhooks/delivery/public-host.ts";
import { queueDelaySeconds } from "../../webhooks/delivery/schedule.ts";

/** When an object that could not be asked for a slot is asked again. */
const AWAY_MS = 10_000;

/** What deliveries need of the world as it is: network, chance, queue, and the company's object. */
export function systemSender(env: Env, clock: Clock): DeliveryDeps {
  return {
    clock,
    fetch: (input, init) => fetch(input, init),
    // Local development sends to loopback on purpose and need not reach a resolver.
    resolve: configOf(env).environment === "local" ? async () => [] : resolveHost,
    jitter: () => Math.random(),
    hintLater: async (ref, delayMs) => {
      const delaySeconds = queueDelaySeconds(delayMs);
      if (delaySeconds === null) return;
      await env.WEBHOOKS.send({ deliveryId: deliveryId(ref) }, { delaySeconds });
    },
    slots: companySlots(env),
  };
}

/** The slots that a company's object gives. While it is away nothing is sent, and nothing forgotten. */
function companySlots(env: Env): Slots {
  return {
    take: async (companyId, request) => {
      try {
        return await callCompany(env, companyId, (account) => account.takeSendSlot(request));
      } catch (error) {
        log("warn", "send_slot_not_asked", { ...errorFields(error), companyId });
        return { kind: "early", waitMs: AWAY_MS };
      }
    },
    free: async (companyId, request, goOn) => {
      try {
        return await callCompany(env, companyId, (account) => account.freeSendSlot(request, goOn));
      } catch (error) {
        log("warn", "send_slot_not_freed", { ...errorFields(error), companyId });
        return { goOn: false, next: [] };
      }
    },
  };
}
