import { expect } from "vitest";
import { givenCompany, type TestCompany } from "./company.ts";

/** By test file: modules live as long as their worker, and another file may close its company or charge with it. */
const emptyCompanies = new Map<string | undefined, Promise<TestCompany>>();
const fundedCompanies = new Map<string | undefined, Promise<TestCompany>>();

/**
 * One company for a file's tests whose requests are rejected and leave nothing behind. Creating a
 * company and checking its invariants takes longer than such a test.
 */
export function sharedCompany(): Promise<TestCompany> {
  return ofFile(emptyCompanies, () => givenCompany());
}

/** The same with a withdrawable balance of 100 reais. */
export function sharedFundedCompany(): Promise<TestCompany> {
  return ofFile(fundedCompanies, () => givenCompany({ balance: 10_000 }));
}

function ofFile(
  companies: Map<string | undefined, Promise<TestCompany>>,
  make: () => Promise<TestCompany>,
): Promise<TestCompany> {
  const { testPath } = expect.getState();
  const company = companies.get(testPath) ?? make();
  companies.set(testPath, company);
  return company;
}
