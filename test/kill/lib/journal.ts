import type { MerchantAnswer } from "../../../tools/lib/merchant.ts";

/* oxlint-disable typescript/no-explicit-any -- a merchant keeps whatever JSON came */

const KINDS = [
  "create",
  "pay",
  "refund",
  "cancel",
  "capture",
  "dispute",
  "resolve",
  "chargeback",
  "withdraw",
  "withdraw_cancel",
  "settings",
  "freeze",
] as const;
export type Kind = (typeof KINDS)[number];

/** One thing the client wants done, however often it must ask for it. */
export interface Intent {
  kind: Kind;
  companyId: number;
  method: "POST" | "PUT";
  path: string;
  body: Record<string, unknown> | undefined;
  /** Null for a route that takes no key. */
  key: string | null;
  /** The transaction or withdraw it is about; null for what is yet to be made. */
  subject: string | number | null;
  firstSentAt: number;
  attempts: number;
  /** A retry before then would only be told to wait. */
  notBefore: number;
  sending: boolean;
  /** Left as it is, to see that the service finishes it by itself. */
  abandoned: boolean;
  answeredAt: number | null;
  status: number | null;
  answer: any;
}

/** A transaction as the client last saw it. */
export interface KnownTransaction {
  id: string;
  companyId: number;
  paymentMethod: string;
  /** What was paid of it, as soon as something was. */
  amount: number;
  status: string;
  disputed: boolean;
  /** Centavos that the client asked back, whatever came of it. */
  requestedAmount: number;
  resolveRequested: boolean;
}

export interface KnownWithdraw {
  id: number;
  companyId: number;
  amount: number;
}

/** What a client that loses connections remembers: what it asked for, and what was acknowledged. */
export class Journal {
  readonly intents: Intent[] = [];
  readonly transactions = new Map<string, KnownTransaction>();
  readonly withdraws: KnownWithdraw[] = [];
  readonly #open = new Set<Intent>();
  #keys = 0;

  /** A key that no other request of this run has. */
  newKey(kind: Kind): string {
    this.#keys += 1;
    return `${kind}_${this.#keys}`;
  }

  addIntent(
    intent: Pick<Intent, "kind" | "companyId" | "method" | "path" | "body" | "key" | "subject">,
  ) {
    const planned: Intent = {
      ...intent,
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

  /** An unanswered intent that may be sent again now, taken for sending. */
  nextUnanswered(nowMs: number): Intent | null {
    for (const intent of this.#open) {
      if (intent.sending || intent.abandoned || intent.notBefore > nowMs) continue;
      intent.sending = true;
      return intent;
    }
    return null;
  }

  /** Whether the company is frozen as far as the client knows; null while it is just being changed. */
  isFrozen(companyId: number): boolean | null {
    const last = this.of(companyId, "freeze").at(-1);
    if (last === undefined) return false;
    return last.status === null ? null : last.body?.["frozen"] === true;
  }

  unanswered(): Intent[] {
    return [...this.#open].filter((intent) => !intent.abandoned);
  }

  retryLater(intent: Intent, waitMs: number): void {
    intent.sending = false;
    intent.notBefore = Date.now() + waitMs;
  }

  /** Takes an abandoned intent up again. */
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
    if (intent.kind === "withdraw") {
      const { id } = answer.body;
      this.withdraws.push({ id, companyId: intent.companyId, amount: amountOf(intent) });
      return;
    }
    const data = answer.body.data;
    if (data === undefined) return;
    const known = this.transactions.get(data.id);
    this.transactions.set(data.id, {
      id: data.id,
      companyId: intent.companyId,
      paymentMethod: data.paymentMethod,
      amount: data.paidAmount ?? data.amount,
      status: data.status,
      disputed: data.dispute?.status === "OPEN",
      requestedAmount: known?.requestedAmount ?? 0,
      resolveRequested: known?.resolveRequested ?? false,
    });
  }

  of(companyId: number, kind: Kind): Intent[] {
    return this.intents.filter((intent) => intent.companyId === companyId && intent.kind === kind);
  }

  /** Acknowledged intents by kind: an answer below 300. */
  acknowledged(): Record<Kind, number> {
    const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
    for (const intent of this.intents) if (isAcknowledged(intent)) counts[intent.kind] += 1;
    return counts;
  }
}

export function isAcknowledged(intent: Intent): boolean {
  return intent.status !== null && intent.status < 300;
}

/** Whether nobody knows what became of it. */
export function isOpen(intent: Intent): boolean {
  return intent.status === null;
}

export function amountOf(intent: Intent): number {
  const amount = intent.body?.["amount"];
  if (typeof amount !== "number") throw new Error(`a ${intent.kind} without an amount`);
  return amount;
}
