import { describe, expect, test } from "vitest";
import { configOf, parseConfig, publicOrigin, type Env } from "../../src/config.ts";
import { LOCAL_SECRETS_KEY } from "../../src/lib/local-key.ts";
import { RATE_LIMITS } from "../../src/http/rate-limits/policies.ts";
import { isSecretKey } from "../../src/lib/secret-box.ts";

const OWN_KEY = btoa("a-key-of-this-environment-alone!");
const OTHER_KEY = btoa("the-next-key-of-this-environment");
const DEPLOYED = ["sandbox", "production"];
const LIMITERS = Object.fromEntries(
  Object.values(RATE_LIMITS).map(({ binding }) => [
    binding,
    { limit: async () => ({ success: true }) },
  ]),
);

describe("local development", () => {
  test("needs no own key and no limiter, and rejects http webhooks by default", () => {
    const env = { ENVIRONMENT: "local" } as unknown as Env;
    expect(parseConfig(env)).toEqual({
      environment: "local",
      secretsKeys: [LOCAL_SECRETS_KEY],
      bootstrapKey: null,
      allowHttpLoopbackWebhooks: false,
      localRateLimits: false,
      sandboxDatabase: null,
      publicUrl: null,
      emailFrom: null,
      localMailbox: null,
      archiveAfterMonths: 13,
      alarms: { webhook: null, slackUrl: null, email: null, incomplete: [], runbookUrl: null },
    });
  });

  test("may allow http to loopback", () => {
    const env = environment({ ENVIRONMENT: "local", ALLOW_HTTP_LOOPBACK_WEBHOOKS: "true" });
    expect(parseConfig(env).allowHttpLoopbackWebhooks).toBe(true);
  });

  test("may have its own key", () => {
    const env = environment({ ENVIRONMENT: "local", SECRETS_KEY: OWN_KEY });
    expect(parseConfig(env).secretsKeys).toEqual([OWN_KEY]);
  });

  test("may have several keys, of which the first is the current one", () => {
    const env = environment({ ENVIRONMENT: "local", SECRETS_KEY: `${OTHER_KEY},${OWN_KEY}` });
    expect(parseConfig(env).secretsKeys).toEqual([OTHER_KEY, OWN_KEY]);
  });

  test("has a key that can seal secrets", () => {
    expect(isSecretKey(LOCAL_SECRETS_KEY)).toBe(true);
  });
});

