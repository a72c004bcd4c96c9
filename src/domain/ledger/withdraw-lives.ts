import type { Account, MovementType } from "./ledger.ts";
import type { Cents } from "../shared/money.ts";
import type { HashedMovement } from "./movement-hash.ts";

/** A withdraw as the movements so far tell it. Amounts in centavos, 0 or more. */
interface WithdrawLife {
  last: MovementType;
  amount: Cents;
  fee: Cents;
  /** How much of it came back after it was paid. */
  returned: Cents;
  /** Requested a second time, which only a withdraw may be that was paid after all. */
  isReinstated: boolean;
}

/** The movements that may follow in a withdraw's life, which begins with a request. */
const FOLLOWERS: Partial<Record<MovementType, readonly MovementType[]>> = {
  withdraw_requested: ["withdraw_paid", "withdraw_failed", "withdraw_cancelled"],
  withdraw_paid: ["withdraw_returned"],
  withdraw_returned: ["withdraw_returned"],
  // Operators decided that the bank had paid it after all.
  withdraw_failed: ["withdraw_requested"],
  withdraw_cancelled: ["withdraw_requested"],
};

/**
 * Follows each withdraw through a statement: it is requested once, paid or reversed once with that amount and
 * fee, and returned at most what was paid. One that was reversed may be requested once more, if then it is paid.
 */
export class WithdrawLives {
  readonly #lives = new Map<number, WithdrawLife>();

  /** Takes the next movement; returns what is wrong with it, or null. */
  add(movement: HashedMovement): string | null {
    const { type, withdrawId } = movement;
    if (withdrawId === null) return null;
    const life = this.#lives.get(withdrawId);
    if (!mayFollow(life, type)) {
      return `${type} cannot follow ${life?.last ?? "nothing"} of withdraw ${withdrawId}`;
    }
    const amount = amountOf(movement);
    const fee = Math.abs(lineOf(movement, "fees"));
    const known = life ?? { last: type, amount, fee, returned: 0, isReinstated: false };
    if (!fits(known, type, amount, fee)) {
      return `${type} of ${amount} with a fee of ${fee} does not fit withdraw ${withdrawId}`;
    }
    this.#lives.set(withdrawId, {
      ...known,
      last: type,
      returned: known.returned + (type === "withdraw_returned" ? amount : 0),
      isReinstated: life !== undefined && (life.isReinstated || type === "withdraw_requested"),
    });
    return null;
  }
}

function mayFollow(life: WithdrawLife | undefined, type: MovementType): boolean {
  if (life === undefined) return type === "withdraw_requested";
  if (life.isReinstated && life.last === "withdraw_requested") return type === "withdraw_paid";
  return FOLLOWERS[life.last]?.includes(type) === true;
}

/** A paid withdraw keeps its fee, which comes back with the last part. */
function fits(life: WithdrawLife, type: MovementType, amount: Cents, fee: Cents): boolean {
  if (amount <= 0) return false;
  if (type === "withdraw_returned") {
    const left = life.amount - life.returned - amount;
    return left >= 0 && fee === (left === 0 ? life.fee : 0);
  }
  return amount === life.amount && fee === (type === "withdraw_paid" ? 0 : life.fee);
}

/** What the movement sends, or takes back, without the fee; it needs no line of the provider. */
function amountOf(movement: HashedMovement): Cents {
  if (movement.type !== "withdraw_returned") return Math.abs(lineOf(movement, "payout"));
  return movement.lines.reduce(
    (sum, { account, amount }) => sum + (account === "provider" ? 0 : amount),
    0,
  );
}

function lineOf({ lines }: HashedMovement, account: Account): Cents {
  return lines.find((line) => line.account === account)?.amount ?? 0;
}
