import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { afterAll, expect, it, vi } from "vitest";
import { freePort } from "../../../tools/lib/service.ts";
import { ROOT } from "../../../tools/lib/wrangler.ts";
import { UNBUNDLED } from "../bundled-worker.ts";
import { givenStateDir } from "../state-dir.ts";

/** Far longer than a start or an end takes. */
const WAIT = { timeout: 60_000, interval: 100 };
const stateDir = await givenStateDir("stop");
afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

it.each<[string, (npm: number) => void]>([
  ["SIGTERM of npm", (npm) => process.kill(npm, "SIGTERM")],
  ["SIGINT of a terminal's whole group, as by Ctrl-C", (npm) => process.kill(-npm, "SIGINT")],
])("npm start ends with everything that it started after %s", async (_case, end) => {
  const port = await freePort();
  const npm = spawn("npm", ["start"], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, PORT: String(port), STATE_DIR: stateDir, ...UNBUNDLED },
    stdio: "ignore",
  });
  const health = () => fetch(`http://localhost:${port}/health`);
  await vi.waitFor(health, WAIT);

  end(npm.pid ?? 0);

  await vi.waitFor(() => expect(health()).rejects.toThrow("fetch failed"), WAIT);
});
