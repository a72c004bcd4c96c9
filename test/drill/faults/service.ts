import { randomBytes } from "node:crypto";
import { LOCAL_SECRETS_KEY } from "../../../src/lib/local-key.ts";
import type { Stage } from "../lib/stage.ts";
import { toldBy, type Fault } from "./fault.ts";

interface Ready {
  failed?: string[];
}

/** Nothing triggers the cron, which sends all alarms: only `/ready` says so. */
export const cronStopped = (): Fault => ({
  name: "cron_stopped",
  page: "runbook/cron_task_silent.md",
  inject: async ({ site }) => site.stopCron(),
  isFound: async (stage) => (await failedChecks(stage)).includes("cron"),
  act: async ({ site }) => site.resumeCron(),
  isOver: async (stage) => (await failedChecks(stage)).length === 0,
});

/** `SECRETS_KEY` is replaced by a new key, instead of being rotated. */
export const secretUnreadable = (): Fault => {
  const newKey = randomBytes(32).toString("base64");
  return {
    name: "psp_secret_unreadable",
    ...toldBy("psp_unreadable"),
    inject: ({ site }) => site.restart({ secretsKey: newKey }),
    async act(stage) {
      await stage.site.restart({ secretsKey: `${newKey},${LOCAL_SECRETS_KEY}` });
      await stage.run("rotateSecrets");
      await stage.site.restart({ secretsKey: newKey });
    },
  };
};

/** The queues take messages and deliver none. */
export const queueDown = (): Fault => ({
  name: "queue_down",
  ...toldBy("cron_task_silent"),
  inject: ({ site }) => site.restart({ isQueueDown: true }),
  act: ({ site }) => site.restart(),
});

async function failedChecks(stage: Stage): Promise<string[]> {
  return (await stage.ask<Ready>("ready")).failed ?? [];
}
