import { systemRandom } from "../../../src/domain/shared/clock.ts";
import { newTransactionId } from "../../../src/domain/shared/ids.ts";
import { providerChargeId } from "../../../src/domain/charges/transaction.ts";

/** The company of the ids that a check makes. */
const COMPANY = 1;

/** A txid of the gateway's own layout, which nobody has used. */
export function randomTxid(): string {
  return providerChargeId(newTransactionId(COMPANY, Date.now(), systemRandom));
}

/** An end-to-end id of a payment that there is not: BACEN's layout, of no PSP. */
export function randomEndToEndId(): string {
  const minute = new Date().toISOString().replaceAll(/[-:T]/g, "").slice(0, 12);
  return `E00000000${minute}${randomTxid().slice(-11)}`;
}
