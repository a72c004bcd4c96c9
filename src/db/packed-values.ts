import { deflateRawSync, inflateRawSync } from "node:zlib";
import { hexOf } from "../domain/hex.ts";
import { formatUuid, parseUuid } from "../domain/ids.ts";
import { assert } from "../lib/assert.ts";
import { fromBase64, fromBase64Url, toBase64, toBase64Url } from "../lib/base64.ts";
import { pack, PACKED_2, unpack } from "../lib/packed.ts";
import { DICTIONARY_2 } from "./values-dictionary.ts";

/** What is stored beside a text, and need not be stored in it. */
export interface Beside {
  /** The id of what the text is about. */
  id: string;
  /** Epoch milliseconds that the times in the text are near to. */
  at: number;
}

/** A text without its values, and those as bytes, in their order. */
interface Apart {
  skeleton: string;
  values: Uint8Array;
}

/** What stands in a skeleton for a value: characters that JSON has none of. */
const ID = "\u0001";
const ID_HEX = "\u0002";
const SECURE_ID = "\u0003";
const UUID = "\u0004";
const TIME = "\u0005";
const INTEGER = "\u0006";
const END_TO_END_ID = "\u0007";
const HEX = "\u0008";
const AMOUNT = "\u000e";
const CRC = "\u000f";
// oxlint-disable-next-line no-control-regex -- it is they that are looked for
const PLACES = /[\u0001-\u0008\u000e\u000f]/g;

/**
 * Strings that are an ISO time, a UUID, a `secureId` or a PIX's end-to-end id; 32 hex digits in a
 * path; the amount (54) and the CRC (63) of a BR Code; integers. Each with what is before it.
 */
const VALUES =
  /"(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\w-]{43}|E\d{20}[\dA-Za-z]{11})(?=")|\/[\da-f]{32}|54\d{3,10}\.\d\d(?=5802BR)|6304[\dA-F]{4}(?=")|[:,[](?:0|[1-9]\d{0,14})(?=[,}\]])/g;

const LEVEL = 9;
/** Whatever is longer is packed with its values in it, so that little never unpacks to very much. */
const SKELETON_MAX = 2 ** 17;
const UUID_BYTES = 16;
const END_TO_END_BYTES = 9;
const CRC_BYTES = 2;
const MINUTE_MS = 60_000;
const [DIGIT_0, LETTER_A, LOWER_A, HYPHEN] = [48, 65, 97, 45];
const LOWER_CASE = 32;

const dictionary = new TextEncoder().encode(DICTIONARY_2);

/**
 * A JSON text as few bytes, where its id and its time are stored beside it: the values in it as bytes,
 * and the text without them DEFLATEd. Where that does not give back the very text, it is packed as any.
 */
export function packBeside(text: string, beside: Beside): Uint8Array {
  if (text.search(PLACES) !== -1) return pack(text);
  const { skeleton, values } = takeApart(text, beside);
  const plain = new TextEncoder().encode(skeleton);
  if (plain.length > SKELETON_MAX) return pack(text);
  if (putTogether({ skeleton, values }, beside) !== text) return pack(text);
  const head: number[] = [PACKED_2];
  addNumber(head, values.length);
  const deflated = deflateRawSync(plain, { level: LEVEL, dictionary });
  const packed = new Uint8Array(head.length + values.length + deflated.length);
  packed.set(head);
  packed.set(values, head.length);
  packed.set(deflated, head.length + values.length);
  return packed;
}

/** The text that was packed, with the same beside it. Throws where it is none. */
export function unpackBeside(stored: Uint8Array, beside: Beside): string {
  if (stored[0] !== PACKED_2) return unpack(stored);
  const reader = new Reader(stored.subarray(1));
  const values = reader.bytes(reader.number());
  const skeleton = inflateRawSync(reader.rest(), { dictionary, maxOutputLength: SKELETON_MAX });
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return putTogether({ skeleton: decoder.decode(skeleton), values }, beside);
}

/** Takes the values out of a JSON text: what is left is nearly the same for all texts of a kind. */
function takeApart(text: string, { id, at }: Beside): Apart {
  const idHex = id.replaceAll("-", "");
  const values: number[] = [];
  const skeleton = text.replace(VALUES, (match) => {
    const before = match.charAt(0);
    const value = match.slice(1);
    switch (before) {
      case '"':
        return before + placeOfString(values, value, id, idHex, at);
      case "/":
        if (value === idHex) return before + ID_HEX;
        addHex(values, value);
        return before + HEX;
      case "5":
        addNumber(values, Number(match.slice(4).replace(".", "")));
        return AMOUNT;
      case "6":
        addHex(values, match.slice(4));
        return match.slice(0, 4) + CRC;
      default:
        addNumber(values, Number(value));
        return before + INTEGER;
    }
  });
  return { skeleton, values: Uint8Array.from(values) };
}

/** What stands for a string, which its length tells; the string itself where it is not quite that. */
function placeOfString(
  values: number[],
  text: string,
  id: string,
  idHex: string,
  at: number,
): string {
  switch (text.length) {
    case 24: {
      const time = Date.parse(text);
      if (Number.isNaN(time)) return text;
      addSigned(values, time - at);
      return TIME;
    }
    case 36:
      if (text === id) return ID;
      addHex(values, text);
      return UUID;
    case 43: {
      const bytes = fromBase64Url(text);
      if (hexOf(bytes.subarray(0, UUID_BYTES)) !== idHex) return text;
      values.push(...bytes.subarray(UUID_BYTES));
      return SECURE_ID;
    }
    default: {
      const [day, minute] = [
        `${text.slice(9, 13)}-${text.slice(13, 15)}-${text.slice(15, 17)}`,
        `${text.slice(17, 19)}:${text.slice(19, 21)}`,
      ];
      const time = Date.parse(`${day}T${minute}Z`);
      if (Number.isNaN(time)) return text;
      addNumber(values, Number(text.slice(1, 9)));
      addSigned(values, (time - (at - (at % MINUTE_MS))) / MINUTE_MS);
      // Twelve digits of base64 are nine bytes.
      values.push(...fromBase64(`A${text.slice(21)}`));
      return END_TO_END_ID;
    }
  }
}

/** Seven bits a byte, the lowest first. */
function addNumber(values: number[], number: number): void {
  let left = number;
  while (left >= 128) {
    values.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  values.push(left);
}

/** Folded, so that what is near to zero on either side is short. */
function addSigned(values: number[], number: number): void {
  addNumber(values, number < 0 ? -2 * number - 1 : 2 * number);
}

/** Two digits a byte, hyphens passed over. */
function addHex(values: number[], text: string): void {
  let high = -1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === HYPHEN) continue;
    const digit = code < LETTER_A ? code - DIGIT_0 : (code | LOWER_CASE) - LOWER_A + 10;
    if (high === -1) high = digit;
    else {
      values.push(high * 16 + digit);
      high = -1;
    }
  }
}

