import type { AlarmTold } from "./alarm-inbox.ts";
import { runCommand, type CommandName, type CommandResult, type Operator } from "./runbook.ts";
import type { Shop } from "./shop.ts";
import type { Site } from "./site.ts";

/** Where a fault is played: a service, and a company of it. */
export class Stage {
  readonly site: Site;
  readonly shop: Shop;
  /** Lines of what was done and answered. */
  readonly log: (line: string) => void;
  /** Messages of before the fault do not count. */
  #mark = 0;

  constructor(site: Site, shop: Shop, log: (line: string) => void) {
    this.site = site;
    this.shop = shop;
    this.log = log;
  }

  /** From now on messages count. */
  listen(): void {
    this.#mark = this.site.inbox.told.length;
  }

  /** Whether an alarm has been told. */
  isFiring(alarm: string): boolean {
    return this.#told(alarm).some(({ type }) => type === "alarm.firing");
  }

  /** Whether an alarm that was told is told to be over. */
  isResolved(alarm: string): boolean {
    return this.#told(alarm).at(-1)?.type === "alarm.resolved";
  }

  /** Runs a command of the runbook for the company. */
  async run(
    name: CommandName,
    blanks: Record<string, string | number> = {},
    by: Operator = "operator",
  ): Promise<CommandResult> {
    const filled = { id: this.shop.companyId, ...blanks };
    const result = await runCommand(this.site.base, name, filled, by);
    const last = result.output.trim().split("\n").at(-1) ?? "";
    this.log(`${name}: ${result.status} ${last.slice(0, 200)}`);
    return result;
  }

  /** Runs a command of the runbook that answers JSON. Not logged: it may be asked again and again. */
  async ask<Answer>(name: CommandName): Promise<Answer> {
    const blanks = { id: this.shop.companyId };
    return JSON.parse((await runCommand(this.site.base, name, blanks)).output) as Answer;
  }

  /** The other operator approves a proposal. */
  async approve(proposal: string): Promise<void> {
    await this.run("approve", { proposal }, "approver");
  }

  /** The other operator approves each proposal that an output names. */
  async approveAll({ output }: CommandResult): Promise<void> {
    for (const [, proposal = ""] of output.matchAll(/proposal ([\w-]+)/g)) {
      await this.approve(proposal);
    }
  }

  #told(alarm: string): AlarmTold[] {
    return this.site.inbox.told.slice(this.#mark).filter((told) => told.alarm === alarm);
  }
}
