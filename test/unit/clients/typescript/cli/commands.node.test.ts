import { readFile } from "node:fs/promises";
import {
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { accountOf } from "../../../../../clients/typescript/cli/account.ts";
import { summaryOf } from "../../../../../clients/typescript/cli/charges.ts";
import { CLOCK_COMMANDS, durationOf } from "../../../../../clients/typescript/cli/clock.ts";
import { Call, parsed } from "../../../../../clients/typescript/cli/command.ts";
import { COMMANDS } from "../../../../../clients/typescript/cli/commands.ts";
import { completionScript, SHELLS } from "../../../../../clients/typescript/cli/completion.ts";
import {
  forgetAccount,
  storeAccount,
  storedAccount,
} from "../../../../../clients/typescript/cli/credentials.ts";
import { drawnQr } from "../../../../../clients/typescript/cli/drawn-qr.ts";
import { CliError, explained } from "../../../../../clients/typescript/cli/failure.ts";
import { commandHelp, helpOf } from "../../../../../clients/typescript/cli/help.ts";
import { named, Output } from "../../../../../clients/typescript/cli/output.ts";
import {
  ApiError,
  TimeoutError,
  type Transaction,
} from "../../../../../clients/typescript/src/index.ts";
import { clientOf } from "../fake-service.ts";

const ACCOUNT = { url: "https://pay.example.com", clientId: "app_1", apiKey: "sk_live_1" };
const PIX_CODE =
  "00020101021226770014br.gov.bcb.pix2555pix.sandbox.example/v2/01a2275c1304815ab2be0bcfbb0000015204000053039865405" +
  "25.005802BR5912Loja Exemplo6009SAO PAULO62070503***6304E6B3";

describe("stored credentials", () => {
  let folder: string;
  let environment: { XDG_CONFIG_HOME: string };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "centavo-config-"));
    environment = { XDG_CONFIG_HOME: join(folder, "config") };
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("are read by their owner only, until they are forgotten", () => {
    expect(storedAccount(environment)).toBeNull();
    const file = storeAccount(environment, ACCOUNT);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(storedAccount(environment)).toEqual(ACCOUNT);
    storeAccount(environment, { ...ACCOUNT, apiKey: "sk_live_2" });
    expect(JSON.parse(readFileSync(file, "utf8")).apiKey).toBe("sk_live_2");
    expect(forgetAccount(environment)).toBe(file);
    expect(storedAccount(environment)).toBeNull();
    expect(forgetAccount(environment)).toBe(file);
  });

  test("go nowhere else by a file that somebody put there before", () => {
    const file = storeAccount(environment, ACCOUNT);
    const elsewhere = join(folder, "elsewhere");
    writeFileSync(elsewhere, "{}", { mode: 0o644 });
    symlinkSync(elsewhere, `${file}.${process.pid}.new`);
    storeAccount(environment, { ...ACCOUNT, apiKey: "sk_live_2" });
    expect(readFileSync(elsewhere, "utf8")).toBe("{}");
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(storedAccount(environment)?.apiKey).toBe("sk_live_2");
  });

  test.each(["", "{", "null", '{"url":"x","clientId":"a","apiKey":"b"}', '{"url":"https://a.b"}'])(
    "that are damaged (%s) are reported",
    (text) => {
      const file = storeAccount(environment, ACCOUNT);
      writeFileSync(file, text);
      expect(() => storedAccount(environment)).toThrow("is damaged; run centavo login again.");
    },
  );

  test("serve their own service, and the environment goes before them", () => {
    expect(accountOf({}, ACCOUNT)).toEqual(ACCOUNT);
    expect(accountOf({ CENTAVO_URL: `${ACCOUNT.url}/` }, ACCOUNT)).toEqual(ACCOUNT);
    const given = { CENTAVO_CLIENT_ID: "app_2", CENTAVO_API_KEY: "sk_2" };
    expect(accountOf(given, ACCOUNT)).toMatchObject({ url: ACCOUNT.url, clientId: "app_2" });
    expect(accountOf({ CENTAVO_URL: "http://localhost:9000" }, ACCOUNT).apiKey).toBe(
      "sk_test_local_loja",
    );
  });

  test("never go to another service", () => {
    expect(() => accountOf({ CENTAVO_URL: "https://elsewhere.example" }, ACCOUNT)).toThrow(
      "Run centavo login",
    );
  });
});

