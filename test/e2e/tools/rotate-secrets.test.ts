import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { ROOT } from "../../../tools/lib/wrangler.ts";

const KEYS = { currentKey: "5f1c9a02", otherKeys: ["c0ffee11"] };

let server: Server | null = null;

afterEach(() => {
  server?.close();
});

/** Answers the calls of the tool in this order, then the last one again. Returns the cursors sent. */
async function givenService(steps: object[]): Promise<{ url: string; cursors: string[] }> {
  const cursors: string[] = [];
  server = createServer((request, response) => {
    request.on("data", (body: Buffer) => {
      cursors.push((JSON.parse(String(body)) as { after: string }).after);
      const step = steps[Math.min(cursors.length, steps.length) - 1];
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ ...KEYS, after: null, hasMore: false, ...step }));
    });
  });
  await new Promise<void>((listening) => server!.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cursors };
}

async function rotate(url: string): Promise<{ status: number | null; printed: string }> {
  const tool = spawn(process.execPath, [join(ROOT, "tools/ops/rotate-secrets.ts"), "--url", url]);
  const ended = new Promise<number | null>((end) => tool.once("exit", end));
  const printed = await Promise.all([text(tool.stdout), text(tool.stderr)]);
  return { status: await ended, printed: printed.join("") };
}

it("passes over all companies until a pass finds nothing, and names the key to remove", async () => {
  const { url, cursors } = await givenService([
    { resealed: 3, remaining: 1, after: "20" },
    { resealed: 2, remaining: 0 },
    { resealed: 1, remaining: 0, after: "20" },
    { resealed: 0, remaining: 0 },
    { resealed: 0, remaining: 0 },
  ]);
  const { status, printed } = await rotate(url);
  expect(printed).toContain("6 values sealed anew under key 5f1c9a02.");
  expect(printed).toContain("No stored secret needs c0ffee11");
  expect(cursors).toEqual(["0", "20", "0", "20", "0"]);
  expect(status).toBe(0);
});

it("says that a key is still needed while a value does not open", async () => {
  const { url, cursors } = await givenService([{ resealed: 0, remaining: 1 }]);
  const { status, printed } = await rotate(url);
  expect(printed).toContain("1 values are left under another key");
  expect(cursors).toHaveLength(5);
  expect(status).toBe(1);
});
