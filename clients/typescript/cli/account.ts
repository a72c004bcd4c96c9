import { EVENT_TYPES } from "../../../src/domain/events/event-types.ts";
import { LOCAL_COMPANIES } from "../../../tools/lib/local-companies.ts";
import { CliError } from "./failure.ts";

export const LOCAL_URL = "http://localhost:8787";
/** Loopback hosts as `URL` writes them: the names of RFC 6761, 127.0.0.0/8 and ::1. */
const LOOPBACK_HOST = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
export const WEBHOOK_SECRET =
  /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export type Environment = Record<string, string | undefined>;

/** A service, and the credentials of an application there. */
export interface Account {
  /** Base URL, without a trailing slash. */
  url: string;
  clientId: string;
  apiKey: string;
}

/**
 * The service and the application's credentials: of CENTAVO_URL, CENTAVO_CLIENT_ID and CENTAVO_API_KEY, else what `login`
 * stored for this service, else for a service on this machine the first local company. Throws `CliError` for an
 * invalid or missing variable.
 */
export function accountOf(environment: Environment, stored: Account | null): Account {
  const url = serviceUrl(environment["CENTAVO_URL"] || stored?.url || LOCAL_URL);
  const clientId = environment["CENTAVO_CLIENT_ID"] || undefined;
  const apiKey = environment["CENTAVO_API_KEY"] || undefined;
  if (clientId !== undefined && apiKey !== undefined) return { url, clientId, apiKey };
  if (clientId !== undefined || apiKey !== undefined)
    throw new CliError("CENTAVO_CLIENT_ID and CENTAVO_API_KEY must both be set.", 2);
  // The stored key goes to no other service.
  if (stored?.url === url) return stored;
  const [local] = LOCAL_COMPANIES;
  if (local !== undefined && LOOPBACK_HOST.test(new URL(url).hostname))
    return { url, clientId: local.clientId, apiKey: local.apiKey };
  throw new CliError("Run centavo login, or set CENTAVO_CLIENT_ID and CENTAVO_API_KEY.", 2);
}

/** The service's base URL, without a trailing slash. Throws `CliError` for any other text. */
export function serviceUrl(text: string): string {
  const url = httpUrl(text);
  if (url !== null) return url.href.replace(/\/+$/, "");
  throw new CliError(`CENTAVO_URL must be an http or https URL, not "${text}".`, 2);
}

/** The signing secret in CENTAVO_WEBHOOK_SECRET; null when it is not set. Throws `CliError`. */
export function configuredSecret(environment: Environment): string | null {
  const secret = environment["CENTAVO_WEBHOOK_SECRET"] || null;
  if (secret !== null && !WEBHOOK_SECRET.test(secret)) {
    throw new CliError("CENTAVO_WEBHOOK_SECRET must be whsec_ followed by base64.", 2);
  }
  return secret;
}

/**
 * The URL of the local handler. Only this machine is allowed, because events contain payers and amounts.
 * Throws `CliError` for any other address.
 */
export function forwardUrl(text: string | undefined): string {
  if (text === undefined) throw new CliError("listen needs --forward URL.", 2);
  const url = httpUrl(text);
  if (url === null) {
    throw new CliError(
      `--forward must be an http or https URL without user-info, not "${text}".`,
      2,
    );
  }
  if (!LOOPBACK_HOST.test(url.hostname)) {
    throw new CliError(
      `--forward must be an address of this machine (localhost, 127.0.0.1, [::1]), not "${text}".`,
      2,
    );
  }
  return url.href;
}

/** The event types in `--types a,b`; null for all. Throws `CliError` for an unknown type. */
export function typeFilter(list: string | undefined): Set<string> | null {
  if (list === undefined) return null;
  const types = list.split(",").map((type) => type.trim());
  const unknown = types.find((type) => !EVENT_TYPES.some((known) => known === type));
  if (unknown !== undefined) {
    throw new CliError(`"${unknown}" is not an event type. Types: ${EVENT_TYPES.join(", ")}.`, 2);
  }
  return new Set(types);
}

function httpUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  return isHttp && url.username === "" && url.password === "" ? url : null;
}
