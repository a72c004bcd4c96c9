import type { TestCompany } from "../companies/company.ts";
import { cancel, refund, resolveDispute, simulate } from "../operations/refund.ts";
import { givenPaid, givenTransaction } from "./transaction.ts";

/** Leads a new charge of a company to a state in which nothing of it can be refunded; returns its id. */
const CHARGES = {
  waiting: async (company: TestCompany) => (await givenTransaction(company)).id,
  cancelled: async (company: TestCompany) => {
    const { id } = await givenTransaction(company);
    await cancel(company, id);
    return id;
  },
  expired: async (company: TestCompany) => {
    const { id } = await givenTransaction(company);
    await simulate(company, id, "expire");
    return id;
  },
  failed: async (company: TestCompany) => {
    const { id } = await givenTransaction(company);
    await simulate(company, id, "fail");
    return id;
  },
  refunded: async (company: TestCompany) => {
    const { id } = await givenPaid(company, 2_500);
    await refund(company, id);
    return id;
  },
  "charged back": async (company: TestCompany) => {
    const { id } = await givenPaid(company, 2_500);
    await simulate(company, id, "chargeback");
    return id;
  },
  disputed: async (company: TestCompany) => {
    const { id } = await givenPaid(company, 2_500);
    await simulate(company, id, "dispute");
    return id;
  },
  "lost to a dispute": async (company: TestCompany) => {
    const { id } = await givenPaid(company, 2_500);
    await simulate(company, id, "dispute");
    await resolveDispute(company, id, "lost");
    return id;
  },
} satisfies Record<string, (company: TestCompany) => Promise<string>>;

/** The named states with their makers, as rows of a test table. */
export function chargesInState(
  ...states: (keyof typeof CHARGES)[]
): [string, (company: TestCompany) => Promise<string>][] {
  return states.map((state) => [state, CHARGES[state]]);
}
