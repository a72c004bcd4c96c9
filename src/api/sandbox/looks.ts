import { and, eq } from "drizzle-orm";
import { directoryOf } from "../../db/client.ts";
import { OF_PIX_API, PIX_API, toCompany } from "../../db/credentials.ts";
import { isOneOfIds } from "../../db/one-of.ts";
import { IS_OPEN } from "../../db/open-charges.ts";
import { playedCharges } from "../../db/sandbox-book.ts";
import type { Round } from "../../db/round.ts";
import { companies } from "../../db/schema/companies.ts";
import { companyProviders } from "../../db/schema/company-providers.ts";
import { cursors } from "../../db/schema/operations.ts";
import { transactions } from "../../db/schema/transactions.ts";
import type { Company } from "../../domain/company.ts";
import { firstTransactionIdAt } from "../../domain/ids.ts";
import { providerChargeId } from "../../domain/transaction.ts";
import type { Env } from "../../env.ts";
import { transactionOfCharge } from "../provider-callbacks/objects.ts";

/** The name of the cursor of the look at the sandbox bank's charges. */
const LOOK = "sandbox";

export interface OpenCharge {
  /** The transaction's. */
  id: string;
  company: Company;
}

/** Charges made up to then (epoch ms) have been looked at for the last time; null before the first look. */
export async function lookedUpTo(env: Env): Promise<number | null> {
  const [row] = await directoryOf(env)
    .select({ value: cursors.value })
    .from(cursors)
    .where(eq(cursors.name, LOOK));
  return row?.value ?? null;
}

export async function setLookedUpTo(env: Env, timeMs: number): Promise<void> {
  await directoryOf(env)
    .insert(cursors)
    .values({ name: LOOK, value: timeMs })
    .onConflictDoUpdate({ target: cursors.name, set: { value: timeMs } });
}

/**
 * Charges, by the bank's ids, that were paid or ended at the sandbox's bank: the first of those made
 * from a time on, or after one of them, and before another time (epoch ms).
 */
export async function playedBetween(
  env: Env,
  from: number | string,
  until: number,
  limit: number,
): Promise<string[]> {
  const after = typeof from === "string" ? from : chargeIdAt(from);
  return playedCharges(env, { after, before: chargeIdAt(until) }, limit);
}

/**
 * Those of the bank's charges that D1 calls open, wherever their companies live. `isWhole`: every database
 * was asked.
 */
export async function openAmong(
  round: Round,
  chargeIds: string[],
): Promise<{ open: OpenCharge[]; isWhole: boolean }> {
  if (chargeIds.length === 0) return { open: [], isWhole: true };
  const ids = chargeIds.flatMap((chargeId) => transactionOfCharge(chargeId)?.id ?? []);
  const found = await round.ask(({ db, isHere }) =>
    db
      .select({ id: transactions.id, company: companies, pixApi: PIX_API })
      .from(transactions)
      .innerJoin(companies, eq(companies.id, transactions.companyId))
      .leftJoin(companyProviders, OF_PIX_API)
      .where(and(isOneOfIds(transactions.id, ids), IS_OPEN, isHere(transactions.companyId))),
  );
  const open = [...found.values()].flat().map(({ id, company, pixApi }) => ({
    id,
    company: toCompany(company, pixApi),
  }));
  return { open, isWhole: round.isWhole };
}

/** What the bank's ids of charges made at a time (epoch ms) or later are not below. */
function chargeIdAt(timeMs: number): string {
  return providerChargeId(firstTransactionIdAt(timeMs));
}
