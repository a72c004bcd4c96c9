import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { reconcileAccounts } from "../../../../src/api/bank-reconciliation/tasks.ts";
import { fetchFromApp } from "../requests/app.ts";
import { systemDependencies } from "../../../../src/dependencies.ts";
import { systemRandom, type Clock } from "../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import type { Dependencies } from "../../../../src/http/context.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import type { Answer, Call } from "../requests/api.ts";
import { TestClock } from "../../fakes/clock.ts";
import { env, givenCompany, type TestCompany } from "../companies/company.ts";
import { FakePsp, PSP_CLIENT } from "../../fakes/fake-psp/psp.ts";
import { callAsOperator } from "../companies/operator.ts";
import { approve, REASON } from "../operations/decide.ts";

const CERTIFICATE = "PSP_CERTIFICATE";
const PSP_URL = "https://pix.banco-de-teste.com.br";

/** The smallest valid configuration of a PSP with its own key and payouts. */
export function pixApiRequest(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const { pixKey = newUuid(systemRandom) } = overrides;
  return {
    baseUrl: PSP_URL,
    tokenUrl: tokenUrlOf(String(pixKey)),
    ...PSP_CLIENT,
    pixKey,
    certificate: CERTIFICATE,
    payouts: { url: PSP_URL },
    ...overrides,
  };
}

/** By default each key has a client of its own; companies that name one `tokenUrl` share one. */
function tokenUrlOf(pixKey: string): string {
  const name = pixKey.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return `https://auth-${name}.banco-de-teste.com.br/oauth/token`;
}

/** A live company, its clock, and the environment that leads to its banks. */
export interface LiveWorld {
  company: TestCompany;
  clock: TestClock;
  env: typeof env;
  deps: Dependencies;
}

/** A live company, its PSP, and the environment that connects them: its certificate binding leads to the PSP. */
export interface PspSetup extends LiveWorld {
  psp: FakePsp;
  /** The response to the operator's configuration request. */
  configured: any;
  /** The request options that reach the PSP. */
  options: Pick<Call, "env" | "deps">;
}

export async function givenPsp(
  overrides: Record<string, unknown> = {},
  clock = new TestClock(),
): Promise<PspSetup> {
  const pixKey = newUuid(systemRandom);
  const psp = new FakePsp(clock, pixKey);
  const company = await givenCompany({ mode: "live", clock });
  const { certificate } = overrides;
  const world = withPsp(psp, clock, typeof certificate === "string" ? certificate : CERTIFICATE);
  const { body, status, text } = await configurePixApi(
    company,
    pixApiRequest({ pixKey, ...overrides }),
    world,
  );
  if (status !== 200) throw new Error(`configure answered ${status}: ${text}`);
  await setNextRunAt(company, NEVER);
  return { company, psp, clock, configured: body, ...world };
}

/** Runs this company's newest reconciliation pass now, whatever its next run is. */
export async function reconcile(world: PspSetup, deps: Dependencies = world.deps): Promise<void> {
  await postponeOtherPasses(world.company);
  await setNextRunAt(world.company, world.clock.now());
  await env.DB.prepare(
    "UPDATE reconciliation_passes SET next_run_at = ? WHERE company_id = ? AND pass = 'newest'",
  )
    .bind(world.clock.now(), world.company.id)
    .run();
  await reconcileAccounts(world.env, deps);
  await postponePasses(world.company, POSTPONED_MS);
}

/** Runs this company's due reconciliation passes, as the cron does; accounts without passes are new. */
export async function reconcileDue(world: LiveWorld): Promise<void> {
  await postponeOtherPasses(world.company);
  await postponePasses(world.company, -POSTPONED_MS);
  await env.DB.prepare(
    `UPDATE psp_accounts SET list_at = ?1 WHERE company_id = ?2 AND account NOT IN
       (SELECT account FROM reconciliation_passes WHERE company_id = ?2)`,
  )
    .bind(world.clock.now(), world.company.id)
    .run();
  await reconcileAccounts(world.env, world.deps);
  await postponePasses(world.company, POSTPONED_MS);
}

