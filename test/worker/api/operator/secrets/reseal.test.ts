import { createOTP } from "@better-auth/utils/otp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LOCAL_SECRETS_KEY } from "../../../../../src/lib/local-key.ts";
import { keyIdOf, seal, unseal } from "../../../../../src/lib/secret-box.ts";
import { savedCardContext } from "../../../../../src/domain/cards/saved-card.ts";
import { payerKeyContext } from "../../../../../src/domain/shared/company.ts";
import { systemRandom } from "../../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../../src/domain/shared/ids.ts";
import { openSecrets } from "../../../../../src/providers/registry.ts";
import { listAccounts } from "../../../../../src/db/companies/psp-accounts.ts";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../support/builders/console/browser.ts";
import {
  givenPerson,
  PASSWORD,
  RECOVERY_CODES,
  TOTP_SECRET,
} from "../../../../support/builders/console/people.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import {
  configurePixApi,
  givenPsp,
  pixApiRequest,
} from "../../../../support/builders/providers/psp.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { injectFault, CONNECTION_LOST, withD1 } from "../../../../support/faults/faulty-env.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { deliveriesOf } from "../../../../support/probes/webhooks/webhook-rows.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  ENDPOINTS,
  givenEndpoint,
  signersOf,
} from "../../../../support/builders/webhooks/endpoints.ts";
import { WebhookSink, type ReceivedWebhook } from "../../../../support/fakes/webhook-sink.ts";

/** The authenticator app's code so many half minutes from now. */
const code = (later: number) =>
  createOTP(TOTP_SECRET).hotp(Math.floor(Date.now() / 30_000) + later);

const PATH = "/secrets/reseal";
const NEXT_KEY = btoa("the-next-key-of-this-environment");
/** The Worker during a rotation, and after the former key was removed. */
const ROTATING = { ...env, SECRETS_KEY: `${NEXT_KEY},${LOCAL_SECRETS_KEY}` };
const ROTATED = { ...env, SECRETS_KEY: NEXT_KEY };
const POSTBACK = "https://loja.example.com/postback";

let prefix = "";
/** The newest company of other files, of which there may be thousands, and of what came before a test: its passes begin there. */
let others: string;
let start: string;

const newestCompany = async () =>
  String(
    (await env.DB.prepare("SELECT max(id) AS id FROM companies").first<number | null>("id")) ?? 0,
  );

beforeAll(async () => {
  prefix = `v2.${await keyIdOf(NEXT_KEY)}.`;
  others = await newestCompany();
});

beforeEach(async () => {
  start = await newestCompany();
});

/** Back to the key that every other test uses: each step took people along, and one began at the first company. */
afterAll(async () => {
  const back = { ...env, SECRETS_KEY: `${LOCAL_SECRETS_KEY},${NEXT_KEY}` };
  for (let left = 1; left > 0;) left = (await reseal({}, back)).body.resealed;
  await passOver(back, others);
});

const reseal = (body: object = {}, world: typeof env = ROTATING): Promise<Answer> =>
  callAsOperator(PATH, { method: "POST", body, env: world });

/** All steps of one pass over the companies after one, by default over this test's, added up. */
async function passOver(world: typeof env = ROTATING, from = start) {
  const total = { resealed: 0, remaining: 0, steps: 0 };
  for (let after: string | null = from; after !== null;) {
    const { body, status, text }: Answer = await reseal({ after }, world);
    expect(status, text).toBe(200);
    total.resealed += body.resealed;
    total.remaining += body.remaining;
    total.steps += 1;
    after = body.after;
  }
  return total;
}

function companyRow(company: TestCompany): Promise<Record<string, string> | null> {
  return env.DB.prepare(
    `SELECT webhook_secret_sealed AS webhookSecret, webhook_secrets_previous AS previous,
       lead_key_sealed AS leadKey FROM companies WHERE id = ?`,
  )
    .bind(company.id)
    .first();
}

/** A company with each kind of sealed value under the local key; the current secret without a key id. */
async function givenSealedValues() {
  const psp = await givenPsp();
  const { company } = psp;
  const next = pixApiRequest({ pixKey: newUuid(systemRandom), clientSecret: "second-secret" });
  const configured = await configurePixApi(company, next, psp);
  expect(configured.status, configured.text).toBe(200);
  await call("/api/v1/webhooks/secret/rotate", { method: "POST", company });
  const endpoint = await givenEndpoint(company, { url: "https://erp.example.com/webhooks" });
  await call(`${ENDPOINTS}/${endpoint.id}/rotate-secret`, { method: "POST", company });
  const context = payerKeyContext(company.providerCompanyId);
  const leadKey = await seal([LOCAL_SECRETS_KEY], "lead-key", context);
  const { webhookSecret } = (await companyRow(company))!;
  await env.DB.prepare(
    "UPDATE companies SET lead_key_sealed = ?, webhook_secret_sealed = ? WHERE id = ?",
  )
    .bind(leadKey, webhookSecret!.replace(/^v2\.\w+\./, "v1."), company.id)
    .run();
  return { ...psp, context };
}

