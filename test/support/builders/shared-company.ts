import { givenCompany, type TestCompany } from "./company.ts";

let poor: Promise<TestCompany> | undefined;
let rich: Promise<TestCompany> | undefined;

/**
 * One company for all tests of a file whose requests are refused and so leave nothing behind.
 * Making a company, and checking its invariants, takes longer than such a test.
 */
export function sharedCompany(): Promise<TestCompany> {
  return (poor ??= givenCompany());
}

/** The same, with 100 reais that a withdraw could take. */
export function sharedRichCompany(): Promise<TestCompany> {
  return (rich ??= givenCompany({ balance: 10_000 }));
}
