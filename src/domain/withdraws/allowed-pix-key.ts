import { isoTime } from "../shared/clock.ts";
import type { PixKeyType } from "../shared/pix-key.ts";

/** A PIX key to which a company allows withdraws. Times in epoch milliseconds. */
export interface AllowedPixKey {
  id: number;
  pixKey: string;
  pixKeyType: PixKeyType;
  addedAt: number;
  /** The end of its cool-down, fixed when it is added. */
  countsFrom: number;
}

/** Keys on a company's list. */
export const ALLOWED_PIX_KEYS_MAX = 1_000;

/** The key as the API shows it. */
export function allowedPixKeyView(key: AllowedPixKey) {
  return { ...key, addedAt: isoTime(key.addedAt), countsFrom: isoTime(key.countsFrom) };
}
