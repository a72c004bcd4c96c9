import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packClient } from "../../tools/lib/pack-client.ts";
import { ROOT } from "../../tools/lib/root.ts";
import { goProgram } from "./generators.ts";

const LONGEST_MS = 180_000;
const PYTHON = {
  PYTHONPATH: join(ROOT, "clients/python"),
  PYTHONDONTWRITEBYTECODE: "1",
};
const VECTORS = join(ROOT, "test/vectors/clients.json");
/** What every sample prints, step by step. */
const SAMPLE_SAYS = [
  /^pix +R\$ 1\.000,00 WAITING_PAYMENT$/m,
  /^0002\d{2}.+br\.gov\.bcb\.pix/m,
  /^qr +qr\.svg$/m,
  /^boleto +\d{47}$/m,
  /^card +PAID$/m,
  /^webhook +verified$/m,
  /^retry +1 charge$/m,
  /^refund +10000 centavos, PAID$/m,
  /^reconcile +matched, missing$/m,
  /^withdraw +approved$/m,
  /^link +http.+\/l\/\w+$/m,
];

/** What both clients' `service` programs print. */
const SERVICE_SAYS = {
  company: "Outra Loja",
  png: "PNG",
  cancelled: "CANCELLED",
  refundedAmount: 2_000,
  refusal: 8_000,
  uncaptured: "INVALID_STATE",
  ignored: ["zigzag"],
  paid: 10_000,
  found: 1,
  timeline: true,
  receipt: true,
  pdf: "%PDF-",
  accepted: true,
  cancelledWithdraw: "Cancelled",
  available: true,
  day: [true],
  csv: 1,
  endpoint: "whsec_",
  code: 1_000,
  link: "inactive",
  disputes: [],
  inOrder: true,
};

/** One thing to prove in another language. */
export interface Check {
  name: string;
  /** What it runs by, and the command that succeeds where that is installed. */
  needs: Tool;
  /** Throws where it fails. `base` is a local service. */
  run: (base: string) => Promise<void>;
}

interface Tool {
  name: string;
  probe: string[];
}

const python: Tool = {
  name: "python3, 3.9 or later",
  probe: ["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))"],
};
const php: Tool = {
  name: "php with curl, 8.1 or later",
  probe: ["php", "-r", "exit(PHP_VERSION_ID >= 80100 && extension_loaded('curl') ? 0 : 1);"],
};
const go: Tool = { name: "go", probe: ["go", "version"] };
const bun: Tool = { name: "bun", probe: ["bun", "--version"] };
const deno: Tool = { name: "deno", probe: ["deno", "--version"] };
const mypy: Tool = { name: "mypy", probe: ["mypy", "--version"] };

export const CHECKS: Check[] = [
  {
    name: "python: the client",
    needs: python,
    run: async () => {
      const tests = join(ROOT, "test/languages/python");
      await program(["python3", "-m", "unittest"], tests, PYTHON);
    },
  },
  {
    name: "python: the client against the service",
    needs: python,
    run: service(["python3", "python/service.py"], PYTHON),
  },
  {
    name: "python: the client's types",
    needs: mypy,
    run: () =>
      inFolder(async (folder) => {
        const strict = ["mypy", "--strict", "--python-version", "3.9", "--cache-dir", folder];
        await program([...strict, join(ROOT, "clients/python/centavo")], folder);
      }),
  },
  { name: "python: the sample", needs: python, run: sample(["python3", "python/shop.py"], PYTHON) },
  {
    name: "php: the client",
    needs: php,
    run: async () => {
      await program(["php", join(ROOT, "test/languages/php/run.php")], ROOT);
    },
  },
  {
    name: "php: the client against the service",
    needs: php,
    run: service(["php", "php/service.php"]),
  },
  { name: "php: the sample", needs: php, run: sample(["php", "php/shop.php"]) },
  {
    name: "go: the sample",
    needs: go,
    run: (base) =>
      inFolder(async (folder) => {
        const shop = join(folder, "shop");
        await program(["go", "build", "-o", shop, "."], join(ROOT, "examples/go"));
        await sample([shop])(base);
      }),
  },
  { name: "bun: the packed client's sample", needs: bun, run: packedSample(["bun", "run"]) },
  {
    name: "deno: the packed client's sample",
    needs: deno,
    run: packedSample(["deno", "run", "--allow-net", "--allow-env", "--allow-write"]),
  },
  {
    name: "go: the sample's check of webhooks",
    needs: go,
    run: () =>
      inFolder(async (folder) => {
        await cp(join(ROOT, "examples/go"), folder, { recursive: true });
        await cp(join(import.meta.dirname, "go"), folder, { recursive: true });
        await program(["go", "test", "./..."], folder, { VECTORS });
      }),
  },
  {
    name: "go: quicktype's types read every example of the document",
    needs: go,
    run: () =>
      inFolder(async (folder) => {
        const { examples, expectSame } = await goProgram(folder);
        await program(["go", "build", "-o", "program", "."], folder);
        expectSame(await program([join(folder, "program")], folder, {}, examples));
      }),
  },
];

