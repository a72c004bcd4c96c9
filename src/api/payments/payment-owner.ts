import type { Finding } from "../../company/contradictions/contradiction-store.ts";
import { recordFinding } from "../bank-reconciliation/record-finding.ts";
import { callCompany } from "../../company-client/stub.ts";
import {
  claimPayment,
  companiesOfPspClient,
  passPayment,
  type PaymentOwner,
} from "../../db/reconciliation/payment-owners.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { PspClient } from "../../domain/psp/psp-settings.ts";
import type { Env } from "../../config.ts";
import type { CompanyDependencies } from "../../http/context.ts";
import type { ListedPayment, Provider } from "../../providers/provider.ts";
import type { ProviderPayment } from "../../providers/charge.ts";

interface OwnerContext {
  env: Env;
  deps: Pick<CompanyDependencies, "clock">;
  company: Pick<Company, "id">;
}

type Account = Pick<Provider, "account" | "pspClient">;

/**
 * Claims a payment for the company before it is credited, so that of all companies behind one client of a PSP one
 * only gets it. False if another one has it, or a payment whose id differs in case only: operators of this company
 * see it then, once. Costs a trip, and one row in D1 for each payment; nothing where the bank has no such client.
 */
export async function claimForCompany(
  context: OwnerContext,
  { account, pspClient }: Account,
  payment: Pick<ProviderPayment, "paymentId" | "amount">,
): Promise<boolean> {
  if (pspClient === null) return true;
  const { env, company } = context;
  const { paymentId } = payment;
  const claim = { paymentId, companyId: company.id, isUndecided: false };
  const owner = await claimPayment(env, pspClient, claim);
  if (isOwn(owner, claim)) return true;
  if (owner.isUndecided && owner.paymentId === paymentId)
    await showOnce(context, owner, unclearPayment(account, payment));
  else await recordFinding(env, company.id, claimedPayment(owner, account, payment));
  return false;
}

/**
 * Claims a payment that is for no charge or code of the company. Without a key that names its receiver, one of
 * several companies behind the PSP's client, it is nobody's: false, and operators of one of them see it.
 */
export async function claimWithoutCharge(
  context: OwnerContext,
  provider: Account,
  payment: Pick<ListedPayment, "paymentId" | "amount" | "pixKey">,
): Promise<boolean> {
  const { env, deps, company } = context;
  const { account, pspClient } = provider;
  if (pspClient === null) return true;
  if (payment.pixKey == null) {
    const companies = await companiesOfPspClient(env, pspClient, deps.clock.now());
    if (companies.some((id) => id !== company.id)) {
      const owner = await claimUndecided(context, pspClient, payment.paymentId, () =>
        unclearPayment(account, payment),
      );
      return isOwn(owner, { paymentId: payment.paymentId, companyId: company.id });
    }
  }
  return claimForCompany(context, provider, payment);
}

/**
 * Records a finding about a record of a PSP's client that names no receiver: in one company only, however many
 * read the client's lists. `id`: the record's, unique among the client's.
 */
export async function recordUnowned(
  context: OwnerContext,
  pspClient: PspClient,
  id: string,
  finding: Finding,
): Promise<void> {
  await claimUndecided(context, pspClient, id, () => finding);
}

/**
 * Claims a record for its operators to decide, and shows it in one company, unless a company has claimed it as
 * its own before: it was alone behind the client then, or knows it by its charge.
 */
async function claimUndecided(
  context: OwnerContext,
  pspClient: PspClient,
  id: string,
  finding: () => Finding,
): Promise<PaymentOwner> {
  const { env, company } = context;
  const claim = { paymentId: id, companyId: company.id, isUndecided: true };
  const owner = await claimPayment(env, pspClient, claim);
  if (owner.isUndecided || owner.paymentId !== id) await showOnce(context, owner, finding());
  return owner;
}

function isOwn(
  owner: PaymentOwner,
  { paymentId, companyId }: Pick<PaymentOwner, "paymentId" | "companyId">,
): boolean {
  return owner.companyId === companyId && owner.paymentId === paymentId && !owner.isUndecided;
}

/**
 * Shows an undecided payment in its owner; the object keeps one finding. Once that company's operators have
 * dismissed it, it is not theirs, and this company's see it.
 */
async function showOnce(
  { env, company }: OwnerContext,
  owner: PaymentOwner,
  finding: Finding,
): Promise<void> {
  const number = await recordFinding(env, owner.companyId, finding);
  if (owner.companyId === company.id) return;
  const shown = await callCompany(env, owner.companyId, (object) =>
    object.findContradiction(number),
  );
  if (shown?.decision?.action !== "dismiss") return;
  if (await passPayment(env, owner, company.id)) await recordFinding(env, company.id, finding);
}

/** Another company has it, or the payment whose id differs in case only. */
function claimedPayment(
  owner: PaymentOwner,
  account: string,
  payment: Pick<ProviderPayment, "paymentId" | "amount">,
): Finding {
  return {
    ...unclearPayment(account, payment),
    finding: `payment_identity:claimed:${payment.paymentId}`,
    booked: { paymentId: owner.paymentId, companyId: owner.companyId },
  };
}

/** It is in no ledger: a correction credits it. Without the payer, whose company nobody knows. */
function unclearPayment(
  account: string,
  { paymentId, amount }: Pick<ProviderPayment, "paymentId" | "amount">,
): Finding {
  return {
    finding: `payment_identity:unowned:${paymentId}`,
    kind: "payment_identity",
    object: `payment:${paymentId}`,
    said: { paymentId, amount, account },
    booked: {},
    amount,
    held: 0,
  };
}
