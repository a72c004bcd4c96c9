import { DurableObject } from "cloudflare:workers";
import type { Env } from "../config.ts";
import { changeArchive } from "../db/archive/change-archive.ts";
import { projectionWriter } from "../db/projection/projection-writer.ts";
import type { LiveAudience } from "../domain/events/live.ts";
import { systemClock, type Clock } from "../domain/shared/clock.ts";
import { withTrace } from "../lib/trace/trace.ts";
import { callNamed, type CallContext } from "./calls.ts";
import type { Services } from "./compose.ts";
import { DeliveryLeases } from "./deliveries/delivery-leases.ts";
import {
  CLIENT_DEADLINE_MS,
  type CallAnswer,
  type CallEnvelope,
  type CompanyObject,
} from "./object.ts";
import { LivePages } from "./live/live-pages.ts";
import { NewerStorage, openCompany } from "./open.ts";
import type { Archive, Notifier, Projection } from "./outbox/ports.ts";
import { queueNotifier } from "./outbox/queue-notifier.ts";
import { setFallbackAlarm } from "./runtime/background-work.ts";
import type { OpenObject } from "./runtime/declare-call.ts";

/**
 * A company's Durable Object. It owns ledger, withdraws, charge states and event numbers, calls no provider and never
 * reads D1 to decide. What it can be asked is in `calls.ts`.
 */
export class CompanyAccount extends DurableObject<Env> implements CompanyObject {
  /**
   * Tests set up each new instance here. The platform evicts an object that is idle for ten seconds, and its
   * next instance would have the system's clock.
   */
  static prepare: (account: CompanyAccount, name: string | undefined) => void = () => undefined;

  /** Tests replace these to control the time and to fail D1 and the queues. */
  platformClock: Clock = systemClock;
  /** Judges deadlines of calls and sessions, which a test's Workers set by the real time. */
  deadlineClock: Clock = systemClock;
  projection: Projection = projectionWriter(this.env);
  archive: Archive | null = changeArchive(this.env);
  notifier: Notifier = queueNotifier(this.env);
  /** Null if newer code has migrated the tables: then nothing is read or written. */
  readonly #opened: OpenObject<Services> | null;
  readonly #context: CallContext;
  readonly #live: LivePages;
  readonly #deliveryLeases = new DeliveryLeases(this.platformClock.now());

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    CompanyAccount.prepare(this, ctx.id.name);
    this.#live = new LivePages({ state: ctx, now: () => this.deadlineClock.now() });
    const opened = openCompany({
      storage: ctx.storage,
      platformClock: () => this.platformClock,
      projection: () => this.projection,
      archive: () => this.archive,
      notifier: () => this.notifier,
      live: this.#live,
      waitUntil: (work) => ctx.waitUntil(work),
    });
    this.#opened = opened;
    this.#context = {
      state: ctx,
      deliveryLeases: this.#deliveryLeases,
      platformClock: () => this.platformClock,
      get open() {
        if (opened === null) throw new NewerStorage();
        return opened;
      },
    };
  }

  async call({ name, parameter, calledAt, traceId }: CallEnvelope): Promise<CallAnswer> {
    const call = callNamed(name);
    if (call.isShed && calledAt !== null && this.#hasWaitedTooLong(calledAt)) {
      return { kind: "overloaded" };
    }
    const answer = await withTrace(traceId, () => call.run(this.#context, parameter));
    return { kind: "done", answer };
  }

  /** Takes the socket of a page whose session a Worker has checked. Nobody else reaches the object. */
  override fetch(request: Request): Response {
    if (this.#opened === null) return new Response(null, { status: 503 });
    const audience = new URL(request.url).searchParams.get("audience") ?? "";
    return this.#live.accept(JSON.parse(audience) as LiveAudience, this.#opened.balance);
  }

  /** Called by the platform when an open page sends something. */
  override webSocketMessage(page: WebSocket): void {
    this.#live.refuse(page);
  }

  #hasWaitedTooLong(calledAt: number): boolean {
    return this.deadlineClock.now() - calledAt > CLIENT_DEADLINE_MS;
  }

  /** Never throws: the platform stops retrying an alarm that keeps failing. */
  override async alarm(): Promise<void> {
    if (this.#opened === null) return setFallbackAlarm(this.ctx.storage, this.platformClock.now());
    const { backgroundWork, runDue } = this.#opened;
    backgroundWork.alarmFired();
    await backgroundWork.runNow(runDue);
  }
}
