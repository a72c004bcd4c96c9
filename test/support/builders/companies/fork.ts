import { callAsOperator } from "./operator.ts";
import { adoptCompany, configureObject } from "./company.ts";
import type { TestCompany } from "./env.ts";
import type { Answer, Call } from "../requests/api.ts";

/** Asks for a fork of a company. */
export function askFork(
  original: Pick<TestCompany, "id">,
  { key, ...options }: Call & { key?: string } = {},
): Promise<Answer> {
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  return callAsOperator(`/companies/${original.id}/fork`, {
    method: "POST",
    ...options,
    headers: { ...headers, ...options.headers },
  });
}

/** A sandbox copy of a company, for which the invariants hold too. */
export async function givenFork(original: TestCompany, options: Call = {}): Promise<TestCompany> {
  const { status, text, body } = await askFork(original, options);
  if (status !== 201) throw new Error(`the fork was not made: ${text}`);
  const { companyId: id, clientId, key } = body.data;
  adoptCompany(id);
  // Its object has begun already: an alarm of it would pay what the original left open, at a time that no test knows.
  await configureObject(id, { queues: false });
  const credentials = { "X-Client-Id": clientId, "X-API-Key": key };
  return { ...original, id, clientId, apiKey: key, credentials };
}
