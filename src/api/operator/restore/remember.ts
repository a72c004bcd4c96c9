import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import type { ArchivedCharge } from "../../../db/archive/read-archive.ts";
import { providerRefsOf } from "../../../db/provider-refs.ts";
import { providerChargeId } from "../../../domain/charges/transaction.ts";
import type { OutboxEntry } from "../../../domain/events/outbox-entry.ts";
import {
  paymentIdsOf,
  rememberBoleto,
  rememberDispute,
} from "../../../providers/efi-cobrancas/remember.ts";
import { chargesWithAccounts } from "./repository.ts";

/** Changes of the archive that are written together. */
interface Changes {
  charges: ArchivedCharge[];
  entries: OutboxEntry[];
}

/** Statements that one charge or dispute of which an adapter remembers something needs, at most. */
const STATEMENTS_OF_ONE = 10;
const EFI = "EfiCobrancas";

/** The statements of `rememberChanges`, at most. */
export function statementsToRemember(changes: Changes): number {
  const { boletos, disputes } = remembered(changes);
  return (boletos.length + disputes.length) * STATEMENTS_OF_ONE;
}

/**
 * Has the adapter of Efí remember what changes that are written again, and the object, still tell of its charges: what a
 * Pix by a boleto's code is found by, how a boleto was paid, and chargebacks. Safe to repeat, in any order.
 */
export async function rememberChanges(
  env: Env,
  companyId: number,
  changes: Changes,
  nowMs: number,
): Promise<void> {
  const refsOf = (account: string) =>
    providerRefsOf(env, { now: () => nowMs }, { companyId, account });
  const { boletos, disputes } = remembered(changes);
  const paymentIds = boletos.flatMap(({ registered }) => paymentIdsOf(registered));
  const owners =
    paymentIds.length === 0
      ? {}
      : await callCompany(env, companyId, (object) => object.transactionsOfPayments(paymentIds));
  for (const { id, account, attempt, registered } of boletos) {
    const isBooked = (paymentId: string) => owners[paymentId] === id;
    const chargeId = providerChargeId(id, attempt);
    await rememberBoleto(refsOf(account), chargeId, registered, isBooked);
  }
  if (disputes.length === 0) return;
  const ids = disputes.flatMap(({ transactionId }) => transactionId ?? []);
  const disputed = await chargesWithAccounts(env, companyId, ids);
  // Each once, by the object's word: what was archived in one moment has no order.
  for (const dispute of new Map(disputes.map((each) => [each.id, each])).values()) {
    const charge = disputed.find(({ id }) => id === dispute.transactionId);
    if (charge?.provider !== EFI) continue;
    const chargeId = providerChargeId(charge.id, charge.attempt);
    const now = await callCompany(env, companyId, (object) => object.findDispute(dispute.id));
    const status = now?.status ?? dispute.status;
    await rememberDispute(refsOf(charge.account), chargeId, { ...dispute, status });
  }
}

function remembered({ charges, entries }: Changes) {
  return {
    boletos: charges.flatMap(({ id, account, attempt, provider, boleto }) => {
      const registered = provider === EFI ? (boleto?.registered ?? null) : null;
      return registered === null ? [] : [{ id, account, attempt, registered }];
    }),
    disputes: entries.flatMap((entry) =>
      entry.kind === "dispute" && entry.dispute.kind === "CHARGEBACK" ? [entry.dispute] : [],
    ),
  };
}
