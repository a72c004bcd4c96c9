import { LOCAL_COMPANIES } from "./local-companies.ts";

/* oxlint-disable typescript/no-explicit-any -- a merchant reads whatever JSON comes */
export interface MerchantAnswer {
  status: number;
  headers: Headers;
  body: any;
}

/** A merchant's server, as the demo and the end-to-end tests play it. */
export class Merchant {
  readonly base: string;
  readonly companyId: number;
  readonly webhookSecret: string;
  /** The two headers of the contract. */
  readonly credentials: Record<string, string>;

  /** `companyId` of one of the two local companies. */
  constructor(base: string, companyId = 1) {
    const company = LOCAL_COMPANIES[companyId - 1];
    if (company === undefined) throw new Error(`there is no local company ${companyId}`);
    this.base = base;
    this.companyId = companyId;
    this.webhookSecret = company.webhookSecret;
    this.credentials = { "X-Client-Id": company.clientId, "X-API-Key": company.apiKey };
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<MerchantAnswer> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        Accept: "application/json",
        ...this.credentials,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : JSON.parse(text),
    };
  }

  /** Reads a resource as text of another media type; throws where it is not there. */
  async text(path: string, accept: string): Promise<string> {
    const response = await fetch(`${this.base}${path}`, {
      headers: { ...this.credentials, Accept: accept },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${text}`);
    return text;
  }

  create(body: Record<string, unknown>, key: string): Promise<MerchantAnswer> {
    return this.call("POST", "/api/v1/transactions/create", body, { "Idempotency-Key": key });
  }

  pay(transactionId: string): Promise<MerchantAnswer> {
    return this.call("POST", `/api/v1/sandbox/transactions/${transactionId}/pay`);
  }

  withdraw(body: Record<string, unknown>, key: string): Promise<MerchantAnswer> {
    return this.call("POST", "/api/Withdraw/request", body, { "Idempotency-Key": key });
  }

  balance(): Promise<MerchantAnswer> {
    return this.call("GET", `/api/Balance/balance/${this.companyId}?currency=BRL`);
  }
}
