import type { ToldDebit, ToldMandate } from "../../company/subscriptions/command-types.ts";
import type { DebitState } from "../../domain/subscriptions/records.ts";
import type { DebitDetails, MandateDetails } from "../../providers/mandate-provider.ts";

/** What the object keeps of a mandate that a provider tells of. */
export function toldMandate(mandate: MandateDetails): ToldMandate {
  const { mandateId, status, code, payer, request, end } = mandate;
  return {
    id: mandateId,
    requestId: request?.id ?? null,
    status,
    qrcode: code,
    payerIspb: payer?.ispb ?? null,
    reason: end?.reason ?? null,
    city: payer?.city ?? null,
  };
}

/** What the object keeps of a debit that a provider tells of; its money is booked apart. */
export function toldDebit({ status, attempts }: DebitDetails): ToldDebit {
  return { status: status satisfies DebitState, attempts };
}
