import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../tools/lib/wrangler.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

function company(args: string[], secretsKey = KEY) {
  return spawnSync(process.execPath, [join(ROOT, "tools/ops/company.ts"), "--dry-run", ...args], {
    encoding: "utf8",
    env: { ...process.env, SECRETS_KEY: secretsKey },
  });
}

it("a company's SQL contains its key as a hash, its secret encrypted, and escaped quotes", () => {
  const made = company([
    ..."--mode live --pix-key 11222333000181 --pix-key-type CNPJ".split(" "),
    "--name",
    "Loja d'Água",
  ]);
  expect(made.status, made.stderr).toBe(0);
  expect(made.stdout).toContain("'Loja d''Água', 'live'");
  expect(made.stdout).toMatch(/'v2\.[0-9a-f]{8}\.[A-Za-z0-9+/=]+\.[A-Za-z0-9+/=]+'/);
  expect(made.stdout).toMatch(/'[0-9a-f]{64}'/);
  expect(made.stdout).not.toMatch(/sk_live_|whsec_/);
});

it.each([
  ["without the environment's key", ["--name", "Loja"], "", "SECRETS_KEY"],
  ["without a name", [], KEY, "--name"],
  ["with an unknown mode", ["--name", "Loja", "--mode", "test"], KEY, "--mode"],
  ["with a wrong document", ["--name", "Loja", "--document", "11222333000182"], KEY, "--document"],
  [
    "with a key of another type",
    ["--name", "Loja", "--pix-key", "a@b.com", "--pix-key-type", "CPF"],
    KEY,
    "--pix-key",
  ],
])("%s creates no company and explains why", (_case, args, secretsKey, named) => {
  const refused = company(args, secretsKey);
  expect(refused.status).toBe(2);
  expect(refused.stdout).toBe("");
  expect(refused.stderr).toContain(named);
});
