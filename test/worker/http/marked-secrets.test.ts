import { afterEach, expect, it, vi } from "vitest";
import { call, type Answer } from "../../support/builders/requests/api.ts";
import { createCard, tokenize } from "../../support/builders/charges/card.ts";
import { createTransaction, pay } from "../../support/builders/charges/transaction.ts";
import { env } from "../../support/builders/companies/company.ts";
import { givenCompany } from "../../support/builders/companies/company.ts";
import { OPERATOR_CREDENTIALS } from "../../support/builders/companies/operator.ts";
import { givenPsp } from "../../support/builders/providers/psp.ts";
import { BOLETO_REQUEST, FULL_REQUEST } from "../../support/builders/requests/full-request.ts";
import { requestWithdraw } from "../../support/builders/withdraws/withdraw.ts";
import { PSP_CLIENT } from "../../support/fakes/fake-psp/psp.ts";
import { recordingNotifier } from "../../support/fakes/recording-notifier.ts";
import { runCron } from "../../support/fakes/cron.ts";
import { injectFault, withD1 } from "../../support/faults/faulty-env.ts";
import { replaceInObject } from "../../support/faults/object.ts";
import { expectNoSecrets } from "../../support/probes/charges/card-secrets.ts";
import { captureConsole, dumpD1 } from "../../support/probes/database/dumps.ts";
import { openApi } from "../../support/probes/http/documented.ts";
import { dumpObject } from "../../support/probes/ledger/ledger.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const CARD = { number: "4539148803436467", cvv: "937" };
/** What a request may carry, each text nowhere else. */
const PERSONAL = {
  document: "39053344705",
  email: "marked.person@example.com",
  phone: "+5511912344321",
  name: "Marked Person",
  street: "Marked Street",
};
const QUERY = "marked-query-value";
const PRESENTED = {
  key: "sk_test_marked_key_that_no_company_has",
  secret: "whsec_bWFya2VkLXNlY3JldC1vZi1hLXJlY2VpdmVyIQ==",
  callbackToken: "marked-callback-token-of-48-characters-0123456789",
};
const CUSTOMER = {
  name: PERSONAL.name,
  email: PERSONAL.email,
  phone: PERSONAL.phone,
  document: { number: PERSONAL.document, type: "CPF" },
};
const SHIPPING = { address: { ...FULL_REQUEST.shipping.address, street: PERSONAL.street } };

interface Operation {
  method: string;
  path: string;
  example: Record<string, unknown>;
}

/** Every operation of the document with an example of its body. */
async function operations(): Promise<Operation[]> {
  const { paths, components } = await openApi();
  return Object.entries<any>(paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => {
      const media = operation.requestBody?.content?.["application/json"];
      const [named] = Object.values<any>(media?.examples ?? {});
      const schema = components.schemas[media?.schema?.$ref?.split("/").at(-1)] ?? media?.schema;
      const example = media?.example ?? named?.value ?? schema?.example ?? {};
      return { method: method.toUpperCase(), path, example };
    }),
  );
}

/** One operation with the marks in its path, query, headers and body. */
function marked(
  { method, path, example }: Operation,
  credentials: Record<string, string>,
  { companyId, world }: { companyId: number; world: typeof env },
): Promise<Answer> {
  const url = path
    .replace("{companyId}", String(companyId))
    .replace("{callbackToken}", PRESENTED.callbackToken)
    .replaceAll(/\{\w+\}/g, "1");
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = { ...example, secret: PRESENTED.secret, customer: CUSTOMER, shipping: SHIPPING };
  // Only a GET has parameters; an unknown one would end every other request before it does anything.
  const query = hasBody ? "" : `?payerName=${QUERY}&email=${PERSONAL.email}&code=${QUERY}`;
  return call(`${url}${query}`, {
    method,
    company: { credentials },
    env: world,
    headers: { "Idempotency-Key": "marked_1" },
    ...(hasBody ? { body: { ...body, extra: { number: CARD.number, cvv: CARD.cvv } } } : {}),
  });
}

it("after marked requests to every route, secrets are nowhere and personal data is in no log", async () => {
  const overheard = captureConsole();
  const company = await givenCompany({ balance: 5_000, webhookUrl: "https://loja.example.com/w" });
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });
  const psp = await givenPsp();
  const answers: Answer[] = [];
  const down = injectFault({
    on: /insert|update/i,
    when: "before",
    error: "D1_ERROR: UNIQUE constraint failed: marked",
    times: Number.POSITIVE_INFINITY,
  });

  // Requests that do what they ask for.
  const customer = { customer: CUSTOMER, shipping: SHIPPING };
  const created = await createTransaction(company, { ...FULL_REQUEST, ...customer });
  expect(created.status, created.text).toBe(200);
  await pay(company, created.body.data.id);
  answers.push(await createTransaction(company, { ...BOLETO_REQUEST, ...customer }));
  answers.push(await createCard(company, CARD, customer));
  answers.push(await tokenize(company, CARD));
  await requestWithdraw(company, { pixKey: PERSONAL.email, pixKeyType: "EMAIL" });
  const rotated = await call("/api/v1/webhooks/secret/rotate", { method: "POST", company });
  const callbackToken: string = psp.configured.callbackUrl.split("/").at(-1);
  const callback = { pix: [{ endToEndId: "E1", txid: "t", valor: "1.00", chave: QUERY }] };
  await call(`/callbacks/pix-api/${callbackToken}`, { ...psp.options, body: callback });
  await createTransaction(
    company,
    { ...FULL_REQUEST, ...customer },
    { env: withD1(env, down.intercept) },
  );

  // Every route: as the company, the operator, nobody, and while D1 refuses to write.
  const all = await operations();
  const unknown = { "X-Client-Id": company.clientId, "X-API-Key": PRESENTED.key };
  const companyId = company.id;
  for (const operation of all) {
    const callers = [company.credentials, OPERATOR_CREDENTIALS, unknown];
    for (const credentials of callers) {
      answers.push(await marked(operation, credentials, { companyId, world: env }));
    }
    const world = withD1(env, down.intercept);
    for (const credentials of callers.slice(0, 2)) {
      answers.push(await marked(operation, credentials, { companyId, world }));
    }
  }
  expect(all.length).toBeGreaterThan(60);
  expect(down.injections()).toBeGreaterThanOrEqual(5);
  await runCron(psp.deps);

  const log = overheard();
  const stored = {
    d1: await dumpD1(),
    object: await dumpObject(company),
    queue: JSON.stringify([notifier.deliveryIds, notifier.withdrawIds]),
    traces: JSON.stringify(answers.map(({ headers }) => Array.from(headers))),
  };
  const secrets = [
    company.apiKey,
    OPERATOR_CREDENTIALS["X-API-Key"],
    company.webhookSecret,
    rotated.body.secret,
    callbackToken,
    PSP_CLIENT.clientSecret,
    ...Object.values(PRESENTED),
  ];
  for (const [place, text] of Object.entries({ log, ...stored })) {
    for (const secret of secrets)
      expect(text.includes(secret), `${secret} in ${place}`).toBe(false);
  }
  expectNoSecrets({ log, ...stored }, [CARD], []);
  for (const personal of [...Object.values(PERSONAL), QUERY]) {
    expect(log.includes(personal), `${personal} in the log`).toBe(false);
  }
  // The search would find them: the requests were made, stored and logged.
  expect(stored.d1).toContain(PERSONAL.email);
  expect(log).toContain("/api/v1/transactions/create");
  expect(log).toContain("/callbacks/pix-api/{callbackToken}");
});
