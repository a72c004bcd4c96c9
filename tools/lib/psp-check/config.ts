import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { parsePixKey } from "../../../src/domain/shared/pix-key.ts";
import {
  PSP_PROFILES,
  type PspProfileName,
} from "../../../src/domain/psp/profiles/psp-profiles.ts";
import {
  PSP_HEADERS,
  TOKEN_CLIENTS,
  type PspHeader,
} from "../../../src/domain/psp/psp-settings.ts";
import type { PspProfile } from "../../../src/domain/psp/profiles/psp-profile.ts";
import { pspUrlError, type PixApiConfig } from "../../../src/providers/pix-api/config.ts";

const PROFILE_NAMES = Object.keys(PSP_PROFILES) as PspProfileName[];
const REAIS_MAX = 100_000;

const url = z.string().refine((text) => pspUrlError(text, true) === null, {
  error: ({ input }) => pspUrlError(String(input), true) ?? "",
});
const centavos = z.int().positive().max(REAIS_MAX);
/** A key that is of one type without being told. */
const plainPixKey = z.string().refine((key) => parsePixKey(key).kind === "valid", {
  error: "is no PIX key, or could be a CPF or a phone: write 123.456.789-09 or +5511987654321",
});

/** The file: a connection as operators make it (`PUT .../providers/pix-api`), with a profile and what may be tried. */
const PspCheckFile = z.strictObject({
  /** Fills what the file leaves out, with the addresses of the PSP's test. */
  profile: z.enum(PROFILE_NAMES).nullable().default(null),
  baseUrl: url.optional(),
  tokenUrl: url.optional(),
  tokenBody: z.enum(["form", "json"]).optional(),
  tokenClient: z.enum(TOKEN_CLIENTS).optional(),
  headers: z.partialRecord(z.enum(PSP_HEADERS), z.string().min(1)).optional(),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  scope: z.string().nullable().optional(),
  pixKey: z.string().refine((key) => parsePixKey(key).kind !== "invalid", {
    error: "is no PIX key",
  }),
  charge: z.enum(["cob", "cobv"]).default("cob"),
  payouts: z.strictObject({ url }).nullable().optional(),
  /** PEM files of the client certificate and its key, or one of both; null without mTLS. */
  certificate: z
    .union([
      z.strictObject({ cert: z.string(), key: z.string() }),
      z.string().transform((file) => ({ cert: file, key: file })),
    ])
    .nullable()
    .default(null),
  /** A payment of the test account: a part of it is returned. Without it no devolução is made. */
  payment: z
    .strictObject({ endToEndId: z.string().regex(/^[a-zA-Z0-9]{32}$/), returned: centavos })
    .nullable()
    .default(null),
  /** Registered for the key, and the one of before is put back. Without it no webhook is changed. */
  webhookUrl: url.nullable().default(null),
  /** Paid out once with `--pay`: centavos, to a PIX key. */
  payout: z.strictObject({ amount: centavos, pixKey: plainPixKey }).nullable().default(null),
});

type PspCheckFile = z.output<typeof PspCheckFile>;

/** What the check works with: the adapter's own configuration, and what it may try beyond reading. */
export interface PspCheckConfig {
  api: PixApiConfig;
  profile: PspProfileName | null;
  /** PEM texts; null without mTLS. */
  certificate: { cert: string; key: string } | null;
  payment: PspCheckFile["payment"];
  webhookUrl: string | null;
  payout: PspCheckFile["payout"];
}

/** Why a file is none: the field's path, and what is wrong with it. */
interface ConfigFault {
  field: string;
  fault: string;
}

export type ConfigResult =
  | { valid: true; config: PspCheckConfig }
  | { valid: false; faults: ConfigFault[] };

/** Reads the configuration of a check; names of other files count from its folder. All faults at once. */
export function readConfig(file: string): ConfigResult {
  const json = readJson(file);
  if (json === undefined) {
    return { valid: false, faults: [{ field: file, fault: "is no readable JSON file" }] };
  }
  return parseConfig(json, dirname(file));
}

/** As `readConfig`, of a value. */
export function parseConfig(json: unknown, folder: string): ConfigResult {
  const read = PspCheckFile.safeParse(json);
  if (!read.success) {
    const faults = read.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({ field: key, fault: "is no field of this file" }))
        : [{ field: issue.path.join("."), fault: issue.message }],
    );
    return { valid: false, faults };
  }
  const { certificate, payment, webhookUrl, payout, profile, ...connection } = read.data;
  const known = profile === null ? null : PSP_PROFILES[profile];
  const baseUrl = connection.baseUrl ?? known?.test?.value.baseUrl;
  const tokenUrl = connection.tokenUrl ?? known?.test?.value.tokenUrl;
  const pem = certificate === null ? null : pemOf(certificate, folder);
  const faults = [
    ...(baseUrl === undefined ? [missing("baseUrl")] : []),
    ...(tokenUrl === undefined ? [missing("tokenUrl")] : []),
    ...headersOf(known).flatMap((name) =>
      connection.headers?.[name] === undefined ? [missing(`headers.${name}`)] : [],
    ),
    ...(known?.query?.value ?? []).flatMap((name) =>
      hasParameter(baseUrl, name)
        ? []
        : [{ field: "baseUrl", fault: `needs the query parameter ${name}` }],
    ),
    ...(pem?.faults ?? []),
  ];
  if (faults.length > 0 || baseUrl === undefined || tokenUrl === undefined) {
    return { valid: false, faults };
  }
  const api: PixApiConfig = {
    ...connection,
    baseUrl,
    tokenUrl,
    tokenBody: connection.tokenBody ?? known?.tokenBody.value ?? "form",
    tokenClient: connection.tokenClient ?? known?.tokenClient.value,
    scope: connection.scope === undefined ? (known?.scope?.value ?? null) : connection.scope,
    payouts:
      connection.payouts === undefined ? payoutsOf(known?.payouts?.value.test) : connection.payouts,
    certificate: null,
  };
  const files = pem === null ? null : { cert: pem.cert, key: pem.key };
  return { valid: true, config: { api, profile, certificate: files, payment, webhookUrl, payout } };
}

function payoutsOf(origin: string | undefined): { url: string } | null {
  return origin === undefined ? null : { url: origin };
}

/** The headers of its own that a PSP needs. */
function headersOf(profile: PspProfile | null): PspHeader[] {
  return profile?.headers?.value ?? [];
}

function hasParameter(address: string | undefined, name: string): boolean {
  return address !== undefined && new URL(address).searchParams.has(name);
}

function missing(field: string): ConfigFault {
  return { field, fault: "is required" };
}

function pemOf(files: { cert: string; key: string }, folder: string) {
  const faults: ConfigFault[] = [];
  const read = (name: "cert" | "key", begin: string): string => {
    const path = resolve(folder, files[name]);
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (!text.includes(begin)) {
      faults.push({ field: `certificate.${name}`, fault: `is no PEM file (${begin}...)` });
    }
    return text;
  };
  const cert = read("cert", "-----BEGIN CERTIFICATE");
  const key = read("key", "PRIVATE KEY-----");
  return { cert, key, faults };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