/** Keeps other tests' crons away from this company: their environments lack its PSP. */
const NEVER = Number.MAX_SAFE_INTEGER;
/** Postpones a pass, for the same reason. */
const POSTPONED_MS = 4e15;

async function postponePasses({ id }: TestCompany, ms: number): Promise<void> {
  await setNextRunAt({ id }, NEVER);
  await env.DB.prepare(
    `UPDATE reconciliation_passes SET next_run_at = next_run_at + ?1
     WHERE company_id = ?2 AND (next_run_at < ?3) = (?1 > 0)`,
  )
    .bind(ms, id, POSTPONED_MS)
    .run();
}

/** Postpones other companies' passes, which would use up the minute's calls. */
export async function postponeOtherPasses({ id } = { id: 0 }): Promise<void> {
  await env.DB.batch([
    env.DB.prepare("UPDATE psp_accounts SET list_at = ? WHERE company_id <> ?").bind(NEVER, id),
    env.DB.prepare(
      `UPDATE reconciliation_passes SET next_run_at = next_run_at + ?1
       WHERE company_id <> ?2 AND next_run_at < ?1`,
    ).bind(POSTPONED_MS, id),
  ]);
}

async function setNextRunAt(company: Pick<TestCompany, "id">, nextRunAt: number): Promise<void> {
  await env.DB.prepare("UPDATE psp_accounts SET list_at = ? WHERE company_id = ?")
    .bind(nextRunAt, company.id)
    .run();
}

/** An environment whose certificate binding leads to this PSP. */
export function withPsp(psp: FakePsp, clock: Clock, certificate = CERTIFICATE) {
  const environment = { ...env, [certificate]: { fetch: psp.fetch } };
  const deps = {
    ...systemDependencies,
    platformClock: clock,
    providers: () => providerRegistry(environment, clock),
  };
  return { env: environment, deps, options: { env: environment, deps } };
}

/** Configures a connection; one that leads elsewhere than the company's is approved by another operator. */
export async function configurePixApi(
  company: Pick<TestCompany, "id">,
  body: Record<string, unknown>,
  world: Pick<PspSetup, "options">,
): Promise<Answer> {
  const answer = await putPixApi(company, { reason: REASON, ...body }, world);
  if (answer.status !== 202) return answer;
  const approved = await approve(answer.body.data.id, world.options);
  if (approved.status !== 200) return approved;
  const shown = await callAsOperator(pixApiPath(company), world.options);
  return { ...shown, body: { ...shown.body, ...approved.body.data.outcome } };
}

/** What one operator asks for. */
export function putPixApi(
  company: Pick<TestCompany, "id">,
  body: Record<string, unknown>,
  { options }: Pick<PspSetup, "options">,
): Promise<Answer> {
  return callAsOperator(pixApiPath(company), { ...options, method: "PUT", body });
}

export function pixApiPath(company: Pick<TestCompany, "id">): string {
  return `/companies/${company.id}/providers/pix-api`;
}

/** Posts a callback as a PSP does; returns once its background work is done. */
export async function postCallback(
  world: Pick<PspSetup, "options">,
  url: string,
  body: BodyInit,
  tlsClientAuth?: object,
): Promise<{ status: number; body: any }> {
  const context = createExecutionContext();
  const cf = { tlsClientAuth } as IncomingRequestCfProperties;
  const request = new Request(url, { method: "POST", body, cf });
  const answer = await fetchFromApp(request, { ...world.options, context });
  const text = await answer.text();
  await waitOnExecutionContext(context);
  return { status: answer.status, body: JSON.parse(text) };
}

/** The PSP posts its pending callbacks; returns the response statuses. */
export async function deliverCallbacks(
  world: PspSetup,
  reorder?: (bodies: unknown[]) => unknown[],
): Promise<number[]> {
  const statuses: number[] = [];
  await world.psp.deliverCallbacks(async (url, body) => {
    statuses.push((await postCallback(world, url, body)).status);
  }, reorder);
  return statuses;
}
