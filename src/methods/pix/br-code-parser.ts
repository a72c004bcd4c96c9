import { CITY_MAX, crc16, PIX_GUI, NAME_MAX } from "./br-code.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { parsePixKey, type PixKeyType } from "../../domain/shared/pix-key.ts";

/** Why a text is no BR Code of Pix: a word for programs and a sentence for people. */
export const BR_CODE_ERRORS = {
  bad_character: "The code contains a control character or an invisible character.",
  not_tlv:
    "The code must be a sequence of fields: a two-digit id, a two-digit length (01 to 99) and a value.",
  duplicate_field: "A field occurs twice, so two readers could read different codes.",
  bad_format_indicator: "The first field must be the payload format indicator (00) 01.",
  no_crc: "The CRC (63) is missing.",
  crc_not_last: "The CRC (63) must be the last field.",
  bad_crc: "The CRC does not match: the code was changed, or its + was not sent as %2B.",
  bad_point_of_initiation: "The point of initiation (01) must be 11 (reusable) or 12 (used once).",
  not_pix: "No account field (26 to 51) belongs to br.gov.bcb.pix.",
  several_pix_accounts: "The code contains more than one account or recurrence of br.gov.bcb.pix.",
  key_and_location: "The Pix account has both a key (01) and a location (25).",
  no_key_or_location:
    "The code has neither a key (26-01), a location (26-25) nor a recurrence (80-25).",
  bad_location: "A location must be a host and a path, without a scheme.",
  bad_fss: "The withdrawal facilitator (26-03) must be an 8-digit ISPB and needs a key (26-01).",
  bad_mcc: "The merchant category (52) must be 4 digits.",
  wrong_currency: "The currency (53) must be 986, the Brazilian real.",
  bad_amount:
    "The amount (54) must be a number of reais above zero, with a decimal point and at most two decimals.",
  wrong_country: "The country (58) must be BR.",
  no_name: "The merchant's name (59) is missing.",
  name_too_long: `The merchant's name (59) may have at most ${NAME_MAX} characters.`,
  no_city: "The merchant's city (60) is missing.",
  city_too_long: `The merchant's city (60) may have at most ${CITY_MAX} characters.`,
  bad_postal_code: "The postal code (61) must be 8 digits.",
  bad_txid: "The txid (62-05) must be 1 to 25 letters and digits or ***; in a dynamic code, ***.",
} as const;
export type BrCodeErrorCode = keyof typeof BR_CODE_ERRORS;

export const BR_CODE_KINDS = ["static", "dynamic", "recurring"] as const;

/** The content of a BR Code; null where it gives none. */
export interface BrCodeContent {
  /** A key, a charge behind a location, or nothing but a recurrence to consent to (Pix Automático). */
  kind: (typeof BR_CODE_KINDS)[number];
  /** As it is written. */
  key: string | null;
  /** Null also where the key could be of two types, or of one that is not known. */
  keyType: PixKeyType | null;
  location: string | null;
  recurrenceLocation: string | null;
  /** Centavos. Of a static code only: payers of the others ignore the field. */
  amount: Cents | null;
  merchantName: string;
  merchantCity: string;
  postalCode: string | null;
  txid: string | null;
  description: string | null;
  /** The ISPB of who hands out cash (Pix Saque). */
  withdrawalFacilitator: string | null;
  reusable: boolean;
}

export type BrCodeParseResult =
  | { valid: true; content: BrCodeContent }
  | { valid: false; reason: BrCodeErrorCode };

/** By id; an empty value cannot be written, so a field that is there says something. */
type Fields = ReadonlyMap<string, string>;

interface ParsedFields {
  kind: BrCodeContent["kind"];
  fields: Fields;
  account: Fields;
  recurrence: Fields | undefined;
  additional: Fields;
}

const ID_END = 2;
const VALUE_OFFSET = 4;
const FIELD_HEADER = /^\d{4}$/;
const CRC_DIGITS = 4;
const CRC_VALUE = /^[0-9A-F]{4}$/;
const ID = { accounts: [26, 51], additional: [62, 62], unreserved: [80, 99] } as const;

