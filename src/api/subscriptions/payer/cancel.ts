import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { appendAuditEntry } from "../../../db/audit-entries.ts";
import { findCompany } from "../../../db/companies/companies.ts";
import type { Actor } from "../../../domain/access/audit-entry.ts";
import type { Dependencies } from "../../../http/context.ts";
import { runSubscription } from "../tasks.ts";
import type { PayersSubscription } from "./repository.ts";

/** Whose link is the proof: nobody is signed in. */
const PAYER: Actor = { kind: "task", id: "payer", name: "payer", keyPrefix: null };

interface CancelContext {
  env: Env;
  deps: Pick<Dependencies, "platformClock" | "providers" | "random">;
  traceId: string;
  address: string | null;
}

/**
 * Cancels a subscription for its payer, by the same command as the API's: its mandate is ended at the provider, and each
 * debit that can still be cancelled. With an entry in the company's audit trail. Answers false where it is over already.
 */
export async function cancelForPayer(
  { env, deps, traceId, address }: CancelContext,
  { subscription, payee }: Pick<PayersSubscription, "subscription" | "payee">,
): Promise<boolean> {
  const { id, number } = subscription;
  const company = await findCompany(env, payee.id);
  if (company === null) return false;
  const cancel = (credentialsVersion: number) =>
    callCompany(env, payee.id, (account) =>
      account.actOnSubscription({
        companyId: payee.id,
        credentialsVersion,
        id,
        action: { kind: "cancel" },
      }),
    );
  const first = await cancel(company.credentialsVersion);
  // No key of the company authorised it, so that a newer one changes nothing.
  const answer = first.kind === "version_conflict" ? await cancel(first.newest) : first;
  const isDone = answer.kind === "done";
  const entry = {
    actor: PAYER,
    action: isDone ? "subscription.cancel" : "subscription.cancel.refused",
    target: `subscription:${id}`,
    before: null,
    after: null,
    reason: isDone ? null : answer.kind,
    address,
    traceId,
  };
  await appendAuditEntry(env, payee.id, entry, deps.platformClock.now());
  if (isDone) await runSubscription(env, deps, payee.id, number);
  return isDone;
}
