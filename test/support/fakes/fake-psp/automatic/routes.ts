import type { PspResponse } from "../answers.ts";
import type { PspBook } from "../book.ts";
import type { DebitBook } from "./debit-book.ts";
import { invalid, type MandateBook } from "./mandate-book.ts";

interface Books {
  book: PspBook;
  mandates: MandateBook;
  debits: DebitBook;
}

type Route = [
  method: string,
  path: RegExp,
  answer: (ask: { ids: [string, string]; body: any; query: URLSearchParams }) => PspResponse,
];

const REC = /^\/rec\/(\w+)$/;
const SOLICREC = /^\/solicrec\/(\w+)$/;
const COBR = /^\/cobr\/(\w+)$/;
const RETRY = /^\/cobr\/(\w+)\/retentativa\/([\d-]+)$/;
const WEBHOOK = /^\/(webhookrec|webhookcobr)$/;

/** The routes of Pix Automático (BACEN Pix API 2.9.0). */
export function automaticRoutes({ book, mandates, debits }: Books): Route[] {
  return [
    ["POST", /^\/locrec$/, () => mandates.createLocation()],
    ["POST", /^\/rec$/, ({ body }) => mandates.create(body)],
    ["GET", /^\/rec$/, ({ query }) => mandates.list(query)],
    ["GET", REC, ({ ids: [idRec], query }) => mandates.get(idRec, query.get("txid"))],
    ["PATCH", REC, ({ ids: [idRec], body }) => mandates.patch(idRec, body)],
    ["POST", /^\/solicrec$/, ({ body }) => mandates.createRequest(body)],
    ["GET", SOLICREC, ({ ids: [id] }) => mandates.getRequest(id)],
    ["PUT", COBR, ({ ids: [txid], body }) => debits.put(txid, body)],
    ["GET", COBR, ({ ids: [txid] }) => debits.get(txid)],
    ["PATCH", COBR, ({ ids: [txid] }) => debits.patch(txid)],
    ["POST", RETRY, ({ ids: [txid, day] }) => debits.retry(txid, day)],
    ["GET", /^\/cobr$/, ({ query }) => debits.list(query)],
    ["PUT", WEBHOOK, ({ ids: [kind], body }) => putWebhook(book, kind, body)],
  ];
}

/** One address for the whole account. */
function putWebhook(book: PspBook, kind: string, { webhookUrl }: any): PspResponse {
  if (!URL.canParse(webhookUrl)) return invalid("WebhookOperacaoInvalida", "A URL não é válida.");
  book.automaticWebhooks.set(kind === "webhookrec" ? "rec" : "cobr", webhookUrl);
  return { status: 200, body: undefined };
}
