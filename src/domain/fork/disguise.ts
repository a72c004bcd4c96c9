import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base64urlnopad } from "@scure/base";
import { maskDocument } from "../access/masks.ts";
import { slugOf } from "../links/slug.ts";
import { hyphenateUuid, parsePayoutId } from "../shared/ids.ts";
import { madeUpCnpj, madeUpCpf, madeUpName } from "./made-up.ts";

/** What a fork copies from and to. */
export interface ForkedCompanies {
  from: number;
  to: number;
  /** The highest number that a withdraw of the original may have. */
  newestWithdraw: number;
}

const HASH_BYTES = 32;
const SECRET_BYTES = 16;
/** A UUID of version 8, with or without hyphens: an id that holds its company's number. */
const COMPANY_ID =
  /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|[0-9a-f]{12}8[0-9a-f]{3}[89ab][0-9a-f]{15}/g;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Where a UUID has its version and its variant. */
const UUID_FIXED = new Set([14, 19]);
const HEX = /^[0-9a-f-]{16,}$/;
/** BACEN: `E` or `D`, the institution, and the minute; what follows tells one payment from another. */
const END_TO_END = /^[ED]\d{20}/;
const END_TO_END_KEPT = 21;
/** The kinds of subjects and findings, which are no ids. */
const WORD = /^[a-z_]+$/;
const NUMBER = /^\d{1,9}$/;
const CLIENT = /^(app|person|op)_/;
const DIGITS = "0123456789";
const HEX_DIGITS = `${DIGITS}abcdef`;
const SMALL = "abcdefghijklmnopqrstuvwxyz";
const CAPITAL = SMALL.toUpperCase();
const ASCII_END = 128;

/**
 * The mapping of a fork: every id becomes another one of the same shape, every payer a made-up one with a valid
 * document. It is a function of a key (32 random bytes) that nobody keeps, so that the same original becomes the same
 * copy throughout, and none leads back.
 */
export class Disguise {
  readonly companies: ForkedCompanies;
  readonly #key: Uint8Array;
  /** Ids that have another copy than their own shape gives. */
  readonly #known = new Map<string, string>();

  constructor(key: Uint8Array, companies: ForkedCompanies) {
    this.#key = key;
    this.companies = companies;
  }

  /** Gives an id its copy, before anything that names it is copied. */
  know(original: string, copy: string): void {
    this.#known.set(original, copy);
  }

