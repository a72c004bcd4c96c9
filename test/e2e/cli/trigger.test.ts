import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { startReceiver } from "../../../tools/lib/receiver.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { EVENT_TYPES } from "../../../src/domain/events/event-types.ts";
import { runCommand, startCommand } from "./runner.ts";
import { givenStateDir } from "../state-dir.ts";

/** Not an event of an object: it has its own route. */
const NO_OBJECT = "webhook.test";
/** No request creates it: the cron anchors ledgers once a day. */
const BY_CRON = "ledger.anchored";
/** Take two applications, and a threshold that goes away only a day later. */
const OF_TWO: ReadonlySet<string> = new Set([
  "withdraw.awaiting_approval",
  "withdraw.approved",
  "withdraw.refused",
  "company.settings_changing",
]);
/** They come on the day of a debit, or at the end of a subscription. */
const LATER: ReadonlySet<string> = new Set([
  "subscription.past_due",
  "subscription.expired",
  "subscription.completed",
  "subscription.charge_attempt_failed",
  "subscription.charge_failed",
]);
/** They freeze the company, which stops withdraws and refunds of the others meanwhile. */
const FREEZES = ["company.frozen", "company.unfrozen"] as const;
const POSSIBLE = EVENT_TYPES.filter(
  (type) =>
    type !== NO_OBJECT &&
    type !== BY_CRON &&
    !OF_TWO.has(type) &&
    !LATER.has(type) &&
    !FREEZES.some((each) => each === type),
);
/** They change for a moment what the company does with such payments, which another one would meet. */
const BY_RULE = POSSIBLE.filter((type) => type.startsWith("payment."));
const AT_ONCE = POSSIBLE.filter((type) => !BY_RULE.includes(type));
const NOBODY = "http://localhost:1";

const stateDir = await givenStateDir("cli");
let service: Service;

