import { ALLOWED_PIX_KEYS_MAX } from "../../domain/withdraws/allowed-pix-key.ts";
import type { AddAllowedPixKey, AddAllowedPixKeyAnswer } from "./command-types.ts";
import type { AllowedPixKeyStore } from "./allowed-pix-key-store.ts";

const HOUR_MS = 3_600_000;

/** Changes the list of allowed PIX keys. Runs inside one `transactionSync`. */
export class AllowedPixKeyCommands {
  readonly #keys: AllowedPixKeyStore;

  constructor(keys: AllowedPixKeyStore) {
    this.#keys = keys;
  }

  /** Adds a key, which counts after the cool-down of this moment: a shorter one later does not hasten it. */
  add({ key, coolDownHours }: AddAllowedPixKey, nowMs: number): AddAllowedPixKeyAnswer {
    const known = this.#keys.find(key.value);
    if (known !== null) return { kind: "known", key: known };
    if (this.#keys.count(ALLOWED_PIX_KEYS_MAX) >= ALLOWED_PIX_KEYS_MAX) {
      return { kind: "full", limit: ALLOWED_PIX_KEYS_MAX };
    }
    const times = { addedAt: nowMs, countsFrom: nowMs + coolDownHours * HOUR_MS };
    return { kind: "added", key: this.#keys.add(key, times) };
  }
}
