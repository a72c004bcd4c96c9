import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOCAL_APPROVER_KEY, LOCAL_OPERATOR_KEY } from "../../../tools/lib/local-operators.ts";
import { ApiClient } from "../../../tools/lib/merchant.ts";
import { ROOT } from "../../../tools/lib/root.ts";
import { freePort, startService, type Service } from "../../../tools/lib/service.ts";
import { configFile } from "../../../tools/lib/wrangler-config.ts";
import { runInD1 } from "../../e2e/d1-console.ts";
import { ALARM_SECRET, AlarmInbox } from "./alarm-inbox.ts";

/** What a service is started with, beside what `npm start` gives it. */
export interface SiteSettings {
  /** `SECRETS_KEY`; absent: the one of every local service. */
  secretsKey?: string;
  /** Whether no queue has a consumer. */
  isQueueDown?: boolean;
}

let made = 0;

/** A local service with an archive, whose alarms arrive at an inbox. It can be stopped, changed and started again. */
export class Site {
  readonly inbox = new AlarmInbox();
  readonly stateDir: string;
  readonly #port: number;
  readonly #config = join(ROOT, `wrangler.drill-${process.pid}-${++made}.toml`);
  #service: Service | null = null;

  private constructor(stateDir: string, port: number) {
    this.stateDir = stateDir;
    this.#port = port;
  }

  static async open(stateDir: string, port?: number): Promise<Site> {
    const site = new Site(stateDir, port ?? (await freePort()));
    await site.inbox.open();
    try {
      await site.#start({});
    } catch (error) {
      await site.close();
      throw error;
    }
    return site;
  }

  async close(): Promise<void> {
    await this.#service?.stop();
    await this.inbox.close();
    rmSync(this.#config, { force: true });
  }

  /** Stays the same through restarts. */
  get base(): string {
    return `http://localhost:${this.#port}`;
  }

  /** The service's log so far, since its last start. */
  log(): string {
    return this.#running().output();
  }

  operator(): ApiClient {
    return new ApiClient(this.base, { clientId: "operator", apiKey: LOCAL_OPERATOR_KEY });
  }

  approver(): ApiClient {
    return new ApiClient(this.base, { clientId: "approver", apiKey: LOCAL_APPROVER_KEY });
  }

  /** Starts it with other settings, or after a change of its stored state. */
  async restart(settings: SiteSettings = {}, change: () => void = () => undefined): Promise<void> {
    await this.#running().stop();
    change();
    await this.#start(settings);
  }

  stopCron(): void {
    this.#running().stopCron();
  }

  resumeCron(): void {
    this.#running().resumeCron();
  }

  /** A minute of the cron at once. */
  async triggerCron(): Promise<void> {
    await (await fetch(`${this.base}/cdn-cgi/local/scheduled`)).text();
  }

  /** Runs SQL in D1 past the service, as D1's own console does; the first row. */
  d1(sql: string): Promise<Record<string, unknown> | undefined> {
    return runInD1(this.base, sql);
  }

  #running(): Service {
    if (this.#service === null) throw new Error("the service does not run");
    return this.#service;
  }

  async #start(settings: SiteSettings): Promise<void> {
    writeFileSync(this.#config, configOf(readFileSync(configFile(), "utf8"), settings, this.inbox));
    this.#service = await startService({
      stateDir: this.stateDir,
      port: this.#port,
      env: { WRANGLER_CONFIG: this.#config },
    });
  }
}

/** The project's configuration, with what the drill sets. */
function configOf(
  toml: string,
  { secretsKey, isQueueDown = false }: SiteSettings,
  { url }: AlarmInbox,
): string {
  const vars = [
    `ALARM_WEBHOOK_URL = "${url}"`,
    `ALARM_WEBHOOK_SECRET = "${ALARM_SECRET}"`,
    ...(secretsKey === undefined ? [] : [`SECRETS_KEY = "${secretsKey}"`]),
  ];
  return toml
    .replace("\n[vars]\n", () => `\n[vars]\n${vars.join("\n")}\n`)
    .split(/^(?=\[)/m)
    .filter((table) => !(isQueueDown && table.startsWith("[[queues.consumers]]")))
    .join("");
}
