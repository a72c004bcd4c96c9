import { encodeBrCode } from "../../../../src/methods/pix/br-code.ts";
import type { PspPoint } from "../../../../src/domain/psp/profiles/psp-points.ts";
import type { FakePsp } from "./psp.ts";

/** A way in which a PSP differs from what this service demands, and the one point that shows it. */
interface SeededDeviation {
  point: PspPoint;
  /** `METHOD /path` of the calls that differ; none where only the connection does. */
  on?: RegExp;
  /** Changes the request before the PSP gets it. */
  asked?: (request: Request) => Request;
  /** Changes a request that is sent a second time, before the PSP gets it. */
  repeated?: (request: Request) => Request;
  /** Changes the JSON of an answer, in place or by a new one. */
  body?: (body: any, request: Request) => unknown;
  /** Replaces the whole answer. */
  answer?: (said: Response, request: Request) => Response | Promise<Response>;
  /** Only answers of this status differ. */
  status?: number;
  /** The TLS version of its connections; 1.3 by default. */
  tls?: string;
  /** It takes a connection without the client certificate. */
  takesAnybody?: boolean;
}

const COB = /^(?:PUT|GET|PATCH) \/cob\/\w+$/;
const PUT_COB = /^PUT \/cob\/\w+$/;
const GET_COB = /^GET \/cob\/\w+$/;
const PATCH_COB = /^PATCH \/cob\/\w+$/;
const LIST_COB = /^GET \/cob$/;
const TOKEN = /^POST \/oauth\/token$/;

/** The connection of a call to `deviating`. */
interface Connection {
  withoutCertificate?: boolean;
  onTls?: (version: string) => void;
}

