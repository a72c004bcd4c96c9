import { disputeView, type DisputeRecord } from "../../domain/disputes/dispute.ts";
import { responseView, type DisputeResponse } from "../../domain/disputes/dispute-response.ts";

/** A dispute with the newest of what was sent to its bank. Centavos. */
export function answeredDisputeView(dispute: DisputeRecord, response: DisputeResponse | null) {
  return {
    ...disputeView(dispute),
    response: response === null ? null : responseView(response),
  };
}
