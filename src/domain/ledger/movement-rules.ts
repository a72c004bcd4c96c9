import type { Account, MovementType } from "./ledger.ts";
import type { HashedMovement } from "./movement-hash.ts";
import type { Cents } from "../shared/money.ts";

/** Whether a movement's line adds to an account, takes from it, or may do either. */
type Direction = "adds" | "takes" | "either";

interface MovementRule {
  /** What the movement is about; `payment` is a transaction, or none for money that came without a charge. */
  about: "transaction" | "payment" | "withdraw" | "nothing";
  accounts: Partial<Record<Account, Direction>>;
}

/** A credit of `available`, which repays debt first. */
const CREDIT = { available: "adds", debt: "adds" } as const;
const HOLD = { awaiting: "takes", available: "takes", blocked: "adds" } as const;
const HOLD_RELEASE = { blocked: "takes", awaiting: "adds", ...CREDIT } as const;
const CLAWBACK = {
  awaiting: "takes",
  available: "takes",
  debt: "takes",
  provider: "adds",
} as const;
const CLAWBACK_OF_HOLD = { ...CLAWBACK, blocked: "takes" } as const;
const WITHDRAW_REVERSAL = { payout: "takes", fees: "takes", ...CREDIT } as const;

/**
 * The accounts that each type of movement may touch, and in which direction: the postings of `ledger.ts`, as
 * docs/ledger.md lists them. A verifier of a statement rejects everything else.
 */
export const MOVEMENT_RULES: Record<MovementType, MovementRule> = {
  charge_paid: {
    about: "transaction",
    accounts: { provider: "takes", fees: "adds", awaiting: "adds", ...CREDIT },
  },
  credit_released: { about: "transaction", accounts: { awaiting: "takes", ...CREDIT } },
  payment_suspended: { about: "payment", accounts: { provider: "takes", suspense: "adds" } },
  suspense_returned: { about: "payment", accounts: { suspense: "takes", provider: "adds" } },
  suspense_credited: {
    about: "transaction",
    accounts: { suspense: "takes", fees: "adds", awaiting: "adds", ...CREDIT },
  },
  refund_requested: { about: "transaction", accounts: HOLD },
  refund_done: { about: "transaction", accounts: { blocked: "takes", provider: "adds" } },
  refund_failed: { about: "transaction", accounts: HOLD_RELEASE },
  refund_external: { about: "transaction", accounts: CLAWBACK },
  dispute_opened: { about: "transaction", accounts: HOLD },
  dispute_won: { about: "transaction", accounts: HOLD_RELEASE },
  dispute_lost: { about: "transaction", accounts: CLAWBACK_OF_HOLD },
  dispute_reduced: { about: "transaction", accounts: HOLD_RELEASE },
  chargeback: { about: "transaction", accounts: CLAWBACK_OF_HOLD },
  chargeback_reversed: { about: "transaction", accounts: { provider: "takes", ...CREDIT } },
  withdraw_requested: {
    about: "withdraw",
    accounts: { available: "takes", debt: "takes", payout: "adds", fees: "adds" },
  },
  withdraw_paid: { about: "withdraw", accounts: { payout: "takes", provider: "adds" } },
  withdraw_failed: { about: "withdraw", accounts: WITHDRAW_REVERSAL },
  withdraw_cancelled: { about: "withdraw", accounts: WITHDRAW_REVERSAL },
  withdraw_returned: {
    about: "withdraw",
    accounts: { provider: "takes", fees: "takes", ...CREDIT },
  },
  correction: {
    about: "nothing",
    accounts: { available: "either", debt: "either", provider: "either" },
  },
};

/** What is wrong with a movement by itself, as a sentence about its lines; null if nothing is. */
export function movementError(movement: HashedMovement): string | null {
  const { type, lines } = movement;
  if (!fitsSubject(movement)) return `its transactionId or withdrawId does not fit ${type}`;
  for (const { account, amount, balance } of lines) {
    const direction = MOVEMENT_RULES[type].accounts[account];
    if (direction === undefined) return `${type} does not touch ${account}`;
    if (direction === "adds" && amount < 0) return `${type} does not take from ${account}`;
    if (direction === "takes" && amount > 0) return `${type} does not add to ${account}`;
    if (!hasRightSign(account, balance)) return `${account} cannot be ${balance}`;
  }
  return null;
}

/** `debt` is never positive, and only the outside world may have either sign (I3). */
function hasRightSign(account: Account, balance: Cents): boolean {
  if (account === "provider") return true;
  return account === "debt" ? balance <= 0 : balance >= 0;
}

function fitsSubject({ type, transactionId, withdrawId }: HashedMovement): boolean {
  switch (MOVEMENT_RULES[type].about) {
    case "transaction":
      return transactionId !== null && withdrawId === null;
    case "payment":
      return withdrawId === null;
    case "withdraw":
      return transactionId === null && withdrawId !== null;
    case "nothing":
      return transactionId === null && withdrawId === null;
  }
}
