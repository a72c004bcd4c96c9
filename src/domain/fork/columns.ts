import type { Address } from "../charges/transaction.ts";
import type { Disguise } from "./disguise.ts";
import { SANDBOX_ACCOUNT } from "../withdraws/withdraw.ts";

/** How each kind of column is copied. `left` and `made` are not: the column's default stands, or the fork sets it. */
const COPIES = {
  /** Amounts, times, days, statuses, counts, codes: as they are. */
  keep: (value: unknown) => value,
  /** An id of any shape, or a subject that names one. */
  id: texts((text, disguise) => disguise.id(text)),
  /** A merchant's or a provider's own number. */
  token: texts((text, disguise) => disguise.token(text)),
  /** 128 random bits. */
  secret: texts((text, disguise) => disguise.secret(text)),
  /** The address of a payment link. */
  slug: texts((text, disguise) => disguise.slug(text)),
  /** A digest, or a key that must be unique. */
  hash: texts((text, disguise) => disguise.hash(text)),
  document: texts((text, disguise) => disguise.document(text)),
  pixKey: texts((text, disguise) => disguise.pixKey(text)),
  /** A client id or a PIX key, whose sums a day has. */
  subject: texts((text, disguise) =>
    /^(app|person|op)_/.test(text) || text === "" ? disguise.id(text) : disguise.pixKey(text),
  ),
  /** Free text of whomever. */
  text: texts((text, disguise) => disguise.text(text)),
  /** A structure, member by member. */
  json: structure(copyMember),
  /** A structure of free texts. */
  texts: structure(copyTexts),
  /** Who asked: a structure, or a client id of before. */
  requester: texts((text, disguise) =>
    text.startsWith("{") ? copyJson(text, disguise) : disguise.id(text),
  ),
  /** Events stay behind, so their numbers begin anew. */
  zero: () => 0,
  account: () => SANDBOX_ACCOUNT,
  /** For nothing. */
  empty: () => "",
} satisfies Record<string, (value: unknown, disguise: Disguise) => unknown>;

export type Copying = keyof typeof COPIES | "left" | "made";

/** How each column of a table is copied. */
export type ColumnCopies = Record<string, Copying>;

/** A row of the copy, without the columns that are left behind or that the fork makes. */
export function copyRow(
  columns: ColumnCopies,
  row: Record<string, unknown>,
  disguise: Disguise,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, copying]) =>
      copying === "left" || copying === "made"
        ? []
        : [[name, COPIES[copying](row[name] ?? null, disguise)]],
    ),
  );
}

/** Members of structures, by name. Any other string is copied as an id, so that nothing leaks by a new member. */
const MEMBERS: Record<string, Copying> = {
  ...same("keep", [
    "action",
    "approval",
    "brand",
    "code",
    "currency",
    "day",
    "dispute",
    "documentType",
    "expected",
    "field",
    "firstDigits",
    "from",
    "ispb",
    "kind",
    "method",
    "origin",
    "paymentMethod",
    "paymentMethods",
    "pixKeyType",
    "rule",
    "status",
    "to",
    "type",
  ]),
  ...same("text", [
    "agreedBy",
    "by",
    "instructions",
    "message",
    "name",
    "payerMessage",
    "proposedBy",
    "reason",
    "title",
    "value",
  ]),
  ...same("left", ["event", "qrcode", "registered", "returnUrl", "url"]),
  account: "account",
  creditorDocument: "document",
  pixKey: "pixKey",
};

/** Structures of words only: what a link asks of its payer. */
const WORDS = new Set(["fields"]);

const MADE_UP_ADDRESS: Address = {
  street: "Rua dos Testes",
  streetNumber: "100",
  complement: "Sala 1",
  zipCode: "01001000",
  neighborhood: "Centro",
  city: "São Paulo",
  state: "SP",
  country: "BR",
};
const DAY = /^\d{4}-\d{2}-\d{2}$/;

function same(copying: Copying, names: string[]): Record<string, Copying> {
  return Object.fromEntries(names.map((name) => [name, copying]));
}

function texts(copy: (text: string, disguise: Disguise) => string) {
  return (value: unknown, disguise: Disguise): unknown =>
    typeof value === "string" ? copy(value, disguise) : value;
}

/** A structure of D1, which drizzle has parsed, or the JSON text of the object. */
function structure(copy: (name: string, value: unknown, disguise: Disguise) => unknown) {
  return (value: unknown, disguise: Disguise): unknown =>
    typeof value === "string"
      ? JSON.stringify(copy("", JSON.parse(value), disguise))
      : copy("", value, disguise);
}

function copyJson(text: string, disguise: Disguise): string {
  return JSON.stringify(copyMember("", JSON.parse(text), disguise));
}

function copyMember(name: string, value: unknown, disguise: Disguise): unknown {
  const copying = MEMBERS[name] ?? "id";
  if (WORDS.has(name)) return value;
  if (copying === "left") return null;
  if (Array.isArray(value)) return value.map((each) => copyMember(name, each, disguise));
  if (typeof value === "object" && value !== null) return copyObject(value, disguise);
  if (typeof value !== "string" || DAY.test(value) || copying === "made") return value;
  return COPIES[copying](value, disguise);
}

function copyObject(value: object, disguise: Disguise): Record<string, unknown> {
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    copyMember(name, member, disguise),
  ]);
  return { ...Object.fromEntries(entries), ...personOf(value, disguise) };
}

function textOf(member: unknown): string {
  return typeof member === "string" ? member : "";
}

/** What names a person in a structure: a charge's customer, who paid, a card's holder. */
function personOf(value: object, disguise: Disguise): Record<string, unknown> {
  if ("documentMasked" in value) {
    const document = textOf(value.documentMasked);
    const name = "name" in value ? value.name : null;
    return {
      name: name === null ? null : disguise.name(textOf(name), document),
      documentMasked: value.documentMasked === null ? null : disguise.maskedDocument(document),
    };
  }
  if ("documentNumber" in value && "email" in value) {
    const { documentNumber, email } = value;
    return {
      name: disguise.name("name" in value ? textOf(value.name) : "", textOf(documentNumber)),
      email: disguise.email(textOf(email)),
      phone: disguise.phone("phone" in value ? textOf(value.phone) : ""),
      documentNumber: disguise.document(textOf(documentNumber)),
      ...("address" in value ? { address: madeUpAddress(value.address) } : {}),
    };
  }
  if ("holderName" in value) {
    return { holderName: disguise.name(textOf(value.holderName), "").toUpperCase() };
  }
  return {};
}

/** An address of nobody, with the lines that the original has. */
function madeUpAddress(address: unknown): unknown {
  const lines = Object.entries(address as Partial<Address>).map(([line, text]) => [
    line,
    text === "" ? "" : MADE_UP_ADDRESS[line as keyof Address],
  ]);
  return Object.fromEntries(lines);
}

function copyTexts(_name: string, value: unknown, disguise: Disguise): unknown {
  if (typeof value === "string") return disguise.text(value);
  if (Array.isArray(value)) return [];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, copyTexts(name, member, disguise)]),
  );
}
