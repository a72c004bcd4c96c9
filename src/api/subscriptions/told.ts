import type { ToldDebit, ToldMandate } from "../../company/subscriptions/command-types.ts";
import { debitEnd, shortCode } from "../../domain/subscriptions/debit-codes.ts";
import { isDebitOver, type DebitState, type ToldEnd } from "../../domain/subscriptions/records.ts";
import type { DebitDetails, MandateDetails, MandateEnd } from "../../providers/mandate-provider.ts";

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
    ...(end === null ? {} : { end: toldEnd(end) }),
    city: payer?.city ?? null,
  };
}

function toldEnd({ by, providerCode, message }: MandateEnd): ToldEnd {
  return { by, providerCode: shortCode(providerCode), providerMessage: message };
}

/** What the object keeps of a debit that a provider tells of; its money is booked apart. Why it ended, once it has. */
export function toldDebit({
  status,
  attempts,
  end,
}: Pick<DebitDetails, "status" | "attempts" | "end">): ToldDebit {
  const told = { status: status satisfies DebitState, attempts };
  return end === null || !isDebitOver(status) ? told : { ...told, end: debitEnd(end) };
}
