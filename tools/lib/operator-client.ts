import { readFileSync } from "node:fs";
import { isLocalHost } from "./local-host.ts";
import { LOCAL_OPERATORS } from "./local-operators.ts";
import { ApiClient, type MerchantAnswer } from "./merchant.ts";
import { publicUrl } from "./wrangler-config.ts";

/** Options of each operator's command, for `parseArgs`. */
export const SERVICE_OPTIONS = {
  /** The service's address; by default the one on this machine. */
  url: { type: "string" },
  /** An environment of wrangler.toml whose PUBLIC_URL is the address. */
  env: { type: "string" },
} as const;

export interface ServiceChoice {
  url?: string | undefined;
  env?: string | undefined;
}

interface Credentials {
  clientId: string;
  apiKey: string;
}

/**
 * The API with an operator's credentials: CENTAVO_OPERATOR_ID and CENTAVO_OPERATOR_KEY, or the JSON file
 * OPERATOR_CREDENTIALS with `clientId` and `apiKey`, or the local operator's for a service on this machine.
 * Never from the command line, which other users of the machine can read. Exits with 2 without them.
 */
export function operatorApi(choice: ServiceChoice): ApiClient {
  const url = serviceUrl(choice);
  return new ApiClient(url, operatorCredentials(url));
}

/** The address of the service. Exits with 2 for one that would get the key over plain http. */
export function serviceUrl({ url, env }: ServiceChoice): string {
  if (url === undefined && env === undefined) {
    return `http://localhost:${process.env["PORT"] ?? "8787"}`;
  }
  const chosen = url ?? publicUrl(env ?? "");
  if (chosen === null) {
    fail(`${env} has no PUBLIC_URL in wrangler.toml. Give --url https://...`);
  }
  const parsed = URL.parse(chosen);
  if (parsed === null) fail(`${chosen} is not a URL.`);
  if (parsed.protocol !== "https:" && !isLocalHost(parsed.hostname)) {
    fail("--url must start with https://, except on this machine.");
  }
  return chosen.replace(/\/+$/, "");
}

/** One request. Exits with 2 and the service's explanation when it is refused or unanswered. */
export function requestOrFail(
  ...request: Parameters<typeof requestOrThrow>
): Promise<MerchantAnswer> {
  return requestOrThrow(...request).catch((error: Error) => fail(error.message));
}

/** One request. Throws, with the service's explanation, when it is refused or unanswered. */
export async function requestOrThrow(
  api: ApiClient,
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
): Promise<MerchantAnswer> {
  const answer = await api
    .call(method, `/api/v1/operator${path}`, body, headers)
    .catch((error: Error) =>
      Promise.reject(new Error(`${api.base} does not respond: ${reasonOf(error)}`)),
    );
  if (answer.status < 300) return answer;
  const { detail = "", errors = {}, traceId = "" } = answer.body ?? {};
  const fields = Object.entries(errors as Record<string, string[]>).map(
    ([field, messages]) => `  ${field}: ${messages.join(", ")}`,
  );
  throw new Error(
    [`The service returned ${answer.status}: ${detail} (${traceId})`, ...fields].join("\n"),
  );
}

/** `fetch` says only that it failed; its cause says why. An answer that is no JSON is none of the service's. */
function reasonOf(error: Error): string {
  if (error instanceof SyntaxError) return "what answers is not the service";
  const { message, cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : message;
}

/** All items of a list, page by page. */
export async function* itemsOf(api: ApiClient, path: string) {
  const start = path.includes("?") ? `${path}&` : `${path}?`;
  for (let after: string | null = null; ;) {
    const cursor: string = after === null ? "" : `&after=${encodeURIComponent(after)}`;
    const { body } = await requestOrFail(api, "GET", `${start}limit=100${cursor}`);
    yield* body.items;
    if (!body.hasMore) return;
    after = body.after;
  }
}

export function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function operatorCredentials(url: string): Credentials {
  const { CENTAVO_OPERATOR_ID, CENTAVO_OPERATOR_KEY, OPERATOR_CREDENTIALS } = process.env;
  if (CENTAVO_OPERATOR_ID !== undefined && CENTAVO_OPERATOR_KEY !== undefined) {
    return { clientId: CENTAVO_OPERATOR_ID, apiKey: CENTAVO_OPERATOR_KEY };
  }
  if (OPERATOR_CREDENTIALS !== undefined) return credentialsFile(OPERATOR_CREDENTIALS);
  const [local] = LOCAL_OPERATORS;
  if (local !== undefined && isLocalHost(new URL(url).hostname)) return local;
  return fail(
    "Set CENTAVO_OPERATOR_ID and CENTAVO_OPERATOR_KEY, or OPERATOR_CREDENTIALS to a JSON file with clientId and apiKey.",
  );
}

function credentialsFile(file: string): Credentials {
  const { clientId, apiKey } = JSON.parse(readFileSync(file, "utf8")) as Partial<Credentials>;
  if (typeof clientId === "string" && typeof apiKey === "string") return { clientId, apiKey };
  return fail(`${file} must be a JSON object with clientId and apiKey.`);
}
