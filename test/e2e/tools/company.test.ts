import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setTimeout } from "node:timers/promises";
import { smokeTest } from "../../../tools/lib/deploy/smoke-test.ts";
import { LOCAL_APPROVER_KEY, LOCAL_OPERATORS } from "../../../tools/lib/local-operators.ts";
import { ApiClient } from "../../../tools/lib/merchant.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { givenStateDir } from "../state-dir.ts";
import { runTool } from "./run-tool.ts";

const stateDir = await givenStateDir("company");
let service: Service;

beforeAll(async () => {
  service = await startService({ stateDir });
});

afterAll(async () => {
  await service?.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

const run = (script: string, args: string[], environment: Record<string, string> = {}) =>
  runTool(script, args, { PORT: new URL(service.base).port, ...environment });

const company = (...args: string[]) => run("company.ts", args);
const operator = (...args: string[]) => run("operator.ts", args);
const shown = (text: string, name: string) =>
  new RegExp(`${name} +(\\S+)`).exec(text)?.[1] ?? `no ${name}`;

describe("npm run company", () => {
  it("creates a company over HTTP whose printed credentials work, and closes it", async () => {
    const args = ["create", "--name", "Loja d'Água", "--document", "11222333000181"];
    const key = ["--idempotency-key", "loja-1"];
    const made = await company(...args, ...key);
    expect(made.status, made.stderr).toBe(0);
    const credentials = {
      clientId: shown(made.stdout, "X-Client-Id"),
      apiKey: shown(made.stdout, "X-API-Key"),
    };
    const merchant = new ApiClient(service.base, credentials);
    expect((await merchant.call("GET", "/api/v1/company/settings")).status).toBe(200);
    const again = await company(...args, ...key);
    expect([again.status, again.stdout]).toEqual([0, expect.stringContaining("created before")]);

    const id = /Created company (\d+)/.exec(made.stdout)?.[1] ?? "";
    expect((await company("list")).stdout).toContain(`${id}  sandbox  Loja d'Água`);
    expect((await company("rename", id, "--name", "Loja Nova")).stdout).toContain("Loja Nova");
    const reason = ["--reason", "The bank account has changed."];
    for (const [pixKey, shownKey] of [
      ["maria@example.com", "maria@example.com"],
      ["none", "-"],
    ] as const) {
      const set = await company("set", id, "--pix-key", pixKey, "--document", "none", ...reason);
      expect(set.status, set.stderr).toBe(0);
      const proposal = shown(set.stdout, "proposal");
      const approver = { clientId: "approver", apiKey: LOCAL_APPROVER_KEY };
      const path = `/api/v1/operator/proposals/${proposal}/approve`;
      const body = { reason: "I have asked the company." };
      const approved = await new ApiClient(service.base, approver).call("POST", path, body);
      expect(approved.status, JSON.stringify(approved.body)).toBe(200);
      expect(shown((await company("show", id)).stdout, "pixKey")).toBe(shownKey);
    }
    const closed = await company("close", id, "--reason", "The contract has ended.");
    expect(closed.stdout, closed.stderr).toMatch(/closedAt +\d{4}/);
    expect((await merchant.call("GET", "/api/v1/company/settings")).status).toBe(401);
    expect((await company("reopen", id, "--reason", "It goes on.")).status).toBe(0);
    expect((await merchant.call("GET", "/api/v1/company/settings")).status).toBe(200);

    const trail = await merchant.call("GET", "/api/v1/audit?limit=100");
    const file = join(stateDir, "trail.json");
    writeFileSync(file, JSON.stringify(trail.body));
    const verified = await run("verify-audit.ts", [file]);
    expect(verified.stdout, verified.stderr).toContain("OK");
  });

  it.each([
    ["without a command", [], "usage"],
    ["without a name", ["create"], "--name"],
    ["with an unknown mode", ["create", "--name", "Loja", "--mode", "test"], "mode"],
    ["with a wrong document", ["create", "--name", "Loja", "--document", "1"], "document"],
    ["without a number", ["show"], "number"],
    ["without a reason", ["close", "1"], "--reason"],
    ["over plain http", ["list", "--url", "http://api.example.com"], "https"],
    ["without credentials", ["list", "--url", "https://api.invalid"], "CENTAVO_OPERATOR_ID"],
  ])("%s exits with 2 and explains why", async (_case, args, named) => {
    const refused = await company(...args);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain(named);
  });
});

describe("npm run operator", () => {
  it("adds an operator whose key works from the environment or a file, and removes him", async () => {
    const added = await operator("add", "--name", "Rui Lima", "--role", "read");
    expect(added.status, added.stderr).toBe(0);
    const clientId = shown(added.stdout, "X-Client-Id");
    const apiKey = shown(added.stdout, "X-API-Key");
    expect((await operator("list")).stdout).toContain(`${clientId}  read     Rui Lima`);
    const environment = { CENTAVO_OPERATOR_ID: clientId, CENTAVO_OPERATOR_KEY: apiKey };
    expect((await run("company.ts", ["list"], environment)).status).toBe(0);
    const refused = await run("company.ts", ["create", "--name", "Loja"], environment);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("403")]);
    const file = join(stateDir, "operator.json");
    writeFileSync(file, JSON.stringify({ clientId, apiKey }));
    expect((await run("company.ts", ["list"], { OPERATOR_CREDENTIALS: file })).status).toBe(0);

    const issued = await operator("key", clientId, "--overlap-hours", "0");
    expect(issued.stdout, issued.stderr).toContain("sk_operator_");
    expect((await run("company.ts", ["list"], environment)).status).toBe(2);
    expect((await operator("keys", clientId)).stdout.trim().split("\n")).toHaveLength(2);
    expect((await operator("set", clientId, "--role", "support")).stdout).toContain("support");
    expect((await operator("remove", clientId)).stdout).toContain("Removed Rui Lima");
  });

  it("makes no first operator where there is an admin", async () => {
    const environment = { BOOTSTRAP_KEY: "any-key-of-at-least-thirty-two-chars" };
    const refused = await run("operator.ts", ["first", "--name", "Ana"], environment);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("401")]);
  });
});

it("the smoke test of a deploy passes on a service that works, again too, and makes one company", async () => {
  const api = new ApiClient(service.base, LOCAL_OPERATORS.at(0)!);
  const ids = [];
  for (let time = 0; time < 2; time++) {
    ids.push(await smokeTest(api, { wait: (ms) => setTimeout(ms), environment: "production" }));
  }
  expect(new Set(ids).size).toBe(2);
  const found = await api.call("GET", "/api/v1/operator/companies?search=Deploy%20check");
  expect(found.body.items).toHaveLength(1);
});