/** Each deviation by its name. */
export const SEEDED_DEVIATIONS = {
  "its TLS is an old one": { point: "tls", tls: "TLSv1.1" },
  "no client certificate is asked for": { point: "mtls", takesAnybody: true },
  "the token is of another type": {
    point: "token",
    on: TOKEN,
    body: (body) => ({ ...body, token_type: "mac" }),
  },
  "the token endpoint leads elsewhere": {
    point: "token",
    on: TOKEN,
    answer: () => new Response(null, { status: 302, headers: { Location: "/login" } }),
  },
  "the token says no lifetime": {
    point: "token_life",
    on: TOKEN,
    body: (body) => ({ ...body, expires_in: undefined }),
  },
  "the token lacks a scope": {
    point: "token_scope",
    on: TOKEN,
    body: (body) => ({ ...body, scope: body.scope?.replace("cob.write", "") }),
  },
  "any secret gets a token": {
    point: "token_wrong_secret",
    on: TOKEN,
    status: 401,
    answer: () => Response.json({ access_token: "x", token_type: "Bearer", expires_in: 3_600 }),
  },
  "an unknown token is 403": {
    point: "unknown_token",
    on: GET_COB,
    status: 401,
    answer: (said) => withStatus(said, 403),
  },
  "the clock is ten minutes fast": {
    point: "clock",
    on: GET_COB,
    answer: (said) => withHeader(said, "Date", new Date(Date.now() + 600_000).toUTCString()),
  },
  "a missing charge has a proxy's page": {
    point: "cob_missing",
    on: GET_COB,
    status: 404,
    answer: () => new Response("<h1>Not Found</h1>", { status: 404 }),
  },
  "a missing due charge is 400": {
    point: "cobv_missing",
    on: /^GET \/cobv\/\w+$/,
    status: 404,
    answer: (said) => withStatus(said, 400),
  },
  "a charge's amount is a number": {
    point: "cob_create",
    on: PUT_COB,
    body: (body) => ({ ...body, valor: { original: 0.37 } }),
  },
  "a charge's status is of no list": {
    point: "cob_create",
    on: PUT_COB,
    body: (body) => ({ ...body, status: "EM_ANALISE" }),
  },
  "a charge's key is another": {
    point: "cob_create",
    on: PUT_COB,
    body: (body) => ({ ...body, chave: "outra@example.com" }),
  },
  "a time has no offset": {
    point: "cob_create",
    on: PUT_COB,
    body: (body) => withCriacao(body, (criacao) => criacao.replace("Z", "")),
  },
  "local time is called UTC": {
    point: "cob_time",
    on: COB,
    body: (body) =>
      withCriacao(body, (criacao) => new Date(Date.parse(criacao) - 10_800_000).toISOString()),
  },
  "the code's checksum is wrong": {
    point: "cob_code",
    on: PUT_COB,
    body: (body) => ({ ...body, pixCopiaECola: `${body.pixCopiaECola?.slice(0, -4)}0000` }),
  },
  "the code is a static one": {
    point: "cob_code",
    on: PUT_COB,
    body: (body) => ({ ...body, pixCopiaECola: codeOf({ key: "loja@example.com" }) }),
  },
  "the code names another location": {
    point: "cob_code_location",
    on: PUT_COB,
    body: (body) => ({ ...body, pixCopiaECola: codeOf({ location: "psp.example.com/qr/v2/x" }) }),
  },
  "the code names another amount": {
    point: "cob_code_amount",
    on: PUT_COB,
    body: (body) => ({ ...body, pixCopiaECola: codeOf({ location: body.location }, 999) }),
  },
  "the same request makes the charge anew": {
    point: "cob_repeat",
    on: COB,
    body: (body) =>
      body.revisao > 0 && body.status === "ATIVA"
        ? withCriacao(body, (criacao) => new Date(Date.parse(criacao) + 1_000).toISOString())
        : body,
  },
  "a new charge cannot be read": {
    point: "cob_read",
    on: GET_COB,
    status: 200,
    answer: () => problem(404, "CobNaoEncontrado"),
  },
  "a refusal is a page of words": {
    point: "cob_refused",
    on: PUT_COB,
    status: 400,
    answer: () => new Response("Valor inválido", { status: 400 }),
  },
  "a charge of nothing is made": {
    point: "cob_refused",
    on: PUT_COB,
    status: 400,
    answer: (said) => withStatus(said, 201),
  },
  "a longer time is passed over": {
    point: "cob_extend",
    on: PATCH_COB,
    body: (body) =>
      body.status === "ATIVA"
        ? { ...body, calendario: { ...body.calendario, expiracao: 1 } }
        : body,
  },
  "a cancelled charge stays open": {
    point: "cob_cancel",
    on: /^(?:PATCH|GET) \/cob\/\w+$/,
    body: (body) =>
      "status" in body && body.txid !== undefined ? { ...body, status: "ATIVA" } : body,
  },
  "the list has no pages": {
    point: "cob_list",
    on: LIST_COB,
    body: ({ cobs }) => ({ cobs }),
  },
  "the list is empty": {
    point: "cob_list",
    on: LIST_COB,
    body: (body) => ({ ...body, cobs: [] }),
  },
  "the list passes its window over": {
    point: "cob_list_window",
    on: LIST_COB,
    asked: (request) => withQuery(request, "inicio", "2020-01-01T00:00:00Z", "fim"),
  },
  "the list passes the page over": {
    point: "cob_list_pages",
    on: LIST_COB,
    asked: (request) => withQuery(request, "paginacao.paginaAtual", "0"),
    body: (body, request) => {
      const page = new URL(request.url).searchParams.get("paginacao.paginaAtual");
      return {
        ...body,
        parametros: {
          ...body.parametros,
          paginacao: { ...body.parametros.paginacao, paginaAtual: Number(page) },
        },
      };
    },
  },
  "a fine is changed": {
    point: "cobv_create",
    on: /^PUT \/cobv\/\w+$/,
    body: (body) => ({
      ...body,
      valor: { ...body.valor, multa: { modalidade: 2, valorPerc: "1.00" } },
    }),
  },
  "the list lacks the due charge": {
    point: "cobv_list",
    on: /^GET \/cobv$/,
    body: (body) => ({ ...body, cobs: [] }),
  },
  "a missing payment is 200 and empty": {
    point: "pix_missing",
    on: /^GET \/pix\/\w+$/,
    status: 404,
    answer: () => new Response(null, { status: 200 }),
  },
  "payments cannot be listed": {
    point: "pix_list",
    on: /^GET \/pix$/,
    answer: () => problem(503, "ServicoIndisponivel"),
  },
  "a missing devolução is 400": {
    point: "refund_missing",
    on: /^GET \/pix\/\w+\/devolucao\/\w+$/,
    status: 404,
    answer: (said) => withStatus(said, 400),
  },
  "a devolução is of another amount": {
    point: "refund_create",
    on: /^PUT \/pix\/\w+\/devolucao\/\w+$/,
    status: 201,
    body: (body) => ({ ...body, valor: "0.99" }),
  },
  "the same devolução again is another": {
    point: "refund_repeat",
    on: /^PUT \/pix\/\w+\/devolucao\/\w+$/,
    repeated: (request) => new Request(request.url.replace(/.{5}$/, "again"), request),
  },
  "a payment's amount is a number": {
    point: "pix_read",
    on: /^GET \/pix\/\w+$/,
    body: (body) => ({ ...body, valor: 5 }),
  },
  "too large a devolução is an outage": {
    point: "refund_too_much",
    on: /^PUT \/pix\/\w+\/devolucao\/\w+$/,
    status: 400,
    answer: (said) => withStatus(said, 500),
  },
  "the webhook that is read is another": {
    point: "webhook",
    on: /^GET \/webhook\//,
    status: 200,
    body: (body) => ({ ...body, webhookUrl: "https://elsewhere.example.com/" }),
  },
  "a missing payout has no name": {
    point: "payout_missing",
    on: /^GET \/v2\/gn\/pix\/enviados\/id-envio\/\w+$/,
    answer: () => Response.json({ error: "not found" }, { status: 404 }),
  },
  "payouts are listed without pages": {
    point: "payout_list",
    on: /^GET \/v2\/gn\/pix\/enviados$/,
    body: ({ pix }) => ({ pix }),
  },
  "a payout is paid twice": {
    point: "payout_send",
    on: /^GET \/v2\/gn\/pix\/enviados$/,
    body: ({ pix, ...body }) => ({ ...body, pix: [...pix, ...pix] }),
  },
  "the balance is a number": {
    point: "balance",
    on: /^GET \/v2\/gn\/saldo$/,
    body: () => ({ saldo: 12.5 }),
  },
  "JSON is called text": {
    point: "content_type",
    on: LIST_COB,
    answer: (said) => withHeader(said, "Content-Type", "text/plain"),
  },
  "a charge has no revision": {
    point: "schema",
    on: COB,
    body: ({ revisao: _revisao, ...body }) => body,
  },
  "a new charge is 200": {
    point: "schema",
    on: PUT_COB,
    status: 201,
    answer: (said) => withStatus(said, 200),
  },
} satisfies Record<string, SeededDeviation>;

