import { expect, it } from "vitest";
import { FORMER_ACCOUNT_RETENTION_MS } from "../../../../../src/domain/psp/psp-settings.ts";
import { systemRandom } from "../../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../../src/domain/shared/ids.ts";
import { providerRegistry } from "../../../../../src/providers/registry.ts";
import { FakePsp } from "../../../../support/fakes/fake-psp/psp.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import {
  configurePixApi,
  deliverCallbacks,
  givenPsp,
  pixApiPath,
  pixApiRequest,
  type PspSetup,
} from "../../../../support/builders/providers/psp.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { receivePayment } from "../../../../support/builders/providers/psp-money.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";

/** Stores the accounts of a company as before `psp_accounts`. */
async function storeAsBefore(companyId: number): Promise<void> {
  const bound = (sql: string) => env.DB.prepare(sql).bind(companyId);
  await env.DB.batch([
    bound(
      `INSERT INTO company_providers (company_id, provider, settings, account, sealed, callback_token_hash,
         previous_callback_token_hash, previous_callback_token_until, listed_until, list_at, list_window,
         created_at, updated_at)
       SELECT company_id, provider, settings, account, sealed, callback_token_hash, previous_callback_token_hash,
         previous_callback_token_until, listed_until, list_at, list_window, created_at, updated_at
       FROM psp_accounts WHERE company_id = ? AND left_at IS NULL`,
    ),
    bound(
      `INSERT INTO former_accounts (company_id, account, provider, settings, sealed, callback_token_hash, created_at,
         left_at)
       SELECT company_id, account, provider, settings, sealed, callback_token_hash, created_at, left_at
       FROM psp_accounts WHERE company_id = ? AND left_at IS NOT NULL`,
    ),
    bound("DELETE FROM psp_accounts WHERE company_id = ?"),
  ]);
}

/** The company's new account at a second PSP. */
async function givenNext(first: PspSetup) {
  // Two fake PSPs use the same numbers for payments of the same minute.
  first.clock.advance(60_000);
  const pixKey = newUuid(systemRandom);
  const next = new FakePsp(first.clock, pixKey);
  const both = { ...first.env, PSP_NEXT: { fetch: next.fetch } };
  const deps = { ...first.deps, providers: () => providerRegistry(both, first.clock) };
  const world: PspSetup = { ...first, env: both, deps, options: { env: both, deps } };
  const configured = await configurePixApi(
    first.company,
    pixApiRequest({ pixKey, certificate: "PSP_NEXT" }),
    world,
  );
  expect(configured.status, configured.text).toBe(200);
  return { next, world };
}

const TABLES = ["psp_accounts", "company_providers", "former_accounts"];

/** The tables that have secrets of a company's PSPs. */
async function tablesWithSecrets({ id }: Pick<TestCompany, "id">): Promise<string[]> {
  const found = await env.DB.batch(
    TABLES.map((table) =>
      env.DB.prepare(
        `SELECT 1 FROM ${table} WHERE company_id = ? AND (sealed <> '' OR callback_token_hash <> '')`,
      ).bind(id),
    ),
  );
  return TABLES.filter((_, index) => found[index]!.results.length > 0);
}

const disconnect = ({ company, options }: PspSetup) =>
  callAsOperator(pixApiPath(company), { ...options, method: "DELETE" });

it("a company of before is called back by both tokens, refunds at the former account and rotates its token", async () => {
  const first = await givenPsp();
  const { company } = first;
  const paid = await receivePayment(first);
  const { next, world } = await givenNext(first);
  await storeAsBefore(company.id);
  next.payKey("7.00");
  await deliverCallbacks({ ...world, psp: next });
  first.psp.payKey("5.00");
  await deliverCallbacks(world);
  const refunded = await refund(company, paid.charge.id, 1_000, world.options);
  expect(refunded.status).toBe(202);
  expect(first.psp.requests.at(-1)).toContain(`${paid.paymentId}/devolucao/`);
  const path = `${pixApiPath(company)}/callback-token/rotate`;
  const rotated = await callAsOperator(path, { ...world.options, method: "POST", body: {} });
  expect(rotated.status, rotated.text).toBe(200);
  first.clock.advance(60_000);
  next.payKey("8.00");
  await deliverCallbacks({ ...world, psp: next });
  first.psp.payKey("6.00");
  await deliverCallbacks(world);
  expect(await accountsOf(company)).toMatchObject({ suspense: 2_600 });
});

it("a company of before that is disconnected leaves no secret in any table", async () => {
  const first = await givenPsp();
  const { world } = await givenNext(first);
  await storeAsBefore(first.company.id);
  expect(await tablesWithSecrets(first.company)).toEqual(["company_providers", "former_accounts"]);
  expect((await disconnect(world)).status).toBe(200);
  expect(await tablesWithSecrets(first.company)).toEqual([]);
  expect((await disconnect(world)).status).toBe(404);
});

it("a company of before whose disconnection is refused keeps its secrets", async () => {
  const first = await givenPsp();
  await givenTransaction(first.company, {}, first.options);
  await storeAsBefore(first.company.id);
  expect((await disconnect(first)).status).toBe(409);
  expect(await tablesWithSecrets(first.company)).toContain("company_providers");
});

it("the same account without payouts sends none, and with payouts again does", async () => {
  const world = await givenPsp();
  const { company, options } = world;
  await receivePayment(world);
  const { pixKey } = world.configured;
  const change = async (payouts: object | null) => {
    const body = pixApiRequest({ pixKey, payouts, sameAccount: true });
    const changed = await configurePixApi(company, body, world);
    expect(changed.status, changed.text).toBe(200);
  };
  await change(null);
  const refused = await requestWithdraw(company, { amount: 2_000 }, options);
  await expectProblem(refused, { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
  await change({ url: world.configured.baseUrl });
  expect((await requestWithdraw(company, { amount: 2_000 }, options)).status).toBe(201);
});

it("the key of a company of before is its own, until it has left it for so long", async () => {
  const first = await givenPsp();
  await storeAsBefore(first.company.id);
  const { pixKey } = first.configured;
  const other = await givenCompany({ mode: "live", clock: first.clock });
  const take = (world: PspSetup) => configurePixApi(other, pixApiRequest({ pixKey }), world);
  const taken = { status: 409, code: "INVALID_STATE" };
  await expectProblem(await take(first), taken);
  const { world } = await givenNext(first);
  await expectProblem(await take(world), taken);
  first.clock.advance(FORMER_ACCOUNT_RETENTION_MS + 1);
  expect((await take(world)).status).toBe(200);
});
