import { givenCompany, type TestCompany } from "./company.ts";

let emptyCompany: Promise<TestCompany> | undefined;
let fundedCompany: Promise<TestCompany> | undefined;

/**
 * One company for all tests of a file whose requests are refused and so leave nothing behind.
 * Making a company, and checking its invariants, takes longer than such a test.
 */
export function sharedCompany(): Promise<TestCompany> {
  return (emptyCompany ??= givenCompany());
}

/** The same, with 100 reais that a withdraw could take. */
export function sharedFundedCompany(): Promise<TestCompany> {
  return (fundedCompany ??= givenCompany({ balance: 10_000 }));
}
