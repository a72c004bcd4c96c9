import type { Env } from "../../../src/config.ts";
import { env } from "../builders/companies/env.ts";

/** An environment whose webhook queue records its messages and delivers none. */
export function recordingQueue(environment: Env = env): { env: Env; notified: string[] } {
  const notified: string[] = [];
  const WEBHOOKS = {
    sendBatch: async (messages: { body: { deliveryId: string } }[]) =>
      void notified.push(...messages.map((message) => message.body.deliveryId)),
  } as unknown as Env["WEBHOOKS"];
  return { env: { ...environment, WEBHOOKS }, notified };
}
