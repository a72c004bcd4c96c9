import type { MerchantAnswer } from "../../../tools/lib/merchant.ts";
import type { Actor } from "./callers.ts";

/* oxlint-disable typescript/no-explicit-any -- a merchant keeps whatever JSON came */

const KINDS = [
  "create",
  "pay",
  "transfer",
  "refund",
  "cancel",
  "capture",
  "dispute",
  "resolve",
  "chargeback",
  "withdraw",
  "withdraw_cancel",
  "withdraw_approve",
  "withdraw_refuse",
  "refund_approve",
  "refund_refuse",
  "return",
  "credit",
  "proposal",
  "proposal_approve",
  "proposal_refuse",
  "settings",
  "freeze",
] as const;
export type Kind = (typeof KINDS)[number];

/** Kinds whose answer is the transaction. */
const ON_TRANSACTIONS: ReadonlySet<Kind> = new Set([
  "create",
  "pay",
  "refund",
  "cancel",
  "capture",
  "dispute",
  "resolve",
  "chargeback",
]);

/** Kinds after which a withdraw waits for no approval any more. */
const ENDS_WAITING: ReadonlySet<Kind> = new Set([
  "withdraw_cancel",
  "withdraw_approve",
  "withdraw_refuse",
]);

/** A request of the client with all its attempts. */
export interface Intent {
  kind: Kind;
  companyId: number;
  by: Actor;
  method: "POST" | "PUT";
  path: string;
  body: Record<string, unknown> | undefined;
  /** Null for a route without idempotency keys. */
  key: string | null;
  /** The transaction, withdraw, refund, payment or proposal of the request; null for a create. */
  subject: string | number | null;
  firstSentAt: number;
  attempts: number;
  /** The earliest time of a useful retry. */
  notBefore: number;
  sending: boolean;
  /** Abandoned, so that the service must finish it. */
  abandoned: boolean;
  answeredAt: number | null;
  status: number | null;
  answer: any;
}

/** A transaction's last state at the client. */
export interface KnownTransaction {
  id: string;
  companyId: number;
  paymentMethod: string;
  /** The paid amount, once known. */
  amount: number;
  status: string;
  disputed: boolean;
  /** The requested refund amount in centavos, whatever its result. */
  requestedAmount: number;
  resolveRequested: boolean;
  chargebackRequested: boolean;
}

export interface KnownWithdraw {
  id: number;
  companyId: number;
  amount: number;
  /** Whether it waits for an approval, by the client's knowledge. */
  isWaiting: boolean;
}

/** A refund that its provider had not ended by its answer. */
export interface KnownRefund {
  id: string;
  companyId: number;
  amount: number;
}

/** An operator's proposal that the service acknowledged. */
export interface KnownProposal {
  id: string;
  companyId: number;
}

/** The log of a client that loses connections: its requests and their acknowledgements. */
export class Journal {
  readonly intents: Intent[] = [];
  readonly transactions = new Map<string, KnownTransaction>();
  readonly withdraws: KnownWithdraw[] = [];
  readonly proposals: KnownProposal[] = [];
  readonly openRefunds: KnownRefund[] = [];
  readonly #open = new Set<Intent>();
  #keys = 0;

  /** A key that is unique in this run. */
  newKey(kind: Kind): string {
    this.#keys += 1;
    return `${kind}_${this.#keys}`;
  }

  addIntent({
    by = "company",
    ...intent
  }: Pick<Intent, "kind" | "companyId" | "method" | "path" | "body" | "key" | "subject"> & {
    by?: Actor;
  }) {
    const planned: Intent = {
      ...intent,
      by,
      firstSentAt: Date.now(),
      attempts: 0,
      notBefore: 0,
      sending: true,
      abandoned: false,
      answeredAt: null,
      status: null,
      answer: null,
    };
    this.intents.push(planned);
    this.#open.add(planned);
    return planned;
  }

  /** Takes an unanswered intent that can be sent again now. */
  nextUnanswered(nowMs: number): Intent | null {
    for (const intent of this.#open) {
      if (intent.sending || intent.abandoned || intent.notBefore > nowMs) continue;
      intent.sending = true;
      return intent;
    }
    return null;
  }

