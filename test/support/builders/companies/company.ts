import { runInDurableObject } from "cloudflare:test";
import { companySql, type NewCompany } from "../../../../tools/lib/company-sql.ts";
import { CompanyAccount } from "../../../../src/company/account.ts";
import type { Notifier } from "../../../../src/company/outbox/ports.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { SCOPES, type CompanyMode, type Scope } from "../../../../src/domain/shared/company.ts";
import { systemClock, systemRandom, type Clock } from "../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import type { PixKey } from "../../../../src/domain/shared/pix-key.ts";
import { configOf } from "../../../../src/config.ts";
import { withCalls, type CalledAccount } from "./calls.ts";
import { env, type TestCompany } from "./env.ts";
import { assert } from "../../../../src/lib/assert.ts";
import { givenPaid } from "../charges/transaction.ts";

export { env, type TestCompany } from "./env.ts";

export const MAIN_PIX_KEY: PixKey = { type: "CNPJ", value: "11222333000181" };

interface CompanyOptions {
  mode?: CompanyMode;
  scopes?: Scope[];
  mainPixKey?: PixKey | null;
  webhookUrl?: string;
  /** Centavos available from the start, from a payment that really came. */
  balance?: number;
  clock?: Clock;
  /**
   * Lets the real queues deliver wake-up messages; otherwise the test runs payouts and deliveries
   * itself.
   */
  queues?: boolean;
  /** Names and credentials; by default new ones. */
  as?: NewCompany;
}

const createdCompanyIds = new Set<number>();
let counter = 0;

/** The companies made since the last call, for the invariants after each test. */
export function takeCreatedCompanies(): number[] {
  const ids = [...createdCompanyIds];
  createdCompanyIds.clear();
  return ids;
}

/** A fresh company with one application and one key. Storage is shared within a test file. */
export async function givenCompany(options: CompanyOptions = {}): Promise<TestCompany> {
  counter += 1;
  const company = options.as ?? {
    name: `Loja ${counter}`,
    mode: options.mode ?? "sandbox",
    providerCompanyId: newUuid(systemRandom),
    clientId: `app_test_${newUuid(systemRandom)}`,
    apiKey: `sk_test_${newUuid(systemRandom)}`,
    webhookSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    mainPixKey: options.mainPixKey === undefined ? MAIN_PIX_KEY : options.mainPixKey,
    bankDocument: options.mainPixKey === null ? "" : MAIN_PIX_KEY.value,
    duplicateWithdrawGuard: false,
  };
  const sql = await companySql(company, configOf(env).secretsKeys, Date.now());
  const { providerCompanyId } = company;
  const own = "(SELECT id FROM companies WHERE provider_company_id = ?)";
  const statements = [
    ...sql
      .split(";\n")
      .filter((part) => part.trim() !== "")
      .map((statement) => env.DB.prepare(statement)),
    // Not only those of a company's first key, so that one key tries every route.
    env.DB.prepare(`UPDATE applications SET scopes = ? WHERE company_id = ${own}`).bind(
      (options.scopes ?? SCOPES).join(" "),
      providerCompanyId,
    ),
    ...(options.webhookUrl === undefined
      ? []
      : [
          env.DB.prepare("UPDATE companies SET webhook_url = ? WHERE provider_company_id = ?").bind(
            options.webhookUrl,
            providerCompanyId,
          ),
        ]),
    env.DB.prepare("SELECT id FROM companies WHERE provider_company_id = ?").bind(
      providerCompanyId,
    ),
  ];
  const id = (await env.DB.batch<{ id: number }>(statements)).at(-1)?.results[0]?.id;
  if (id === undefined) throw new Error("the company was not made");
  createdCompanyIds.add(id);
  // Its object begins with the first call: many tests make none.
  objectOptions.set(objectName(id), {
    clock: options.clock ?? systemClock,
    queues: options.queues ?? false,
  });
  const credentials = { "X-Client-Id": company.clientId, "X-API-Key": company.apiKey };
  const ready = { ...company, id, credentials };
  if (options.balance !== undefined && options.balance > 0) await givenPaid(ready, options.balance);
  return ready;
}