beforeAll(async () => {
  service = await startService({ stateDir });
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

it.concurrent.each(AT_ONCE)("trigger %s creates the event and names it", createsItsEvent);

it.each(BY_RULE)("trigger %s creates the event and names it", createsItsEvent);

async function createsItsEvent(type: string): Promise<void> {
  const done = await runCommand(["trigger", type], { CENTAVO_URL: service.base });
  expect(done).toMatchObject({ code: 0, stderr: "" });
  const [, object = ""] =
    /^(?:transaction|withdraw|payment|link|subscription) +(\S+)$/m.exec(done.stdout) ?? [];
  const [, event = ""] = /^event +(\S+) +\S+$/m.exec(done.stdout) ?? [];
  const { status, body } = await new Merchant(service.base).call("GET", `/api/v1/events/${event}`);
  expect(status).toBe(200);
  expect(body.type).toBe(type);
  const { releases, transactionId, id } = body.data;
  // A dispute's own id is the bank's.
  const ofObject = type.startsWith("dispute.") ? transactionId : id;
  const about = releases?.[0]?.transactionId ?? ofObject;
  expect(String(about)).toBe(object);
}

it.each(FREEZES)("trigger %s creates the event and names it", async (type) => {
  const done = await runCommand(["trigger", type], { CENTAVO_URL: service.base });
  expect(done).toMatchObject({ code: 0, stderr: "" });
  const [, event = ""] = /^event +(\S+) +\S+$/m.exec(done.stdout) ?? [];
  const { status, body } = await new Merchant(service.base).call("GET", `/api/v1/events/${event}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ type, data: { companyId: 1 } });
});

const ofOtherCompany = () => ({
  CENTAVO_URL: service.base,
  CENTAVO_CLIENT_ID: "app_local_outra",
  CENTAVO_API_KEY: "sk_test_local_outra",
});

it("trigger also works for a company without a registered PIX key", async () => {
  const env = ofOtherCompany();
  const done = await runCommand(["trigger", "withdraw.paid"], env);
  expect(done).toMatchObject({ code: 0, stderr: "" });
  expect(done.stdout).toContain("evt_2_");
});

it("trigger shows why the service rejected the request", async () => {
  const merchant = new Merchant(service.base);
  const freeze = (frozen: boolean) => merchant.call("PUT", "/api/v1/sandbox/settings", { frozen });
  await freeze(true);
  const done = await runCommand(["trigger", "withdraw.paid"], { CENTAVO_URL: service.base });
  await freeze(false);
  expect(done.code).toBe(1);
  expect(done.stderr).toMatch(/^COMPANY_FROZEN: .+\n$/);
});

it("trigger --list names every supported type without calling the service", async () => {
  const done = await runCommand(["trigger", "--list"], { CENTAVO_URL: NOBODY });
  expect(done.code).toBe(0);
  const listed = done.stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ")[0]);
  expect(listed.sort()).toEqual([...FREEZES, ...POSSIBLE, NO_OBJECT].sort());
});

it("trigger webhook.test sends to the endpoint and shows the result", async () => {
  const receiver = await startReceiver();
  const merchant = new Merchant(service.base);
  await merchant.call("PUT", "/api/v1/webhooks/endpoint", { url: receiver.url });
  const done = await runCommand(["trigger", NO_OBJECT], { CENTAVO_URL: service.base });
  await merchant.call("PUT", "/api/v1/webhooks/endpoint", { url: "" });
  await receiver.close();
  expect(done).toMatchObject({ code: 0, stderr: "" });
  const [, event = ""] = /^event +(\S+) +webhook\.test$/m.exec(done.stdout) ?? [];
  expect(receiver.received.map((request) => request.headers["webhook-id"])).toContain(event);
  expect(done.stdout).toMatch(new RegExp(`^delivery +delivered +2\\d\\d +${receiver.url}$`, "m"));
});

it("trigger webhook.test reports a missing endpoint", async () => {
  const done = await runCommand(["trigger", NO_OBJECT], { CENTAVO_URL: service.base });
  expect(done.code).toBe(1);
  expect(done.stderr).toContain("no webhook URL");
});

it("rejected credentials are reported in one sentence without the key", async () => {
  for (const args of [
    ["trigger", "transaction.paid"],
    ["listen", "--forward", NOBODY, "--state", join(stateDir, "refused.json")],
  ]) {
    const done = await runCommand(args, {
      CENTAVO_URL: service.base,
      CENTAVO_CLIENT_ID: "app_local_loja",
      CENTAVO_API_KEY: "sk_test_of_somebody_else",
    });
    expect(done.code).toBe(1);
    expect(done.stderr).toMatch(/^\S+ refuses the credentials: .+\.\n$/);
    expect(done.stdout + done.stderr).not.toContain("sk_test");
  }
});

it("an unreachable service is reported in one sentence", async () => {
  const done = await runCommand(["trigger", "transaction.paid"], { CENTAVO_URL: NOBODY });
  expect(done).toMatchObject({ code: 1, stdout: "" });
  expect(done.stderr).toBe(`${NOBODY} does not respond; is the service running?\n`);
});

it("a refund without an answer names the key that repeats it, and the key does", async () => {
  const merchant = new Merchant(service.base);
  const { body } = await merchant.create({ amount: 2_000, paymentMethod: "PIX" }, "cli-refund");
  await merchant.pay(body.data.id);
  const refund = ["charges", "refund", body.data.id, "--amount", "5,00"];
  const lost = await runCommand(refund, { CENTAVO_URL: NOBODY });
  expect(lost).toMatchObject({ code: 1, stdout: "" });
  const [, key = ""] = /repeat it with --key (\S+)\.\n$/.exec(lost.stderr) ?? [];
  for (const _time of ["first", "again"]) {
    const done = await runCommand([...refund, "--key", key], { CENTAVO_URL: service.base });
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toMatch(/^refunded +R\$\s5,00$/m);
  }
});

it.each([
  ["an unknown command", ["pay"], {}, "centavo --help"],
  ["an unknown type", ["trigger", "transaction.payed"], {}, '"transaction.payed"'],
  ["no type", ["trigger"], {}, "centavo trigger TYPE"],
  ["an unknown option", ["listen", "--forwards", NOBODY], {}, "--forwards"],
  ["no handler", ["listen"], {}, "--forward"],
  ["a handler that is not a URL", ["listen", "--forward", "3000/hook"], {}, '"3000/hook"'],
  [
    "a handler on another machine",
    ["listen", "--forward", "http://shop.example/hook"],
    {},
    "an address of this machine",
  ],
  ["an unknown type to forward", ["listen", "--forward", NOBODY, "--types", "paid"], {}, '"paid"'],
  ["an unknown beginning", ["listen", "--forward", NOBODY, "--from", "1"], {}, "--from"],
  ["half of the credentials", ["trigger", "x"], { CENTAVO_CLIENT_ID: "a" }, "CENTAVO_API_KEY"],
  ["no URL", ["trigger", "x"], { CENTAVO_URL: "localhost" }, "CENTAVO_URL"],
  [
    "no credentials for another machine",
    ["trigger", "transaction.paid"],
    { CENTAVO_URL: "https://centavo.example" },
    "CENTAVO_CLIENT_ID",
  ],
  [
    "no secret",
    ["listen", "--forward", NOBODY],
    { CENTAVO_WEBHOOK_SECRET: "hush" },
    "CENTAVO_WEBHOOK_SECRET",
  ],
])("%s is an invalid command: explained, with exit code 2", async (_case, args, env, named) => {
  const done = await runCommand(args, env);
  expect(done).toMatchObject({ code: 2, stdout: "" });
  expect(done.stderr).toContain(named);
  expect(done.stderr.trimEnd().split("\n")).toHaveLength(1);
});

it("scenario run plays a ready scenario on the service, and says what does not hold of a file", async () => {
  // A story counts its company's whole money, and debits of the first one's subscriptions fall into its days.
  const env = ofOtherCompany();
  const done = await runCommand(["scenario", "run", "med-lost"], env);
  expect(done).toMatchObject({ code: 0, stderr: "" });
  expect(done.stdout).toContain("resolve order");
  expect(done.stdout).toContain("All went as the scenario says.");
  const file = join(stateDir, "scenario.json");
  const body = { amount: 5_000, paymentMethod: "PIX" };
  const step = {
    at: "P0D",
    do: "charge",
    as: "order",
    body,
    expect: { status: { order: "PAID" } },
  };
  writeFileSync(file, JSON.stringify({ name: "Wrong", description: "", steps: [step] }));
  const failed = await runCommand(["scenario", "run", file, "--json"], env);
  expect(failed).toMatchObject({ code: 1, stderr: "Not all went as the scenario says.\n" });
  expect(failed.stdout).toContain('"expected":"PAID","found":"WAITING_PAYMENT"');
});

it("scenario run, stopped in the middle, sets the terms of before again", async () => {
  const merchant = new Merchant(service.base);
  const path = "/api/v1/sandbox/settings";
  const fees = { PIX: { basisPoints: 99, fixed: 7 } };
  const before = await merchant.call("PUT", path, { fees });
  const command = startCommand(["scenario", "run", "bank-silent"], {
    env: { CENTAVO_URL: service.base },
  });
  await command.printed("The bank is silent");
  command.kill("SIGINT");
  const stopped = "Stopped. The company's terms are as before.\n";
  expect(await command.ended).toMatchObject({ code: 1, stderr: stopped });
  expect((await merchant.call("GET", path)).body).toEqual(before.body);
});

it("--help shows every command and option", async () => {
  const done = await runCommand(["--help"]);
  expect(done).toMatchObject({ code: 0, stderr: "" });
  const commands = ["login", "charges create", "events tail", "listen", "trigger"];
  for (const word of [...commands, "CENTAVO_API_KEY"]) expect(done.stdout).toContain(word);
  const ofListen = await runCommand(["listen", "--help"]);
  expect(ofListen).toMatchObject({ code: 0, stderr: "" });
  for (const word of ["--forward", "--state", "--json"]) expect(ofListen.stdout).toContain(word);
});
