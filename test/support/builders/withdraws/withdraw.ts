import { processPayout } from "../../../../src/api/withdraws/tasks.ts";
import type { Env } from "../../../../src/config.ts";
import { providerRegistry, type ProviderRegistry } from "../../../../src/providers/registry.ts";
import { call, type Answer, type Call } from "../requests/api.ts";
import { env, type TestCompany } from "../companies/env.ts";

let counter = 0;

export function requestWithdraw(
  company: TestCompany,
  body: Record<string, unknown> = {},
  options: Call & { key?: string } = {},
): Promise<Answer> {
  counter += 1;
  const { key, ...rest } = options;
  return call("/api/Withdraw/request", {
    ...rest,
    company,
    body: { amount: 1_000, ...body },
    headers: { "Idempotency-Key": key ?? `wd_test_${counter}`, ...rest.headers },
  });
}

/** Runs the payout as the queue consumer does. */
export function runPayout(
  company: TestCompany,
  withdrawId: number,
  providers: ProviderRegistry = providerRegistry(env),
  environment: Env = env,
): Promise<void> {
  return processPayout(environment, providers, company.id, withdrawId);
}
