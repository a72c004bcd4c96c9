import { sendEmails } from "../../../src/api/emails/tasks.ts";
import { systemDependencies } from "../../../src/dependencies.ts";
import type { Clock } from "../../../src/domain/shared/clock.ts";
import { SINGLE_STEP } from "../../../src/domain/shared/cron-step.ts";
import { env } from "../builders/companies/env.ts";

/** A post office that keeps what it takes, and takes nothing while it is closed. */
export function postOffice() {
  const sent: EmailMessageBuilder[] = [];
  const office = { isClosed: false, sent };
  const send = async (message: EmailMessageBuilder) => {
    if (office.isClosed) throw new Error("the post office is closed");
    sent.push(message);
    return { messageId: "1" };
  };
  const world = {
    ...env,
    EMAIL: { send } as SendEmail,
    EMAIL_FROM: "gateway@example.com",
    PUBLIC_URL: "https://pay.example.com",
  };
  return Object.assign(office, { env: world });
}

/** The minute's cron task with all its steps: other companies of this database have e-mails that are due, too. */
export async function sendDueEmails(world: typeof env, clock: Clock): Promise<void> {
  let isDone = false;
  while (!isDone) {
    isDone = true;
    const goOn = async () => {
      isDone = false;
    };
    await sendEmails(
      world,
      { ...systemDependencies, platformClock: clock },
      { ...SINGLE_STEP, continue: goOn },
    );
  }
}
