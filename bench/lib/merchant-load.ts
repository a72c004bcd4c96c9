import type { Request } from "./load.ts";
import type { RunningWorker } from "./worker.ts";

/** The first local company's credentials (`tools/lib/local-companies.ts`). */
export const COMPANY = 1;
const HEADERS = {
  "X-Client-Id": "app_local_loja",
  "X-API-Key": "sk_test_local_loja",
  "Content-Type": "application/json",
};

/** A typical create request: payer with document, e-mail, phone and address, one item. */
export const TYPICAL_PAYMENT = {
  amount: 2_500,
  paymentMethod: "PIX",
  customer: {
    name: "Maria da Conceição Silva",
    email: "maria.conceicao@example.com",
    phone: "+5511987654321",
    document: { number: "52998224725", type: "CPF" },
  },
  shipping: {
    fee: 0,
    address: {
      street: "Rua das Flores",
      streetNumber: "12",
      complement: "",
      zipCode: "01310100",
      neighborhood: "Bela Vista",
      city: "São Paulo",
      state: "SP",
      country: "BR",
    },
  },
  items: [{ title: "Camiseta azul", unitPrice: 2_500, quantity: 1, tangible: true }],
  metadata: '{"order":"2026-11-0001234","store":"sp"}',
};

/** Centavos, more than any run of the bench withdraws. */
const FUNDS = 900_000_000_000;

export function createRequest(key: string, payment: object = TYPICAL_PAYMENT): Request {
  return {
    method: "POST",
    path: "/api/v1/transactions/create",
    headers: { ...HEADERS, "Idempotency-Key": key },
    body: JSON.stringify(payment),
  };
}

export function payRequest(id: string): Request {
  return {
    method: "POST",
    path: `/api/v1/sandbox/transactions/${id}/pay`,
    headers: HEADERS,
    body: "{}",
  };
}

export function postRequest(path: string, key: string, body: object): Request {
  return {
    method: "POST",
    path,
    headers: { ...HEADERS, "Idempotency-Key": key },
    body: JSON.stringify(body),
  };
}

export function withdrawRequest(key: string): Request {
  return {
    method: "POST",
    path: "/api/Withdraw/request",
    headers: { ...HEADERS, "Idempotency-Key": key },
    body: JSON.stringify({ amount: 1_000 }),
  };
}

export function getRequest(path: string): Request {
  return { method: "GET", path, headers: HEADERS };
}

/** Credits the company and turns its duplicate guard off. Returns the id of the paid transaction. */
export async function fund(worker: RunningWorker): Promise<string> {
  const { port } = worker;
  await takeEqualWithdraws(worker);
  const payment = { ...TYPICAL_PAYMENT, amount: FUNDS };
  const created = await requestJson(port, createRequest("funds", payment));
  const { id } = (created as { data: { id: string } }).data;
  await requestJson(port, payRequest(id));
  return id;
}

/** Turns the company's duplicate guard off. */
export async function takeEqualWithdraws({ port }: RunningWorker): Promise<void> {
  await requestJson(port, {
    method: "PUT",
    path: "/api/v1/company/settings",
    headers: HEADERS,
    body: JSON.stringify({ duplicateWithdrawGuard: false }),
  });
}

/** Sets the company's webhook URL. */
export async function setEndpoint({ port }: RunningWorker, url: string): Promise<void> {
  const body = JSON.stringify({ url });
  await requestJson(port, {
    method: "PUT",
    path: "/api/v1/webhooks/endpoint",
    headers: HEADERS,
    body,
  });
}

/** One request. Throws unless the answer is 2xx. */
export async function requestJson(port: number, request: Request): Promise<unknown> {
  const { method, path, headers, body } = request;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${text}`);
  return JSON.parse(text);
}
