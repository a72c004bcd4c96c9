import type { DELIVERY_STATUSES } from "../../../db/schema/webhooks.ts";
import type { CreateStatus, ListStatus } from "../../../domain/charges/charge-status.ts";
import type { ReceivedStatus } from "../../../domain/charges/received-payment.ts";
import type { UNEXPECTED_STATUSES } from "../../../domain/charges/unexpected-payment.ts";
import type { DisputeStatusWord } from "../../../domain/disputes/dispute.ts";
import type { ResponseStatus } from "../../../domain/disputes/dispute-response.ts";
import type { LinkStatus } from "../../../domain/links/payment-link.ts";
import type { ProposalStatus } from "../../../domain/operators/proposal.ts";
import type { ContradictionStatus } from "../../../domain/reconciliation/contradiction.ts";
import type { CycleStatus } from "../../../domain/subscriptions/records.ts";
import type { SubscriptionStatus } from "../../../domain/subscriptions/subscription.ts";
import type { WithdrawStatus } from "../../../domain/withdraws/withdraw-status.ts";
import type { Tone } from "./parts.tsx";

/** The tone of each state of each thing, the same in lists, pages and events. */
export const TONES = {
  payment: {
    PENDING: "open",
    PAID: "good",
    FAILED: "bad",
    CANCELLED: "quiet",
    REFUNDED: "quiet",
  } satisfies Record<ListStatus, Tone>,
  /** On its own page, where the API says more. */
  charge: {
    WAITING_PAYMENT: "open",
    AUTHORIZED: "open",
    PAID: "good",
    REFUSED: "bad",
    FAILED: "bad",
    CANCELLED: "quiet",
    REFUNDED: "quiet",
  } satisfies Record<CreateStatus, Tone>,
  receivedPayment: {
    credited: "good",
    kept: "open",
    disputed: "bad",
    partly_returned: "open",
    returned: "bad",
  } satisfies Record<ReceivedStatus, Tone>,
  unexpectedPayment: {
    kept: "open",
    crediting: "open",
    credited: "good",
    returning: "open",
    returned: "quiet",
  } satisfies Record<(typeof UNEXPECTED_STATUSES)[number], Tone>,
  withdraw: {
    Awaiting: "open",
    Processing: "open",
    Paid: "good",
    Failed: "bad",
    Cancelled: "quiet",
    Returned: "bad",
  } satisfies Record<WithdrawStatus, Tone>,
  disputeResponse: {
    sending: "open",
    received: "open",
    under_analysis: "open",
    accepted: "good",
    refused: "bad",
    withdrawn: "quiet",
    not_sent: "bad",
    no_answer: "bad",
  } satisfies Record<ResponseStatus, Tone>,
  dispute: { open: "open", won: "good", lost: "bad" } satisfies Record<DisputeStatusWord, Tone>,
  paymentLink: {
    active: "good",
    inactive: "quiet",
    expired: "quiet",
    exhausted: "open",
  } satisfies Record<LinkStatus, Tone>,
  subscription: {
    pending_approval: "open",
    active: "good",
    past_due: "bad",
    paused: "open",
    cancelled: "quiet",
    rejected: "bad",
    expired: "quiet",
    completed: "good",
  } satisfies Record<SubscriptionStatus, Tone>,
  subscriptionCharge: {
    open: "open",
    paid: "good",
    failed: "bad",
    cancelled: "quiet",
    skipped: "quiet",
  } satisfies Record<CycleStatus, Tone>,
  delivery: {
    pending: "open",
    delivered: "good",
    superseded: "quiet",
    stopped: "bad",
    exhausted: "bad",
  } satisfies Record<(typeof DELIVERY_STATUSES)[number], Tone>,
  contradiction: {
    open: "bad",
    proposed: "open",
    decided: "quiet",
  } satisfies Record<ContradictionStatus, Tone>,
  proposal: {
    pending: "open",
    approved: "good",
    refused: "bad",
    expired: "quiet",
  } satisfies Record<ProposalStatus, Tone>,
} as const;
