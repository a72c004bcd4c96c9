import { ApiClient, type MerchantAnswer } from "../merchant.ts";

const CHARGE_CENTS = 100;
const UNAUTHORIZED = 401;
/** A payer's page and the projection follow within seconds. */
const PAID_POLLS = 30;
const POLL_MS = 1_000;

/**
 * Charges, pays and reads back one real by PIX in a sandbox company of its own, "Deploy check", which the first run makes,
 * and has a signed webhook sent to the service's own address, which must answer it: with 401, as it answers whoever has no
 * key. Throws with the first answer that is not as it should be. Running it again makes no second company.
 */
export async function smokeTest(
  operator: ApiClient,
  { wait, environment }: { wait: (ms: number) => Promise<void>; environment: string },
): Promise<string> {
  const company = await checkCompany(operator, environment);
  const created = await expectStatus(
    company.call("POST", "/api/v1/transactions/create", {
      amount: CHARGE_CENTS,
      paymentMethod: "PIX",
      customer: { name: "Deploy check" },
    }),
    "creating a charge",
  );
  const id = String(created.body.data.id);
  await expectStatus(company.call("POST", `/api/v1/sandbox/transactions/${id}/pay`), "paying it");
  await untilPaid(company, id, wait);
  const test = await expectStatus(
    company.call("POST", "/api/v1/webhooks/test", {
      url: `${operator.base}/api/v1/webhooks/verify`,
    }),
    "sending a webhook",
  );
  const [attempt] = test.body.deliveries[0].tries;
  if (attempt?.httpStatus !== UNAUTHORIZED) {
    throw new Error(`the webhook did not reach ${operator.base}: ${JSON.stringify(attempt)}`);
  }
  return id;
}

/** The company's API, with a key of this run: the one of the run before ends. */
async function checkCompany(operator: ApiClient, environment: string): Promise<ApiClient> {
  const made = await expectStatus(
    operator.call(
      "POST",
      "/api/v1/operator/companies",
      { name: "Deploy check", mode: "sandbox", reason: "Smoke test of a deploy" },
      { "Idempotency-Key": `deploy-check-${environment}` },
    ),
    "making the sandbox company",
  );
  const { id, application, key } = made.body.data;
  const apiKey = key ?? (await newKey(operator, id));
  return new ApiClient(operator.base, { clientId: application.clientId, apiKey });
}

async function newKey(operator: ApiClient, companyId: number): Promise<string> {
  const path = `/api/v1/operator/companies/${companyId}/keys`;
  const issued = await expectStatus(
    operator.call("POST", path, { overlapHours: 0 }),
    "issuing its key",
  );
  return issued.body.key;
}

async function untilPaid(
  company: ApiClient,
  id: string,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  for (let poll = 0; poll < PAID_POLLS; poll++) {
    const found = await expectStatus(
      company.call("GET", `/api/v1/transactions/${id}`),
      "reading it",
    );
    if (found.body.data.status === "PAID") return;
    await wait(POLL_MS);
  }
  throw new Error(`the charge ${id} was paid, but is not shown as PAID`);
}

async function expectStatus(
  pending: Promise<MerchantAnswer>,
  what: string,
): Promise<MerchantAnswer> {
  const answer = await pending;
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new Error(`${what} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}
