import type { CallOptions, Http } from "./http.ts";
import type { Schemas, Transaction, Withdraw } from "./types.ts";

type Bytes = Uint8Array<ArrayBuffer>;
/** A page of a list: its `after` asks for the next one. */
interface PageQuery {
  after?: string;
  limit?: number;
}
/** Days of São Paulo, `2026-11-21`. */
interface Days {
  from?: string;
  to?: string;
}

/** Charges: PIX, boleto, card. Amounts in centavos. */
export class Transactions {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Charges a payer. A refused card is no error: its `status` is `REFUSED`. */
  async create(
    body: Schemas["CreateTransactionInput"],
    options?: CallOptions,
  ): Promise<Transaction> {
    const path = "/api/v1/transactions/create";
    return (await this.#http.call("post", path, { body }, options)).data;
  }

  /** The charge as it is now, with its customer and items. */
  async get(id: string, options?: CallOptions): Promise<Schemas["CurrentTransaction"]["data"]> {
    const path = "/api/v1/transactions/{id}";
    return (await this.#http.call("get", path, { params: { id } }, options)).data;
  }

  /** A page of charges, newest first. The filters stand in no address. */
  search(
    body: Schemas["SearchTransactionsInput"] = {},
    options?: CallOptions,
  ): Promise<Schemas["TransactionSearch"]> {
    return this.#http.call("post", "/api/v1/transactions/search", { body }, options);
  }

  /** All charges of a search as CSV, or `limit` of them. */
  searchCsv(body: Schemas["SearchTransactionsInput"] = {}, options?: CallOptions): Promise<string> {
    const path = "/api/v1/transactions/search";
    return this.#http.text("post", path, { body }, "text/csv", options);
  }

  /** Gives a payment back: all that is left of it, or `amount` centavos. The end may follow by webhook. */
  refund(id: string, body?: Schemas["RefundTransactionInput"], options?: CallOptions) {
    return this.#act("/api/v1/transactions/{id}/refund", id, body, options);
  }

  /** Links its fiscal note, or removes the link. */
  async change(
    id: string,
    body: Schemas["UpdateTransactionInput"],
    options?: CallOptions,
  ): Promise<Transaction> {
    const path = "/api/v1/transactions/{id}";
    return (await this.#http.call("patch", path, { params: { id }, body }, options)).data;
  }

  /** Takes the money of an authorized card: all of it, or `amount` centavos. */
  capture(id: string, body?: Schemas["CaptureTransactionInput"], options?: CallOptions) {
    return this.#act("/api/v1/transactions/{id}/capture", id, body, options);
  }

  /** Gives an unpaid boleto another due date, and with it another line. */
  async changeDueDate(
    id: string,
    body: Schemas["ChangeDueDateInput"],
    options: CallOptions = {},
  ): Promise<Transaction> {
    const path = "/api/v1/transactions/{id}/due-date";
    return (await this.#http.call("post", path, { params: { id }, body }, options)).data;
  }

  /** Ends an unpaid charge, or lets an authorized card go. */
  cancel(id: string, options?: CallOptions): Promise<Transaction> {
    return this.#act("/api/v1/transactions/{id}/cancel", id, {}, options);
  }

  /** All that happened to the charge, oldest first. */
  timeline(id: string, options?: CallOptions): Promise<Schemas["TransactionTimeline"]> {
    const path = "/api/v1/transactions/{id}/timeline";
    return this.#http.call("get", path, { params: { id } }, options);
  }

  /** The signed receipt of a payment. */
  receipt(id: string, options?: CallOptions): Promise<Schemas["PaymentReceipt"]> {
    const path = "/api/v1/transactions/{id}/receipt";
    return this.#http.call("get", path, { params: { id } }, options);
  }

  /** The signed receipt as PDF. */
  receiptPdf(id: string, options?: CallOptions): Promise<Bytes> {
    const path = "/api/v1/transactions/{id}/receipt";
    return this.#http.file(path, { params: { id } }, "application/pdf", options);
  }

  /** The QR code of an unpaid charge as SVG, for a page. */
  qr(id: string, options?: CallOptions): Promise<string> {
    const path = "/api/v1/transactions/{id}/qr";
    return this.#http.text("get", path, { params: { id } }, "image/svg+xml", options);
  }

  /** The QR code as PNG, for an e-mail. */
  qrPng(id: string, options?: CallOptions): Promise<Bytes> {
    const path = "/api/v1/transactions/{id}/qr";
    return this.#http.file(path, { params: { id } }, "image/png", options);
  }

  async #act(
    path:
      | "/api/v1/transactions/{id}/refund"
      | "/api/v1/transactions/{id}/capture"
      | "/api/v1/transactions/{id}/cancel",
    id: string,
    body: Schemas["RefundTransactionInput"] = {},
    options: CallOptions = {},
  ): Promise<Transaction> {
    return (await this.#http.call("post", path, { params: { id }, body }, options)).data;
  }
}

/** Payouts of the company's money to a PIX key. `amount` in centavos, `value` in reais as the contract has it. */
export class Withdraws {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Makes every check of a withdraw, and nothing else. */
  dryRun(
    body: Schemas["RequestWithdrawInput"],
    options?: CallOptions,
  ): Promise<Schemas["WithdrawDryRun"]> {
    return this.#http.call("post", "/api/v1/withdraws/preview", { body }, options);
  }

  /** Requests one. `confirmedDuplicate`: the earlier withdraw that it looks like, where both are meant. */
  async request(
    body: Schemas["RequestWithdrawInput"],
    options: CallOptions & { confirmedDuplicate?: number } = {},
  ): Promise<Withdraw> {
    const { confirmedDuplicate } = options;
    const headers: Record<string, string> =
      confirmedDuplicate === undefined ? {} : { "X-Confirm-Duplicate": String(confirmedDuplicate) };
    const path = "/api/Withdraw/request";
    // Without `X-Dry-Run` it is the withdraw.
    return (await this.#http.call("post", path, { body, headers }, options)) as Withdraw;
  }

  get(id: number, options?: CallOptions): Promise<Withdraw> {
    return this.#http.call("get", "/api/Withdraw/{id}", { params: { id: String(id) } }, options);
  }

  /** A page of withdraws, newest first. */
  search(
    body: Schemas["SearchWithdrawsInput"] = {},
    options?: CallOptions,
  ): Promise<Schemas["WithdrawSearch"]> {
    return this.#http.call("post", "/api/v1/withdraws/search", { body }, options);
  }

  /** All withdraws of a search as CSV, or `limit` of them. */
  searchCsv(body: Schemas["SearchWithdrawsInput"] = {}, options?: CallOptions): Promise<string> {
    const path = "/api/v1/withdraws/search";
    return this.#http.text("post", path, { body }, "text/csv", options);
  }

  /** All that happened to it, oldest first. */
  timeline(id: number, options?: CallOptions): Promise<Schemas["WithdrawTimeline"]> {
    const params = { id: String(id) };
    return this.#http.call("get", "/api/v1/withdraws/{id}/timeline", { params }, options);
  }

  /** What whoever approves it has to know. */
  approval(id: number, options?: CallOptions): Promise<Schemas["WithdrawApprovalFacts"]> {
    const params = { id: String(id) };
    return this.#http.call("get", "/api/v1/withdraws/{id}/approval", { params }, options);
  }

  /** Approves one that somebody else asked for. */
  approve(
    id: number,
    body: Schemas["WithdrawDecision"] = {},
    options?: CallOptions,
  ): Promise<Schemas["DecidedWithdraw"]> {
    const params = { id: String(id) };
    return this.#http.call("post", "/api/v1/withdraws/{id}/approve", { params, body }, options);
  }

  /** Refuses one that somebody else asked for: its money returns to the balance. */
  refuse(
    id: number,
    body: Schemas["WithdrawDecision"] = {},
    options?: CallOptions,
  ): Promise<Schemas["DecidedWithdraw"]> {
    const params = { id: String(id) };
    return this.#http.call("post", "/api/v1/withdraws/{id}/refuse", { params, body }, options);
  }

  /** Takes back one that is `Awaiting`. */
  cancel(id: number, options?: CallOptions): Promise<Withdraw> {
    const params = { id: String(id) };
    return this.#http.call("post", "/api/Withdraw/{id}/cancel", { params, body: {} }, options);
  }

  /** The signed receipt of a paid one. */
  receipt(id: number, options?: CallOptions): Promise<Schemas["WithdrawReceipt"]> {
    const params = { id: String(id) };
    return this.#http.call("get", "/api/v1/withdraws/{id}/receipt", { params }, options);
  }
}

/** Sums of days. */
export class Reports {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** What each day took, by payment method, in centavos. */
  daily(query: Days = {}, options?: CallOptions): Promise<Schemas["DailyReports"]> {
    return this.#http.call("get", "/api/v1/reports/daily", { query }, options);
  }

  /** How many of the charges were paid. */
  conversion(query: Days = {}, options?: CallOptions): Promise<Schemas["ConversionReport"]> {
    return this.#http.call("get", "/api/v1/reports/conversion", { query }, options);
  }

  /** The cash of the next days, by default 30: for certain, as expected, in the worst and the best case. */
  rehearsal(query: { days?: number } = {}, options?: CallOptions): Promise<Schemas["Rehearsal"]> {
    return this.#http.call("get", "/api/v1/reports/rehearsal", { query }, options);
  }

  /** The fees that banks took, beside the agreed ones, in centavos. */
  fees(query: Days = {}, options?: CallOptions): Promise<Schemas["FeeReport"]> {
    return this.#http.call("get", "/api/v1/reports/fees", { query }, options);
  }

  /** Settlements that are not as agreed and booked. A page's `after` asks for the next one. */
  feeDifferences(
    query: Days & { after?: string; limit?: number } = {},
    options?: CallOptions,
  ): Promise<Schemas["FeeDifferences"]> {
    return this.#http.call("get", "/api/v1/reports/fees/differences", { query }, options);
  }
}

/** Pages on which anybody pays. */
export class Links {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  async create(
    body: Schemas["CreatePaymentLinkInput"],
    options?: CallOptions,
  ): Promise<Schemas["PaymentLink"]> {
    return (await this.#http.call("post", "/api/v1/payment-links", { body }, options)).data;
  }

  async get(id: string, options?: CallOptions): Promise<Schemas["PaymentLink"]> {
    const path = "/api/v1/payment-links/{id}";
    return (await this.#http.call("get", path, { params: { id } }, options)).data;
  }

  list(query: PageQuery = {}, options?: CallOptions): Promise<Schemas["PaymentLinks"]> {
    return this.#http.call("get", "/api/v1/payment-links", { query }, options);
  }

  async change(
    id: string,
    body: Schemas["UpdatePaymentLinkInput"],
    options?: CallOptions,
  ): Promise<Schemas["PaymentLink"]> {
    const path = "/api/v1/payment-links/{id}";
    return (await this.#http.call("patch", path, { params: { id }, body }, options)).data;
  }

  /** The QR code of its address as SVG. */
  qr(id: string, options?: CallOptions): Promise<string> {
    const path = "/api/v1/payment-links/{id}/qr";
    return this.#http.text("get", path, { params: { id } }, "image/svg+xml", options);
  }
}

/** Static PIX codes, for a counter or a print. */
export class Codes {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  async create(
    body: Schemas["CreateStaticCodeInput"],
    options?: CallOptions,
  ): Promise<Schemas["StaticCode"]> {
    return (await this.#http.call("post", "/api/v1/pix/static-codes", { body }, options)).data;
  }

  list(query: PageQuery = {}, options?: CallOptions): Promise<Schemas["StaticCodes"]> {
    return this.#http.call("get", "/api/v1/pix/static-codes", { query }, options);
  }

  async get(id: string, options?: CallOptions): Promise<Schemas["StaticCode"]> {
    const path = "/api/v1/pix/static-codes/{id}";
    return (await this.#http.call("get", path, { params: { id } }, options)).data;
  }

  async delete(id: string, options?: CallOptions): Promise<Schemas["StaticCode"]> {
    const path = "/api/v1/pix/static-codes/{id}";
    return (await this.#http.call("delete", path, { params: { id } }, options)).data;
  }
}

/** What payers' banks ask back. */
export class Disputes {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  list(
    query: PageQuery & { status?: Schemas["Dispute"]["status"] } = {},
    options?: CallOptions,
  ): Promise<Schemas["Disputes"]> {
    return this.#http.call("get", "/api/v1/disputes", { query }, options);
  }

  async get(id: string, options?: CallOptions): Promise<Schemas["Dispute"]> {
    const path = "/api/v1/disputes/{id}";
    return (await this.#http.call("get", path, { params: { id } }, options)).data;
  }

  async submitEvidence(
    id: string,
    body: Schemas["SubmitEvidence"],
    options?: CallOptions,
  ): Promise<Schemas["Dispute"]> {
    const path = "/api/v1/disputes/{id}/evidence";
    return (await this.#http.call("post", path, { params: { id }, body }, options)).data;
  }

  /** Sends the dossier to the bank, where it takes dossiers by API. */
  async sendResponse(id: string, options?: CallOptions): Promise<Schemas["Dispute"]> {
    const path = "/api/v1/disputes/{id}/response";
    return (await this.#http.call("post", path, { params: { id } }, options)).data;
  }

  /** All that is known of it, signed. */
  dossier(id: string, options?: CallOptions): Promise<Schemas["Dossier"]> {
    const path = "/api/v1/disputes/{id}/dossier";
    return this.#http.call("get", path, { params: { id } }, options);
  }
}
