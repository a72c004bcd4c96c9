import type { MandateEndReason } from "../../domain/subscriptions/debit-codes.ts";
import type { SubscriptionTerms } from "../../domain/subscriptions/records.ts";
import type { DebitAttempt } from "../../domain/subscriptions/subscription.ts";
import type { Cents } from "../../domain/shared/money.ts";

/** What a tester can choose for the next attempt to debit a charge. */
export type AttemptOutcome = "paid" | "no_balance" | "over_limit" | "closed" | "silent";

/** A mandate as the sandbox's bank keeps it. */
export interface SandboxMandate {
  mandateId: string;
  /** The subscription's id without hyphens. */
  contract: string;
  status: "created" | "approved" | "rejected" | "cancelled";
  terms: Pick<SubscriptionTerms, "period" | "firstDueDate" | "endDate" | "amount" | "journey"> & {
    allowsRetries: boolean;
    /** The bank that was asked for the payer's approval (ISPB); absent where he reads a code. */
    payerIspb?: string;
  };
  firstChargeId: string | null;
  requestId: string | null;
  endReason: MandateEndReason | null;
  createdAt: number;
}

/** A debit as the sandbox's bank keeps it. Centavos; `dueDate`: `YYYY-MM-DD`. */
export interface SandboxDebit {
  chargeId: string;
  mandateId: string;
  dueDate: string;
  amount: Cents;
  status: "active" | "paid" | "rejected" | "cancelled";
  attempts: DebitAttempt[];
  nextOutcome: AttemptOutcome | null;
  version: number;
}

/** The sandbox bank's memory of mandates and debits. */
export interface SandboxMandateStore {
  findMandate(by: { mandateId: string } | { contract: string }): Promise<SandboxMandate | null>;
  /** Adds a mandate, unless its contract has one. */
  addMandate(mandate: SandboxMandate): Promise<void>;
  changeMandate(
    mandateId: string,
    change: Partial<Pick<SandboxMandate, "status" | "terms" | "requestId" | "endReason">>,
  ): Promise<void>;
  findDebit(chargeId: string): Promise<SandboxDebit | null>;
  debitsOf(mandateId: string): Promise<SandboxDebit[]>;
  /** Adds a debit, unless its charge has one. */
  addDebit(debit: SandboxDebit): Promise<void>;
  /** Changes a debit as it was read; answers it as it stands then, also where another was quicker. */
  changeDebit(
    read: SandboxDebit,
    change: Partial<Pick<SandboxDebit, "status" | "attempts" | "nextOutcome">>,
  ): Promise<SandboxDebit>;
}
