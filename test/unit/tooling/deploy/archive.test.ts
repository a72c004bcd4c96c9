import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MULTIPART_RULE } from "../../../support/fakes/platform.ts";
import { expectWhole, givenAccount, useAccounts, world } from "./account.ts";

useAccounts();

const changesOfR2 = () =>
  world.platform.calls.filter((call) => /^(?:PUT|POST) .*\/r2\//.test(call));

const boundBucket = () =>
  world.platform.workers.get("centavo")!.bindings.find(({ name }) => name === "ARCHIVE")
    ?.bucket_name;

describe("the archive", () => {
  const DAYS_35 = 3_024_000;
  const CHANGES = {
    id: "changes",
    enabled: true,
    conditions: { prefix: "changes/" },
    deleteObjectsTransition: { condition: { type: "Age", maxAge: DAYS_35 } },
  };

  it("is a bucket of which only the changes expire, and a second deploy changes nothing", async () => {
    const { run, printed } = await givenAccount();
    await run();
    expect(boundBucket()).toBe("centavo-archive");
    expect(world.platform.buckets.get("centavo-archive")).toEqual([MULTIPART_RULE, CHANGES]);
    await run();
    expect(changesOfR2()).toEqual([]);
    expect(printed.join("\n")).not.toContain("NO ARCHIVE");
    await run({ environment: "sandbox" });
    expect([...world.platform.buckets.keys()]).toEqual([
      "centavo-archive",
      "centavo-sandbox-archive",
    ]);
  });

  it("has its lifecycle set right, and other rules stay", async () => {
    const { run } = await givenAccount();
    const other = { ...CHANGES, id: "mine", conditions: { prefix: "exports/" } };
    const shorter = {
      ...CHANGES,
      deleteObjectsTransition: { condition: { type: "Age", maxAge: 86_400 } },
    };
    world.platform.buckets.set("centavo-archive", [other, shorter]);
    await run();
    expect(world.platform.buckets.get("centavo-archive")).toEqual([other, CHANGES]);
  });

  it("that was made by hand loses no file that must stay, and its files of before still expire", async () => {
    const { run } = await givenAccount();
    const whole = { ...CHANGES, id: "expire", conditions: { prefix: "" } };
    world.platform.buckets.set("centavo-archive", [MULTIPART_RULE, whole]);
    await run();
    const rules = world.platform.buckets.get("centavo-archive")!;
    const prefixes = rules.filter((rule) => rule.deleteObjectsTransition !== undefined);
    expect(prefixes.map(({ conditions }) => conditions?.prefix)).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
      "8",
      "9",
      "changes/",
    ]);
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    expect(rules).toContainEqual(MULTIPART_RULE);
    await run();
    expect(world.platform.buckets.get("centavo-archive")).toEqual(rules);
  });

  it("stays the bucket that is bound, until wrangler.toml names another one", async () => {
    const { run } = await givenAccount();
    await run();
    world.platform.buckets.set("by-hand", []);
    const { bindings } = world.platform.workers.get("centavo")!;
    bindings.find(({ name }) => name === "ARCHIVE")!.bucket_name = "by-hand";
    await run();
    expect(boundBucket()).toBe("by-hand");
    expect(world.platform.buckets.get("by-hand")).toEqual([CHANGES]);

    const file = join(world.folder, "wrangler.toml");
    const config = readFileSync(file, "utf8");
    const named =
      '\n[[env.production.r2_buckets]]\nbinding = "ARCHIVE"\nbucket_name = "centavo-production-archive"\n';
    writeFileSync(file, config + named);
    try {
      await run();
    } finally {
      writeFileSync(file, config);
    }
    expect(boundBucket()).toBe("centavo-production-archive");
  });

  it("of an account without R2 is left out, and the end of each deploy says what can be lost", async () => {
    const { run, printed } = await givenAccount();
    world.platform.r2Refusal = { status: 403, code: 10_042 };
    await run();
    expectWhole(printed);
    expect(boundBucket()).toBeUndefined();
    expect(printed.at(-1)).toContain("NO ARCHIVE");
    expect(printed.at(-1)).toContain("new charges");
    world.platform.r2Refusal = null;
    await run();
    expect(boundBucket()).toBe("centavo-archive");
  });

  it("is not left out because a token may not use R2", async () => {
    const { run } = await givenAccount();
    world.platform.r2Refusal = { status: 403, code: 10_000 };
    await expect(run()).rejects.toThrow('give the token "Workers R2 Storage: Edit"');
    expect(world.platform.workers.size).toBe(0);
  });
});
