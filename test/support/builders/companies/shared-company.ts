import { givenCompany, type TestCompany } from "./company.ts";

let emptyCompany: Promise<TestCompany> | undefined;
let fundedCompany: Promise<TestCompany> | undefined;

/**
 * One company for a file's tests whose requests are rejected and leave nothing behind. Creating a
 * company and checking its invariants takes longer than such a test.
 */
export function sharedCompany(): Promise<TestCompany> {
  return (emptyCompany ??= givenCompany());
}

/** The same with a withdrawable balance of 100 reais. */
export function sharedFundedCompany(): Promise<TestCompany> {
  return (fundedCompany ??= givenCompany({ balance: 10_000 }));
}
