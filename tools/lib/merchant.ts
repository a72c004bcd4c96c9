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
  /** The contract's two authentication headers. */
  readonly credentials: Record<string, string>;

  constructor(base: string, { clientId, apiKey }: { clientId: string; apiKey: string }) {
    this.base = base;
    this.credentials = { "X-Client-Id": clientId, "X-API-Key": apiKey };
  }

  /** One JSON request. Throws for a redirect, and `SyntaxError` for a response that is not JSON. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<MerchantAnswer> {
    const requestHeaders = {
      Accept: "application/json",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    };
    const response = await this.fetch(path, requestHeaders, {
      method,
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

  /** Sends the credentials, and throws `Redirected` instead of following a redirect. */
  protected async fetch(
    path: string,
    headers: Record<string, string>,
    init: RequestInit = {},
  ): Promise<Response> {
    const response = await fetch(`${this.base}${path}`, {
      ...init,
      headers: { ...this.credentials, ...headers },
      redirect: "manual",
    });
    const location = response.headers.get("Location");
    if (location === null || Math.floor(response.status / 100) !== 3) return response;
    throw new Error(`${this.base} redirects to ${location}; redirects are not followed.`);
  }
}

/** A company and one of its applications' keys. */
export interface MerchantCredentials {
  companyId: number;
  clientId: string;
  apiKey: string;
  webhookSecret: string;
}

/** The server of a company, for the demo, the drill and the end-to-end tests. */
export class Merchant extends ApiClient {
  readonly companyId: number;
  readonly webhookSecret: string;

  /** One of the local companies, 1 or 2, or another one by its credentials. */
  constructor(base: string, company: number | MerchantCredentials = 1) {
    const credentials = typeof company === "number" ? localCompany(company) : company;
    super(base, credentials);
    this.companyId = credentials.companyId;
    this.webhookSecret = credentials.webhookSecret;
  }

  /** Reads a resource as text of another media type. Throws for an error status. */
  async text(path: string, accept: string): Promise<string> {
    const response = await this.fetch(path, { Accept: accept });
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${text}`);
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

function localCompany(companyId: number): MerchantCredentials {
  const company = LOCAL_COMPANIES[companyId - 1];
  if (company === undefined) throw new Error(`there is no local company ${companyId}`);
  return { companyId, ...company };
}
