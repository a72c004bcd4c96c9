import { expect } from "vitest";
import { auditEntriesOf } from "../../probes/database/audit-rows.ts";
import { GATEWAY_TRAIL } from "../../../../src/domain/access/audit-entry.ts";
import { ROUND_MS } from "../../../../src/domain/reconciliation/comparison-round.ts";
import { settle } from "../charges/charge-commands.ts";
import { givenLink } from "../charges/payment-links.ts";
import { givenCompany, waitUntilDrained, type TestCompany } from "../companies/company.ts";
import { dispute, freshEndToEndId, givenSettled } from "./object-operations.ts";
import { claimPayout, withdraw } from "../withdraws/withdraw-commands.ts";
import { runCheck } from "../../probes/database/projection-checks.ts";

export const START = Date.parse("2026-11-20T12:00:00Z");

/** When the next round is due. */
export const NEXT = START + ROUND_MS;

/** A company with one copy of each kind at least, of which each was compared. */
export async function givenCompared() {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 5_000);
  await dispute(company, transaction, { amount: 100 });
  await settle(company, transaction, { paymentId: freshEndToEndId(), amount: 40 });
  await withdraw(company, { amount: 1_000 });
  await claimPayout(company);
  await givenLink(company);
  await waitUntilDrained(company);
  expect(differing(await runCheck(company, START))).toEqual([]);
  return { company, transaction };
}

/** What a check says of copies: all but open contradictions. */
export function differing({ violations }: { violations: string[] }): string[] {
  return violations.filter((violation) => !violation.startsWith("contradiction "));
}

/** The entries about a company in the gateway's audit trail: of its copies only, as nobody does anything else. */
export async function toldOf(company: TestCompany) {
  const entries = await auditEntriesOf(GATEWAY_TRAIL);
  const own = entries.filter(({ target }) => target === `company:${company.id}`);
  expect(own.filter(({ action }) => action !== "projection.mend")).toEqual([]);
  return own;
}