/** Has the invariants hold for a company that a test made by a route, and sets up its object. */
export function adoptCompany(companyId: number, options: ObjectOptions = {}): void {
  createdCompanyIds.add(companyId);
  objectOptions.set(objectName(companyId), { queues: false, ...options });
}

interface ObjectOptions {
  clock?: Clock;
  queues?: boolean;
  /** What writes the object's changes to D1, such as through several databases. */
  projection?: CompanyAccount["projection"];
  /** What else a test replaces in each instance: the platform evicts one that is idle for ten seconds. */
  alter?: (account: CalledAccount, state: DurableObjectState) => void;
}

const NO_QUEUES: Notifier = {
  notifyDeliveries: async () => undefined,
  notifyPayouts: async () => undefined,
};

/** How the object of each company is set up, by its name. */
const objectOptions = new Map<string, ObjectOptions>();

/** Names of the objects that this file's tests have called. */
const startedObjects = new Set<string>();

const objectName = (companyId: number) => `company-${companyId}`;

/** Whether the company's object has begun: one without a call has neither tables nor rows. */
export function hasStarted(companyId: number): boolean {
  return startedObjects.has(objectName(companyId));
}

CompanyAccount.prepare = (account, name) => {
  if (name === undefined) return;
  startedObjects.add(name);
  const options = objectOptions.get(name);
  if (options !== undefined) setUp(account, account["ctx"], options);
};

/**
 * Sets up the company's object, also each later instance: a busy machine may leave an object idle for so long that the
 * platform evicts it. What is not given stays as it was set up before, at first without queues.
 */
export async function configureObject(companyId: number, options: ObjectOptions): Promise<void> {
  await inAccount(companyId, (account, state) => {
    const { id } = state;
    const before = id.name === undefined ? undefined : objectOptions.get(id.name);
    const all = { queues: false, ...before, ...options };
    if (id.name !== undefined) objectOptions.set(id.name, all);
    setUp(account, state, all);
  });
}

function setUp(account: CompanyAccount, state: DurableObjectState, options: ObjectOptions): void {
  // No call is shed because the machine is slow: by this clock each is served at once.
  account.deadlineClock = { now: () => 0 };
  if (options.clock !== undefined) account.platformClock = options.clock;
  if (options.projection !== undefined) account.projection = options.projection;
  if (options.queues === false) account.notifier = NO_QUEUES;
  options.alter?.(withCalls(account), state);
}

/** Runs inside the company's Durable Object. */
export function inAccount<Answer>(
  companyId: number,
  run: (account: CalledAccount, state: DurableObjectState) => Answer | Promise<Answer>,
): Promise<Answer> {
  return runInDurableObject(companyStub(env, companyId), (account, state) => {
    assert(account instanceof CompanyAccount, "a company's object");
    return run(withCalls(account), state);
  });
}

/** Runs the drain; some calls return before it. */
export async function waitUntilDrained(company: TestCompany): Promise<void> {
  await inAccount(company.id, (account) => account.runNow());
}

/** Tables of the object's open work. */
const BACKLOG_TABLES = [
  "outbox",
  "outbox_set_aside",
  "unarchived",
  "withdraws",
  "pending_approvals",
  "waiting_exits",
  "operations",
  "disputes",
  "rechecks",
  "releases",
];

/** Deletes the object's open work, so that its alarms log nothing during other files' tests. */
export async function clearBacklog(companyId: number): Promise<void> {
  await inAccount(companyId, async (_account, { storage }) => {
    for (const table of BACKLOG_TABLES) storage.sql.exec(`DELETE FROM ${table}`);
    await storage.deleteAlarm();
  });
}
