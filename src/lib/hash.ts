import { timingSafeEqual as equalBytes } from "node:crypto";
import { bytesToHex } from "@noble/hashes/utils.js";

/** SHA-256 of a text (UTF-8) or of bytes, as 64 lower-case hex digits. */
export async function sha256Hex(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return bytesToHex(new Uint8Array(digest));
}

/** Compares two digests or signatures. The duration does not reveal where they differ. */
export function timingSafeEqual(left: string, right: string): boolean {
  const encoder = new TextEncoder();
  const one = encoder.encode(left);
  const other = encoder.encode(right);
  return one.length === other.length && equalBytes(one, other);
}

/**
 * JSON with sorted object members (RFC 8785), so equal requests have equal hashes. The `canonicalize` package
 * throws at unpaired surrogates, which metadata and a PSP's records may contain.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

/**
 * A request without the members that say what holds anyway: those equal to their default, and objects that
 * have nothing else. `undefined` if nothing is left.
 */
export function withoutDefaults(value: unknown, defaults: unknown): unknown {
  if (canonicalJson(value) === canonicalJson(defaults)) return undefined;
  if (!isRecord(value) || !isRecord(defaults)) return value;
  const rest = Object.entries(value)
    .map(([name, member]) => [name, withoutDefaults(member, defaults[name])])
    .filter(([, member]) => member !== undefined);
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
