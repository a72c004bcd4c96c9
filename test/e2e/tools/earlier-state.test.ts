import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fileOf } from "../../../tools/lib/earlier-state.ts";
import { ApiClient } from "../../../tools/lib/merchant.ts";
import { LOCAL_COMPANIES } from "../../../tools/lib/local-companies.ts";
import { startService } from "../../../tools/lib/service.ts";
import { givenStateDir } from "../state-dir.ts";

const stateDir = await givenStateDir("earlier");
const folder = join(stateDir, "v3/d1/miniflare-D1DatabaseObject");
afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

it("npm start finds what it had stored before the database's id changed", async () => {
  const [{ clientId, apiKey }] = LOCAL_COMPANIES as [(typeof LOCAL_COMPANIES)[number]];
  const first = await startService({ stateDir });
  const charge = { amount: 2_500, paymentMethod: "PIX", customer: { name: "Maria" } };
  const path = "/api/v1/transactions/create";
  const created = await new ApiClient(first.base, { clientId, apiKey }).call("POST", path, charge);
  await first.stop();
  for (const name of readdirSync(folder)) {
    if (name.startsWith(fileOf("DB"))) {
      renameSync(join(folder, name), join(folder, name.replace(fileOf("DB"), fileOf("earlier"))));
    }
  }

  const second = await startService({ stateDir });
  try {
    expect(second.output()).toContain("Took over the D1 database of an earlier version");
    const api = new ApiClient(second.base, { clientId, apiKey });
    const found = await api.call("GET", `/api/v1/transactions/${created.body.data.id}`);
    expect(found).toMatchObject({ status: 200, body: { data: { amount: 2_500 } } });
    const ready = await fetch(`${second.base}/ready`);
    expect(await ready.json()).toMatchObject({ archive: "ok" });
  } finally {
    await second.stop();
  }
});
