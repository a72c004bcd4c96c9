import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Hex digits of a file's hash in its name. */
const HASH_DIGITS = 12;

/** A file of a page, whose name changes with its content. */
export interface Asset {
  /** Such as `page-0123456789ab.css`. */
  file: string;
  type: string;
  text: string;
}

const TYPES = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** Names a file by its content, so that a browser may keep it for a year. */
export function hashedAsset(name: string, extension: keyof typeof TYPES, text: string): Asset {
  const hash = bytesToHex(sha256(utf8ToBytes(text))).slice(0, HASH_DIGITS);
  return { file: `${name}-${hash}.${extension}`, type: TYPES[extension], text };
}

/** The headers of a file whose name says its content. */
export function assetHeaders({ type }: Pick<Asset, "type">): Record<string, string> {
  return { "Content-Type": type, "Cache-Control": "public, max-age=31536000, immutable" };
}
