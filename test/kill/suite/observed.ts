import { Journal, type Intent, type Kind } from "../lib/journal.ts";
import type { Line, Movement, Observed } from "../lib/observe.ts";

/** A request of company 1 that was acknowledged at once; its key is its kind unless it says another. */
export function acknowledge(
  journal: Journal,
  kind: Kind,
  { subject = null, body = {}, key = kind, status = 200 }: Partial<AcknowledgedRequest>,
  answer: object,
): Intent {
  const about = { kind, companyId: 1, method: "POST" as const, path: "/", key, subject };
  const intent = journal.addIntent({ ...about, body: { ...body } });
  intent.attempts = 1;
  journal.acknowledge(intent, { status, headers: new Headers(), body: answer });
  return intent;
}

interface AcknowledgedRequest {
  subject: string | number | null;
  body: object;
  key: string | null;
  status: number;
}

/** Company 1 with these movements as its statement, and these rows. */
export function observedOf(movements: Movement[], rows: Partial<Observed> = {}): Observed {
  const running: Record<string, number> = {};
  const lines: Line[] = [];
  for (const [index, { postings, ...about }] of movements.entries()) {
    for (const [account, amount] of Object.entries(postings)) {
      const balance = (running[account] ?? 0) + amount;
      running[account] = balance;
      const sequence = lines.length + 1;
      const hashes = { hash: String(index), detailsHash: null };
      lines.push({ ...about, sequence, account, amount, balance, ...hashes });
    }
  }
  const { available = 0, awaiting = 0, blocked = 0 } = running;
  return {
    companyId: 1,
    transactions: [],
    withdraws: [],
    payments: [],
    waiting: [],
    proposals: [],
    balance: { available, held: 0, awaiting, credit: available + awaiting + blocked, debt: 0 },
    ...rows,
    lines,
    movements,
  };
}
