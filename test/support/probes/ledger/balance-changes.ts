import type { TestCompany } from "../../builders/companies/company.ts";
import { accountsOf } from "./ledger.ts";

/** The run's change of each account in centavos, without unchanged accounts. */
export async function balanceChanges<Answer>(
  company: TestCompany,
  run: () => Promise<Answer>,
): Promise<{ answer: Answer; effect: Record<string, number> }> {
  const before = await accountsOf(company);
  const answer = await run();
  const changes = Object.entries(await accountsOf(company))
    .map(([account, balance]) => [account, balance - (before[account] ?? 0)] as const)
    .filter(([, change]) => change !== 0);
  return { answer, effect: Object.fromEntries(changes) };
}
