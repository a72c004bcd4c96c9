import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accountOf } from "../../scripts/cli/config.ts";
import { newestEvent } from "../../scripts/cli/events.ts";
import { lock } from "../../scripts/cli/lock.ts";

describe("the newest event", () => {
  test.each([1, 2, 3, 4, 7, 8, 9, 1_000, 65_536, 1_000_001])(
    "of %i is found, in reads of the order of the logarithm",
    async (last) => {
      let reads = 0;
      const newest = await newestEvent(async (companySequence) => {
        reads += 1;
        return companySequence <= last ? { companySequence } : null;
      });
      expect(newest).toEqual({ companySequence: last });
      expect(reads).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(last + 1)) + 1);
    },
  );

  test("of none is none, in one read", async () => {
    let reads = 0;
    const newest = await newestEvent(async () => {
      reads += 1;
      return null;
    });
    expect({ newest, reads }).toEqual({ newest: null, reads: 1 });
  });
});

describe("the account", () => {
  test.each([
    [undefined, "http://localhost:8787"],
    ["", "http://localhost:8787"],
    ["http://127.0.0.1:9000/", "http://127.0.0.1:9000"],
    ["http://[::1]:9000", "http://[::1]:9000"],
  ])("of a service on this machine (%s) is the first local company's", (given, url) => {
    expect(accountOf({ CENTAVO_URL: given })).toEqual({
      url,
      clientId: "app_local_loja",
      apiKey: "sk_test_local_loja",
    });
  });

  test.each(["http://localhost.example", "https://127.0.0.1.example", "http://10.0.0.1:8787"])(
    "of a service elsewhere (%s) is never guessed",
    (url) => {
      expect(() => accountOf({ CENTAVO_URL: url })).toThrow("CENTAVO_CLIENT_ID");
    },
  );

  test("is what is given, also on this machine", () => {
    const given = { CENTAVO_CLIENT_ID: "app_1", CENTAVO_API_KEY: "sk_1" };
    expect(accountOf(given)).toMatchObject({ clientId: "app_1", apiKey: "sk_1" });
  });
});

describe("the lock", () => {
  /** Above what Linux and macOS give out: nobody's. */
  const DEAD_PID = 4_194_305;
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "centavo-lock-"));
    file = join(folder, "listen.json.lock");
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("names its holder and is gone when it is given back", () => {
    const unlock = lock(file);
    expect(readFileSync(file, "utf8")).toBe(`${process.pid}\n`);
    unlock();
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ["a process that lives", `${process.ppid}\n`],
    ["the first process, which is not ours", "1\n"],
  ])("of %s is left to it", (_holder, content) => {
    writeFileSync(file, content);
    expect(() => lock(file)).toThrow("listens with this state file already");
    expect(readFileSync(file, "utf8")).toBe(content);
  });

  test.each([
    ["a process that is no more", `${DEAD_PID}\n`],
    ["an earlier process of our own number", `${process.pid}\n`],
    ["nobody", "\n"],
  ])("of %s is taken over", (_holder, content) => {
    writeFileSync(file, content);
    lock(file)();
    expect(existsSync(file)).toBe(false);
  });
});