/** Whether a tool is installed. */
export function isInstalled({ probe: [command = "", ...options] }: Tool): Promise<boolean> {
  return promisify(execFile)(command, options).then(
    () => true,
    () => false,
  );
}

/** Runs a sample, whose file is below `examples/`, as whoever reads the docs would: it prints what came of each step. */
function sample(command: string[], env: Record<string, string> = {}): Check["run"] {
  return (base) =>
    inFolder(async (folder) => {
      const [first = "", ...files] = command;
      const paths = files.map((file) => join(ROOT, "examples", file));
      const said = await program([first, ...paths], folder, { ...env, CENTAVO_URL: base });
      await expectSample(said, folder);
    });
}

/** Runs the JavaScript sample in a project of nobody, by another engine than Node. */
function packedSample(command: string[]): Check["run"] {
  return (base) =>
    inFolder(async (folder) => {
      await writeFile(join(folder, "package.json"), '{ "type": "module" }');
      await cp(join(ROOT, "examples/node/shop.mjs"), join(folder, "shop.mjs"));
      const archive = await packClient(folder);
      await program(["npm", "install", "--offline", "--no-audit", archive], folder);
      await expectSample(
        await program([...command, "shop.mjs"], folder, { CENTAVO_URL: base }),
        folder,
      );
    });
}

/** Throws where a sample did not say what came of each step, or wrote no QR code. */
async function expectSample(said: string, folder: string): Promise<void> {
  const missing = SAMPLE_SAYS.filter((line) => !line.test(said));
  if (missing.length > 0) throw new Error(`It did not say ${missing.join(", ")}, but:\n${said}`);
  const qr = await readFile(join(folder, "qr.svg"), "utf8");
  if (!qr.startsWith("<svg")) throw new Error(`qr.svg is ${qr.slice(0, 100)}`);
}

/** Runs a client's program, whose file is below `test/languages/`. */
function service(
  [command = "", file = ""]: string[],
  env: Record<string, string> = {},
): Check["run"] {
  return async (base) => {
    const path = join(import.meta.dirname, file);
    const said = await program([command, path], ROOT, { ...env, CENTAVO_URL: base });
    assert.deepEqual(JSON.parse(said), SERVICE_SAYS);
  };
}

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "centavo-languages-"));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What a program writes to its standard output; throws with all that it wrote where it fails. */
function program(
  [command = "", ...options]: string[],
  cwd: string,
  env: Record<string, string> = {},
  input = "",
): Promise<string> {
  const child = spawn(command, options, {
    cwd,
    env: { ...process.env, ...env },
    timeout: LONGEST_MS,
  });
  const written: string[] = [];
  const said: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    said.push(String(chunk));
    written.push(String(chunk));
  });
  child.stderr.on("data", (chunk: Buffer) => written.push(String(chunk)));
  // A program that ended takes no input: its exit tells why.
  child.stdin.on("error", () => null);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(said.join(""));
      else reject(new Error(`${command} ended with ${code}:\n${written.join("")}`));
    });
  });
}
