import { processPayout } from "../../../src/api/withdraws/tasks.ts";
import type { Env } from "../../../src/config.ts";
import { providerRegistry, type ProviderRegistry } from "../../../src/providers/registry.ts";
import { call, type Answer, type Call } from "./api.ts";
import { env, type TestCompany } from "../fakes/env.ts";

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

/** What the payouts consumer does with a hint. */
export function runPayout(
  company: TestCompany,
  withdrawId: number,
  providers: ProviderRegistry = providerRegistry(env),
  environment: Env = env,
): Promise<void> {
  return processPayout(environment, providers, company.id, withdrawId);
}

export async function balanceOf(company: TestCompany): Promise<any> {
  const answer = await call(`/api/Balance/balance/${company.id}?currency=BRL`, { company });
  return answer.body;
}
