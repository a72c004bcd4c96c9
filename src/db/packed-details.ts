import { bytesOfHex, hexOf } from "../domain/hex.ts";
import type { Address, Item, Payer } from "../domain/transaction.ts";
import { DICTIONARY_1 } from "../lib/packed-dictionary.ts";
import { unpack } from "../lib/packed.ts";
import { deflatePrimed, inflatePrimed } from "../lib/primed.ts";

/** What a create was told that no query looks into. */
export interface Details {
  payer: Payer;
  items: Item[];
  metadata: string | null;
}

/** Begins each field; and stands for one that is not there. */
const FIELD = "\u0001";
const ABSENT = "\u0002";
/** Control characters but for tabs and line ends: where a text has one itself, all is kept as JSON. */
const OURS = /[^\P{Cc}\t\n\r]/u;
/** A run of digits is kept in one number with all others; a control character says how long it was. */
const RUNS = /\d{5,22}/g;
const FIRST_MARK = 0x0e;
const LAST_MARK = 0x1f;
const MARK_OF_NONE = FIRST_MARK - 5;
/** Their number is of fewer than 254 bytes, for its length plus one is the first byte. */
const DIGITS_MAX = 600;

const PAYER_FIELDS = ["documentType", "name", "email", "phone", "documentNumber"] as const;
const ADDRESS_FIELDS = [
  "street",
  "streetNumber",
  "complement",
  "zipCode",
  "neighborhood",
  "city",
  "state",
  "country",
] as const satisfies (keyof Address)[];
/** In front of the items: also `externalId` and the metadata. */
const FIXED_FIELDS = PAYER_FIELDS.length + 1 + ADDRESS_FIELDS.length + 1;
const ITEM_FIELDS = 5;

/** What the fields are like, the most common last. Rows are unreadable without it: it is never changed. */
export const ALIKE = new TextEncoder().encode(
  DICTIONARY_1 +
    "\u0001@hotmail.com\u0001@outlook.com\u0001@gmail.com\u0001+\u0016\u0001\u0014\u0001\u0001\u0002" +
    "\u0001CNPJ\u0001\u0001\u0001\u0001\u0001\u0001\u0002\u0001\u0002\u0001\u0002\u0001\u0002" +
    "\u0001\u0002\u0001\u0002\u0001\u0002\u0001\u0002\u0001\u0002\u0001\u0002" +
    "\u0001CPF\u0001\u0001\u0001+\u0016\u0001\u0014\u0001\u0002\u0001Avenida \u0001\u0001Apto " +
    "\u0001\u0011\u0001\u0001\u0001RJ\u0001BR" +
    "\u0001CPF\u0001\u0001.com.br\u0001+\u0016\u0001\u0014\u0001\u0002\u0001Rua \u0001\u0001" +
    '\u0001\u0011\u0001Centro\u0001São Paulo\u0001SP\u0001BR\u0001{"order":""}\u0001\u00011\u00011\u0001\u0002\u0001',
);
/** First byte of what was stored before, each part by itself. */
const IN_PARTS = 0;
const LENGTH_BYTES = 3;

/** The details as few bytes: their fields without names, runs of digits as a number, the rest DEFLATE. */
export function packDetails(details: Details): Uint8Array<ArrayBuffer> {
  let digits = "";
  const text = textOf(details).replaceAll(RUNS, (run) => {
    if (digits.length + run.length > DIGITS_MAX) return run;
    digits += run;
    return String.fromCharCode(MARK_OF_NONE + run.length);
  });
  const number = bytesOfNumber(digits);
  const rest = deflatePrimed(text, ALIKE);
  const packed = new Uint8Array(1 + number.length + rest.length);
  packed[0] = number.length + 1;
  packed.set(number, 1);
  packed.set(rest, 1 + number.length);
  return packed;
}

/** The details that were packed, or stored in parts before they were. Throws where it is neither. */
export function unpackDetails(packed: Uint8Array): Details {
  const begin = packed[0]!;
  if (begin === IN_PARTS) return detailsOfParts(packed.subarray(1));
  const marked = inflatePrimed(packed.subarray(begin), ALIKE);
  const marks = marksIn(marked);
  const total = marks.reduce((sum, { length }) => sum + length, 0);
  const digits = digitsOfNumber(packed.subarray(1, begin)).padStart(total, "0");
  let text = "";
  let from = 0;
  let digit = 0;
  for (const { at, length } of marks) {
    text += marked.slice(from, at) + digits.slice(digit, digit + length);
    from = at + 1;
    digit += length;
  }
  return detailsOf(text + marked.slice(from));
}