  /** An id, or several joined by colons: parts that are words or numbers of a subject stay. */
  id(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (CLIENT.test(text)) return this.client(text);
    const [first = "", ...others] = text.split(":");
    if (others.length === 0) return this.#part(text);
    const isSubject = WORD.test(first);
    const subject = isSubject ? this.#known.get(others.join(":")) : undefined;
    if (subject !== undefined) return `${first}:${subject}`;
    const isNumbered = isSubject || this.#part(first) !== this.token(first);
    return [
      isSubject ? first : this.#part(first),
      ...others.map((part) => (isNumbered && NUMBER.test(part) ? part : this.#part(part))),
    ].join(":");
  }

  /** Letters and digits become others of their kind; an end-to-end id keeps its institution and minute. */
  token(text: string): string {
    const bytes = this.#bytes(`token:${text}`, text.length);
    const kept = END_TO_END.test(text) ? END_TO_END_KEPT : 0;
    const isUuid = UUID.test(text);
    const isHex = HEX.test(text);
    return Array.from({ length: text.length }, (_, index) => {
      const char = text.charAt(index);
      if (index < kept || (isUuid && UUID_FIXED.has(index))) return char;
      return replaced(char, bytes[index] ?? 0, isHex);
    }).join("");
  }

  /** A client id keeps what it is of: an application, a person, an operator. */
  client(text: string): string {
    const [prefix] = CLIENT.exec(text) ?? [""];
    return prefix + this.token(text.slice(prefix.length));
  }

  /** 128 bits, base64url. */
  secret(text: string): string {
    return base64urlnopad.encode(this.#bytes(`secret:${text}`, SECRET_BYTES));
  }

  /** The address of a link, which holds its company's number. */
  slug(text: string): string {
    return slugOf(this.companies.to, this.#bytes(`slug:${text}`, SECRET_BYTES));
  }

  /** 64 hex digits. */
  hash(text: string): string {
    return bytesToHex(this.#bytes(`hash:${text}`, HASH_BYTES));
  }

  /**
   * The document of the made-up payer: what masks show of it follows from what they show of the original. `""` stays.
   */
  document(number: string): string {
    if (number === "") return "";
    const shown = this.#shownDigits(shownOf(maskDocument(number)));
    const hidden = this.#digits(`hidden:${number}`, 3);
    return number.length === 11 ? madeUpCpf(hidden, shown) : madeUpCnpj(hidden.slice(0, 2), shown);
  }

  /** The same of a masked document, as a bank reports it. */
  maskedDocument(masked: string): string {
    const shown = this.#shownDigits(shownOf(masked));
    return maskDocument(masked.includes("/") ? madeUpCnpj("11", shown) : madeUpCpf("111", shown));
  }

  /** The made-up payer's name, by its document (masked or not), else by the name that it stands for. */
  name(name: string, document: string): string {
    if (name === "") return "";
    const masked = document.includes("*") ? document : maskDocument(document);
    return madeUpName(this.#bytes(masked === "" ? `name:${name}` : `payer:${shownOf(masked)}`, 2));
  }

  /** An address that leads nowhere (RFC 2606). */
  email(address: string): string {
    return address === ""
      ? ""
      : `pagador-${this.hash(address.toLowerCase()).slice(0, 10)}@example.com`;
  }

  /** A mobile number of São Paulo, with the country's code where the original has it. */
  phone(number: string): string {
    if (number === "") return "";
    return `${number.startsWith("+") ? "+55" : ""}119${this.#digits(`phone:${number}`, 8)}`;
  }

  /** A PIX key of the same type. */
  pixKey(value: string): string {
    if (value.includes("@")) return this.email(value);
    if (value.startsWith("+")) return this.phone(value);
    if (UUID.test(value)) return this.token(value);
    return this.document(value);
  }

  /** A word for a free text, so that it is still there. */
  text(text: string): string {
    return text === "" ? "" : "Texto da cópia de teste";
  }

  /** One part of an id, with each company's number in it replaced. */
  #part(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    let isOfCompany = false;
    const mapped = text.replaceAll(COMPANY_ID, (id) => {
      const hex = id.replaceAll("-", "");
      if (Number.parseInt(hex.slice(-6), 16) !== this.companies.from) return id;
      isOfCompany = true;
      const copy = this.#companyId(hex);
      return id.includes("-") ? hyphenateUuid(copy) : copy;
    });
    return isOfCompany ? mapped : this.token(text);
  }

  /** An id keeps its time, a payout's the withdraw's number; the other bits are new, the company is the copy. */
  #companyId(hex: string): string {
    const original = hexToBytes(hex);
    const bytes = this.#bytes(`company:${hex}`, original.length);
    const { withdrawId = 0 } = parsePayoutId(hex) ?? {};
    const isPayout = withdrawId >= 1 && withdrawId <= this.companies.newestWithdraw;
    if (isPayout) bytes.set(original.subarray(8, 13), 8);
    else bytes.set(original.subarray(0, 6), 0);
    bytes[6] = 0x80 | (bytes[6]! & 0x0f);
    bytes[8] = isPayout ? original[8]! : 0x80 | (bytes[8]! & 0x3f);
    new DataView(bytes.buffer).setUint8(13, this.companies.to >>> 16);
    new DataView(bytes.buffer).setUint16(14, this.companies.to & 0xff_ff);
    return bytesToHex(bytes);
  }

  #shownDigits(shown: string): string {
    return this.#digits(`shown:${shown}`, 6);
  }

  #digits(text: string, length: number): string {
    return Array.from(this.#bytes(text, length), (byte) => byte % 10).join("");
  }

  #bytes(text: string, length: number): Uint8Array<ArrayBuffer> {
    const blocks = Array.from({ length: Math.ceil(length / HASH_BYTES) }, (_, index) =>
      hmac(sha256, this.#key, utf8ToBytes(`${index}:${text}`)),
    );
    return new Uint8Array(concatBytes(...blocks).subarray(0, length));
  }
}

/** What a masked document shows, without what tells a CPF from a CNPJ. */
function shownOf(masked: string): string {
  return (masked.includes("/") ? "cnpj" : "cpf") + masked.replaceAll(/\D/g, "");
}

function replaced(char: string, byte: number, isHex: boolean): string {
  if (isHex) return HEX_DIGITS.includes(char) ? HEX_DIGITS.charAt(byte % 16) : char;
  if (DIGITS.includes(char)) return DIGITS.charAt(byte % 10);
  if (SMALL.includes(char)) return SMALL.charAt(byte % 26);
  if (CAPITAL.includes(char)) return CAPITAL.charAt(byte % 26);
  return char.charCodeAt(0) < ASCII_END ? char : "x";
}
