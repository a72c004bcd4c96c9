import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lock } from "../../../clients/typescript/cli/lock.ts";
import { startReceiver, type Receiver } from "../../../tools/lib/receiver.ts";
import { ROOT } from "../../../tools/lib/wrangler.ts";
import { startCommand, startFakeGateway, type Command, type FakeAnswer } from "./runner.ts";

const ARRIVAL_TIMEOUT_MS = 30_000;

let folder: string;
let file: string;
let handler: Receiver;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "centavo-cli-"));
  file = join(folder, "listen.json");
  handler = await startReceiver();
});

afterEach(async () => {
  await handler.close();
  rmSync(folder, { recursive: true, force: true });
});

it("listen waits for an unavailable service as long as its Retry-After, and reports both states once", async () => {
  const busy = { status: 503, headers: { "Retry-After": "2" }, body: { detail: "Not now." } };
  const gateway = await startFakeGateway((url, nth) => (nth <= 2 ? busy : page(url, 1)));
  const startedAt = performance.now();
  const listener = listen(gateway.url, ["--from", "start"]);
  await waitForArrivals(1);
  const waitedMs = performance.now() - startedAt;
  await listener.printed("  200  ");
  const { code, stdout } = await stop(listener);
  await gateway.close();
  expect(code).toBe(0);
  expect(waitedMs).toBeGreaterThan(4_000);
  expect(stdout.match(/  Not now\. Trying again\.\n/g)).toHaveLength(1);
  expect(stdout.match(/The service is back\.\n/g)).toHaveLength(1);
});

it("listen forwards all events of a recreated database and reports the reset", async () => {
  const old = { after: 2, timestamp: "2026-01-01T00:00:00.000Z" };
  const gateway = await startFakeGateway((url) => page(url, 3));
  keepMark(gateway.url, old);
  const listener = listen(gateway.url);
  await waitForArrivals(3);
  await listener.printed("  200  ", 3);
  const { stdout } = await stop(listener);
  await gateway.close();
  expect(handler.received.map((one) => one.headers["webhook-id"])).toEqual([
    "evt_1_1",
    "evt_1_2",
    "evt_1_3",
  ]);
  expect(stdout).toContain("a new database?");
  expect(JSON.parse(readFileSync(file, "utf8")).marks[`${gateway.url} app_local_loja`]).toEqual({
    after: 3,
    timestamp: timestampOf(3),
  });
});

it("listen stops at a missing event number instead of skipping it", async () => {
  const gateway = await startFakeGateway((url) => {
    const answer = page(url, 3);
    return { ...answer, body: { items: answer.body.items.filter(({ id }) => id !== "evt_1_2") } };
  });
  const { code, stderr } = await listen(gateway.url, ["--from", "start"]).ended;
  await gateway.close();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "Event 2 is missing before evt_1_3; listen stopped.\n",
  });
  expect(handler.received).toHaveLength(1);
});

it("listen follows no redirect, so that the credentials go nowhere else", async () => {
  const elsewhere = await startFakeGateway((url) => page(url, 1));
  const gateway = await startFakeGateway(({ pathname, search }) => ({
    status: 307,
    headers: { Location: `${elsewhere.url}${pathname}${search}` },
    body: null,
  }));
  const { code, stderr } = await listen(gateway.url, ["--from", "start"]).ended;
  await gateway.close();
  await elsewhere.close();
  expect(code).toBe(1);
  expect(stderr).toBe(`${gateway.url} redirects; redirects are not followed. Check CENTAVO_URL.\n`);
  expect(elsewhere.requests).toEqual([]);
  expect(handler.received).toEqual([]);
});

it.each([
  ["a folder", ".", "is a folder, not a listener's state file."],
  ["below a file", "listen.json/state/listen.json", "cannot be read or written (ENOTDIR)."],
])("listen explains a state file that is %s in one sentence", async (_case, path, message) => {
  writeFileSync(file, "{}");
  const { code, stdout, stderr } = await startCommand(
    ["listen", "--forward", handler.url, "--state", join(folder, path)],
    { env: { CENTAVO_URL: "http://localhost:1" } },
  ).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.endsWith(`${message}\n`)).toBe(true);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});

it("listen rejects a damaged state file and never restarts from it", async () => {
  writeFileSync(file, '{"secret":null,"marks":{"x":{}}}');
  const { code, stderr } = await listen("http://localhost:1").ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `${file} is not a listener's state file.\n`,
  });
});

it("listen ends with the shell that npx started it in", async () => {
  const gateway = await startFakeGateway((url) => page(url, 0));
  const command = [process.execPath, join(ROOT, "bin/centavo.js"), "listen"];
  const options = ["--forward", handler.url, "--state", file];
  // A second command keeps the shell from replacing itself with the first one.
  const shell = spawn("sh", ["-c", '"$0" "$@"; true', ...command, ...options], {
    env: { CENTAVO_URL: gateway.url, npm_command: "exec" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const chunk of shell.stdout.iterator({ destroyOnReturn: false })) {
    if (String(chunk).includes("Press Ctrl-C to stop.")) break;
  }
  expect(() => lock(`${file}.lock`)).toThrow("Another listener");
  shell.kill("SIGKILL");
  shell.stdout.resume();
  await once(shell.stdout, "end");
  await gateway.close();
  lock(`${file}.lock`)();
});

/** The response of `GET /api/v1/events` with `last` events. */
function page(url: URL, last: number) {
  const after = Number(url.searchParams.get("after"));
  const limit = Number(url.searchParams.get("limit"));
  const numbers = Array.from({ length: last }, (_, index) => index + 1);
  const items = numbers.slice(after, after + limit).map((companySequence) => ({
    id: `evt_1_${companySequence}`,
    companySequence,
    type: "transaction.paid",
    timestamp: timestampOf(companySequence),
    sequence: 1,
    data: {},
  }));
  return { status: 200, body: { items } } satisfies FakeAnswer;
}

function timestampOf(companySequence: number): string {
  return `2026-11-21T12:00:0${companySequence}.000Z`;
}

function keepMark(url: string, mark: object): void {
  const marks = { [`${url} app_local_loja`]: mark };
  writeFileSync(file, JSON.stringify({ secret: null, marks }));
}

function listen(url: string, args: string[] = []): Command {
  return startCommand(["listen", "--forward", handler.url, "--state", file, ...args], {
    env: { CENTAVO_URL: url },
  });
}

async function stop(listener: Command) {
  listener.kill("SIGTERM");
  return listener.ended;
}

async function waitForArrivals(count: number): Promise<void> {
  await handler.waitFor(() => handler.received.length >= count, ARRIVAL_TIMEOUT_MS);
}
