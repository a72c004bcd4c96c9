import { call } from "../../builders/requests/api.ts";
import type { TestCompany } from "../../builders/companies/env.ts";

export async function balanceOf(company: TestCompany): Promise<any> {
  const answer = await call(`/api/Balance/balance/${company.id}?currency=BRL`, { company });
  return answer.body;
}
