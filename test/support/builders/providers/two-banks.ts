import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import type { TestCompany } from "../companies/company.ts";
import { env } from "../companies/env.ts";
import { FakePsp } from "../../fakes/fake-psp/psp.ts";
import { configurePixApi, givenPsp, pixApiRequest, type PspSetup } from "./psp.ts";

/** A live company with an account at each of two banks; `psp` is the one that is asked first. */
export interface TwoBanks extends PspSetup {
  /** Asked where the first one stays silent. */
  second: FakePsp;
  accounts: { first: string; second: string };
}

/** Two banks, both active for PIX and payouts, one after the other. */
export async function givenTwoBanks(): Promise<TwoBanks> {
  const before = await givenPsp();
  const pixKey = newUuid(systemRandom);
  const second = new FakePsp(before.clock, pixKey);
  const both = { ...before.env, PSP_SECOND: { fetch: second.fetch } };
  const deps = { ...before.deps, providers: () => providerRegistry(both, before.clock) };
  const world = { ...before, env: both, deps, options: { env: both, deps } };
  const connected = await configurePixApi(
    before.company,
    pixApiRequest({ pixKey, certificate: "PSP_SECOND" }),
    world,
  );
  const accounts = { first: before.configured.account, second: connected.body.account };
  await activate(before.company, accounts.first, 1);
  await activate(before.company, accounts.second, 2);
  return { ...world, second, accounts };
}

async function activate({ id }: TestCompany, account: string, priority: number): Promise<void> {
  await env.DB.prepare(
    `UPDATE psp_accounts SET state = 'active', priority = ?, left_at = NULL, list_at = ?
     WHERE company_id = ? AND account = ?`,
  )
    .bind(priority, Number.MAX_SAFE_INTEGER, id, account)
    .run();
}

/** The ids of a bank's charges that can be paid. */
export function payableAt({ book }: FakePsp): string[] {
  return [...book.cobs].flatMap(([txid, { status }]) => (status === "ATIVA" ? [txid] : []));
}

/** The shadow charges of a company that have not been ended. */
export async function shadowRows({ id }: TestCompany): Promise<Record<string, unknown>[]> {
  const { results } = await env.DB.prepare("SELECT * FROM shadow_charges WHERE company_id = ?")
    .bind(id)
    .all();
  return results;
}

/** What says that creates of a company are bound to their accounts. */
export async function boundRows({ id }: TestCompany): Promise<{ account: string; id: string }[]> {
  const { results } = await env.DB.prepare(
    "SELECT account, id FROM provider_refs WHERE company_id = ? AND id >= 'bound:' AND id < 'bound;'",
  )
    .bind(id)
    .all<{ account: string; id: string }>();
  return results;
}

/** A company's charges with the account that has each, oldest first. */
export async function chargeRows({
  id,
}: TestCompany): Promise<
  { id: string; status: string; account: string; attempt: number; paidAmount: number }[]
> {
  const { results } = await env.DB.prepare(
    `SELECT id, status, account, attempt, paid_amount AS paidAmount FROM transactions
     WHERE company_id = ? ORDER BY seq`,
  )
    .bind(id)
    .all<Awaited<ReturnType<typeof chargeRows>>[number]>();
  return results;
}