/** Fields in a row; as JSON, which has no control characters, where one has what is ours. */
function textOf(details: Details): string {
  const { payer, items, metadata } = details;
  const fields = [
    ...PAYER_FIELDS.map((name) => payer[name]),
    payer.externalId,
    ...ADDRESS_FIELDS.map((name) => payer.address[name]),
    metadata,
    ...items.flatMap(({ title, quantity, tangible, externalRef, unitPrice }) => [
      title,
      quantity,
      tangible === undefined ? undefined : Number(tangible),
      externalRef,
      unitPrice,
    ]),
  ].map((field) => field ?? null);
  const plain = fields.join("");
  if (plain.search(OURS) >= 0 || !plain.isWellFormed()) return JSON.stringify(details);
  return fields.map((field) => FIELD + (field ?? ABSENT)).join("");
}

function detailsOf(text: string): Details {
  if (!text.startsWith(FIELD)) return JSON.parse(text) as Details;
  const fields = text
    .slice(1)
    .split(FIELD)
    .map((field) => (field === ABSENT ? undefined : field));
  const [documentType = "", name = "", email = "", phone = "", documentNumber = "", externalId] =
    fields;
  const lines = fields.slice(PAYER_FIELDS.length + 1, FIXED_FIELDS - 1);
  const address = ADDRESS_FIELDS.flatMap((line, index) => {
    const value = lines[index];
    return value === undefined ? [] : [[line, value] as const];
  });
  return {
    payer: {
      externalId: externalId ?? null,
      name,
      email,
      phone,
      documentNumber,
      documentType,
      address: Object.fromEntries(address),
    },
    items: itemsOf(fields.slice(FIXED_FIELDS)),
    metadata: fields[FIXED_FIELDS - 1] ?? null,
  };
}

function itemsOf(fields: (string | undefined)[]): Item[] {
  return Array.from({ length: fields.length / ITEM_FIELDS }, (_, index) => {
    const [title, quantity, tangible, externalRef, unitPrice] = fields.slice(index * ITEM_FIELDS);
    return {
      ...(title === undefined ? {} : { title }),
      ...(unitPrice === undefined ? {} : { unitPrice: Number(unitPrice) }),
      ...(quantity === undefined ? {} : { quantity: Number(quantity) }),
      ...(tangible === undefined ? {} : { tangible: tangible === "1" }),
      ...(externalRef === undefined ? {} : { externalRef }),
    };
  });
}

/** As migration 0014 put them together: each part with its length before it, then metadata behind a 1. */
function detailsOfParts(parts: Uint8Array): Details {
  const [payer, afterPayer] = partOf(parts);
  const [items, metadata] = partOf(afterPayer);
  return {
    payer: JSON.parse(unpack(payer)) as Payer,
    items: JSON.parse(unpack(items)) as Item[],
    metadata: metadata.length === 0 ? null : unpack(metadata.subarray(1)),
  };
}

function partOf(bytes: Uint8Array): [part: Uint8Array, rest: Uint8Array] {
  const end = LENGTH_BYTES + Number.parseInt(hexOf(bytes.subarray(0, LENGTH_BYTES)), 16);
  return [bytes.subarray(LENGTH_BYTES, end), bytes.subarray(end)];
}

/** Where digits were left out, and how many. */
function marksIn(text: string): { at: number; length: number }[] {
  const marks = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= FIRST_MARK && code <= LAST_MARK) marks.push({ at, length: code - MARK_OF_NONE });
  }
  return marks;
}

function bytesOfNumber(digits: string): Uint8Array {
  if (digits === "") return new Uint8Array();
  const hex = BigInt(digits).toString(16);
  return bytesOfHex(hex.padStart(hex.length + (hex.length % 2), "0"));
}

function digitsOfNumber(bytes: Uint8Array): string {
  return bytes.length === 0 ? "" : BigInt(`0x${hexOf(bytes)}`).toString();
}
