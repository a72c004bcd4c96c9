import type { z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { configOf, type Env } from "../../../config.ts";
import { parsePixKey } from "../../../domain/shared/pix-key.ts";
import type { AppEnv } from "../../../http/context.ts";
import { pspFieldIssues, type PspFields } from "../../../http/fields/psp-fields.ts";
import { addFieldErrors } from "../../../http/validation.ts";
import { assert } from "../../../lib/assert.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import type { AccountBody } from "./schemas.ts";
import type { NewAccount } from "./service.ts";

/** Pagar.me's keys for tests begin so. */
const TEST_KEY = /^(?:sk|pk)_test_/;

/** The fields to check; the schema reports values of the wrong type. */
interface AccountFields {
  settings?: (PspFields & { publicKey?: unknown }) | null;
  secrets?: { clientSecret?: unknown; secretKey?: unknown } | null;
}

/** What is wrong with an account's URLs, certificate and keys, which depends on the environment. */
export function accountFieldIssues(env: Env, body: AccountFields): z.core.$ZodIssue[] {
  const settings = body.settings ?? {};
  const urls = pspFieldIssues(env, settings).map((issue) => ({
    ...issue,
    path: ["settings", ...issue.path],
  }));
  const keys = [
    { path: ["settings", "publicKey"], input: settings.publicKey },
    { path: ["secrets", "secretKey"], input: body.secrets?.secretKey },
  ].filter(({ input }) => typeof input === "string" && TEST_KEY.test(input));
  // A local service has no other keys.
  if (configOf(env).allowHttpLoopbackWebhooks) return urls;
  const message = breaks("testKey");
  return [...urls, ...keys.map((key) => ({ code: "custom" as const, message, ...key }))];
}

/** Refuses a body with such issues. Must follow `jsonBody`. */
export const accountFields = createMiddleware<AppEnv>(async (c, next) => {
  addFieldErrors(c, accountFieldIssues(c.env, await c.req.json()));
  await next();
});

/** The account that a valid body asks for; `origin` is called back where it names none. */
export function newAccountOf(account: string, body: AccountBody, origin: string): NewAccount {
  const { methods, priority, conditions } = body;
  const common = { account, methods, priority, conditions };
  const callbackOrigin = body.settings.callbackOrigin ?? origin;
  switch (body.provider) {
    case "pix-api": {
      const { pixKeyType, ...settings } = body.settings;
      const verdict = parsePixKey(settings.pixKey, pixKeyType);
      assert(verdict.kind === "valid", "validation has checked the key");
      const { secrets } = body;
      const stored = { ...settings, pixKey: verdict.key.value, callbackOrigin };
      return { ...common, provider: "PixApi", settings: stored, secrets };
    }
    case "efi-cobrancas": {
      const settings = { ...body.settings, callbackOrigin };
      return { ...common, provider: "EfiCobrancas", settings, secrets: body.secrets };
    }
    case "pagarme": {
      const settings = { ...body.settings, callbackOrigin };
      return { ...common, provider: "PagarMe", settings, secrets: body.secrets };
    }
  }
}
