import * as efi from "sdk-node-apis-efi";

interface Schema {
  safeParse: (value: unknown) => { error?: { issues: { path: PropertyKey[]; message: string }[] } };
}

/** A call as it went over the wire; `body` and `answer` undefined where there was none. */
export interface Exchange {
  /** `METHOD /path` below Efí's `/v2`. */
  call: string;
  query: Record<string, string>;
  body: unknown;
  status: number;
  answer: unknown;
}

/** What Efí's own package says of each call of Pix Automático (`sdk-node-apis-efi`, its zod schemas). */
const RULES: { on: RegExp; asks?: Schema; query?: Schema; answers?: Schema }[] = [
  { on: /^POST \/locrec$/, answers: efi.PixCreateLocationRecurrenceAutomaticResponseSchema },
  {
    on: /^POST \/rec$/,
    asks: efi.PixCreateRecurrenceAutomaticBodySchema,
    answers: efi.PixCreateRecurrenceAutomaticResponseSchema,
  },
  { on: /^GET \/rec\/\w+$/, answers: efi.PixDetailRecurrenceAutomaticResponseSchema },
  {
    on: /^PATCH \/rec\/\w+$/,
    asks: efi.PixUpdateRecurrenceAutomaticBodySchema,
    answers: efi.PixUpdateRecurrenceAutomaticResponseSchema,
  },
  {
    on: /^GET \/rec$/,
    query: efi.PixListRecurrenceAutomaticParamsSchema,
    answers: efi.PixListRecurrenceAutomaticResponseSchema,
  },
  {
    on: /^POST \/solicrec$/,
    asks: efi.PixCreateRequestRecurrenceAutomaticBodySchema,
    answers: efi.PixCreateRequestRecurrenceAutomaticResponseSchema,
  },
  {
    on: /^PUT \/cobr\/\w+$/,
    asks: efi.PixCreateAutomaticChargeTxidBodySchema,
    answers: efi.PixCreateAutomaticChargeTxidResponseSchema,
  },
  {
    on: /^PATCH \/cobr\/\w+$/,
    asks: efi.PixUpdateAutomaticChargeBodySchema,
    answers: efi.PixUpdateAutomaticChargeResponseSchema,
  },
  { on: /^GET \/cobr\/\w+$/, answers: efi.PixDetailAutomaticChargeResponseSchema },
  {
    on: /^POST \/cobr\/\w+\/retentativa\/[\d-]+$/,
    answers: efi.PixRetryRequestAutomaticResponseSchema,
  },
  {
    on: /^GET \/cobr$/,
    query: efi.PixListAutomaticChargeParamsSchema,
    answers: efi.PixListAutomaticChargeResponseSchema,
  },
  { on: /^PUT \/webhookrec$/, asks: efi.PixConfigWebhookRecurrenceAutomaticBodySchema },
  { on: /^PUT \/webhookcobr$/, asks: efi.PixConfigWebhookAutomaticChargeBodySchema },
];

/** Calls of other features, which the central bank's contract judges. */
const OTHERS = /^\w+ \/(?:cobv?|webhook)\/[^/]+$/;

/**
 * Where Efí's package contradicts the central bank's contract, by which the fake answers: the field, by call. Only of
 * answers: what is asked passes whole.
 */
export const DEVIATIONS: { on: RegExp; path: RegExp; why: string }[] = [
  {
    on: / \/(?:rec|solicrec)/,
    path: /(?:^|\.)loc$/,
    why: "A mandate for a request has no location; Efí's package types one for each.",
  },
  {
    on: /^GET \/rec/,
    path: /(?:^|\.)dadosQR$/,
    why: "BACEN tells a code only of a mandate with a location.",
  },
  {
    on: /^POST \/solicrec$/,
    path: /^recPayload(?:\.(?:status|ativacao|recebedor|loc))?$/,
    why: "BACEN's payload has no state and no activation, and the receiver's ISPB.",
  },
  {
    on: / \/cobr/,
    path: /(?:^|\.)tentativas\.\d+$/,
    why: "Efí's package knows no `rejeicao` of an attempt.",
  },
  {
    on: / \/cobr/,
    path: /(?:^|\.)encerramento\.cancelamento$/,
    why: "Efí's package knows no `rejeicao` of a charge.",
  },
];

/** What of an exchange Efí's package does not take, without the deviations; empty where it takes all. */
export function faultsOf(exchange: Exchange): string[] {
  return judged(exchange).flatMap(({ fault, deviation }) =>
    deviation === undefined ? [fault] : [],
  );
}

/** The deviations that an exchange has. */
export function deviationsOf(exchange: Exchange): string[] {
  return judged(exchange).flatMap(({ deviation }) => (deviation === undefined ? [] : [deviation]));
}

function judged(exchange: Exchange): { fault: string; deviation?: string }[] {
  const { call, query, body, status, answer } = exchange;
  if (OTHERS.test(call)) return [];
  const rule = RULES.find(({ on }) => on.test(call));
  if (rule === undefined) return [{ fault: `${call} is not in the contract` }];
  const pages = Object.entries(query).map(([name, value]) => [
    name,
    name.startsWith("paginacao.") ? Number(value) : value,
  ]);
  const asked = [
    ...issuesOf(rule.asks, body),
    ...(rule.query === undefined ? [] : issuesOf(rule.query, Object.fromEntries(pages))),
  ].map(({ text }) => ({ fault: `${call} asks ${text}` }));
  const said = status < 300 ? issuesOf(rule.answers, answer) : [];
  const answered = said.map(({ path, text }) => {
    const deviation = DEVIATIONS.find((each) => each.on.test(call) && each.path.test(path));
    const fault = `${call} answers ${text}`;
    return deviation === undefined ? { fault } : { fault, deviation: deviation.why };
  });
  return [...asked, ...answered];
}

function issuesOf(schema: Schema | undefined, value: unknown): { path: string; text: string }[] {
  const issues = schema?.safeParse(value).error?.issues ?? [];
  return issues.map(({ path, message }) => {
    const at = path.join(".");
    return { path: at, text: `${at}: ${message}` };
  });
}