describe.each(DEPLOYED)("%s", (name) => {
  test("starts with its own key", () => {
    expect(parseConfig(environment({ ENVIRONMENT: name, SECRETS_KEY: OWN_KEY }))).toEqual({
      environment: name,
      secretsKeys: [OWN_KEY],
      bootstrapKey: null,
      allowHttpLoopbackWebhooks: false,
      localRateLimits: false,
      sandboxDatabase: null,
      publicUrl: null,
      emailFrom: null,
      localMailbox: null,
      archiveAfterMonths: 13,
      alarms: { webhook: null, slackUrl: null, email: null, incomplete: [], runbookUrl: null },
    });
  });

  test("makes the first operator with a key of at least 32 characters", () => {
    const key = "a-bootstrap-key-of-32-characters";
    const env = { ENVIRONMENT: name, SECRETS_KEY: OWN_KEY };
    for (const binding of ["BOOTSTRAP_KEY", "OPERATOR_KEY"]) {
      expect(parseConfig(environment({ ...env, [binding]: key })).bootstrapKey).toBe(key);
      expectRefusal({ ...env, [binding]: key.slice(1) }, `${binding} must be at least`);
      expectRefusal({ ...env, [binding]: "" }, binding);
    }
    const both = { ...env, BOOTSTRAP_KEY: key, OPERATOR_KEY: "x".repeat(32) };
    expect(parseConfig(environment(both)).bootstrapKey).toBe(key);
  });

  test("refuses to start without a key", () => {
    expectRefusal({ ENVIRONMENT: name }, "SECRETS_KEY must be set as a secret");
  });

  test("refuses to start with the public key of the repository", () => {
    expectRefusal({ ENVIRONMENT: name, SECRETS_KEY: LOCAL_SECRETS_KEY }, "SECRETS_KEY");
  });

  test.each([
    ["with the line end of a file", `${LOCAL_SECRETS_KEY}\n`],
    ["without its padding", LOCAL_SECRETS_KEY.replaceAll("=", "")],
  ])("refuses to start with the public key %s", (_spelling, key) => {
    expectRefusal({ ENVIRONMENT: name, SECRETS_KEY: key }, "SECRETS_KEY");
  });

  test("refuses to start with http webhooks to loopback allowed", () => {
    expectRefusal(
      { ENVIRONMENT: name, SECRETS_KEY: OWN_KEY, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "true" },
      "ALLOW_HTTP_LOOPBACK_WEBHOOKS is for local development only",
    );
  });

  test("refuses to start with limits that count in one process", () => {
    expectRefusal(
      { ENVIRONMENT: name, SECRETS_KEY: OWN_KEY, LOCAL_RATE_LIMITS: "true" },
      "LOCAL_RATE_LIMITS is for local development only",
    );
  });

  test.each(Object.keys(LIMITERS))("refuses to start without the limiter %s", (binding) => {
    const bound = environment({ ENVIRONMENT: name, SECRETS_KEY: OWN_KEY });
    for (const absent of [undefined, "a variable"]) {
      expect(refusalOf({ ...bound, [binding]: absent })).toContain(
        `Centavo refuses to start: ${binding} must be bound in the environment's ratelimits`,
      );
    }
  });

  test("starts with the flag set to false", () => {
    const env = { ENVIRONMENT: name, SECRETS_KEY: OWN_KEY, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false" };
    expect(parseConfig(environment(env)).allowHttpLoopbackWebhooks).toBe(false);
  });
});

describe("any environment refuses to start", () => {
  test.each(["", "prod", "LOCAL", "development"])("with the name %j", (name) => {
    expectRefusal({ ENVIRONMENT: name, SECRETS_KEY: OWN_KEY }, "ENVIRONMENT");
  });

  test("without a name", () => {
    expectRefusal({ SECRETS_KEY: OWN_KEY }, "ENVIRONMENT");
  });

  test.each(["", "short", btoa("x".repeat(31)), "!".repeat(44)])("with the key %j", (key) => {
    expectRefusal({ ENVIRONMENT: "local", SECRETS_KEY: key }, "SECRETS_KEY must be 32 bytes");
  });

  test.each(["", "1", "yes", "TRUE"])("with the flag %j", (flag) => {
    expectRefusal(
      { ENVIRONMENT: "local", ALLOW_HTTP_LOOPBACK_WEBHOOKS: flag },
      "ALLOW_HTTP_LOOPBACK_WEBHOOKS",
    );
  });
});

describe("the public address of the service", () => {
  const request = "https://merchant-called.example/api/v1/transactions/create?x=1";

  test("is the configured one, else the address of the request", () => {
    const configured = environment({ ENVIRONMENT: "local", PUBLIC_URL: "https://pay.example.com" });
    expect(publicOrigin(configured, request)).toBe("https://pay.example.com");
    const silent = environment({ ENVIRONMENT: "local" });
    expect(publicOrigin(silent, request)).toBe("https://merchant-called.example");
  });

  test.each([
    "",
    "pay.example.com",
    "http://pay.example.com",
    "https://pay.example.com/",
    "https://a@b.c",
  ])("is rejected as %j", (url) => {
    expectRefusal({ ENVIRONMENT: "local", PUBLIC_URL: url }, "PUBLIC_URL must be an https origin");
  });
});

test("an error names all invalid variables at once and no key", () => {
  const key = LOCAL_SECRETS_KEY;
  const refusal = refusalOf(
    environment({
      ENVIRONMENT: "production",
      SECRETS_KEY: key,
      ALLOW_HTTP_LOOPBACK_WEBHOOKS: "true",
    }),
  );
  expect(refusal).toContain("SECRETS_KEY");
  expect(refusal).toContain("ALLOW_HTTP_LOOPBACK_WEBHOOKS");
  expect(refusal).not.toContain(key);
});

test("the variables of one environment are parsed once", () => {
  const env = environment({ ENVIRONMENT: "local" });
  expect(configOf(env)).toBe(configOf(env));
});

type Variables = Record<string, string>;

/** The variables, and the limiters: parsing needs no other bindings. */
function environment(variables: Variables): Env {
  return { ...LIMITERS, ...variables } as unknown as Env;
}

function refusalOf(env: Env): string {
  try {
    parseConfig(env);
  } catch (error) {
    return String(error);
  }
  return "it starts";
}

function expectRefusal(variables: Variables, reason: string): void {
  const refusal = refusalOf(environment(variables));
  expect(refusal).toContain("Centavo refuses to start");
  expect(refusal).toContain(reason);
}
