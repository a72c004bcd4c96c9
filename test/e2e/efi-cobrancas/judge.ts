import * as efi from "sdk-node-apis-efi";
import type { Exchange } from "../../support/fakes/efi-cobrancas/efi.ts";

interface Schema {
  safeParse: (value: unknown) => { error?: { issues: { path: PropertyKey[]; message: string }[] } };
}

/** What Efí's own package says of each call (`sdk-node-apis-efi`, its zod schemas). */
const RULES: { on: RegExp; asks?: Schema; query?: Schema; answers: Schema }[] = [
  {
    on: /^POST \/v1\/charge$/,
    asks: efi.CreateChargeBodySchema,
    answers: efi.CreateChargeResponseSchema,
  },
  {
    on: /^POST \/v1\/charge\/\d+\/pay$/,
    asks: efi.DefinePayMethodBodySchema,
    answers: efi.DefinePayMethodResponseSchema,
  },
  { on: /^GET \/v1\/charge\/\d+$/, answers: efi.DetailChargeResponseSchema },
  {
    on: /^GET \/v1\/charges$/,
    query: efi.ListChargesParamsSchema,
    answers: efi.ListChargesResponseSchema,
  },
  {
    on: /^PUT \/v1\/charge\/\d+\/billet$/,
    asks: efi.UpdateBilletBodySchema,
    answers: efi.UpdateBilletResponseSchema,
  },
  { on: /^PUT \/v1\/charge\/\d+\/cancel$/, answers: efi.CancelChargeResponseSchema },
  {
    on: /^POST \/v1\/charge\/card\/\d+\/refund$/,
    asks: efi.RefundCardBodySchema,
    answers: efi.RefundCardResponseSchema,
  },
  { on: /^GET \/v1\/notification\/[0-9a-f-]{36}$/, answers: efi.GetNotificationResponseSchema },
];

/** Where Efí's manual contradicts its package, or the package does not say: the fault, by call. */
const MISSES: { on: RegExp; path: RegExp; why: string }[] = [
  {
    on: /^POST .*\/refund$/,
    path: /^code$/,
    why: "efi-cobrancas.md, 11: the manual's answer has `status` 200.",
  },
  {
    on: /^GET .*\/charges$/,
    path: /^data\.\d+\.customer$/,
    why: "efi-cobrancas.md, 5: whether a charge without a method, so without a customer, is listed is not said.",
  },
];

/** What of an exchange Efí's package does not take; empty where it takes all. */
export function faultsOf(exchange: Exchange): string[] {
  const { call, query, body } = exchange;
  const rule = RULES.find(({ on }) => on.test(call));
  if (rule === undefined) return [`${call} is not in the contract`];
  const asked = { ...query, limit: Number(query["limit"]), page: Number(query["page"]) };
  const isAllowed = (issue: string) =>
    MISSES.some((miss) => miss.on.test(call) && miss.path.test(pathOf(issue)));
  return [
    ...issuesOf(rule.asks, body),
    ...(rule.query === undefined ? [] : issuesOf(rule.query, asked)),
    ...answerIssues(exchange).filter((issue) => !isAllowed(issue)),
  ].map((fault) => `${call} ${fault}`);
}

/** Why misses are allowed that none of these exchanges needs. */
export function unusedMisses(exchanges: Exchange[]): string[] {
  const needed = exchanges.map((each) => ({ call: each.call, issues: answerIssues(each) }));
  return MISSES.filter(
    ({ on, path }) =>
      !needed.some(
        ({ call, issues }) => on.test(call) && issues.some((issue) => path.test(pathOf(issue))),
      ),
  ).map(({ why }) => why);
}

function answerIssues({ call, status, answer }: Exchange): string[] {
  const rule = RULES.find(({ on }) => on.test(call));
  return status === 200 ? issuesOf(rule?.answers, answer) : [];
}

function pathOf(issue: string): string {
  return issue.split(":")[0] ?? "";
}

function issuesOf(schema: Schema | undefined, value: unknown): string[] {
  const issues = schema?.safeParse(value).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}
