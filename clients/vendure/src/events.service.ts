import { Inject, Injectable } from "@nestjs/common";
import {
  Logger,
  RequestContextService,
  ScheduledTask,
  SettingsStoreScopes,
  SettingsStoreService,
  TransactionalConnection,
  type RequestContext,
  type SettingsStoreFieldConfig,
} from "@vendure/core";
import type { Centavo, Event } from "centavo";
import { LessThanOrEqual } from "typeorm";
import { CentavoCharge } from "./charge.entity.ts";
import { CENTAVO_CLIENT, LOG } from "./options.ts";
import { SettlementService } from "./settlement.service.ts";

const NAMESPACE = "centavo";
const CURSOR = `${NAMESPACE}.cursor`;
/** A run ends before the next one begins. */
const RUN_MS = 50_000;
const RUN_TIMEOUT_MS = 120_000;
/** How many events may be done twice after a crash. */
const SAVE_EACH = 50;
const CHARGES_A_RUN = 200;

/** Where the reading of events stands. */
interface Cursor {
  /** The `companySequence` of the last one read. */
  after: number;
  /** Events that could not be done, to be tried again. */
  failed: string[];
}

/** What the settings store keeps. */
export const CURSOR_FIELDS: Record<string, SettingsStoreFieldConfig[]> = {
  [NAMESPACE]: [{ name: "cursor", scope: SettingsStoreScopes.global, readonly: true }],
};

/** Reads the gateway's events, whatever webhooks came: each one once, in order, from where it stopped. */
@Injectable()
export class EventsService {
  constructor(
    @Inject(CENTAVO_CLIENT) private centavo: Centavo,
    @Inject(SettlementService) private settlement: SettlementService,
    @Inject(SettingsStoreService) private settings: SettingsStoreService,
    @Inject(RequestContextService) private contexts: RequestContextService,
    @Inject(TransactionalConnection) private connection: TransactionalConnection,
  ) {}

  /** Does what is new. Answers how many events were read. */
  async catchUp(): Promise<number> {
    const ctx = await this.contexts.create({ apiType: "admin" });
    const stored = await this.settings.get<Partial<Cursor>>(ctx, CURSOR);
    const { after = 0, failed = [] } = stored ?? {};
    const cursor: Cursor = { after, failed: [] };
    for (const id of failed) {
      // The detail is the event, and its deliveries.
      await this.#do(cursor, id, async () => (await this.centavo.events.get(id)) as Event);
    }
    const signal = AbortSignal.timeout(RUN_MS);
    let read = 0;
    try {
      for await (const event of this.centavo.events.iterate({ after, signal })) {
        await this.#do(cursor, event.id, () => event);
        cursor.after = event.companySequence;
        read += 1;
        if (read % SAVE_EACH === 0) await this.#save(ctx, cursor);
        if (signal.aborted) break;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      Logger.warn(`Events after ${cursor.after} are waited for.`, LOG);
    } finally {
      await this.#save(ctx, cursor);
    }
    await this.#checkDue();
    return read;
  }

  /** Keeps for the next run what cannot be done now. */
  async #do(cursor: Cursor, id: string, event: () => Event | Promise<Event>) {
    try {
      await this.settlement.handle(await event());
    } catch (error) {
      Logger.error(`Event ${id}: ${String(error)}`, LOG);
      cursor.failed.push(id);
    }
  }

  async #save(ctx: RequestContext, { after, failed }: Cursor) {
    const { result, error } = await this.settings.set(ctx, CURSOR, { after, failed });
    if (!result) throw new Error(`The cursor was not saved: ${error}`);
  }

  /** Asks about charges whose end, or whose refund's, no event tells. */
  async #checkDue() {
    const charges = this.connection.rawConnection.getRepository(CentavoCharge);
    const where = { checkAt: LessThanOrEqual(new Date()) };
    const due = await charges.find({ where, order: { checkAt: "ASC" }, take: CHARGES_A_RUN });
    for (const { transactionId } of due) {
      await this.settlement.settle(transactionId).catch((error: unknown) => {
        Logger.error(`Transaction ${transactionId}: ${String(error)}`, LOG);
      });
    }
  }
}

/** The task that reads events, by a cron expression. */
export function eventsTask(schedule: string): ScheduledTask {
  return new ScheduledTask({
    id: "centavo-events",
    description: "Reads Centavo's events, so that no payment is missed.",
    schedule,
    timeout: RUN_TIMEOUT_MS,
    execute: async ({ injector }) => ({ events: await injector.get(EventsService).catchUp() }),
  });
}
