import type { Inspection, RowsByTable, TableRow } from "../shared/inspection.ts";
import { maskDocument, maskEmail, maskName, maskPhone, maskText } from "./masks.ts";

/** How a field of a payer or of who is paid is masked, by its name in lower case without underscores. */
const MASKS: Record<string, (text: string) => string> = {
  email: maskEmail,
  payeremail: maskEmail,
  phone: maskPhone,
  payerphone: maskPhone,
  document: maskDocument,
  documentnumber: maskDocument,
  payerdocument: maskDocument,
  payerdocumentnumber: maskDocument,
  creditordocument: maskDocument,
  bankdocument: maskDocument,
  cpf: maskDocument,
  cnpj: maskDocument,
  payername: maskName,
  nome: maskName,
  pixkey: maskText,
  mainpixkey: maskText,
  chave: maskText,
  ip: maskText,
  // A record that cannot be read may name anybody.
  body: maskText,
};

/** Objects in which every `name` is a person's. */
const PEOPLE = new Set(["payer", "customer", "paidby", "devedor", "pagador"]);
/** Objects of which only `state` and `country` stay. */
const ADDRESSES = new Set(["address", "payeraddress", "shipping", "enderecos"]);
const WHERE = new Set(["state", "country"]);

/** Rows without the data of payers and of who is paid: names, documents, contacts, PIX keys and addresses masked. */
export function maskedInspection(found: Inspection): Inspection {
  return {
    ...found,
    database: maskedRows(found.database),
    object: maskedRows(found.object),
    differences: found.differences.map(({ field, here, there }) => ({
      field,
      here: masked(field, here),
      there: masked(field, there),
    })),
  };
}

/** A value with the data of payers in it masked, by the names of its fields. */
export function maskedFields(value: Record<string, unknown>): Record<string, unknown> {
  return maskedObject(value, "");
}

function maskedRows(rows: RowsByTable): RowsByTable {
  return Object.fromEntries(
    Object.entries(rows).map(([table, each]) => [table, each.map((row) => maskedRow(row))]),
  );
}

function maskedRow(row: TableRow): TableRow {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === "string" ? maskedText(column, value) : value,
    ]),
  );
}

/** Of a text of JSON the fields inside are masked; an event's `body` is such a text. */
function maskedText(column: string, value: string): string {
  const parsed = /^[[{]/.test(value) ? parsedOrNull(value) : null;
  return parsed === null
    ? (masked(column, value) as string)
    : JSON.stringify(masked(column, parsed));
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function masked(field: string, value: unknown, parent = ""): unknown {
  const name = normalized(field);
  if (typeof value === "string") {
    if (ADDRESSES.has(parent)) return WHERE.has(name) ? value : maskText(value);
    const mask = name === "name" && PEOPLE.has(parent) ? maskName : MASKS[name];
    return mask === undefined ? value : mask(value);
  }
  if (Array.isArray(value)) return value.map((each) => masked(field, each, parent));
  if (!isRecord(value)) return value;
  return maskedObject(value, ADDRESSES.has(parent) ? parent : name);
}

function maskedObject(value: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([field, each]) => [field, masked(field, each, name)]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function normalized(field: string): string {
  return field.toLowerCase().replaceAll(/[^a-z]/g, "");
}
