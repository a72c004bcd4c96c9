import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import { paymentChargeKey } from "../../domain/charges/payment-charge.ts";
import type { PaidBy, ProviderName } from "../../domain/charges/transaction.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { chargeBytes } from "../../domain/storage/quotas.ts";
import type { Env } from "../../config.ts";
import type { CompanyDependencies } from "../../http/context.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import { draftTransaction } from "./claim/draft.ts";
import { insertPaymentCharge } from "./claim/repository.ts";
import { findByIdempotencyKey } from "./repository.ts";

/** The sweep books the payment of a static code after this, where a crash left its charge open. */
const BOOK_AFTER_MS = 60_000;

const PROVIDER_OF: Record<Company["mode"], ProviderName> = { sandbox: "Sandbox", live: "PixApi" };

/** A payment that came without a charge, and what its charge is to show. */
export interface PaymentWithoutCharge {
  /** The provider's id; of a PIX the end-to-end id (BACEN). */
  paymentId: string;
  paymentMethod: PaymentMethod;
  /** The amount that was asked for, or that came where none was. Centavos. */
  amount: Cents;
  paidAt: number;
  /** The provider account that took it. */
  account: string;
  /** Its provider; by default that of the company's mode. */
  provider?: ProviderName;
  externalRef: string;
  /** The title of the charge's only item; `""` for no item. */
  description: string;
  payer: PaidBy | null;
  /** The payment of a static code names the code. */
  origin: "static_code" | "unexpected_payment";
  staticCodeId?: string;
  /** Identifies the payer within the company (`payerKeyOfDocument`), where the document is known. */
  leadKey?: string | null;
}

/**
 * Makes the transaction of a payment that came without a charge, once for each payment of a company: a row
 * that waits for exactly this payment. Nobody else can pay it, for no provider knows its id. The caller
 * then books the payment on it through the object. No quota stops it, for the money has come. A row that a
 * crash left unbooked is booked by the provider's repeat; of a static code also by the sweep, which asks
 * the provider for the payment (`queryCharge`).
 */
export async function createTransactionOfPayment(
  env: Env,
  deps: Pick<CompanyDependencies, "clock" | "random">,
  company: Company,
  payment: PaymentWithoutCharge,
): Promise<TransactionRow> {
  const idempotencyKey = paymentChargeKey(payment.paymentId);
  const earlier = await findByIdempotencyKey(env, company.id, idempotencyKey);
  if (earlier !== null) return earlier;
  const { paymentMethod, amount, externalRef, account, origin, payer } = payment;
  const request = { paymentMethod, amount, externalRef, items: itemsOf(payment) };
  const draft = draftTransaction({
    request,
    company,
    provider: { name: payment.provider ?? PROVIDER_OF[company.mode], account },
    idempotencyKey,
    requestHash: await sha256Hex(canonicalJson({ idempotencyKey, amount })),
    leadKey: payment.leadKey ?? null,
    origin: "",
    traceId: null,
    deps,
  });
  return insertPaymentCharge(
    env,
    {
      ...draft,
      idempotencyKey,
      status: "waiting_payment",
      // Nobody is asked to pay it: there is no code, no slip and no time to do so.
      pix: null,
      boleto: null,
      expiresAt: null,
      paidBy: payer,
      staticCodeId: payment.staticCodeId ?? null,
      leaseUntil: 0,
      // A payment that a rule or the merchant credits has its own task to do so.
      nextSweepAt: origin === "static_code" ? draft.nowMs + BOOK_AFTER_MS : null,
    },
    chargeBytes(request),
  );
}

function itemsOf({ description, amount }: PaymentWithoutCharge) {
  return description === "" ? [] : [{ title: description, unitPrice: amount, quantity: 1 }];
}
