import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { AppContext } from "../../http/context.ts";
import { ELEMENT } from "./element.ts";

/** Its address cannot change with its content, so a browser asks again after a day. */
const CACHE_CONTROL = "public, max-age=86400";
const HEADERS = {
  "Content-Type": "text/javascript; charset=utf-8",
  "Cache-Control": CACHE_CONTROL,
  ETag: `"${bytesToHex(sha256(utf8ToBytes(ELEMENT))).slice(0, 16)}"`,
  // Any merchant's page may load it, also one that isolates itself (COEP).
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** `/checkout.js`, or that a browser has it already. */
export function serveElement(c: AppContext): Response {
  const known = c.req.header("If-None-Match") ?? "";
  // A proxy that compresses makes the tag weak.
  return known.includes(HEADERS.ETag) ? c.body(null, 304, HEADERS) : c.body(ELEMENT, 200, HEADERS);
}
