import { call, type Answer, type Call } from "../requests/api.ts";
import { givenApplication } from "../companies/application.ts";
import { adoptCompany, givenCompany, type TestCompany } from "../companies/company.ts";
import { TestClock } from "../../fakes/clock.ts";
import { requestWithdraw } from "./withdraw.ts";

export const HOUR_MS = 3_600_000;
/** How long a withdraw waits for its approval. */
export const APPROVAL_MS = 72 * HOUR_MS;

/** Changes a company's settings. */
export function changeSettings(
  company: TestCompany,
  body: Record<string, unknown>,
  options: Pick<Call, "deps"> = {},
): Promise<Answer> {
  return call("/api/v1/company/settings", { ...options, method: "PUT", company, body });
}

/** Approves or refuses a withdraw, as the application that is named. */
export function decide(
  application: TestCompany,
  decision: "approve" | "refuse",
  id: number | string,
  { key, body }: { key?: string; body?: object } = {},
): Promise<Answer> {
  return call(`/api/v1/withdraws/${id}/${decision}`, {
    method: "POST",
    company: application,
    ...(body === undefined ? {} : { body }),
    headers: key === undefined ? {} : { "Idempotency-Key": key },
  });
}

/** A company of R$ 500.00 or `balance` centavos whose withdraws above R$ 20.00 need an approval; one of R$ 30.00 waits for it. */
export async function givenPending(balance = 50_000) {
  const clock = new TestClock();
  const company = await givenCompany({ balance, clock });
  await changeSettings(company, { withdrawApprovalAbove: 2_000 });
  const approver = await givenApplication(company);
  return { clock, company, approver, withdraw: await requestPending(company, "wd_1") };
}

/** One more withdraw of R$ 30.00 that waits for its approval. */
async function requestPending(company: TestCompany, key: string) {
  const { body } = await requestWithdraw(company, { amount: 3_000 }, { key });
  return body;
}

/** What makes pending withdraws, one a call, all of one company with money for a hundred of them. */
export function pendingOfOneCompany() {
  let first: ReturnType<typeof givenPending> | undefined;
  let made = 0;
  return async () => {
    made += 1;
    const world = await (first ??= givenPending(300_000));
    if (made === 1) return world;
    const { clock, company } = world;
    // Its invariants are checked after this test, too.
    adoptCompany(company.id, { clock });
    return { ...world, withdraw: await requestPending(company, `wd_${made}`) };
  };
}
