import { sync } from "./charges.ts";
import type { BankResult, Script } from "./operations.ts";
import { SEND_DEADLINE_MS, type Operation, type State } from "./state.ts";

/** The bank's result. A cancel or capture has its charge's id: a lookup is a repeated send. */
export function reportOf(
  state: State,
  operation: Operation,
  how: "send" | "query",
  script: Script<BankResult>,
): BankResult {
  const { kind, charge } = operation;
  if (how === "query" && kind !== "cancel" && kind !== "capture") {
    if (script.lookup !== "not_found") return script.lookup;
    if (!script.idempotent || state.frozen) return "unknown";
  }
  operation.sendCount += 1;
  const isGivenBack = kind === "refund" || kind === "return";
  if (how === "query" && isGivenBack && script.result === "failed") {
    // The previous send may still succeed.
    return state.now - operation.createdAt < SEND_DEADLINE_MS ? "unknown" : "failed";
  }
  if (kind === "capture") return captureAtBank(state, operation, script);
  // The bank rejects a cancel because the charge changed.
  if (kind === "cancel" && script.result === "failed") sync(state, charge);
  return script.result;
}

/**
 * An acquirer may capture and confirm, capture without a response, or confirm without showing the
 * money. A capture is done once a refresh finds its money.
 */
function captureAtBank(
  state: State,
  { charge, amount }: Operation,
  { result, lookup }: Script<BankResult>,
): BankResult {
  const id = `capture ${charge.index}`;
  const taken = charge.bank.payments.some((payment) => payment.id === id);
  if (!taken && (result === "done" || (result === "unknown" && lookup === "done"))) {
    charge.bank.payments.push({ id, amount, paidAt: state.now });
  }
  if (result === "unknown") return "unknown";
  const received = sync(state, charge);
  if (result === "failed") return "failed";
  return received === "paid" ? "done" : "unknown";
}