  /** Whether the company is frozen by the client's knowledge; null during a change. */
  isFrozen(companyId: number): boolean | null {
    const last = this.of(companyId, "freeze").at(-1);
    if (last === undefined) return false;
    return last.status === null ? null : last.body?.["frozen"] === true;
  }

  /** Whether the company may have been frozen at some time between a request and its answer. */
  mayHaveBeenFrozenDuring({ companyId, firstSentAt, answeredAt }: Intent): boolean {
    const changes = this.of(companyId, "freeze");
    return changes.some(({ body, firstSentAt: from }, index) => {
      const until = changes[index + 1]?.answeredAt ?? Infinity;
      return body?.["frozen"] === true && from <= (answeredAt ?? Infinity) && until >= firstSentAt;
    });
  }

  unanswered(): Intent[] {
    return [...this.#open].filter((intent) => !intent.abandoned);
  }

  retryLater(intent: Intent, waitMs: number): void {
    intent.sending = false;
    intent.notBefore = Date.now() + waitMs;
  }

  /** Resumes an abandoned intent. */
  resume(intent: Intent): void {
    intent.abandoned = false;
    intent.notBefore = 0;
  }

  acknowledge(intent: Intent, answer: MerchantAnswer): void {
    this.#open.delete(intent);
    intent.sending = false;
    intent.answeredAt = Date.now();
    intent.status = answer.status;
    intent.answer = answer.body;
    if (answer.status >= 300) return;
    const { companyId } = intent;
    if (intent.kind === "withdraw") {
      const { id, approval } = answer.body;
      const isWaiting = approval === "pending";
      this.withdraws.push({ id, companyId, amount: amountOf(intent), isWaiting });
      return;
    }
    if (ENDS_WAITING.has(intent.kind)) this.#endWaiting(companyId, intent.subject);
    if (intent.kind === "proposal") this.proposals.push({ id: answer.body.data.id, companyId });
    if (!ON_TRANSACTIONS.has(intent.kind)) return;
    const { data } = answer.body;
    if (intent.kind === "refund") this.#noteOpenRefunds(companyId, data.refunds ?? []);
    const known = this.transactions.get(data.id);
    this.transactions.set(data.id, {
      id: data.id,
      companyId,
      paymentMethod: data.paymentMethod,
      amount: data.paidAmount ?? data.amount,
      status: data.status,
      disputed: data.dispute?.status === "OPEN",
      requestedAmount: known?.requestedAmount ?? 0,
      chargebackRequested: known?.chargebackRequested ?? false,
      resolveRequested: known?.resolveRequested ?? false,
    });
  }

  #noteOpenRefunds(companyId: number, refunds: any[]): void {
    const known = new Set(this.openRefunds.map(({ id }) => id));
    for (const { id, amount, status, approval } of refunds) {
      const isSent = status === "PENDING" && approval !== "pending";
      if (isSent && !known.has(id)) this.openRefunds.push({ id, companyId, amount });
    }
  }

  #endWaiting(companyId: number, withdrawId: Intent["subject"]): void {
    for (const withdraw of this.withdraws) {
      if (withdraw.companyId === companyId && withdraw.id === withdrawId)
        withdraw.isWaiting = false;
    }
  }

  of(companyId: number, ...kinds: Kind[]): Intent[] {
    return this.intents.filter(
      (intent) => intent.companyId === companyId && kinds.includes(intent.kind),
    );
  }

  /** Acknowledged intents by kind: a status below 300. */
  acknowledged(): Record<Kind, number> {
    const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
    for (const intent of this.intents) if (isAcknowledged(intent)) counts[intent.kind] += 1;
    return counts;
  }
}

export function isAcknowledged(intent: Intent): boolean {
  return intent.status !== null && intent.status < 300;
}

/** Whether the outcome is unknown. */
export function isOpen(intent: Intent): boolean {
  return intent.status === null;
}

export function amountOf(intent: Intent): number {
  const amount = intent.body?.["amount"];
  if (typeof amount !== "number") throw new Error(`a ${intent.kind} without an amount`);
  return amount;
}