/** The PSP, but for one deviation of it. */
export function deviating(psp: FakePsp, deviation: SeededDeviation) {
  const seen = new Set<string>();
  return {
    answer: async (
      request: Request,
      { onTls, withoutCertificate = false }: Connection = {},
    ): Promise<Response> => {
      onTls?.(deviation.tls ?? "TLSv1.3");
      if (withoutCertificate && deviation.takesAnybody !== true) {
        throw new TypeError("certificate required");
      }
      const call = `${request.method} ${new URL(request.url).pathname}`;
      const isMeant = deviation.on?.test(call) ?? false;
      const change = seen.has(call) ? (deviation.repeated ?? deviation.asked) : deviation.asked;
      seen.add(call);
      const said = await psp.answer(
        isMeant ? (change?.(request.clone()) ?? request.clone()) : request,
      );
      return isMeant ? differing(said, request, deviation) : said;
    },
  };
}

async function differing(
  said: Response,
  request: Request,
  { status, answer, body: change }: SeededDeviation,
): Promise<Response> {
  if ((status ?? said.status) !== said.status) return said;
  if (answer !== undefined) return answer(said, request);
  const body = said.status < 300 ? await said.clone().json() : undefined;
  if (body === undefined || change === undefined) return said;
  return Response.json(change(body, request), { status: said.status });
}

function codeOf(target: { key: string } | { location: string }, amount?: number): string {
  const of = amount === undefined ? {} : { amount };
  return encodeBrCode({ target, merchantName: "Loja", merchantCity: "SP", ...of });
}

function withCriacao(body: any, change: (criacao: string) => string) {
  const { criacao } = body.calendario;
  return { ...body, calendario: { ...body.calendario, criacao: change(criacao) } };
}

function withStatus(said: Response, status: number): Response {
  return new Response(said.body, { status, headers: said.headers });
}

function withHeader(said: Response, name: string, value: string): Response {
  const headers = new Headers(said.headers);
  headers.set(name, value);
  return new Response(said.body, { status: said.status, headers });
}

/** Another value of a parameter; `now`, where it is named, becomes the present. */
function withQuery(request: Request, name: string, value: string, now?: string): Request {
  const url = new URL(request.url);
  url.searchParams.set(name, value);
  if (now !== undefined) url.searchParams.set(now, new Date(Date.now() + 60_000).toISOString());
  return new Request(url, request);
}

function problem(status: number, type: string): Response {
  return Response.json(
    { type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title: type, status },
    { status, headers: { "Content-Type": "application/problem+json" } },
  );
}
