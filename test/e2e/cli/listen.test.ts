import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { startReceiver, type Received, type Receiver } from "../../../tools/lib/receiver.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { startCommand, type Command } from "./runner.ts";
import { givenStateDir } from "../state-dir.ts";

const SECRET = "whsec_bGlzdGVuLW9uLXRoaXMtbWFjaGluZS1zZWNyZXQ=";
/** An event is forwarded within two seconds; a rejected event is offered again within ten. */
const ARRIVAL_TIMEOUT_MS = 30_000;
/** What else a service tells while it runs, such as the day's anchor, comes when its cron has its minute. */
const PAYMENTS = ["--types", "transaction.paid"];
const LISTENING = "Press Ctrl-C to stop.";

const folder = mkdtempSync(join(tmpdir(), "centavo-cli-"));
const stateDir = await givenStateDir("listen");
const receivers: Receiver[] = [];
const commands: Command[] = [];
let service: Service;
let merchant: Merchant;
let states = 0;

beforeAll(async () => {
  service = await startService({ stateDir });
  merchant = new Merchant(service.base);
});

afterEach(async () => {
  for (const command of commands.splice(0)) {
    command.kill("SIGKILL");
    await command.ended;
  }
  for (const receiver of receivers.splice(0)) await receiver.close();
});

afterAll(async () => {
  await service.stop();
  for (const made of [folder, stateDir]) rmSync(made, { recursive: true, force: true });
});