describe("a failed call", () => {
  test.each([
    [302, {}, "https://pay.example.com redirects; redirects are not followed. Check CENTAVO_URL."],
    [401, {}, "https://pay.example.com refuses the credentials"],
    [
      403,
      { code: "FORBIDDEN" as const, detail: "The sandbox serves sandbox companies only." },
      "FORBIDDEN: The sandbox serves sandbox companies only.",
    ],
  ])("of status %i is explained", (status, problem, text) => {
    const refused = new ApiError(new Response(null, { status }), problem, null);
    expect(explained(refused, ACCOUNT.url)).toMatchObject({
      message: expect.stringContaining(text),
      exitCode: 1,
    });
  });

  test("without an answer says so, and other errors stay as they are", () => {
    expect(explained(new TimeoutError("", null), ACCOUNT.url)).toMatchObject({
      message: "https://pay.example.com does not respond; is the service running?",
    });
    const other = new TypeError("a fault of ours");
    expect(explained(other, ACCOUNT.url)).toBe(other);
  });
});

describe("a refund that may have been done", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test.each([409, 500, 504])("says by which key to repeat it (%i)", async (status) => {
    const failure = await refundSays(status);
    if (status === 409) expect(failure).not.toBeInstanceOf(CliError);
    else expect(String(failure)).toMatch(/may be done: repeat it with --key cli_[0-9a-f-]{36}/);
  });
});

describe("every command", () => {
  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    "%s is in the help, and its help names its options",
    (name, command) => {
      expect(helpOf(COMMANDS)).toContain(`  ${name}`);
      const options = Object.keys(command.options ?? {});
      for (const option of [...options, "json"])
        expect(commandHelp(command)).toContain(`--${option}`);
    },
  );

  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    "%s refuses an unknown option",
    (_name, command) => {
      expect(() => parsed(command, ["--zigzag"])).toThrow("--zigzag");
    },
  );

  test.each(SHELLS)("is completed in %s, with its options and their choices", (shell) => {
    const script = completionScript(shell, COMMANDS);
    for (const word of [...COMMANDS.flatMap(({ name }) => name.split(" ")), "boleto", "amount"])
      expect(script).toContain(word);
  });
});

describe("a charge in rows", () => {
  const refund = { amount: 500, status: "PENDING", approval: "none" };
  const charge = { id: "1", status: "PAID", amount: 2_500, paidAmount: 2_500, refundedAmount: 0 };
  const rowsOf = (refunds: object[]) => summaryOf({ ...charge, refunds } as unknown as Transaction);

  test("says what was paid, and nothing of refunds where there are none", () => {
    const { amount, paid, refunded, refunding } = rowsOf([]);
    expect([amount, paid]).toEqual(["R$ 25,00", "R$ 25,00"]);
    expect([refunded, refunding]).toEqual([null, null]);
  });

  test("says which refunds are under way, and that somebody must approve them", () => {
    const done = { ...refund, status: "DONE" };
    expect(rowsOf([done, refund, refund]).refunding).toBe("R$ 10,00");
    expect(rowsOf([{ ...refund, approval: "pending" }]).refunding).toBe(
      "R$ 5,00, waits for an approval",
    );
  });
});

describe("the clock", () => {
  test.each([
    ["2h", "PT2H"],
    ["3d", "P3D"],
    ["1w", "P1W"],
    ["P1M", "P1M"],
  ])("advances by %s", (text, duration) => expect(durationOf(text)).toBe(duration));

  test.each(["3", "3 days", "30m", ""])("knows no duration %j", (text) =>
    expect(() => durationOf(text)).toThrow("2h, 3d, 1w"),
  );

  test("says in São Paulo's time what became due", async () => {
    const data = {
      now: "2026-11-24T12:00:00.000Z",
      moved: true,
      until: null,
      ran: [{ at: "2026-11-22T02:30:00.000Z", kind: "charge_expiry", id: "1" }],
      hasMore: false,
    };
    const lines: string[] = [];
    const output = new Output(false, (line) => lines.push(line));
    const call = new Call("P3D", {}, output, {});
    call.centavo = () => clientOf([Response.json({ data }), Response.json({ data })]).centavo;
    await CLOCK_COMMANDS.find(({ name }) => name === "clock advance")!.run(call);
    expect(lines.join("\n").split("\n")).toEqual([
      "2026-11-21 23:30:00  charge expiry       1",
      "time         2026-11-24 09:00:00",
      "clock        moved",
    ]);
  });
});

