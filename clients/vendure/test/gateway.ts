import { Centavo } from "centavo";

/** What `npm run test:shop` says of the gateway that it started. */
export interface Gateway {
  baseUrl: string;
  clientId: string;
  apiKey: string;
  webhookSecret: string;
  approver: { clientId: string; apiKey: string };
}

export const GATEWAY = JSON.parse(process.env["SHOP_GATEWAY"] ?? "{}") as Gateway;

export const centavo = new Centavo(GATEWAY);

/** Calls what the client has no call for: the sandbox's payers, and settings. Throws for any refusal. */
export async function call(
  method: string,
  path: string,
  body: object = {},
  { clientId, apiKey }: { clientId: string; apiKey: string } = GATEWAY,
): Promise<unknown> {
  const response = await fetch(`${GATEWAY.baseUrl}${path}`, {
    method,
    headers: {
      "X-Client-Id": clientId,
      "X-API-Key": apiKey,
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Pays as the payer, all of it or `amount` centavos. */
export async function pay(transactionId: string, amount?: number): Promise<void> {
  const body = amount === undefined ? {} : { amount };
  await call("POST", `/api/v1/sandbox/transactions/${transactionId}/pay`, body);
}
