import { configOf, type Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { runbookOf, type AlarmMessage } from "./message.ts";
import { targetsOf } from "./send.ts";

/** Sends each target of alarms a message that asks for nothing. */
export async function sendTest(env: Env, deps: Dependencies) {
  const config = configOf(env);
  const message: AlarmMessage = {
    type: "alarm.test",
    messageId: `alm_test_${newUuid(deps.random)}`,
    alarm: "test",
    severity: "warning",
    environment: config.environment,
    since: isoTime(deps.platformClock.now()),
    resolvedAt: null,
    detail: "This is a test: nothing is wrong.",
    new: ["This is a test: nothing is wrong."],
    still: [],
    over: [],
    runbook: runbookOf(config, "README"),
  };
  return Promise.all(
    targetsOf(env, deps).map(async ({ name, send }) => {
      try {
        await send(message);
        return { name, sent: true, error: null };
      } catch (error) {
        return { name, sent: false, error: (error as Error).message };
      }
    }),
  );
}
