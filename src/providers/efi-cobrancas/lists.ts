import { ourChargeId } from "../../domain/psp/psp-ids.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { Page } from "./wire.ts";
import type { ApiAnswer, ApiCall } from "./client.ts";

/** Entries of a page; Efí may give fewer, and says how many it gives at most. */
const PAGE_SIZE = 100;
const DAY_MS = 86_400_000;
export const CHARGE_TYPES = ["billet", "card"] as const;
export type ChargeType = (typeof CHARGE_TYPES)[number];

/** `GET /v1/charges` of whole days of São Paulo; `page` from 0. */
export function listCall(
  type: ChargeType,
  window: { from: number; to: number },
  query: { dateOf: "creation" | "payment"; page: number; customId?: string },
): ApiCall {
  return {
    method: "GET",
    path: ["charges"],
    query: {
      charge_type: type,
      begin_date: saoPauloDay(window.from),
      end_date: saoPauloDay(window.to),
      date_of: query.dateOf,
      ...(query.customId === undefined ? {} : { custom_id: query.customId }),
      limit: `${PAGE_SIZE}`,
      page: `${query.page + 1}`,
    },
  };
}

/** Entries as they came; null where the answer says nothing. A page shorter than its limit is the last. */
export function readPage(
  answer: ApiAnswer,
  page: number,
): { entries: unknown[]; hasMore: boolean } | null {
  const read = Page.safeParse(answer.kind === "ok" ? answer.body : null);
  if (!read.success || read.data.params.pagination.page !== page + 1) return null;
  const { data: entries, params } = read.data;
  return { entries, hasMore: entries.length >= params.pagination.limit };
}

/** The days around the first attempt to make a charge. */
export function windowAround(firstAt: number): { from: number; to: number } {
  return { from: firstAt - DAY_MS, to: firstAt + DAY_MS };
}

/** Our charge that an entry names; null for one that others made. */
export function chargeIdOf(customId: string | null | undefined): string | null {
  return ourChargeId(customId ?? "");
}
