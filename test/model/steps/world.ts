import * as fc from "fast-check";
import type { Kind } from "../command.ts";
import type { Drain } from "../faults.ts";
import type { Real } from "../real.ts";
import type { Fee, Method } from "../reference/state.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

/** Time goes by: within a lease, beyond it, past an expiry, past an installment. */
export const wait: Kind<{ ms: number }> = {
  wish: fc.record({
    ms: fc.constantFrom(SECOND_MS, 40 * SECOND_MS, HOUR_MS, 9 * HOUR_MS, DAY_MS, 31 * DAY_MS),
  }),
  plan: (state, { ms }) => {
    state.now += ms;
    return silently(async () => undefined);
  },
};

/** The operator and a company agree on other fees and release days. */
export const agree: Kind<{ method: Method | "WITHDRAW"; fee: Fee; releaseDays: number }> = {
  wish: fc.record({
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
      act: (real) => real.request("PUT", "/api/v1/sandbox/settings", { body }),
    };
  },
};

/** A company limits what it withdraws in a day. */
export const limit: Kind<{ withdrawDailyLimit: number | null }> = {
  wish: fc.record({ withdrawDailyLimit: fc.constantFrom(null, null, 5_000, 100_000) }),
  plan: (state, body) => {
    state.dailyLimit = body.withdrawDailyLimit;
    return {
      expected: "200",
      act: (real) => real.request("PUT", "/api/v1/company/settings", { body }),
    };
  },
};

/** The operator freezes a company, or thaws it. */
export const freeze: Kind<{ frozen: boolean }> = {
  wish: fc.record({ frozen: fc.constantFrom(true, false, false, false) }),
  plan: (state, body) => {
    state.frozen = body.frozen;
    return {
      expected: "200",
      act: (real) => real.request("PUT", "/api/v1/sandbox/settings", { body }),
    };
  },
};

/** The platform takes the object out of memory. */
export const evict: Kind<object> = {
  wish: fc.constant({}),
  plan: () => silently((real) => real.evict()),
};

/** The object's alarm goes off, early or late. */
export const alarm: Kind<object> = {
  wish: fc.constant({}),
  plan: () => silently((real) => real.fireAlarm()),
};

/** The cron knocks. */
export const tick: Kind<object> = {
  wish: fc.constant({}),
  plan: () => silently((real) => real.stub.tick()),
};

/** The object's way to D1 breaks. */
export const breakDrain: Kind<{ drain: Drain }> = {
  wish: fc.record({ drain: fc.constantFrom("down", "mute", "late", "late") }),
  plan: (_state, { drain }) => silently(async (real) => real.setDrain(drain)),
};

/** It is mended, and everything catches up. */
export const heal: Kind<object> = {
  wish: fc.constant({}),
  plan: () => silently((real) => real.heal()),
};

function silently(act: (real: Real) => Promise<void>) {
  return {
    expected: "",
    act: async (real: Real) => {
      await act(real);
      return "";
    },
  };
}
