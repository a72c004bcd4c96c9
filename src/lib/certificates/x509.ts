import { base64 } from "@scure/base";
import { childrenOf, elementAt, type DerElement } from "./der.ts";

/** What a client certificate says in public (RFC 5280, 4.1). */
export interface PublicCertificate {
  /** Its subject's common name; `""` for none. */
  name: string;
  /** Epoch milliseconds. */
  startsAt: number;
  endsAt: number;
  /** Its SubjectPublicKeyInfo, as base64: the same in the request that it answers. */
  publicKey: string;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+)-----END CERTIFICATE-----/;
const REQUEST =
  /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([\sA-Za-z0-9+/=]+)-----END (?:NEW )?CERTIFICATE REQUEST-----/;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/;

const SEQUENCE = 0x30;
/** The explicit version of a certificate, which version 1 leaves out. */
const VERSION = 0xa0;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
/** `id-at-commonName`, 2.5.4.3. */
const COMMON_NAME = "85,4,3";
/** `YYMMDDHHMMSSZ` and `YYYYMMDDHHMMSSZ`. */
const TIME = /^(\d{2}|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;
/** RFC 5280, 4.1.2.5.1: two digits from 50 on are of the last century. */
const CENTURY_PIVOT = 50;

/** Whether a text holds a private key (PEM), which nobody may send to this service. */
export function holdsPrivateKey(text: string): boolean {
  return PRIVATE_KEY.test(text);
}

/** The first certificate of a PEM text; null if it has none that can be read. */
export function readCertificate(pem: string): PublicCertificate | null {
  return readPem(pem, CERTIFICATE, (bytes, body) => {
    const fields = childrenOf(bytes, body);
    const [, , , , validity, subject, publicKey] =
      fields[0]?.tag === VERSION ? fields : [null, ...fields];
    if (validity == null || subject == null || publicKey == null) return null;
    const [startsAt, endsAt] = childrenOf(bytes, validity).map((time) => timeOf(bytes, time));
    if (startsAt == null || endsAt == null) return null;
    return {
      name: commonNameOf(bytes, subject),
      startsAt,
      endsAt,
      publicKey: keyOf(bytes, publicKey),
    };
  });
}

/** The public key that a request for a certificate (RFC 2986, 4.1) is for, as `PublicCertificate`; null if unreadable. */
export function readRequestKey(pem: string): string | null {
  return readPem(pem, REQUEST, (bytes, body) => {
    const [, , publicKey] = childrenOf(bytes, body);
    return publicKey === undefined ? null : keyOf(bytes, publicKey);
  });
}

/** Reads the signed part of the first block of a kind. */
function readPem<Value>(
  pem: string,
  block: RegExp,
  read: (bytes: Uint8Array, body: DerElement) => Value | null,
): Value | null {
  const text = block.exec(pem)?.[1];
  if (text === undefined) return null;
  try {
    const bytes = base64.decode(text.replaceAll(/\s/g, ""));
    const [body] = childrenOf(bytes, elementAt(bytes, 0));
    return body?.tag === SEQUENCE ? read(bytes, body) : null;
  } catch {
    return null;
  }
}

/** The content of a SubjectPublicKeyInfo, which its header follows from. */
function keyOf(bytes: Uint8Array, { start, end }: DerElement): string {
  return base64.encode(bytes.slice(start, end));
}

function timeOf(bytes: Uint8Array, { tag, start, end }: DerElement): number | null {
  if (tag !== UTC_TIME && tag !== GENERALIZED_TIME) return null;
  const parts = TIME.exec(textOf(bytes.slice(start, end)));
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map(Number);
  const century = tag === GENERALIZED_TIME ? 0 : year < CENTURY_PIVOT ? 2_000 : 1_900;
  return Date.UTC(century + year, month - 1, day, hour, minute, second);
}

function commonNameOf(bytes: Uint8Array, subject: DerElement): string {
  for (const set of childrenOf(bytes, subject)) {
    for (const attribute of childrenOf(bytes, set)) {
      const [type, value] = childrenOf(bytes, attribute);
      if (type === undefined || value === undefined) continue;
      const isName = bytes.slice(type.start, type.end).join(",") === COMMON_NAME;
      if (isName) return textOf(bytes.slice(value.start, value.end));
    }
  }
  return "";
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