async function findSealedCard(
  { id }: TestCompany,
  table: "saved_cards" | "card_deletions",
): Promise<string> {
  const query = env.DB.prepare(`SELECT sealed FROM ${table} WHERE company_id = ?`).bind(id);
  return (await query.first<string>("sealed")) ?? "";
}

describe("resealing", () => {
  it("seals every kind of value under the current key, and the former key is needed no more", async () => {
    // Other files left authenticators under keys that nobody has.
    const { remaining: lost } = await passOver();
    const { company, context } = await givenSealedValues();
    const cardContext = savedCardContext(company.providerCompanyId, "card_1");
    await env.DB.prepare(
      `INSERT INTO saved_cards (company_id, id, account, customer, lead_key, sealed, consent, created_at)
        VALUES (?, 'card_1', 'house', 'payer', 'key', ?, '{}', 0)`,
    )
      .bind(company.id, await seal([LOCAL_SECRETS_KEY], "ref", cardContext))
      .run();
    await env.DB.prepare(
      `INSERT INTO card_deletions
        SELECT company_id, id, account, customer, sealed, 0, 0, lead_key FROM saved_cards WHERE company_id = ?`,
    )
      .bind(company.id)
      .run();
    expect(await passOver()).toMatchObject({ remaining: lost });
    for (const table of ["saved_cards", "card_deletions"] as const) {
      const sealed = await findSealedCard(company, table);
      expect(await unseal([NEXT_KEY], sealed, cardContext)).toBe("ref");
    }
    const row = (await companyRow(company))!;
    expect(row["webhookSecret"]).toContain(prefix);
    expect(JSON.parse(row["previous"]!)[0].sealed).toContain(prefix);
    expect(await unseal([NEXT_KEY], row["leadKey"]!, context)).toBe("lead-key");
    const endpoint = await env.DB.prepare(
      "SELECT secret_sealed AS secret, secrets_previous AS previous FROM webhook_endpoints WHERE company_id = ?",
    )
      .bind(company.id)
      .first<Record<string, string>>();
    expect(endpoint!["secret"]).toContain(prefix);
    expect(JSON.parse(endpoint!["previous"]!)[0].sealed).toContain(prefix);
    const [current, former] = await listAccounts(env, company.id);
    expect(await openSecrets(ROTATED, company, current!)).toMatchObject({
      clientSecret: "second-secret",
    });
    expect(former!.sealed).toContain(prefix);
    await expect(openSecrets(ROTATED, company, former!)).resolves.toBeTruthy();
    expect(await passOver()).toMatchObject({ resealed: 0, remaining: lost });
  });

  it("lets people sign in with app and recovery code before, during and after a rotation", async () => {
    const person = await givenPerson(await givenCompany(), "owner", { hasAuthenticator: true });
    const signIn = async (typed: string, world: typeof env) => {
      const browser = new Browser();
      const form = { email: person.email, password: PASSWORD };
      await browser.ask("/console/sign-in", { form, env: world });
      const proved = await browser.ask("/console/sign-in/code", {
        form: { code: typed },
        env: world,
      });
      expect(proved.headers.get("Location")).toBe("/console");
      expect((await browser.ask("/console/account", { env: world })).status).toBe(200);
    };
    await signIn(await code(0), ROTATING);
    await passOver();
    const row = await env.DB.prepare("SELECT secret, backup_codes FROM two_factors WHERE id = ?")
      .bind(person.userId)
      .first<Record<string, string>>();
    const version = `$ba$${Number.parseInt(await keyIdOf(NEXT_KEY), 16)}$`;
    for (const text of Object.values(row!)) expect(text.startsWith(version)).toBe(true);
    await signIn(await code(1), ROTATED);
    await signIn(RECOVERY_CODES[0]!, ROTATED);
  });

  it("goes in steps of 20 companies and names the keys without showing them", async () => {
    for (let made = 0; made < 21; made++) await givenCompany();
    const first = await reseal({ after: start });
    await expectDocumented("POST /api/v1/operator/secrets/reseal", first);
    expect(first.body).toMatchObject({
      hasMore: true,
      currentKey: await keyIdOf(NEXT_KEY),
      otherKeys: [await keyIdOf(LOCAL_SECRETS_KEY)],
    });
    expect(first.text).not.toContain(NEXT_KEY);
    const last = await passOver();
    expect(last.steps).toBeGreaterThan(1);
    const whole = await callAsOperator(PATH, { method: "POST", env: ROTATING });
    expect(whole.status).toBe(200);
  });

  it("leaves a secret that changes meanwhile to the next pass", async () => {
    const company = await givenCompany();
    let rotated = "";
    const world = {
      ...withD1(env, async (label, run) => {
        if (rotated === "" && /update "companies" set "webhook_secret_sealed"/.test(label)) {
          rotated = "now";
          const answer = await call("/api/v1/webhooks/secret/rotate", { method: "POST", company });
          rotated = answer.body.secret;
        }
        return run();
      }),
      SECRETS_KEY: ROTATING.SECRETS_KEY,
    };
    const { body } = await reseal({ after: String(company.id - 1) }, world);
    expect(body).toMatchObject({ remaining: 1 });
    await passOver();
    const secrets = [rotated, company.webhookSecret];
    expect(signersOf(await webhookOf(company, ROTATED), secrets)).toEqual(secrets);
  });

  it("counts a value that no key opens as remaining, and seals the others", async () => {
    const company = await givenCompany();
    await call("/api/v1/webhooks/secret/rotate", { method: "POST", company });
    await env.DB.prepare("UPDATE companies SET lead_key_sealed = 'v1.AAAA.AAAA' WHERE id = ?")
      .bind(company.id)
      .run();
    const { body } = await reseal({ after: String(company.id - 1) });
    expect(body).toMatchObject({ resealed: 2, remaining: 1 });
    await env.DB.prepare("UPDATE companies SET lead_key_sealed = NULL WHERE id = ?")
      .bind(company.id)
      .run();
  });

  it("survives a lost answer of D1", async () => {
    const company = await givenCompany();
    const fault = injectFault({ on: /update "companies"/, when: "after", error: CONNECTION_LOST });
    const world = { ...withD1(env, fault.intercept), SECRETS_KEY: ROTATING.SECRETS_KEY };
    expect((await reseal({ after: String(company.id - 1) }, world)).status).toBe(200);
    expect((await companyRow(company))!["webhookSecret"]).toContain(prefix);
  });

  it("VALIDATION_FAILED: a cursor that is none", async () => {
    await expectProblem(await reseal({ after: "x" }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["after"],
    });
  });
});

