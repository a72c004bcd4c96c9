import type { RequestedExit } from "../../domain/exits/exit-limits.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { APPROVAL_WINDOW_MS } from "../../domain/withdraws/withdraw-policy.ts";

/** A refund or return as those who approve see it. */
export function requestedExitView({ number: _number, createdAt, ...exit }: RequestedExit) {
  const isPending = exit.approval === "pending";
  return {
    ...exit,
    createdAt: isoTime(createdAt),
    approvalExpiresAt: isPending ? isoTime(createdAt + APPROVAL_WINDOW_MS) : null,
  };
}