/** The text that was taken apart. Throws where values are missing. */
function putTogether({ skeleton, values }: Apart, { id, at }: Beside): string {
  const idHex = id.replaceAll("-", "");
  const rest = new Reader(values);
  return skeleton.replace(PLACES, (place) => {
    switch (place) {
      case ID:
        return id;
      case ID_HEX:
        return idHex;
      case SECURE_ID: {
        const bytes = new Uint8Array(2 * UUID_BYTES);
        bytes.set(parseUuid(idHex));
        bytes.set(rest.bytes(UUID_BYTES), UUID_BYTES);
        return toBase64Url(bytes);
      }
      case UUID:
        return formatUuid(rest.bytes(UUID_BYTES));
      case TIME:
        return new Date(at + rest.signed()).toISOString();
      case END_TO_END_ID: {
        const bank = String(rest.number()).padStart(8, "0");
        const minute = new Date(at + rest.signed() * MINUTE_MS).toISOString().slice(0, 16);
        const last = toBase64(rest.bytes(END_TO_END_BYTES)).slice(1);
        return `E${bank}${minute.replaceAll(/\D/g, "")}${last}`;
      }
      case HEX:
        return hexOf(rest.bytes(UUID_BYTES));
      case AMOUNT: {
        const amount = (rest.number() / 100).toFixed(2);
        return `54${String(amount.length).padStart(2, "0")}${amount}`;
      }
      case CRC:
        return hexOf(rest.bytes(CRC_BYTES)).toUpperCase();
      default:
        return String(rest.number());
    }
  });
}

class Reader {
  readonly #bytes: Uint8Array;
  #next = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bytes(count: number): Uint8Array {
    const end = this.#next + count;
    assert(end <= this.#bytes.length, "a packed text has all its values");
    const bytes = this.#bytes.subarray(this.#next, end);
    this.#next = end;
    return bytes;
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.#next);
  }

  number(): number {
    let sum = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.#bytes[this.#next++];
      assert(byte !== undefined, "a packed text has all its values");
      sum += (byte % 128) * unit;
      if (byte < 128) return sum;
    }
  }

  signed(): number {
    const folded = this.number();
    return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  }
}
