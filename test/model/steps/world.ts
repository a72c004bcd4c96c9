import { changeLimits } from "../reference/limits.ts";
import * as fc from "fast-check";
import type { CommandKind } from "../command.ts";
import type { DrainMode } from "../faults.ts";
import type { RealSystem } from "../real.ts";
import type { Fee, Method } from "../reference/state.ts";
import { expireRefunds } from "../reference/refund-approvals.ts";
import { expireApprovals } from "../reference/withdraws.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

/** Advances time: within a lease, beyond it, past an expiry, past an installment. */
export const wait: CommandKind<{ ms: number }> = {
  input: fc.record({
    ms: fc.constantFrom(
      SECOND_MS,
      40 * SECOND_MS,
      HOUR_MS,
      9 * HOUR_MS,
      DAY_MS,
      3 * DAY_MS,
      31 * DAY_MS,
    ),
  }),
  plan: (state, { ms }) => {
    state.now += ms;
    return withoutResponse(async () => undefined);
  },
};

/** The operator changes a company's fees and release days. */
export const changeTerms: CommandKind<{
  method: Method | "WITHDRAW";
  fee: Fee;
  releaseDays: number;
}> = {
  input: fc.record({
    method: fc.constantFrom("PIX", "BOLETO", "CREDIT_CARD", "WITHDRAW"),
    fee: fc.record({
      basisPoints: fc.constantFrom(0, 1, 99, 349, 5_000, 10_000),
      fixed: fc.constantFrom(0, 30, 500),
    }),
    releaseDays: fc.constantFrom(0, 1, 30),
  }),
  plan: (state, { method, fee, releaseDays }) => {
    if (method === "WITHDRAW") state.withdrawFee = fee;
    else state.terms[method] = { fee, releaseDays };
    const body = {
      fees: { [method]: fee },
      ...(method === "WITHDRAW" ? {} : { releaseDays: { [method]: releaseDays } }),
    };
    return {
      expected: "200",
      execute: (real) => real.request("PUT", "/api/v1/sandbox/settings", { body }),
    };
  },
};

/** A company sets its daily withdraw limit. */
export const changeDailyLimit: CommandKind<{ withdrawDailyLimit: number | null }> = {
  input: fc.record({ withdrawDailyLimit: fc.constantFrom(null, null, 5_000, 100_000) }),
  plan: (state, body) => {
    return {
      expected: changeLimits(state, { dailyLimit: body.withdrawDailyLimit }),
      execute: (real) => real.request("PUT", "/api/v1/company/settings", { body }),
    };
  },
};

/** A company sets the amount above which a withdraw waits for an approval. */
export const changeApprovalLimit: CommandKind<{ withdrawApprovalAbove: number | null }> = {
  input: fc.record({ withdrawApprovalAbove: fc.constantFrom(null, 0, 0, 20_000) }),
  plan: (state, body) => {
    return {
      expected: changeLimits(state, { approvalAbove: body.withdrawApprovalAbove }),
      execute: (real) => real.request("PUT", "/api/v1/company/settings", { body }),
    };
  },
};

/** A company sets its limits of refunds. */
export const changeRefundLimits: CommandKind<{
  refundDailyLimit: number | null;
  refundApprovalAbove: number | null;
}> = {
  input: fc.record({
    refundDailyLimit: fc.constantFrom(null, null, 30_000, 200_000),
    refundApprovalAbove: fc.constantFrom(null, 0, 5_000, 40_000),
  }),
  plan: (state, body) => {
    return {
      expected: changeLimits(state, body),
      execute: (real) => real.request("PUT", "/api/v1/company/settings", { body }),
    };
  },
};

/** The operator freezes a company, or thaws it. */
export const freeze: CommandKind<{ frozen: boolean }> = {
  input: fc.record({ frozen: fc.constantFrom(true, false, false, false) }),
  plan: (state, body) => {
    state.frozen = body.frozen;
    if (body.frozen) state.frozenAt = state.now;
    return {
      expected: "200",
      execute: (real) => real.request("PUT", "/api/v1/sandbox/settings", { body }),
    };
  },
};

/** The platform evicts the object. */
export const evict: CommandKind<object> = {
  input: fc.constant({}),
  plan: () => withoutResponse((real) => real.evict()),
};

/** The object's alarm fires, early or late. */
export const alarm: CommandKind<object> = {
  input: fc.constant({}),
  plan: (state) => {
    expireApprovals(state);
    expireRefunds(state);
    return withoutResponse((real) => real.fireAlarm());
  },
};

/** The cron runs the object's work. */
export const tick: CommandKind<object> = {
  input: fc.constant({}),
  plan: (state) => {
    expireApprovals(state);
    expireRefunds(state);
    return withoutResponse(async (real) => void (await real.object.runNow()));
  },
};

/** The object's connection to D1 fails. */
export const breakDrain: CommandKind<{ drain: DrainMode }> = {
  input: fc.record({ drain: fc.constantFrom("down", "mute", "late", "late") }),
  plan: (_state, { drain }) => withoutResponse(async (real) => real.setDrain(drain)),
};

/** The connection recovers, and the backlog is drained. */
export const restoreD1: CommandKind<object> = {
  input: fc.constant({}),
  plan: (state) => {
    expireApprovals(state);
    expireRefunds(state);
    return withoutResponse((real) => real.restoreD1());
  },
};

function withoutResponse(act: (real: RealSystem) => Promise<void>) {
  return {
    expected: "",
    execute: async (real: RealSystem) => {
      await act(real);
      return "";
    },
  };
}
