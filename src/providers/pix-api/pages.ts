import { log } from "../../lib/log.ts";
import type { ApiAnswer } from "./client.ts";
import { Page } from "./wire.ts";

/** A page of the port's lists: BACEN's default. */
const PAGE_SIZE = 100;
/**
 * What a page is read in where it is longer than an answer may be (`ANSWER_MAX_BYTES`): tens, and then
 * one by one. It may be, for a charge's additional information alone may take 27 kB, and its list of
 * payments has no limit. At most 111 calls, of which all but one are spared where one is enough.
 */
const SMALLER_PAGE_SIZES = [10, 1];
/** More entries than this that are each too long are no entries, but a PSP whose answers do not end. */
const TOO_LONG_MAX = 3;

/** Asks for one page of that size, from 0. */
export type FetchPage = (page: number, size: number) => Promise<ApiAnswer>;

/** The last page of a list, with nothing on it. */
export function emptyPage(page: number): ApiAnswer {
  const paginacao = { paginaAtual: page, quantidadeDePaginas: 1 };
  return { kind: "ok", body: { parametros: { paginacao } } };
}

/** What an answer calls its entries: payments and payouts, charges, mandates, automatic debits, cases of the MED. */
type PageMember = "pix" | "cobs" | "recs" | "cobsr" | "infracoes";

/** The entries of a page as they came, and how many are each too long for an answer. */
export interface PageEntries {
  entries: unknown[];
  tooLong: number;
  hasMore: boolean;
}

/**
 * The entries of one page of `PAGE_SIZE`, in smaller ones where they do not fit into an answer; null
 * where the PSP did not say what is on it.
 */
export function readPage(
  fetchPage: FetchPage,
  member: PageMember,
  page: number,
): Promise<PageEntries | null> {
  return readInSmallerPages(fetchPage, member, page, PAGE_SIZE, SMALLER_PAGE_SIZES);
}

async function readInSmallerPages(
  fetchPage: FetchPage,
  member: PageMember,
  page: number,
  size: number,
  smaller: number[],
): Promise<PageEntries | null> {
  const answer = await fetchPage(page, size);
  if (answer.kind !== "unknown" || answer.error !== "too_large")
    return parsePage(answer, member, page);
  const [next, ...rest] = smaller;
  // Whether another one follows the one that is too long is not known: then it is asked for.
  if (next === undefined) return { entries: [], tooLong: 1, hasMore: true };
  const entries: unknown[] = [];
  let tooLong = 0;
  const parts = size / next;
  for (let part = 0; part < parts; part++) {
    const read = await readInSmallerPages(fetchPage, member, page * parts + part, next, rest);
    if (read === null) return null;
    entries.push(...read.entries);
    tooLong += read.tooLong;
    if (tooLong > TOO_LONG_MAX) return null;
    if (!read.hasMore) return { entries, tooLong, hasMore: false };
  }
  return { entries, tooLong, hasMore: true };
}

function parsePage(answer: ApiAnswer, member: PageMember, page: number): PageEntries | null {
  const read = Page.safeParse(answer.kind === "ok" ? answer.body : null);
  if (!read.success) {
    const field = read.error.issues[0]?.path.join(".");
    if (answer.kind === "ok") log("warn", "pix_api_unparseable", { field });
    return null;
  }
  const { paginaAtual, quantidadeDePaginas } = read.data.parametros.paginacao;
  if (paginaAtual !== page) return null;
  const entries = read.data[member] ?? [];
  return { entries, tooLong: 0, hasMore: page + 1 < quantidadeDePaginas };
}