/** Characters that a person cannot see: controls, direction marks, unpaired surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
const LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const PATH_CHARACTER = "(?:%[0-9a-f]{2}|[\\w.~!$&'()*+,;=:@-])";
const LOCATION = new RegExp(`^${LABEL}(?:\\.${LABEL})+(?:/${PATH_CHARACTER}*)+$`, "i");
const ISPB = /^\d{8}$/;
const MCC = /^\d{4}$/;
const REAIS = /^(\d+)(?:\.(\d{1,2}))?$/;
const AMOUNT_MAX_LENGTH = 13;
const POSTAL_CODE = /^\d{8}$/;
const NO_TXID = "***";
/** The hyphen is in the example of BACEN's Manual do BR Code (`RP12345678-2019`). */
const TXID = /^[a-zA-Z0-9-]{1,25}$/;

/**
 * Reads a BR Code strictly (EMV QRCPS-MPM as profiled by BACEN) and says what it pays, or the first
 * rule it breaks. Lengths count characters. That a key or location has at most 77 of them, and what
 * a description may have beside a key, follows from a template's 99.
 */
export function parseBrCode(code: string): BrCodeParseResult {
  if (INVISIBLE.test(code)) return invalid("bad_character");
  const fields = parseFields(code);
  if (typeof fields === "string") return invalid(fields);
  const parts = envelopeError(code, fields) ?? parseStructure(fields);
  if (typeof parts === "string") return invalid(parts);
  const broken = RULES.find(([, holds]) => !holds(parts));
  return broken === undefined ? { valid: true, content: toContent(parts) } : invalid(broken[0]);
}

function invalid(reason: BrCodeErrorCode): BrCodeParseResult {
  return { valid: false, reason };
}

/** The fields of a code or a template by their ids, each once; else the rule that it breaks. */
export function parseFields(text: string): Fields | "not_tlv" | "duplicate_field" {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length;) {
    const header = text.slice(at, at + VALUE_OFFSET);
    const length = Number(header.slice(ID_END));
    const end = at + VALUE_OFFSET + length;
    if (!FIELD_HEADER.test(header) || length === 0 || end > text.length) return "not_tlv";
    const id = header.slice(0, ID_END);
    if (fields.has(id)) return "duplicate_field";
    fields.set(id, text.slice(at + VALUE_OFFSET, end));
    at = end;
  }
  return fields;
}

function envelopeError(code: string, fields: Fields): BrCodeErrorCode | undefined {
  const ids = [...fields.keys()];
  if (ids[0] !== "00" || fields.get("00") !== "01") return "bad_format_indicator";
  const crc = fields.get("63");
  if (crc === undefined) return "no_crc";
  if (ids.at(-1) !== "63") return "crc_not_last";
  // Written in upper case; lower-case digits are the same number.
  const digits = crc.toUpperCase();
  const isRight = CRC_VALUE.test(digits) && crc16(code.slice(0, -CRC_DIGITS)) === digits;
  return isRight ? undefined : "bad_crc";
}

function parseStructure(fields: Fields): ParsedFields | BrCodeErrorCode {
  const accounts = parseTemplates(fields, ID.accounts);
  if (typeof accounts === "string") return accounts;
  const additional = parseTemplates(fields, ID.additional);
  if (typeof additional === "string") return additional;
  const unreserved = parseTemplates(fields, ID.unreserved);
  if (typeof unreserved === "string") return unreserved;
  const [account, ...otherAccounts] = accounts.filter(isOfPix);
  const [recurrence, ...otherRecurrences] = unreserved.filter(isOfPix);
  if (account === undefined) return "not_pix";
  if (otherAccounts.length + otherRecurrences.length > 0) return "several_pix_accounts";
  return {
    kind: account.has("25") ? "dynamic" : account.has("01") ? "static" : "recurring",
    fields,
    account,
    recurrence,
    additional: additional[0] ?? new Map(),
  };
}

