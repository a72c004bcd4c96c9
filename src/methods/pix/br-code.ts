import { type Cents, decimalReais } from "../../domain/shared/money.ts";

/** A BR Code's Pix content: a static key, or a dynamic charge behind a PSP's location. */
export interface BrCode {
  target: { key: string } | { location: string };
  merchantName: string;
  merchantCity: string;
  /** Centavos; shown by readers, ignored by payers of a dynamic code. */
  amount?: Cents;
  /** Of a static code: 1 to 25 letters and digits. */
  txid?: string;
  /** Of a static code: what is paid. Cut to what fits beside the key. */
  description?: string;
}

/** EMV QRCPS-MPM field lengths as profiled by BACEN's Manual do BR Code. */
export const NAME_MAX = 25;
export const CITY_MAX = 15;
/** A code must name a city; payers' apps show the one that the key or the location gives. */
export const MERCHANT_CITY = "SAO PAULO";
export const PIX_GUI = "br.gov.bcb.pix";
/** A template's value has at most so many characters. */
const TEMPLATE_MAX = 99;
/** The id and the length before a value. */
const HEADER_LENGTH = 4;
const COMBINING_MARKS = /\p{M}/gu;
const NOT_PRINTABLE_ASCII = /[^\x20-\x7e]/g;

/**
 * Writes a BR Code (EMV TLV, CRC last). Text is folded to printable ASCII, where a
 * length in characters is one in bytes (BACEN pix-api issue 245 leaves open which counts).
 */
export function encodeBrCode(code: BrCode): string {
  const dynamic = "location" in code.target;
  const account = "location" in code.target ? tlv("25", code.target.location) : keyFields(code);
  const body = [
    tlv("00", "01"),
    dynamic ? tlv("01", "12") : "",
    tlv("26", tlv("00", PIX_GUI) + account),
    tlv("52", "0000"),
    tlv("53", "986"),
    code.amount === undefined ? "" : tlv("54", decimalReais(code.amount)),
    tlv("58", "BR"),
    tlv("59", foldToAscii(code.merchantName, NAME_MAX, "N")),
    tlv("60", foldToAscii(code.merchantCity, CITY_MAX, "C")),
    tlv("62", tlv("05", code.txid ?? "***")),
    "6304",
  ].join("");
  return body + crc16(body);
}

/** The key of a static code, and its description as far as the template has room for it. */
function keyFields({ target, description = "" }: BrCode): string {
  const key = "key" in target ? tlv("01", target.key) : "";
  const room = TEMPLATE_MAX - tlv("00", PIX_GUI).length - key.length - HEADER_LENGTH;
  const text = foldToAscii(description, Math.max(0, room), "");
  return text === "" ? key : key + tlv("02", text);
}

/** The remainder of each first byte. */
const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) {
    crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
});

/** CRC-16/CCITT-FALSE over the payload up to and including `6304`: four upper-case hex digits. */
export function crc16(payload: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(payload)) {
    crc = ((crc << 8) & 0xffff) ^ CRC_TABLE[(crc >> 8) ^ byte]!;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}

/** Accents dropped, other non-ASCII dropped, cut to `max`; `whenEmpty` where nothing is left. */
function foldToAscii(text: string, max: number, whenEmpty: string): string {
  const folded = text
    .normalize("NFD")
    .replaceAll(COMBINING_MARKS, "")
    .replaceAll(NOT_PRINTABLE_ASCII, "")
    .trim()
    .slice(0, max)
    .trim();
  return folded === "" ? whenEmpty : folded;
}

function tlv(id: string, value: string): string {
  return id + String(value.length).padStart(2, "0") + value;
}
