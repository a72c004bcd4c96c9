import type { StepResult } from "../../../company/subscriptions/command-types.ts";
import { planEmails } from "../../../db/emails.ts";
import type {
  OtherCharge,
  Subscription,
  SubscriptionCycle,
} from "../../../domain/subscriptions/records.ts";
import { assert } from "../../../lib/assert.ts";
import type { BookingContext } from "../../payments/provider-order.ts";
import { findTransaction } from "../../transactions/repository.ts";
import { syncCharge, type SyncOutcome } from "../../transactions/sync.ts";
import { ensureBesideDebit, isCharged, madeBesideDebit } from "../charges/beside-debit.ts";
import { endedOf, isPayableByHand } from "../close-charge.ts";

const UNKNOWN = { kind: "unknown" } as const;

/** What a step is done with that needs nothing of its mandate's account. */
export interface OwnContext extends BookingContext {
  traceId: string;
}

interface OfCycle {
  subscription: Subscription;
  cycle: SubscriptionCycle;
}

/** The link by which a cycle is paid by hand, or the charge of its payer's saved card. */
export async function makeByHand(context: OwnContext, about: OfCycle): Promise<StepResult> {
  const beside = await ensureBesideDebit(context, about);
  if (beside.kind !== "made") return beside;
  const { row } = beside;
  const isMade = isCharged(row) || (await isPayableByHand(context, about.cycle, row));
  return isMade ? madeBesideDebit(row) : { kind: "not_made" };
}

/** One e-mail for each link: its id is the charge's. None of one that has ended at its provider, of which nobody was told. */
export async function emailLink(context: OwnContext, { cycle }: OfCycle): Promise<StepResult> {
  const { env, deps, company } = context;
  const byHand = cycle.recovery?.byHand;
  assert(byHand !== undefined, "the link was made before");
  const outcome = await syncByHand(context, byHand);
  if (outcome === "unknown") return UNKNOWN;
  const { id } = byHand;
  if (outcome !== "open" && outcome !== "not_found") {
    const { paid, over } = await endedOf(context, [id]);
    // Money that was not asked for pays nothing, and the link waits on.
    if (paid.length + over.length > 0) return { kind: "not_made" };
  }
  const email = { companyId: company.id, id: `dunning:${id}`, kind: "dunning" as const };
  await planEmails(env, [{ ...email, subject: id, userId: "" }], deps.clock.now());
  return { kind: "emailed" };
}

/** What a payer has paid by hand, or his saved card, counts before his subscription is stopped. */
export async function readByHand(context: OwnContext, { cycle }: OfCycle): Promise<StepResult> {
  const byHand = cycle.recovery?.byHand;
  assert(byHand !== undefined, "the object ends a dunning without a link alone");
  const outcome = await syncByHand(context, byHand);
  return outcome === "unknown" ? UNKNOWN : { kind: "checked" };
}

/** Reads the charge by which a cycle is paid by hand. Nobody can ask about an account that is gone. */
async function syncByHand(context: OwnContext, { id, isMade }: OtherCharge): Promise<SyncOutcome> {
  const { env, deps, company } = context;
  const row = await findTransaction(env, company.id, id);
  if (row === null) return isMade ? "unknown" : "open";
  const provider = await deps.providers(env).ofAccount(company, row.account, row.paymentMethod);
  return provider === null ? "open" : syncCharge(context, provider, row);
}
