import type { Mutant } from "../mutant.ts";

const AUTH = "src/http/auth/auth.ts";
const KEYS = [
  "test/worker/api/operator/keys/keys.test.ts",
  "test/worker/http/auth/permissions.test.ts",
];
const CALLBACKS = "src/api/provider-callbacks/routes.ts";
const CALLBACK_TESTS = ["test/worker/api/provider-callbacks/callbacks.test.ts"];

/** Authentication, callbacks and webhook signatures. */
export const authenticationMutants: Mutant[] = [
  {
    name: "auth-expired-key-accepted",
    file: AUTH,
    text: "const isActive = expiresAt === null || expiresAt > nowMs;",
    replacement: "const isActive = expiresAt === null || expiresAt > 0;",
    tests: KEYS,
  },
  {
    name: "auth-key-not-compared",
    file: AUTH,
    text: "return timingSafeEqual(hash, presented) && isActive;",
    replacement: "return hash.length === presented.length && isActive;",
    tests: KEYS,
  },
  {
    name: "auth-scope-not-checked",
    file: AUTH,
    text: "if (!found.scopes.has(scope)) {",
    replacement: "if (found.scopes.size === 0) {",
    tests: ["test/worker/http/auth/permissions.test.ts"],
  },
  {
    name: "auth-cached-scope-not-checked",
    file: AUTH,
    text: "if (known === null || !known.scopes.has(scope)) return null;",
    replacement: "if (known === null) return null;",
    tests: ["test/worker/api/transactions/create/create-cached-credentials.test.ts"],
  },
  {
    name: "auth-cached-key-not-compared",
    file: AUTH,
    text: "if (!hasActiveKey(known, presented.keyHash, clock.now())) return null;",
    replacement: "",
    tests: ["test/worker/http/auth/credentials-cache.test.ts"],
  },
  {
    name: "auth-operator-key-not-compared",
    file: AUTH,
    text: "if (!timingSafeEqual(expected, presented)) throw invalidCredentials();",
    replacement: "",
    tests: ["test/worker/http/auth/permissions.test.ts"],
  },
  {
    name: "auth-company-not-checked",
    file: AUTH,
    text: "if (company.id !== companyId) {",
    replacement: "if (company.id > companyId + 1_000_000) {",
    tests: ["test/worker/api/balance/balance.test.ts"],
  },
  {
    name: "auth-withdraw-with-old-credentials",
    file: "src/company/runtime/version-gate.ts",
    text: "return credentialsVersion < newest ?",
    replacement: "return credentialsVersion < newest - 1 ?",
    tests: [
      "test/worker/company/runtime/version-gate.test.ts",
      "test/worker/api/withdraws/cached-credentials.test.ts",
    ],
  },
  {
    name: "auth-create-with-old-credentials",
    file: "src/db/companies/credentials-version.ts",
    text: "${version} = (SELECT credentials_version",
    replacement: "${version} <= (SELECT credentials_version",
    tests: ["test/worker/api/transactions/create/create-cached-credentials.test.ts"],
  },
  {
    name: "callback-token-not-checked",
    file: CALLBACKS,
    text: "if (timingSafeEqual(account.callbackTokenHash, presentedHash)) return account;",
    replacement: 'if (presentedHash !== "") return account;',
    tests: CALLBACK_TESTS,
  },
  {
    name: "callback-unverified-certificate-accepted",
    file: CALLBACKS,
    text: '    tlsClientAuth.certVerified === "SUCCESS" &&\n',
    replacement: "",
    tests: CALLBACK_TESTS,
  },
  {
    name: "callback-revoked-certificate-accepted",
    file: CALLBACKS,
    text: 'tlsClientAuth.certRevoked === "0"',
    replacement: 'tlsClientAuth.certRevoked !== ""',
    tests: CALLBACK_TESTS,
  },
  {
    name: "callback-company-not-checked",
    file: "src/api/provider-callbacks/service.ts",
    text: "if (row.companyId !== company.id ||",
    replacement: "if (row.companyId < 0 ||",
    tests: CALLBACK_TESTS,
  },
  {
    name: "webhook-signed-in-wrong-order",
    file: "src/webhooks/signing/sign.ts",
    text: "return `${id}.${timestamp}.${body}`;",
    replacement: "return `${timestamp}.${id}.${body}`;",
    tests: ["test/unit/webhooks/signing/signature.test.ts"],
  },
  {
    name: "webhook-signed-with-former-secret",
    file: "src/webhooks/signing/sign.ts",
    text: "webhookSecretsPrevious: unexpiredSecrets(sealed.webhookSecretsPrevious, nowMs),",
    replacement: "webhookSecretsPrevious: sealed.webhookSecretsPrevious,",
    tests: ["test/worker/api/webhooks/secrets/rotation.test.ts"],
  },
];