function parseTemplates(
  fields: Fields,
  [first, last]: readonly [number, number],
): Fields[] | BrCodeErrorCode {
  const templates: Fields[] = [];
  for (const [id, value] of fields) {
    if (Number(id) < first || Number(id) > last) continue;
    const template = parseFields(value);
    if (typeof template === "string") return template;
    templates.push(template);
  }
  return templates;
}

function isOfPix(template: Fields): boolean {
  return template.get("00")?.toLowerCase() === PIX_GUI;
}

/** The rules in the order of reading. */
const RULES: [BrCodeErrorCode, (parts: ParsedFields) => boolean][] = [
  ["bad_point_of_initiation", ({ fields }) => isAbsentOrMatches(/^1[12]$/, fields.get("01"))],
  ["key_and_location", ({ account }) => !(account.has("01") && account.has("25"))],
  [
    "no_key_or_location",
    ({ kind, recurrence }) => kind !== "recurring" || recurrence?.has("25") === true,
  ],
  [
    "bad_location",
    ({ account, recurrence }) =>
      isAbsentOrMatches(LOCATION, account.get("25")) &&
      isAbsentOrMatches(LOCATION, recurrence?.get("25")),
  ],
  [
    "bad_fss",
    ({ kind, account }) =>
      isAbsentOrMatches(ISPB, account.get("03")) && (kind === "static" || !account.has("03")),
  ],
  ["bad_mcc", ({ fields }) => MCC.test(fields.get("52") ?? "")],
  ["wrong_currency", ({ fields }) => fields.get("53") === "986"],
  ["bad_amount", hasValidAmount],
  ["wrong_country", ({ fields }) => fields.get("58") === "BR"],
  ["no_name", ({ fields }) => (fields.get("59") ?? "").trim() !== ""],
  ["name_too_long", ({ fields }) => (fields.get("59") ?? "").length <= NAME_MAX],
  ["no_city", ({ fields }) => (fields.get("60") ?? "").trim() !== ""],
  ["city_too_long", ({ fields }) => (fields.get("60") ?? "").length <= CITY_MAX],
  ["bad_postal_code", ({ fields }) => isAbsentOrMatches(POSTAL_CODE, fields.get("61"))],
  ["bad_txid", hasValidTxid],
];

function isAbsentOrMatches(pattern: RegExp, value: string | undefined): boolean {
  return value === undefined || pattern.test(value);
}

/** Only cash handed out (Pix Saque) may be worth zero, and what a payer ignores. */
function hasValidAmount({ kind, fields, account }: ParsedFields): boolean {
  const written = fields.get("54");
  if (written === undefined) return true;
  if (written.length > AMOUNT_MAX_LENGTH || !REAIS.test(written)) return false;
  return kind !== "static" || account.has("03") || parseCents(written) > 0;
}

function hasValidTxid({ kind, additional }: ParsedFields): boolean {
  const txid = additional.get("05");
  if (txid === undefined || txid === NO_TXID) return true;
  return kind === "static" && TXID.test(txid);
}

/** At most 15 digits, which a number holds exactly. */
function parseCents(reais: string): Cents {
  const [, whole = "", decimals = ""] = REAIS.exec(reais) ?? [];
  return Number(whole + decimals.padEnd(2, "0"));
}

function toContent({ kind, fields, account, recurrence, additional }: ParsedFields): BrCodeContent {
  const key = account.get("01");
  const verdict = key === undefined ? undefined : parsePixKey(key);
  const amount = fields.get("54");
  const txid = additional.get("05");
  return {
    kind,
    key: key ?? null,
    keyType: verdict?.kind === "valid" ? verdict.key.type : null,
    location: account.get("25") ?? null,
    recurrenceLocation: recurrence?.get("25") ?? null,
    amount: kind !== "static" || amount === undefined ? null : parseCents(amount),
    merchantName: fields.get("59") ?? "",
    merchantCity: fields.get("60") ?? "",
    postalCode: fields.get("61") ?? null,
    txid: txid === undefined || txid === NO_TXID ? null : txid,
    description: account.get("02") ?? null,
    withdrawalFacilitator: account.get("03") ?? null,
    reusable: fields.get("01") !== "12",
  };
}
