import type { Env } from "../../config.ts";
import { claimEmail, dueEmails, recordEmail, type EmailRow } from "../../db/emails.ts";
import { FanOut } from "../../db/sharding/fan-out.ts";
import { TenantMovingError } from "../../db/sharding/routed-database.ts";
import { SINGLE_STEP, type TaskStep } from "../../domain/shared/cron-step.ts";
import type { Dependencies } from "../../http/context.ts";
import { errorFields, log } from "../../lib/log.ts";
import { retryDelayMs } from "../../webhooks/delivery/retry-schedule.ts";
import { renderApproval } from "./approval.ts";
import { canSendEmail, sendEmail } from "./send.ts";

/** E-mails of one step: each takes up to seven calls to D1 and to its object, of 1,000 an invocation. */
const EMAILS_MAX = 50;
/** Longer than an attempt takes. One that a crash cut off is made again after it. */
const LEASE_MS = 2 * 60_000;

const BYTE_VALUES = 256;

/**
 * Cron task: sends the e-mails that are due, at least once each. What one says, and whether it is still true, is read
 * when it is sent. One that is not taken is tried again as webhooks are, then it has failed.
 */
export async function sendEmails(
  env: Env,
  deps: Dependencies,
  step: TaskStep = SINGLE_STEP,
): Promise<void> {
  const fanOut = new FanOut(env);
  const due = await dueEmails(fanOut, deps.clock.now(), EMAILS_MAX);
  for (const { row, database } of due) {
    try {
      await attempt(env, deps, row);
    } catch (error) {
      if (!(error instanceof TenantMovingError)) fanOut.exclude(database, error);
    }
  }
  if (due.length === EMAILS_MAX) await step.continue(null);
}

async function attempt(env: Env, deps: Dependencies, row: EmailRow): Promise<void> {
  const nowMs = deps.clock.now();
  if (!(await claimEmail(env, row, { nowMs, leaseUntil: nowMs + LEASE_MS }))) return;
  const ended = { nextAttemptAt: nowMs, updatedAt: nowMs };
  try {
    if (!canSendEmail(env)) return await recordEmail(env, row, { ...ended, status: "failed" });
    const rendered = await renderApproval(env, row);
    if (rendered.kind === "email") await sendEmail(env, rendered.email);
    const status = rendered.kind === "obsolete" ? "obsolete" : "sent";
    const following = rendered.kind === "following" ? rendered.emails : [];
    await recordEmail(env, row, { ...ended, status }, following);
  } catch (error) {
    const [byte = 0] = deps.random.bytes(1);
    const delay = retryDelayMs(row.attempts + 1, byte / BYTE_VALUES, null);
    const { companyId, id, kind } = row;
    log(delay === null ? "error" : "warn", "email_not_sent", {
      ...errorFields(error),
      companyId,
      kind,
      emailId: id,
    });
    const again = { updatedAt: nowMs, nextAttemptAt: nowMs + (delay ?? 0) };
    await recordEmail(env, row, { ...again, status: delay === null ? "failed" : "due" });
  }
}