it("listen forwards new events signed, in order, and byte for byte like the gateway's webhook", async () => {
  await pay(3);
  const gatewaysOwn = await receive();
  await merchant.call("PUT", "/api/v1/webhooks/endpoint", { url: gatewaysOwn.url });
  const handler = await receive();
  const file = newState();
  const listener = listen(handler, file, { secret: null });
  await listener.printed(LISTENING);
  const paid = await pay(3);
  await waitForArrivals(handler, 3);
  await waitForArrivals(gatewaysOwn, 3);
  await merchant.call("PUT", "/api/v1/webhooks/endpoint", { url: "" });
  listener.kill("SIGTERM");
  const { code, stdout, stderr } = await listener.ended;

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [secret = ""] = /whsec_\S+/.exec(stdout) ?? [];
  expect(handler.received.map((one) => verifiedEvent(one, secret).data.id)).toEqual(paid);
  for (const one of handler.received) {
    const own = gatewaysOwn.received.find((other) => idOf(other) === idOf(one));
    expect(one.body).toBe(own?.body);
    expect(one.headers["content-type"]).toBe(own?.headers["content-type"]);
    expect(one.headers["user-agent"]).toBe(own?.headers["user-agent"]);
    expect(stdout).toMatch(
      new RegExp(`^\\S+Z  transaction.paid  ${idOf(one)}  200  \\d+ ms$`, "m"),
    );
  }
  expect(JSON.parse(readFileSync(file, "utf8")).secret).toBe(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(stdout).not.toContain("sk_test");

  const again = listen(handler, file, { secret: null });
  await again.printed(LISTENING);
  again.kill("SIGINT");
  const second = await again.ended;
  expect(second.code).toBe(0);
  expect(second.stdout).not.toContain(secret);
});

it("listen misses and repeats nothing when it restarts during events", async () => {
  const handler = await receive();
  const file = newState();
  const paid: string[] = [];
  for (const signal of ["SIGINT", "SIGTERM", "SIGINT"] as const) {
    const listener = listen(handler, file);
    await listener.printed(LISTENING);
    const working = pay(4);
    await waitForArrivals(handler, paid.length + 2);
    listener.kill(signal);
    expect((await listener.ended).code).toBe(0);
    paid.push(...(await working), ...(await pay(1)));
    const rest = listen(handler, file);
    await waitForArrivals(handler, paid.length);
    rest.kill("SIGTERM");
    expect((await rest.ended).code).toBe(0);
  }
  expect(handler.received.map((one) => verifiedEvent(one).data.id)).toEqual(paid);
});

it("listen repeats at most the event in progress after kill -9, under the same webhook-id", async () => {
  let victim: Command | null = null;
  const handler = await receive(() => {
    victim?.kill("SIGKILL");
    victim = null;
    return 200;
  });
  const file = newState();
  const first = listen(handler, file);
  await first.printed(LISTENING);
  const paid: string[] = [];
  const cycles = 3;
  for (let cycle = 0; cycle < cycles; cycle++) {
    paid.push(...(await pay(2)));
    await handler.waitFor((one) => verifiedEvent(one).data.id === paid.at(-1), ARRIVAL_TIMEOUT_MS);
    // The last event was accepted, but its position may not be stored yet.
    for (const running of commands) running.kill("SIGKILL");
    await Promise.all(commands.map((running) => running.ended));
    // The next process is killed with an event in progress, before its response.
    victim = listen(handler, file);
    const { ended } = victim;
    paid.push(...(await pay(2)));
    expect((await ended).code).toBeNull();
    const rest = listen(handler, file);
    await rest.printed(LISTENING);
  }
  await handler.waitFor((one) => verifiedEvent(one).data.id === paid.at(-1), ARRIVAL_TIMEOUT_MS);

  const ids = handler.received.map(idOf);
  const once = handler.received.filter((_, index) => ids[index] !== ids[index - 1]);
  expect(once.map((one) => verifiedEvent(one).data.id)).toEqual(paid);
  const repeats = handler.received.length - once.length;
  expect(repeats).toBeGreaterThanOrEqual(cycles);
  expect(repeats).toBeLessThanOrEqual(2 * cycles);
});

it("listen offers an event again that the handler rejected, and later events wait", async () => {
  let refusals = 2;
  const handler = await receive(() => (refusals-- > 0 ? 500 : 200));
  const listener = listen(handler, newState());
  await listener.printed(LISTENING);
  const [first, second] = await pay(2);
  await waitForArrivals(handler, 4);
  expect(handler.received.map((one) => verifiedEvent(one).data.id)).toEqual([
    first,
    first,
    first,
    second,
  ]);
  expect(new Set(handler.received.map(idOf)).size).toBe(2);
  await listener.printed("  200  ", 2);
  listener.kill("SIGTERM");
  const { stdout } = await listener.ended;
  expect(stdout).toMatch(/ {2}500 {2}\d+ ms {2}again in 1 s; later events wait\n/);
  expect(stdout).toMatch(/ {2}500 {2}\d+ ms {2}again in 2 s; later events wait\n/);
});

it("listen stops at once while a handler rejects, and offers the event again after a restart", async () => {
  let status = 503;
  const handler = await receive(() => status);
  const file = newState();
  const listener = listen(handler, file);
  await listener.printed(LISTENING);
  const [id] = await pay(1);
  await listener.printed("later events wait");
  listener.kill("SIGINT");
  expect((await listener.ended).code).toBe(0);
  status = 204;
  const refused = handler.received.length;
  const again = listen(handler, file);
  await waitForArrivals(handler, refused + 1);
  await again.printed("  204  ");
  expect(verifiedEvent(handler.received.at(-1)!).data.id).toBe(id);
});

it("--from start begins at the first event, and --types skips the others", async () => {
  const created = await merchant.create({ amount: 100, paymentMethod: "PIX" }, "tx_failed");
  const { id } = created.body.data;
  await merchant.call("POST", `/api/v1/sandbox/transactions/${id}/fail`);
  await pay(1);
  const handler = await receive();
  const wanted = ["--from", "start", "--types", "transaction.failed"];
  const listener = listen(handler, newState(), { args: wanted });
  await listener.printed("from number 1 on");
  await waitForArrivals(handler, 1);
  await listener.printed("  200  ");
  expect(handler.received.map((one) => verifiedEvent(one).type)).toEqual(["transaction.failed"]);
});

it("a second listener on one state file is rejected, and the first continues", async () => {
  const handler = await receive();
  const file = newState();
  const first = listen(handler, file);
  await first.printed(LISTENING);
  const second = await listen(handler, file).ended;
  expect(second.code).toBe(1);
  expect(second.stderr).toBe("Another listener already uses this state file.\n");
  await pay(1);
  await waitForArrivals(handler, 1);
});

/** A listener of company 1 with a fixed secret, or with its own generated one. */
function listen(
  handler: Receiver,
  file: string,
  options: { secret?: null; args?: string[] } = {},
): Command {
  const { args: more = PAYMENTS } = options;
  const args = ["listen", "--forward", handler.url, "--state", file, ...more];
  const env = {
    CENTAVO_URL: service.base,
    ...(options.secret === null ? {} : { CENTAVO_WEBHOOK_SECRET: SECRET }),
  };
  const command = startCommand(args, { env });
  commands.push(command);
  return command;
}

function newState(): string {
  states += 1;
  return join(folder, `state-${states}`, "listen.json");
}

async function receive(answer?: (received: Received) => number): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

async function waitForArrivals(receiver: Receiver, count: number): Promise<void> {
  await receiver.waitFor(() => receiver.received.length >= count, ARRIVAL_TIMEOUT_MS);
}

/** Creates charges and pays them in sequence; returns their ids. */
async function pay(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const created = await merchant.create(
      { amount: 1_000, paymentMethod: "PIX" },
      crypto.randomUUID(),
    );
    const { id } = created.body.data;
    expect((await merchant.pay(id)).status).toBe(200);
    ids.push(id);
  }
  return ids;
}

/** Parses a webhook after an independent library has verified it. */
function verifiedEvent(
  received: Received,
  secret = SECRET,
): { type: string; data: { id: string } } {
  const verified = new Webhook(secret).verify(received.body, received.headers);
  return verified as { type: string; data: { id: string } };
}

function idOf(received: Received): string {
  return received.headers["webhook-id"] ?? "";
}
