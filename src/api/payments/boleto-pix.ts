import { findProviderRef } from "../../db/provider-refs.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import { parsePixRef, pixRefId } from "../../providers/efi-cobrancas/refs.ts";
import { transactionOfCharge } from "../../domain/charges/transaction.ts";
import type { ListedPayment, Provider } from "../../providers/provider.ts";

/**
 * A Pix that was paid by a boleto's code, as its boleto's provider tells it too: by the boleto's charge, under the same
 * id of the payment, so that it is credited once whoever tells it first. Any other payment stays as it is. Asks D1 only
 * about a PIX for no charge, of a company with another account.
 */
export async function asBoletoPix(
  env: Env,
  { id: companyId, accounts }: Pick<Company, "id" | "accounts">,
  { account }: Pick<Provider, "account">,
  listed: ListedPayment,
): Promise<ListedPayment> {
  // A txid of the bank may look like one of ours.
  const named = listed.chargeId === null ? null : transactionOfCharge(listed.chargeId);
  if (named?.companyId === companyId || listed.txid == null) return listed;
  const others = accounts.map((each) => each.account).filter((each) => each !== account);
  const id = pixRefId(listed.txid);
  const ref = parsePixRef(await findProviderRef(env, companyId, { accounts: others, id }));
  if (ref === null) return listed;
  const { chargeId, paymentId } = ref;
  return {
    ...listed,
    chargeId,
    paymentId,
    disputes: listed.disputes.map((dispute) => ({ ...dispute, paymentId })),
    refunds: listed.refunds.map((refund) => ({ ...refund, paymentId })),
  };
}
