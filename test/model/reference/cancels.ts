import { sync } from "./charges.ts";
import {
  begin,
  rejected,
  rememberKey,
  replay,
  resume,
  toResult,
  type Accepted,
  type BankResult,
  type IdempotencyUse,
  type Script,
  type Trouble,
} from "./operations.ts";
import type { Charge, State } from "./state.ts";

/** `POST /transactions/{id}/cancel`; an expired charge is refreshed first. */
export function cancel(
  state: State,
  charge: Charge,
  use: IdempotencyUse,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  syncIfCharged(state, charge);
  const request = () => requestCancelOrCapture(state, charge, "cancel", 0, use);
  return toResult(state, request, `cancel ${use.key}`, use, script, trouble);
}

/** `POST /transactions/{id}/capture`; null for the authorized amount. */
export function capture(
  state: State,
  charge: Charge,
  amount: number | null,
  use: IdempotencyUse,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  syncIfCharged(state, charge);
  const request = () =>
    requestCancelOrCapture(state, charge, "capture", amount ?? charge.amount, use);
  return toResult(state, request, `capture ${use.key}`, use, script, trouble);
}

/** An expired charge is refreshed first. A boleto's bank may report late. */
function syncIfCharged(state: State, charge: Charge): void {
  const { method, status, expiresAt } = charge;
  const open = status === "creating" || status === "waiting_payment";
  const over = method !== "BOLETO" && expiresAt !== null && expiresAt <= state.now;
  if (open && over) sync(state, charge);
}

/**
 * Requests a cancel or a capture. It joins the same operation in progress; another one has to
 * wait.
 */
function requestCancelOrCapture(
  state: State,
  charge: Charge,
  kind: "cancel" | "capture",
  amount: number,
  use: IdempotencyUse,
): Accepted {
  const known = replay(state, kind, use);
  if (known !== null) return known;
  const fits = kind === "cancel" ? ["waiting_payment", "authorized"] : ["authorized"];
  if (!fits.includes(charge.status)) return rejected("INVALID_STATE");
  if (amount > charge.amount) return rejected("CAPTURE_EXCEEDS_AUTHORIZED");
  const open = state.operations
    .filter((each) => each.charge === charge && each.status === "PENDING")
    .find((each) => each.kind === "cancel" || each.kind === "capture");
  const same = open?.kind === kind && open.amount === amount;
  if (open !== undefined && !same) return rejected("INVALID_STATE");
  const operation = open ?? begin(state, kind, charge, amount, use.token);
  rememberKey(state, kind, use, operation);
  if (open === undefined) return { kind: "send", operation };
  return resume(state, operation, use.token, use.key === null ? "INVALID_STATE" : undefined);
}
