import type { z } from "@hono/zod-openapi";
import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import {
  listContradictions,
  listOperatorEvents,
} from "../../../db/reconciliation/contradictions.ts";
import { contradictionId } from "../../../domain/reconciliation/contradiction.ts";
import { notFound } from "../../../http/problems.ts";
import type { OperationContext } from "../../transactions/operations.ts";
import type { ContradictionsQuery, EventsQuery } from "./schemas.ts";
import { contradictionView, operatorEventView } from "./views.ts";

const FROM_START = { companyId: 0, number: 0 };

/** A page of all companies' contradictions, by company and number. */
export async function pageOfContradictions(
  env: Env,
  query: z.output<typeof ContradictionsQuery> & { limit: number },
) {
  const { status = null, after = FROM_START, limit } = query;
  const rows = await listContradictions(env, { status, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  const items = page.map((row) => contradictionView(row.companyId, row));
  const next = last === undefined ? null : contradictionId(last.companyId, last.number);
  return { items, after: hasMore ? next : null, hasMore };
}

/** A page of all companies' operator events, by time. */
export async function pageOfOperatorEvents(
  env: Env,
  { after = { at: 0, ...FROM_START }, limit }: z.output<typeof EventsQuery> & { limit: number },
) {
  const rows = await listOperatorEvents(env, after, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = last === undefined ? null : `${last.at}-${last.companyId}-${last.number}`;
  return { items: page.map(operatorEventView), after: next, hasMore: rows.length > limit };
}

/** A contradiction by its number, from the company's object. Throws 404. */
export async function getContradiction({ env, company }: OperationContext, number: number) {
  const found = await callCompany(env, company.id, (account) => account.findContradiction(number));
  if (found === null) throw notFound("contradiction");
  return contradictionView(company.id, found);
}
