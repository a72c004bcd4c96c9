import { timingSafeEqual as equalBytes } from "node:crypto";
import { bytesToHex } from "@noble/hashes/utils.js";

/** SHA-256 as 64 lower-case hex digits. */
export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
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