/** The webhook of a payment, sent by a Worker with these keys. */
async function webhookOf(company: TestCompany, world: typeof env): Promise<ReceivedWebhook> {
  const { id } = await givenTransaction(company, { postbackUrl: POSTBACK });
  await pay(company, id);
  const sink = new WebhookSink(new TestClock());
  const newest = (await deliveriesOf(company)).find(({ dueAt }) => dueAt !== null);
  await sink.deliver(company, newest!.companySequence, { env: world });
  return sink.received.at(-1)!;
}

/** Verifies `v1a` like a merchant, with the published keys of a Worker. */
async function verifies(company: TestCompany, webhook: ReceivedWebhook, world: typeof env) {
  const answer = await call(`/.well-known/webhook-keys.json?company=${company.id}`, { env: world });
  const part = webhook.headers["webhook-signature"]!.split(" ").at(-1)!;
  const signature = Uint8Array.from(atob(part.slice(4)), (char) => char.charCodeAt(0));
  const { id, rawBody, headers } = webhook;
  const text = new TextEncoder().encode(`${id}.${headers["webhook-timestamp"]}.${rawBody}`);
  const verdicts = await Promise.all(
    answer.body.keys.map(async (jwk: JsonWebKey) => {
      const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]);
      return crypto.subtle.verify("Ed25519", key, signature, text);
    }),
  );
  return verdicts.includes(true);
}

describe("a rotation of SECRETS_KEY", () => {
  it("keeps webhooks verifiable: before, during and after", async () => {
    const company = await givenCompany();
    const before = await webhookOf(company, env);
    expect(await verifies(company, before, env)).toBe(true);
    const announced = { ...env, SECRETS_KEY: `${LOCAL_SECRETS_KEY},${NEXT_KEY}` };
    const during = await webhookOf(company, ROTATING);
    for (const webhook of [before, during]) {
      expect(await verifies(company, webhook, announced)).toBe(true);
      expect(await verifies(company, webhook, ROTATING)).toBe(true);
      expect(signersOf(webhook, [company.webhookSecret])).toHaveLength(1);
    }
    await passOver();
    const after = await webhookOf(company, ROTATED);
    expect(signersOf(after, [company.webhookSecret])).toHaveLength(1);
    expect(await verifies(company, after, ROTATED)).toBe(true);
    expect(await verifies(company, before, ROTATED)).toBe(false);
  });
});
