import type { Env } from "../../config.ts";
import {
  claimEmail,
  deleteEnded,
  dueEmails,
  recordBeforeSending,
  recordEmail,
  type EmailRow,
} from "../../db/emails.ts";
import { dueOfAll, type Due } from "../../db/sharding/fan-out.ts";
import { CompanyMovingError } from "../../db/sharding/routed-database.ts";
import { SINGLE_STEP, type TaskStep } from "../../domain/shared/cron-step.ts";
import type { Dependencies } from "../../http/context.ts";
import { errorFields, log } from "../../lib/log.ts";
import { retryDelayMs } from "../../webhooks/delivery/retry-schedule.ts";
import { renderApproval, type Rendered } from "./approval.ts";
import { renderDunning } from "./dunning.ts";
import { renderReminder } from "./reminder.ts";
import { canSendEmail, sendEmail, type Email } from "./send.ts";

/** E-mails of one step: each takes up to seven calls to D1 and to its object, of 1,000 an invocation. */
export const EMAILS_MAX = 50;
/** Longer than an attempt takes. One that a crash cut off is made again after it. */
const LEASE_MS = 2 * 60_000;

/** An e-mail that has ended stands in its charge's timeline for so long. */
const KEPT_MS = 365 * 24 * 60 * 60_000;
/** Rows deleted a minute in each database. */
const DELETED_MAX = 500;

const BYTE_VALUES = 256;

/**
 * Cron task: sends the e-mails that are due, at least once each, a payer's at most once, and deletes old ones. What one says, and whether it is still true, is read
 * when it is sent. One that is not taken is tried again as webhooks are, then it has failed.
 */
export async function sendEmails(
  env: Env,
  deps: Dependencies,
  step: TaskStep = SINGLE_STEP,
  { fanOut, nowMs }: Due = dueOfAll(env, deps),
): Promise<void> {
  if (step.state === null) await deleteEnded(fanOut, nowMs - KEPT_MS, DELETED_MAX);
  const due = await dueEmails(fanOut, nowMs, EMAILS_MAX);
  for (const { row, database } of due) {
    try {
      await attempt(env, deps, row, nowMs);
    } catch (error) {
      if (!(error instanceof CompanyMovingError)) fanOut.exclude(database, error);
    }
  }
  if (due.length === EMAILS_MAX) await step.continue(null);
}

async function attempt(env: Env, deps: Dependencies, row: EmailRow, nowMs: number): Promise<void> {
  if (!(await claimEmail(env, row, { nowMs, leaseUntil: nowMs + LEASE_MS }))) return;
  const ended = { nextAttemptAt: nowMs, updatedAt: nowMs };
  try {
    if (!canSendEmail(env)) return await recordEmail(env, row, { ...ended, status: "failed" });
    const rendered = await render(env, deps, row);
    if (rendered.kind === "later") {
      await recordEmail(env, row, { status: "due", nextAttemptAt: rendered.at, updatedAt: nowMs });
    } else if (row.kind !== "approval" && rendered.kind === "email") {
      await sendOnce(env, row, rendered.email, nowMs);
    } else {
      if (rendered.kind === "email") await sendEmail(env, rendered.email);
      const status = rendered.kind === "obsolete" ? "obsolete" : "sent";
      const following = rendered.kind === "following" ? rendered.emails : [];
      await recordEmail(env, row, { ...ended, status }, following);
    }
  } catch (error) {
    const [byte = 0] = deps.random.bytes(1);
    const delay = retryDelayMs(row.attempts + 1, byte / BYTE_VALUES, null);
    if (delay === null) log("error", "email_not_sent", faultOf(error, row));
    else log("warn", "email_delayed", faultOf(error, row));
    const again = { updatedAt: nowMs, nextAttemptAt: nowMs + (delay ?? 0) };
    await recordEmail(env, row, { ...again, status: delay === null ? "failed" : "due" });
  }
}

function render(env: Env, deps: Dependencies, row: EmailRow): Promise<Rendered> {
  switch (row.kind) {
    case "approval":
      return renderApproval(env, row);
    case "reminder":
      return renderReminder(env, deps, row);
    case "dunning":
      return renderDunning(env, deps, row);
  }
}

/** Sends an e-mail at most once: a payer rather misses a reminder than gets it twice. Never rejects for the sending. */
async function sendOnce(env: Env, row: EmailRow, email: Email, nowMs: number): Promise<void> {
  if (!(await recordBeforeSending(env, row, nowMs))) return;
  try {
    await sendEmail(env, email);
  } catch (error) {
    log("error", "email_not_sent", faultOf(error, row));
    await recordEmail(env, row, { status: "failed", nextAttemptAt: nowMs, updatedAt: nowMs });
  }
}

function faultOf(error: unknown, { companyId, id, kind }: EmailRow) {
  return { ...errorFields(error), companyId, kind, emailId: id };
}
