import { join } from "node:path";
import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import type { Served } from "./server.ts";

/** The central bank's contract, as it lies beside the fake PSP. */
const OPENAPI = join(import.meta.dirname, "../../support/fakes/fake-psp/openapi.yaml");
/** Asked by payers' apps under a location; to a router the same as `GET /cobv/{txid}`. */
const PAYLOAD = "/cobv/{pixUrlAccessToken}";

export type Operations = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>;

/** What a receiver may ask of its PSP. */
export async function openApiOperations(): Promise<Operations> {
  const operations = await getHttpOperationsFromSpec(OPENAPI);
  return operations.filter(({ path }) => path !== PAYLOAD);
}

/**
 * Prism between a client and a PSP: it passes each call on, and answers with a problem of its own
 * (422 or 500) where the request or the PSP's answer breaks the contract.
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
