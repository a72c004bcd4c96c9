import { EVENT_TYPES } from "../../src/domain/events/event-types.ts";
import { LOCAL_COMPANIES } from "../lib/local-companies.ts";
import { CliError } from "./failure.ts";

const LOCAL_URL = "http://localhost:8787";
/** As `URL` writes them: the names of RFC 6761, 127.0.0.0/8 and ::1. */
const LOOPBACK_HOST = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
export const WEBHOOK_SECRET =
  /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type Environment = Record<string, string | undefined>;

export interface Account {
  /** Without a slash at its end. */
  url: string;
  clientId: string;
  apiKey: string;
}

/**
 * The service and the application to speak as, by CENTAVO_URL, CENTAVO_CLIENT_ID and CENTAVO_API_KEY.
 * A service on this machine needs no credentials: the first local company's are used. Throws
 * `CliError` where something is wrong or missing.
 */
export function accountOf(environment: Environment): Account {
  const given = environment["CENTAVO_URL"] || LOCAL_URL;
  const url = httpUrl(given);
  if (url === null) throw new CliError(`CENTAVO_URL must be an http or https URL: "${given}".`, 2);
  const clientId = environment["CENTAVO_CLIENT_ID"] || undefined;
  const apiKey = environment["CENTAVO_API_KEY"] || undefined;
  const base = url.href.replace(/\/+$/, "");
  const [local] = LOCAL_COMPANIES;
  if (clientId !== undefined && apiKey !== undefined) return { url: base, clientId, apiKey };
  const neither = clientId === undefined && apiKey === undefined;
  if (neither && local !== undefined && LOOPBACK_HOST.test(url.hostname)) {
    return { url: base, clientId: local.clientId, apiKey: local.apiKey };
  }
  throw new CliError("CENTAVO_CLIENT_ID and CENTAVO_API_KEY must both be set.", 2);
}

/** The secret that CENTAVO_WEBHOOK_SECRET asks to sign with; null where it is not set. */
export function configuredSecret(environment: Environment): string | null {
  const secret = environment["CENTAVO_WEBHOOK_SECRET"] || null;
  if (secret !== null && !WEBHOOK_SECRET.test(secret)) {
    throw new CliError("CENTAVO_WEBHOOK_SECRET must be whsec_ followed by base64.", 2);
  }
  return secret;
}

/**
 * Where events are forwarded to: this machine and no other, for they tell of payers and amounts. Throws
 * `CliError` where it is not such an address.
 */
export function forwardUrl(given: string | undefined): string {
  if (given === undefined) throw new CliError("listen needs --forward URL.", 2);
  const url = httpUrl(given);
  if (url === null) {
    throw new CliError(`--forward must be an http or https URL without user-info: "${given}".`, 2);
  }
  if (!LOOPBACK_HOST.test(url.hostname)) {
    throw new CliError(
      `--forward must be an address of this machine (localhost, 127.0.0.1, [::1]): "${given}".`,
      2,
    );
  }
  return url.href;
}

/** The types that `--types a,b` names; null for all. Throws `CliError` at one that does not exist. */
export function typeFilter(list: string | undefined): Set<string> | null {
  if (list === undefined) return null;
  const types = list.split(",").map((type) => type.trim());
  const unknown = types.find((type) => !EVENT_TYPES.some((known) => known === type));
  if (unknown !== undefined) {
    throw new CliError(`"${unknown}" is not a type; there are ${EVENT_TYPES.join(", ")}.`, 2);
  }
  return new Set(types);
}

function httpUrl(text: string): URL | null {
  const url = URL.parse(text);
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  return isHttp && url.username === "" && url.password === "" ? url : null;
}
