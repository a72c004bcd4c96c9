/** Faults of a PSP's response. "Done" means that the request took effect. */
export const FAULTS = {
  /** Not done, with a temporary error. */
  unavailable: {
    isApplied: false,
    answer: () => json(503, bacenProblem("ServicoIndisponivel", 503)),
  },
  /** Not done: a proxy responds with HTML. */
  proxy_404: { isApplied: false, answer: () => htmlPage(404, "<h1>Not Found</h1>") },
  page_502: { isApplied: false, answer: () => htmlPage(502, "<html>Bad Gateway</html>") },
  /** Not done: a problem of a gateway in front of the API. */
  gateway_400: {
    isApplied: false,
    answer: () => json(400, { type: "about:blank", title: "Bad", status: 400 }),
  },
  gateway_404: {
    isApplied: false,
    answer: () => json(404, { type: "about:blank", title: "No route", status: 404 }),
  },
  access_denied: { isApplied: false, answer: () => json(403, bacenProblem("AcessoNegado", 403)) },
  too_many: { isApplied: false, answer: () => json(429, { nome: "limite", mensagem: "Aguarde" }) },
  redirect: {
    isApplied: false,
    answer: () => new Response(null, { status: 302, headers: { Location: "/elsewhere" } }),
  },
  /** Done, and the response is lost. */
  silent: { isApplied: true, answer: () => new Promise<Response>(() => undefined) },
  reset: { isApplied: true, answer: () => new Response(brokenStream()) },
  error_500: { isApplied: true, answer: () => htmlPage(500, "Internal Server Error") },
  malformed: {
    isApplied: true,
    answer: async (said) => htmlPage(said.status, (await said.text()).slice(0, -3)),
  },
  not_json: { isApplied: true, answer: () => htmlPage(200, "<html>Bem-vindo</html>") },
  empty: { isApplied: true, answer: (said) => new Response(null, { status: said.status }) },
  /** An unknown status. */
  new_status: { isApplied: true, answer: (said) => withMembers(said, { status: "EM_ANALISE" }) },
  /** The response of another request. */
  other_amount: {
    isApplied: true,
    answer: (said) => withMembers(said, { valor: "1.23" }, { original: "1.23" }),
  },
  other_id: {
    isApplied: true,
    answer: (said) =>
      withMembers(said, {
        txid: "0".repeat(32),
        id: "0".repeat(32),
        idEnvio: "0".repeat(32),
        endToEndId: `E${"0".repeat(31)}`,
      }),
  },
  number_for_text: {
    isApplied: true,
    answer: (said) => withMembers(said, { valor: 37, horario: 5, txid: 1 }),
  },
  /** Times as RFC 3339 forbids them. */
  no_offset: {
    isApplied: true,
    answer: async (said) => {
      const text = (await said.text()).replaceAll(/(T[\d:.]{8,})(?:Z|[+-][\d:]{5})"/g, '$1"');
      return Response.json(JSON.parse(text), { status: said.status });
    },
  },
  /** An endless body, byte by byte. */
  slow: { isApplied: true, answer: async (said) => slowResponse(await said.bytes()) },
  endless: { isApplied: true, answer: () => endlessResponse() },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

/** After these nobody can know from the answer whether the request took effect. */
export const UNINTELLIGIBLE_FAULTS: readonly FaultName[] = [
  "unavailable",
  "proxy_404",
  "gateway_400",
  "gateway_404",
  "access_denied",
  "too_many",
  "redirect",
  "error_500",
  "malformed",
  "not_json",
  "empty",
  "endless",
  "reset",
];

interface Fault {
  isApplied: boolean;
  /** Replaces the whole response. */
  answer: (said: Response) => Response | Promise<Response>;
}

const DRIP_MS = 20;
const CHUNK = new Uint8Array(64 * 1024).fill(0x20);

function json(status: number, body: unknown): Response {
  return Response.json(body, { status, headers: { "Content-Type": "application/problem+json" } });
}

function htmlPage(status: number, text: string): Response {
  return new Response(text, { status, headers: { "Content-Type": "text/html" } });
}

function bacenProblem(type: string, status: number) {
  return { type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title: type, status };
}

/** The response with replaced members; `valor` can be a string or an object. */
async function withMembers(
  said: Response,
  members: Record<string, unknown>,
  valor?: unknown,
): Promise<Response> {
  const body: any = await said.json();
  for (const [name, value] of Object.entries(members)) {
    if (body[name] === undefined) continue;
    body[name] = name === "valor" && typeof body[name] === "object" ? (valor ?? value) : value;
  }
  return Response.json(body, { status: said.status });
}

function slowResponse(bytes: Uint8Array): Response {
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, DRIP_MS));
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, ++at));
    },
  });
  return new Response(stream, { headers: { "Content-Type": "application/json" } });
}

/** The connection closes before a response. */
function brokenStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
}

function endlessResponse(): Response {
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(CHUNK),
  });
  return new Response(stream, { headers: { "Content-Type": "application/json" } });
}
