import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { PspClient } from "../../domain/psp/psp-settings.ts";
import { endToEndKey } from "../../domain/psp/psp-ids.ts";
import type { Env } from "../../config.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { directoryOf } from "../client.ts";
import { paymentOwners } from "../schema/routing.ts";
import { databasesOf } from "../sharding/databases.ts";
import { runIdempotent } from "../storage-errors.ts";
import { selectPspClientHolders } from "../companies/account-holders.ts";

export type PaymentOwner = typeof paymentOwners.$inferSelect;

/**
 * Claims a payment for a company, unless one has it. Returns the owner, which one row decides, however many
 * companies claim at once. `isUndecided`: the claimant only shows it to its operators.
 */
export async function claimPayment(
  env: Env,
  client: PspClient,
  claim: Pick<PaymentOwner, "paymentId" | "companyId" | "isUndecided">,
): Promise<PaymentOwner> {
  const db = directoryOf(env);
  const row = {
    ...claim,
    pspClient: await clientHash(client),
    paymentKey: endToEndKey(claim.paymentId),
  };
  const [, [owner]] = await runIdempotent(() =>
    db.batch([
      db.insert(paymentOwners).values(row).onConflictDoNothing(),
      db.select().from(paymentOwners).where(isOf(row)),
    ]),
  );
  if (owner === undefined) throw new Error("a claimed payment has an owner");
  return owner;
}

/** Hands an undecided payment to another company; false if its present owner has changed. */
export async function passPayment(
  env: Env,
  owner: PaymentOwner,
  companyId: number,
): Promise<boolean> {
  const { isUndecided } = paymentOwners;
  const passed = await directoryOf(env)
    .update(paymentOwners)
    .set({ companyId })
    .where(and(isOf(owner), eq(paymentOwners.companyId, owner.companyId), eq(isUndecided, true)))
    .returning({ companyId: paymentOwners.companyId });
  return passed.length > 0;
}

/** The companies that use a client of a PSP's API or used it recently, ascending. */
export async function companiesOfPspClient(
  env: Env,
  { host, clientId }: PspClient,
  nowMs: number,
): Promise<number[]> {
  const found = await Promise.all(
    [...databasesOf(env).values()].map((database) =>
      selectPspClientHolders(drizzle(database), clientId, nowMs),
    ),
  );
  const companyIds = found
    .flat()
    .filter(({ tokenUrl }) => new URL(tokenUrl).host === host)
    .map(({ companyId }) => companyId);
  return [...new Set(companyIds)].toSorted((left, right) => left - right);
}

function clientHash({ host, clientId }: PspClient): Promise<string> {
  return sha256Hex(JSON.stringify([host, clientId]));
}

function isOf({ pspClient, paymentKey }: Pick<PaymentOwner, "pspClient" | "paymentKey">) {
  return and(eq(paymentOwners.pspClient, pspClient), eq(paymentOwners.paymentKey, paymentKey));
}
