import { expect, it } from "vitest";
import {
  claimEmail,
  planEmails,
  recordBeforeSending,
  recordEmail,
  type EmailRow,
} from "../../../src/db/emails.ts";
import { givenCompany } from "../../support/builders/companies/company.ts";
import { env } from "../../support/builders/companies/env.ts";

const NOW = 1_800_000_000_000;
const LEASE = { nowMs: NOW, leaseUntil: NOW + 1 };

/** A reminder that is due, with its row as it is now. */
async function givenReminder() {
  const { id: companyId } = await givenCompany();
  const id = "reminder:charge:2026-11-29";
  const planned = { companyId, id, kind: "reminder", subject: "charge", userId: "" } as const;
  await planEmails(env, [planned], NOW);
  const read = async () => {
    const row = await env.DB.prepare("SELECT * FROM emails WHERE company_id = ?")
      .bind(companyId)
      .first<{ status: EmailRow["status"]; attempts: number; next_attempt_at: number }>();
    return row!;
  };
  const row: EmailRow = {
    ...planned,
    status: "due",
    attempts: 0,
    nextAttemptAt: NOW,
    createdAt: NOW,
    updatedAt: NOW,
  };
  return { row, statusOf: async () => (await read()).status };
}

const again = { status: "due", nextAttemptAt: NOW, updatedAt: NOW } as const;

it("an attempt whose lease ended does not make an e-mail due again that the next one sent", async () => {
  const { row, statusOf } = await givenReminder();
  expect(await claimEmail(env, row, LEASE)).toBe(true);
  const second = { ...row, attempts: 1 };
  expect(await claimEmail(env, second, LEASE)).toBe(true);
  expect(await recordBeforeSending(env, row, NOW)).toBe(false);
  expect(await recordBeforeSending(env, second, NOW)).toBe(true);
  await recordEmail(env, row, again);
  expect(await statusOf()).toBe("sent");
});

it("what is recorded as sent may have failed, and is never due again", async () => {
  const { row, statusOf } = await givenReminder();
  expect(await claimEmail(env, row, LEASE)).toBe(true);
  expect(await recordBeforeSending(env, row, NOW)).toBe(true);
  await recordEmail(env, row, again);
  expect(await statusOf()).toBe("sent");
  await recordEmail(env, row, { ...again, status: "failed" });
  expect(await statusOf()).toBe("failed");
});

it("an attempt puts its own e-mail off, and ends it", async () => {
  const { row, statusOf } = await givenReminder();
  expect(await claimEmail(env, row, LEASE)).toBe(true);
  await recordEmail(env, row, again);
  expect(await statusOf()).toBe("due");
  const second = { ...row, attempts: 1 };
  expect(await claimEmail(env, second, LEASE)).toBe(true);
  await recordEmail(env, second, { ...again, status: "obsolete" });
  expect(await statusOf()).toBe("obsolete");
});
