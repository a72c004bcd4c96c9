import { expect, it } from "vitest";
import {
  readGoals,
  refundGoals,
  roundTripGoals,
  writtenGoals,
} from "../../../bench/lib/counted-goals.ts";
import { lifecycleTotal, type Reads } from "../../../bench/lib/counted.ts";
import type { Goal } from "../../../bench/lib/goals.ts";
import { measureCalls } from "../../../bench/workerd/counters/calls.ts";
import { givenHistory } from "../../../bench/workerd/counters/history.ts";
import {
  measureCreates,
  measureLivePix,
  measureLiveRefund,
  measureLiveWithdraw,
  measureSandboxPix,
  measureWithdraw,
} from "../../../bench/workerd/counters/lifecycles.ts";
import { readHistory } from "../../../bench/workerd/counters/pages.ts";
import { takeCreatedCompanies } from "../../support/builders/companies/company.ts";
import { CEILINGS } from "./ceilings.ts";

/** Two lengths of history, so that what grows with it shows; each beyond what a search reads. */
const LENGTHS = [600, 1_200];

/** Each goal that measures more than its ceiling, or has none. */
function beyondCeilings(goals: Goal[]): string[] {
  return goals
    .filter(({ name, measured }) => !(Number(measured) <= (CEILINGS[name] ?? NaN)))
    .map(({ name, measured, note }) => `${name}: ${measured}, ceiling ${CEILINGS[name]}; ${note}`);
}

it("no call and no create makes more storage trips in sequence", async () => {
  const [calls, creates] = [await measureCalls(), await measureCreates()];
  expect(beyondCeilings(roundTripGoals({ calls, creates }))).toEqual([]);
});

it("no create and no life writes more rows", async () => {
  const lifecycles = {
    livePix: await measureLivePix(),
    sandboxPix: await measureSandboxPix(),
    withdraw: await measureWithdraw(),
    liveWithdraw: await measureLiveWithdraw(),
  };
  expect(beyondCeilings(writtenGoals({ creates: await measureCreates(), lifecycles }))).toEqual([]);
  // Its create and its payment; each costs as much as four and a half rows of D1.
  expect(lifecycleTotal(lifecycles.livePix).archiveWrites).toBe(2);
});

it("no refund makes more storage trips or writes more rows", async () => {
  expect(beyondCeilings(refundGoals(await measureLiveRefund()))).toEqual([]);
});

it("no page and no search reads more rows, and none grows with history", async () => {
  const reads: Record<string, Reads> = {};
  try {
    const history = await givenHistory();
    for (const length of LENGTHS) {
      await history.growTo(length);
      reads[length] = await readHistory(history, length);
    }
  } finally {
    // What was cloned is no company's true books: the invariants are not for it.
    takeCreatedCompanies();
  }
  expect(beyondCeilings(readGoals(reads))).toEqual([]);
});
