import { callCompany } from "../../company/stub.ts";
import type { Clock } from "../../domain/clock.ts";
import { deliveryId, parseDeliveryId } from "../../domain/delivery.ts";
import { configOf, type Env } from "../../env.ts";
import { errorFields, log } from "../../lib/log.ts";
import type { DeliveryDeps, Slots } from "../../webhooks/deliver.ts";
import { queueDelaySeconds } from "../../webhooks/schedule.ts";

/** What deliveries need of the world as it is: network, chance, queue, and the company's object. */
export function systemSender(env: Env, clock: Clock): DeliveryDeps {
  return {
    clock,
    fetch: (input, init) => fetch(input, init),
    // Local development sends to loopback on purpose and need not reach a resolver.
    resolve: configOf(env).environment === "local" ? async () => [] : resolve,
    jitter: () => Math.random(),
    hintLater: async (ref, delayMs) => {
      const delaySeconds = queueDelaySeconds(delayMs);
      if (delaySeconds === null) return;
      await env.WEBHOOKS.send({ deliveryId: deliveryId(ref) }, { delaySeconds });
    },
    slots: companySlots(env),
  };
}

async function resolve(host: string): Promise<string[]> {
  const { resolveHost } = await import("../../webhooks/public-host.ts");
  return resolveHost(host);
}

/** The slots that a company's object gives. An object that is away holds nothing back. */
function companySlots(env: Env): Slots {
  return {
    take: async (ref, host) => {
      const slot = crypto.randomUUID();
      try {
        const isTaken = await callCompany(env, ref.companyId, (account) =>
          account.takeSendSlot(host, slot, deliveryId(ref)),
        );
        return isTaken ? slot : null;
      } catch (error) {
        log("warn", "send_slot_not_asked", { ...errorFields(error), companyId: ref.companyId });
        return slot;
      }
    },
    free: async (companyId, host, slot) => {
      try {
        const next = await callCompany(env, companyId, (account) =>
          account.freeSendSlot(host, slot),
        );
        return next === null ? null : parseDeliveryId(next);
      } catch (error) {
        log("warn", "send_slot_not_freed", { ...errorFields(error), companyId });
        return null;
      }
    },
  };
}
