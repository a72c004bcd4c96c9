import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accountOf, forwardUrl } from "../../../../../clients/typescript/cli/account.ts";
import { lock } from "../../../../../clients/typescript/cli/lock.ts";
import { ListenState } from "../../../../../clients/typescript/cli/state.ts";

describe("the account", () => {
  test.each([
    [undefined, "http://localhost:8787"],
    ["", "http://localhost:8787"],
    ["http://127.0.0.1:9000/", "http://127.0.0.1:9000"],
    ["http://[::1]:9000", "http://[::1]:9000"],
  ])("of a service on this machine (%s) is the first local company's", (given, url) => {
    expect(accountOf({ CENTAVO_URL: given }, null)).toEqual({
      url,
      clientId: "app_local_loja",
      apiKey: "sk_test_local_loja",
    });
  });

  test.each(["http://localhost.example", "https://127.0.0.1.example", "http://10.0.0.1:8787"])(
    "of a service elsewhere (%s) is never assumed",
    (url) => {
      expect(() => accountOf({ CENTAVO_URL: url }, null)).toThrow("CENTAVO_CLIENT_ID");
    },
  );

  test("is the given one, also on this machine", () => {
    const given = { CENTAVO_CLIENT_ID: "app_1", CENTAVO_API_KEY: "sk_1" };
    expect(accountOf(given, null)).toMatchObject({ clientId: "app_1", apiKey: "sk_1" });
  });
});

describe("the handler", () => {
  test.each([
    "http://localhost:3000/hook",
    "http://shop.localhost/hook",
    "http://127.0.0.1:3000/",
    "http://127.8.9.10/",
    "http://0x7f.1/",
    "https://[::1]:3000/",
  ])("%s is on this machine", (url) => {
    expect(forwardUrl(url)).toBe(new URL(url).href);
  });

  test.each([
    "http://shop.example/hook",
    "http://localhost.example/",
    "http://notlocalhost/",
    "http://127.0.0.1.example/",
    "http://128.0.0.1/",
    "http://0.0.0.0/",
    "http://192.168.0.7/",
    "http://[::]/",
    "http://[::2]/",
    "http://169.254.169.254/",
    "http://host.docker.internal/",
  ])("%s is not on this machine", (url) => {
    expect(() => forwardUrl(url)).toThrow("--forward must be an address of this machine");
  });
});

describe("the state file", () => {
  const SECRET = "whsec_bGlzdGVuLW9uLXRoaXMtbWFjaGluZS1zZWNyZXQ=";
  const TIMESTAMP = "2026-11-21T12:00:00.000Z";
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "centavo-state-"));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function read(content: unknown): ListenState {
    const file = join(folder, "listen.json");
    writeFileSync(file, JSON.stringify(content));
    return new ListenState(file);
  }

  test.each([
    [{ secret: null, marks: {} }],
    [{ secret: SECRET, marks: { x: { after: 0, timestamp: null } } }],
    [{ secret: SECRET, marks: { x: { after: 7, timestamp: TIMESTAMP } } }],
  ])("%j is valid", (content) => {
    const state = read(content);
    expect(state.cursor("x")).toEqual((content.marks as Record<string, unknown>)["x"] ?? null);
  });

  test.each([
    [null],
    [[]],
    [{ marks: {} }],
    [{ secret: "nope", marks: {} }],
    [{ secret: "whsec_", marks: {} }],
    [{ secret: 1, marks: {} }],
    [{ secret: null }],
    [{ secret: null, marks: [] }],
    [{ secret: null, marks: { x: {} } }],
    [{ secret: null, marks: { x: { after: -5, timestamp: TIMESTAMP } } }],
    [{ secret: null, marks: { x: { after: 1.5, timestamp: TIMESTAMP } } }],
    [{ secret: null, marks: { x: { after: 1e15, timestamp: TIMESTAMP } } }],
    [{ secret: null, marks: { x: { after: 0, timestamp: TIMESTAMP } } }],
    [{ secret: null, marks: { x: { after: 3, timestamp: null } } }],
    [{ secret: null, marks: { x: { after: 3, timestamp: "noon" } } }],
  ])("%j is invalid", (content) => {
    expect(() => read(content)).toThrow("is not a listener's state file.");
  });
});

describe("the lock", () => {
  const TAKERS = 4;
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "centavo-lock-"));
    file = join(folder, "listen.json.lock");
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("is exclusive until it is released, and can be acquired again", () => {
    const unlock = lock(file);
    expect(() => lock(file)).toThrow("Another listener already uses this state file.");
    expect(() => lock(file)).toThrow("Another listener already uses this state file.");
    unlock();
    lock(file)();
  });

  test("released twice leaves the next holder's lock intact", () => {
    const unlock = lock(file);
    unlock();
    const unlockNext = lock(file);
    unlock();
    expect(() => lock(file)).toThrow("Another listener");
    unlockNext();
  });

  test("of killed holders is acquired by one process at a time", async () => {
    const taker = join(import.meta.dirname, "lock-taker.ts");
    const inside = join(folder, "inside");
    const endings = Array.from({ length: TAKERS }, async () => {
      const child = spawn(process.execPath, [taker, file, inside], { stdio: "inherit" });
      return (await once(child, "exit"))[1];
    });
    expect(await Promise.all(endings)).toEqual(Array(TAKERS).fill("SIGKILL"));
  });

  test("rejects a file that is not a lock and leaves it unchanged", () => {
    const text = "these are somebody's notes, which must not be lost\n".repeat(40);
    writeFileSync(file, text);
    expect(() => lock(file)).toThrow(`${file} cannot be used as a lock`);
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
