import { ApiClient } from "./merchant.ts";
import { requestOrFail } from "./operator-client.ts";

/** The client id of the environment's BOOTSTRAP_KEY. */
const SETUP = "setup";

/** The API with the environment's set-up key, which makes an admin while none can sign in. */
export function setupApi(url: string, bootstrapKey: string): ApiClient {
  return new ApiClient(url, { clientId: SETUP, apiKey: bootstrapKey });
}

/**
 * Adds an operator and prints the credentials and the console's set-up link, which nobody can read again. Exits with
 * 2 when the service refuses.
 */
export async function addOperator(
  api: ApiClient,
  body: { name: string; role: string; reason?: string | undefined },
): Promise<void> {
  const { data } = (await requestOrFail(api, "POST", "/people", body)).body;
  console.log(`Added ${data.name} as ${data.role}. Store these credentials; they are shown only once:

  X-Client-Id   ${data.clientId}
  X-API-Key     ${data.key}
`);
  // The set-up key opens nothing more: the first admin makes his link himself.
  const isFirst = api.credentials["X-Client-Id"] === SETUP;
  const own = new ApiClient(api.base, { clientId: data.clientId, apiKey: data.key });
  await printSignInLink(isFirst ? own : api, data.clientId);
}

/** Makes an operator's set-up link and prints it. Exits with 2 when the service refuses. */
export async function printSignInLink(api: ApiClient, id: string): Promise<void> {
  const { data } = (await requestOrFail(api, "POST", `/people/${id}/sign-in-link`)).body;
  console.log(`${data.name} sets up the console here, once, until ${data.expiresAt}:

  ${data.url}
`);
}
