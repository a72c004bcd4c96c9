import type { z } from "@hono/zod-openapi";
import { addCompany, claimCompany } from "../../../db/companies/company-creation.ts";
import { findCompanyRecord } from "../../../db/companies/company-records.ts";
import { databaseForNewCompany } from "../../../db/sharding/new-company-database.ts";
import { APPLICATION_PREFIX } from "../../../domain/access/client-id.ts";
import { DEFAULT_FIRST_KEY_SCOPES, webhookSecretContext } from "../../../domain/shared/company.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { parsePixKey, type PixKey, type PixKeyType } from "../../../domain/shared/pix-key.ts";
import { configOf } from "../../../config.ts";
import { audited } from "../../../http/audit.ts";
import type { AppContext } from "../../../http/context.ts";
import { keyInProgress, keyReused } from "../../../http/idempotency.ts";
import { assert } from "../../../lib/assert.ts";
import { canonicalJson, sha256Hex } from "../../../lib/hash.ts";
import { seal } from "../../../lib/secret-box.ts";
import { newWebhookSecret } from "../../../webhooks/signing/secrets.ts";
import { draftKey } from "../../applications/keys/service.ts";
import type { CreateCompany } from "./schemas.ts";
import { auditedCompany, companyView } from "./views.ts";

type Request = z.output<typeof CreateCompany>;

/**
 * Creates a company with one application, a key and a webhook secret, which only this answer shows. The number
 * is taken first: a repeated idempotency key makes no second company, and finishes one that a crash left. Throws
 * 400 for an unknown database, 409 for a key of another request.
 */
export async function createCompany(c: AppContext, request: Request) {
  const { env } = c;
  const { platformClock, random } = c.get("deps");
  const requestHash = await sha256Hex(canonicalJson(request));
  const claim = await claimCompany(env, {
    idempotencyKey: c.get("idempotencyKey") ?? newUuid(random),
    requestHash,
    database: await databaseForNewCompany(env, request.mode, request.database),
    providerCompanyId: newUuid(random),
    clientId: APPLICATION_PREFIX + newUuid(random).replaceAll("-", ""),
    createdAt: platformClock.now(),
  });
  if (claim.requestHash !== requestHash) throw keyReused();
  const { companyId, clientId, providerCompanyId } = claim;
  const existing = await findCompanyRecord(env, companyId);
  const application = { clientId };
  if (existing !== null) {
    const data = { ...companyView(existing), application, key: null, webhookSecret: null };
    return { data, replayed: true };
  }
  const { key, hash: keyHash, prefix } = await draftKey(random, request);
  const webhookSecret = newWebhookSecret(random);
  const context = webhookSecretContext(providerCompanyId);
  const mainPixKey = pixKeyOf(request.pixKey, request.pixKeyType);
  const rows = {
    companyId,
    providerCompanyId,
    clientId,
    name: request.name,
    mode: request.mode,
    mainPixKey: mainPixKey ?? null,
    bankDocument: request.document ?? "",
    webhookSecretSealed: await seal(configOf(env).secretsKeys, webhookSecret, context),
    scopes: (request.scopes ?? DEFAULT_FIRST_KEY_SCOPES).join(" "),
    keyHash,
    keyPrefix: prefix,
    nowMs: platformClock.now(),
  };
  const { value: pixKey = null, type: pixKeyType = null } = mainPixKey ?? {};
  const shown = auditedCompany({ ...rows, mainPixKey: pixKey, mainPixKeyType: pixKeyType });
  await audited(
    c,
    {
      companyId,
      action: "company.create",
      target: `company:${companyId}`,
      after: { ...shown, clientId, keyPrefix: rows.keyPrefix, scopes: rows.scopes },
      reason: request.reason ?? null,
    },
    async () => {
      // Another request with the same key has made it since it was looked for, and shows the secrets.
      if (!(await addCompany(env, rows))) throw keyInProgress();
    },
  );
  const company = await findCompanyRecord(env, companyId);
  assert(company !== null, "a company that was made is there");
  return { data: { ...companyView(company), application, key, webhookSecret }, replayed: false };
}

/** The PIX key of a validated request: undefined if none was sent, null to remove it. */
export function pixKeyOf(
  pixKey: string | null | undefined,
  type: PixKeyType | null | undefined,
): PixKey | null | undefined {
  if (pixKey === undefined || pixKey === null) return pixKey;
  const parsed = parsePixKey(pixKey, type ?? undefined);
  assert(parsed.kind === "valid", "validation has checked the key");
  return parsed.key;
}
