import type { Mutant } from "../mutant.ts";

const AUTH = "src/http/auth/auth.ts";
const KEYS = [
  "test/worker/api/operator/keys/keys.test.ts",
  "test/worker/http/auth/permissions.test.ts",
];
const APPLICATION_AUTH = "test/worker/http/auth/applications.test.ts";
const LEAST_PRIVILEGE = "test/worker/api/applications/least-privilege.test.ts";
const CALLBACKS = "src/api/provider-callbacks/routes.ts";
const CALLBACK_TESTS = ["test/worker/api/provider-callbacks/callbacks.test.ts"];

const ACTIVE_KEYS = "src/http/auth/active-keys.ts";

/** Authentication, callbacks and webhook signatures. */
export const authenticationMutants: Mutant[] = [
  {
    name: "auth-expired-key-accepted",
    file: ACTIVE_KEYS,
    text: "const isActive = key.expiresAt === null || key.expiresAt > nowMs;",
    replacement: "const isActive = key.expiresAt === null || key.expiresAt > 0;",
    tests: KEYS,
  },
  {
    name: "auth-key-not-compared",
    file: ACTIVE_KEYS,
    text: "return timingSafeEqual(key.hash, presentedHash) && isActive",
    replacement: "return key.hash.length === presentedHash.length && isActive",
    tests: KEYS,
  },
  {
    name: "auth-scope-not-checked",
    file: AUTH,
    text: "if (hasOneOf(scopes, admitting)) return;",
    replacement: "if (scopes.size > 0) return;",
    tests: ["test/worker/http/auth/permissions.test.ts"],
  },
  {
    name: "auth-cached-scope-not-checked",
    file: AUTH,
    text: "if (known === null || !hasOneOf(known.scopes, admitting)) return null;",
    replacement: "if (known === null) return null;",
    tests: ["test/worker/api/transactions/create/create-cached-credentials.test.ts"],
  },
  {
    name: "auth-cached-key-not-compared",
    file: AUTH,
    text: "const key = admittedKey(c, known, presented.keyHash, now);",
    replacement: "const key = known.keys[0] ?? null;",
    tests: ["test/worker/http/auth/credentials-cache.test.ts"],
  },
  {
    name: "auth-operator-key-not-compared",
    file: "src/http/auth/operator-auth.ts",
    text: "const key = found === null ? null : findActiveKey(found.keys, keyHash, now);",
    replacement: "const key = found === null ? null : (found.keys[0] ?? null);",
    tests: ["test/worker/http/auth/permissions.test.ts"],
  },
  {
    name: "auth-operator-role-not-checked",
    file: "src/http/auth/operator-auth.ts",
    text: "if (permission !== null && !isPermitted(operator, permission)) {",
    replacement: 'if (permission !== null && !isPermitted({ role: "admin" }, permission)) {',
    tests: ["test/worker/http/auth/permissions.test.ts"],
  },
  {
    name: "auth-key-of-another-application",
    file: "src/db/companies/credentials.ts",
    text: "eq(apiKeys.clientId, applications.clientId),",
    replacement: "eq(apiKeys.companyId, companies.id),",
    tests: [APPLICATION_AUTH],
  },
  {
    name: "auth-network-not-checked",
    file: AUTH,
    text: "if (networks !== null && !isInNetworks(clientAddress(c), networks)) return null;",
    replacement: "",
    tests: [APPLICATION_AUTH],
  },
  {
    name: "auth-application-end-not-checked",
    file: AUTH,
    text: "if (expiresAt !== null && expiresAt <= nowMs) return null;",
    replacement: "",
    tests: [APPLICATION_AUTH],
  },
  {
    name: "application-gives-scopes-it-lacks",
    file: "src/domain/access/authority.ts",
    text: "scopes: isMultiplied || scopes.some((scope) => !own.scopes.includes(scope)),",
    replacement: "scopes: isMultiplied,",
    tests: [LEAST_PRIVILEGE],
  },
  {
    name: "application-spending-limits-multiplied",
    file: "src/domain/access/authority.ts",
    text: "scopes: isMultiplied || scopes.some",
    replacement: "scopes: scopes.some",
    tests: [LEAST_PRIVILEGE],
  },
  {
    name: "application-controls-a-stronger-one",
    file: "src/api/applications/service.ts",
    text: 'requireWithin(authorityOf(row), own, "control", { isOther });',
    replacement: "",
    tests: [LEAST_PRIVILEGE],
  },
  {
    name: "application-made-with-old-credentials",
    file: "src/db/companies/applications.ts",
    text: "WHERE ${isCurrentVersion(companyId, version)} AND ${hasCapacity}",
    replacement: "WHERE ${hasCapacity}",
    tests: [LEAST_PRIVILEGE],
  },
  {
    name: "application-changed-with-old-credentials",
    file: "src/db/companies/applications.ts",
    text: "    isCurrentVersion(id.companyId, version),\n",
    replacement: "",
    tests: [LEAST_PRIVILEGE],
  },
  {
    name: "key-issued-with-old-credentials",
    file: "src/db/companies/api-keys.ts",
    text: "version === null ? sql`true` : isCurrentVersion(companyId, version);",
    replacement: "sql`true`;",
    tests: [LEAST_PRIVILEGE],
  },
  {
    name: "event-data-without-scope",
    file: "src/api/events/service.ts",
    text: "if (!visible.has(row.type)) return [eventView({ ...row, content: null })];",
    replacement: "",
    tests: ["test/worker/api/events/event-scopes.test.ts"],
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
    text: "timingSafeEqual(each.hash, presented) && each.provider",
    replacement: 'presented !== "" && each.provider',
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
