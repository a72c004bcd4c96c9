import { Centavo, type CentavoOptions } from "../../../../clients/typescript/src/index.ts";

/** What a fake service answers: a response, an error of the connection, or nothing until the request is given up. */
export type Answered = Response | Error | "silence";

/** A client whose requests get these answers, one after the other, and the requests that it sent. */
export function clientOf(answers: Answered[], options: Partial<CentavoOptions> = {}) {
  const sent: Request[] = [];
  const centavo = new Centavo({
    baseUrl: "https://pay.example.com/",
    clientId: "app_loja",
    apiKey: "sk_live_loja",
    fetch: async (request) => {
      sent.push(request.clone());
      const answer = answers.shift();
      if (answer === undefined) throw new Error("no answer was given for this request");
      if (answer === "silence") return silence(request.signal);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    ...options,
  });
  return { centavo, sent };
}

/** A problem of the API. */
export function problem(
  status: number,
  members: object,
  headers: Record<string, string> = {},
): Response {
  return Response.json(
    { status, ...members },
    { status, headers: { "Content-Type": "application/problem+json", ...headers } },
  );
}

function silence(signal: AbortSignal): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}