describe("what is printed", () => {
  test("is a text or, asked so, JSON a line", () => {
    expect(printed(false)).toEqual(["paid", "done"]);
    expect(printed(true)).toEqual(['{"status":"PAID"}', '{"message":"done"}']);
  });

  test("leaves out what is not known", () => {
    expect(named({ status: "PAID", paid: null, order: "", page: undefined, n: 0 })).toBe(
      "status       PAID\nn            0",
    );
  });
});

describe("a drawn QR code", () => {
  test("is read by a scanner", async () => {
    const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
    // The library would fetch it from a server otherwise.
    prepareZXingModule({
      overrides: { wasmBinary: new Uint8Array(await readFile(wasm)).buffer },
    });
    const [read] = await readBarcodes(pictureOf(drawnQr(PIX_CODE, false)));
    expect(read?.text).toBe(PIX_CODE);
  });

  test("sets its colours on a terminal", () => {
    const [first = ""] = drawnQr(PIX_CODE, true).split("\n");
    expect(first.startsWith("\u001B[97;40m██")).toBe(true);
    expect(first.endsWith("██\u001B[0m")).toBe(true);
  });
});

describe("what comes from the service", () => {
  const hostile = "Maria\u001B]0;x\u0007\u009B31m\u202Eoãç\nstatus       PAID";

  test("moves no cursor and forges no line", () => {
    const lines: string[] = [];
    new Output(false, (line) => lines.push(line)).say(named({ payer: hostile, status: "OPEN" }));
    expect(lines).toEqual([
      "payer        Maria\\u{1b}]0;x\\u{7}\\u{9b}31m\\u{202e}oãç\\u{a}status       PAID\nstatus       OPEN",
    ]);
  });

  test("stays itself in JSON, with no control in it", () => {
    const lines: string[] = [];
    new Output(true, (line) => lines.push(line)).say("", { hostile });
    expect(JSON.parse(lines[0] ?? "")).toEqual({ hostile });
    expect(lines[0]).not.toMatch(/[\p{Cc}\u202E]/u);
  });
});

/** What a refund says that the service answers by this status. */
async function refundSays(status: number): Promise<unknown> {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ code: "SLOW" }, { status })));
  const { url, clientId, apiKey } = ACCOUNT;
  const environment = {
    CENTAVO_URL: url,
    CENTAVO_CLIENT_ID: clientId,
    CENTAVO_API_KEY: apiKey,
    XDG_CONFIG_HOME: join(tmpdir(), "centavo-none"),
  };
  const output = new Output(false, () => {});
  const refund = COMMANDS.find(({ name }) => name === "charges refund");
  const failing = Promise.resolve(refund?.run(new Call("1", {}, output, environment)));
  const failure = failing.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return failure;
}

/** What an output prints of a record with its text, and of a text. */
function printed(isJson: boolean): string[] {
  const lines: string[] = [];
  const output = new Output(isJson, (line) => lines.push(line));
  output.say("paid", { status: "PAID" });
  output.say("done");
  return lines;
}

/** Half blocks as a picture: white is drawn, black is not. */
function pictureOf(drawn: string) {
  const scale = 4;
  const modules = drawn
    .split("\n")
    .flatMap((line) => [
      Array.from(line, (block) => block === "█" || block === "▀"),
      Array.from(line, (block) => block === "█" || block === "▄"),
    ]);
  const width = (modules[0]?.length ?? 0) * scale;
  const height = modules.length * scale;
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const row = modules[Math.floor(pixel / width / scale)] ?? [];
    if (!row[Math.floor((pixel % width) / scale)]) data.fill(0, pixel * 4, pixel * 4 + 3);
  }
  return { data, width, height, colorSpace: "srgb" as const };
}
