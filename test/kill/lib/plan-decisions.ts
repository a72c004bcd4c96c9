import { APPROVED_COMPANY, type Actor } from "./callers.ts";
import type { Intent, Kind } from "./journal.ts";
import type { Plan, Planner } from "./planner.ts";

const TRANSFER_MIN = 1_000;
const TRANSFER_MAX = 20_000;
/** The bank returns no payment without a charge whose amount ends so. */
const NOT_RETURNABLE = 99;
/** The receiving bank never decides a withdraw whose amount ends so. */
const NEVER_DECIDED = 98;
/** Only recent objects are used, so that decisions collide. */
const RECENT = 8;
/** The probability of a proposal about a payment; otherwise about a withdraw. */
const ABOUT_PAYMENT = 0.5;

/** Whose request it is. */
type Target = Pick<Plan, "journal" | "companyId">;

type DecisionKind = Extract<
  Kind,
  | "transfer"
  | "return"
  | "credit"
  | `withdraw_${"approve" | "refuse"}`
  | `refund_${"approve" | "refuse"}`
  | "proposal"
  | `proposal_${"approve" | "refuse"}`
>;

/** Kinds that are planned with what waits for a decision. */
export const READS_WAITING: ReadonlySet<Kind> = new Set<Kind>([
  "refund_approve",
  "refund_refuse",
  "return",
  "credit",
  "proposal",
]);

/** Payments that nobody expects, and everything that somebody decides. */
export const DECISION_PLANS: Record<DecisionKind, Planner> = {
  transfer: (plan) => {
    const amount = plan.random.int(TRANSFER_MIN, TRANSFER_MAX);
    return intent(plan, "transfer", {
      path: "/api/v1/sandbox/payments",
      body: { amount: amount % 100 === NOT_RETURNABLE ? amount - 1 : amount },
    });
  },
  return: (plan, { kept }) => onPayment(plan, "return", kept),
  credit: (plan, { kept }) => onPayment(plan, "credit", kept),
  withdraw_approve: (plan) => onWithdraw(plan, "approve"),
  withdraw_refuse: (plan) => onWithdraw(plan, "refuse"),
  refund_approve: (plan, { exits }) => onExit(plan, "approve", exits),
  refund_refuse: (plan, { exits }) => onExit(plan, "refuse", exits),
  proposal: (plan, { kept }) =>
    plan.random.chance(ABOUT_PAYMENT) ? proposeReturn(plan, kept) : proposePayout(plan),
  proposal_approve: (plan) => onProposal(plan, "approve", "second_operator"),
  proposal_refuse: (plan) => onProposal(plan, "refuse", "operator"),
};

function onPayment(plan: Plan, action: "return" | "credit", kept: string[]): Intent | null {
  const id = plan.random.pick(kept.slice(0, RECENT));
  if (id === undefined) return null;
  return intent(plan, action, {
    path: `/api/v1/payments/unexpected/${id}/${action}`,
    subject: id,
    isKeyed: true,
  });
}

function onWithdraw(plan: Plan, decision: "approve" | "refuse"): Intent | null {
  const { random, journal, companyId } = plan;
  if (companyId !== APPROVED_COMPANY) return null;
  const waiting = journal.withdraws.filter((one) => one.companyId === companyId && one.isWaiting);
  const seen = random.pick(waiting.slice(-RECENT));
  if (seen === undefined) return null;
  return intent(plan, `withdraw_${decision}`, {
    by: "approver",
    path: `/api/v1/withdraws/${seen.id}/${decision}`,
    subject: seen.id,
    isKeyed: true,
  });
}

function onExit(plan: Plan, decision: "approve" | "refuse", exits: string[]): Intent | null {
  const id = plan.random.pick(exits.slice(0, RECENT));
  return id === undefined ? null : decideExit(plan, id, decision);
}

/** The decision about a refund or return that waits for it. */
export function decideExit(target: Target, id: string, decision: "approve" | "refuse"): Intent {
  return intent(target, `refund_${decision}`, {
    by: "approver",
    path: `/api/v1/refunds/${id}/${decision}`,
    subject: id,
    isKeyed: true,
  });
}

function proposeReturn(plan: Plan, kept: string[]): Intent | null {
  const id = plan.random.pick(kept.slice(0, RECENT));
  if (id === undefined) return null;
  return propose(plan, { action: "payment.decide", target: `payment:${id}`, request: {} });
}

function proposePayout(plan: Plan): Intent | null {
  const { random, journal, companyId } = plan;
  const open = journal.withdraws.filter(
    (one) => one.companyId === companyId && one.amount % 100 === NEVER_DECIDED,
  );
  const seen = random.pick(open.slice(-RECENT));
  if (seen === undefined) return null;
  const outcome = random.chance(0.5) ? "done" : "failed";
  const target = `withdraw:${seen.id}`;
  return propose(plan, { action: "payout.decide", target, request: { outcome } });
}

/** One operator's proposal of a decision. */
export function propose(
  plan: Plan,
  { action, target, request }: { action: string; target: string; request: object },
): Intent {
  const { companyId } = plan;
  return intent(plan, "proposal", {
    by: "operator",
    path: "/api/v1/operator/proposals",
    body: { action, companyId, target, request, reason: "The bank's letter says so." },
    subject: target,
  });
}

function onProposal(plan: Plan, decision: "approve" | "refuse", by: Actor): Intent | null {
  const { random, journal, companyId } = plan;
  const own = journal.proposals.filter((one) => one.companyId === companyId);
  const seen = random.pick(own.slice(-RECENT));
  if (seen === undefined) return null;
  return intent(plan, `proposal_${decision}`, {
    by,
    path: `/api/v1/operator/proposals/${seen.id}/${decision}`,
    body: { reason: "I have read it too." },
    subject: seen.id,
  });
}

function intent(
  { journal, companyId }: Target,
  kind: Kind,
  request: {
    by?: Actor;
    path: string;
    body?: Record<string, unknown>;
    subject?: string | number;
    isKeyed?: boolean;
  },
): Intent {
  const { by = "company", path, body, subject = null, isKeyed = false } = request;
  const key = isKeyed ? journal.newKey(kind) : null;
  return journal.addIntent({ kind, companyId, by, method: "POST", path, body, key, subject });
}
