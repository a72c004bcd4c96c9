import { join } from "node:path";
import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import type { Served } from "./server.ts";

/** The central bank's OpenAPI document, next to the fake PSP. */
const OPENAPI = join(import.meta.dirname, "../../support/fakes/fake-psp/openapi.yaml");
/** Payers' apps read them under a location; for a router they equal `GET /cobv/{txid}` and `GET /rec/{idRec}`. */
const PAYLOADS = new Set(["/cobv/{pixUrlAccessToken}", "/rec/{recUrlAccessToken}"]);

export type Operations = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>;

/** The calls that a receiver makes to its PSP. */
export async function openApiOperations(): Promise<Operations> {
  const operations = await getHttpOperationsFromSpec(OPENAPI);
  return operations.filter(({ path }) => !PAYLOADS.has(path));
}

/** What a PSP posts to its receiver by the document: the paths below the registered address. */
export function noticeOperations(operations: Operations): Operations {
  const notices = operations.flatMap(({ callbacks = [] }) => callbacks);
  return notices.map((each) => Object.assign(each, { path: `/${each.path.split("/").at(-1)}` }));
}

/**
 * Runs Prism between a client and a PSP: it forwards each call, and returns its own problem (422
 * or 500) when the request or the response breaks the contract.
 */
export async function startPrismProxy(upstream: string, operations: Operations): Promise<Served> {
  const server = createServer(operations, {
    cors: false,
    components: { logger: createLogger("prism", { level: "silent" }) },
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      upstreamProxy: undefined,
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: true,
      mock: { dynamic: false },
    },
  });
  return { url: await server.listen(0, "127.0.0.1"), close: () => server.close() };
}
