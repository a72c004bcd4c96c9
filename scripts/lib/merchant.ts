import { LOCAL_COMPANIES } from "./local-companies.ts";

/* oxlint-disable typescript/no-explicit-any -- a merchant reads whatever JSON comes */
export interface MerchantAnswer {
  status: number;
  headers: Headers;
  body: any;
}

/** A client of the API, with the credentials of one application. */
export class ApiClient {
  readonly base: string;
  /** The two headers of the contract. */
  readonly credentials: Record<string, string>;

  constructor(base: string, { clientId, apiKey }: { clientId: string; apiKey: string }) {
    this.base = base;
    this.credentials = { "X-Client-Id": clientId, "X-API-Key": apiKey };
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
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
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : JSON.parse(text),
    };
  }
}

/** A local company's server, as the demo and the end-to-end tests play it. */
export class Merchant extends ApiClient {
  readonly companyId: number;
  readonly webhookSecret: string;

  /** `companyId` of one of the two local companies. */
  constructor(base: string, companyId = 1) {
    const company = LOCAL_COMPANIES[companyId - 1];
    if (company === undefined) throw new Error(`there is no local company ${companyId}`);
    super(base, company);
    this.companyId = companyId;
    this.webhookSecret = company.webhookSecret;
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
