import { jsonBytes } from "../../domain/storage/quotas.ts";
import { storedLimit } from "../../domain/access/application-guards.ts";
import type { Requester } from "../../domain/access/requester.ts";
import type { SettingChange } from "../../domain/events/outbox-entry.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";

/** Settings that were loosened and wait. A repeated call announces them once. */
export interface AnnounceSettingsChange {
  companyId: number;
  /** The application whose limits they are; null for settings of the company. */
  applicationId: string | null;
  changes: SettingChange[];
  requestedBy: Requester;
}

const OPERATION = "settings_change";

/** Events about settings that were loosened, so that the company hears of them before they hold. */
export class SettingsEvents {
  readonly #keys: IdempotencyStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(deps: { keys: IdempotencyStore; meta: MetaStore; outbox: OutboxStore }) {
    this.#keys = deps.keys;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
  }

  /** Announces a change, once: the same settings that wait for the same time are the same change. */
  announce(command: AnnounceSettingsChange, nowMs: number): void {
    const { applicationId, changes, requestedBy } = command;
    const key = JSON.stringify([
      applicationId,
      ...changes.map(({ field, effectiveAt }) => [storedLimit(field), effectiveAt]),
    ]);
    if (this.#keys.find(OPERATION, key) !== null) return;
    const sequence = this.#meta.next("settings_events");
    this.#keys.add(OPERATION, key, "", sequence);
    const entry = { kind: "settings" as const, applicationId, changes, requestedBy };
    this.#outbox.add(
      {
        ...entry,
        event: {
          type: "company.settings_changing",
          ...this.#meta.nextEvent({ nowMs, bytes: jsonBytes(entry) }),
          sequence,
          previousStatus: null,
          timestamp: nowMs,
        },
      },
      nowMs,
    );
  }
}
