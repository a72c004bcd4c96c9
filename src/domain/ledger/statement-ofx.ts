import { type Cents, decimalReais, typedReais } from "../shared/money.ts";
import type { StatementEntry } from "./entries/entry.ts";
import type { StatementLine } from "./statement.ts";

/** The account of an OFX statement: money that can be withdrawn, as in a bank account. */
export const OFX_ACCOUNT = "available";

/** Brazil has had no summer time since 2019; OFX names the offset with each time. */
const OFFSET_MS = 3 * 3_600_000;
/** Characters of OFX's types A-32 and A-255. */
const NAME_MAX = 32;
const MEMO_MAX = 255;
const ZONE = "[-3:BRT]";
const STATUS_OK = "<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>";

/** The file up to its first transaction: OFX 2.1.1, one bank account. Times in epoch milliseconds. */
export function ofxHeader(statement: {
  companyId: number;
  currency: string;
  from: number;
  to: number;
  createdAt: number;
}): string {
  const { companyId, currency, from, to, createdAt } = statement;
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    '<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>',
    "<OFX>",
    `<SIGNONMSGSRSV1><SONRS>${STATUS_OK}<DTSERVER>${ofxTime(createdAt)}</DTSERVER>` +
      "<LANGUAGE>POR</LANGUAGE><FI><ORG>Centavo</ORG></FI></SONRS></SIGNONMSGSRSV1>",
    `<BANKMSGSRSV1><STMTTRNRS><TRNUID>0</TRNUID>${STATUS_OK}<STMTRS><CURDEF>${currency}</CURDEF>`,
    `<BANKACCTFROM><BANKID>CENTAVO</BANKID><ACCTID>${companyId}</ACCTID>` +
      "<ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>",
    `<BANKTRANLIST><DTSTART>${ofxTime(from)}</DTSTART><DTEND>${ofxTime(to)}</DTEND>`,
    "",
  ].join("\n");
}

/** One posting, whose number in the statement never changes. */
export function ofxTransaction(line: StatementLine): string {
  const { type, amount, sequence, createdAt, transactionId, withdrawId } = line;
  const about =
    transactionId === null ? `withdraw ${withdrawId ?? ""}` : `transaction ${transactionId}`;
  const memo = transactionId === null && withdrawId === null ? "" : about;
  return ofxLine({ sequence, createdAt, amount, name: type.replaceAll("_", " "), memo });
}

/** One thing that happened to the company's own money: payer or payee as its name, what and order as its memo. */
export function ofxEntry(
  entry: Pick<StatementEntry, "sequence" | "createdAt" | "gross" | "fee" | "net">,
  words: { title: string; counterpart: string | null; externalRef: string | null },
): string {
  const { sequence, createdAt, gross, fee, net } = entry;
  const { title, counterpart, externalRef } = words;
  const order = externalRef === null ? null : `pedido ${externalRef}`;
  const parts =
    fee === 0 ? null : `bruto ${typedReais(gross, "pt-BR")}, taxa ${typedReais(fee, "pt-BR")}`;
  const memo = [title, counterpart, order, parts].filter((each) => each !== null).join(" - ");
  return ofxLine({ sequence, createdAt, amount: net, name: counterpart ?? title, memo });
}

/** `FITID` is a number that never changes, so that an import finds the lines it has already. */
function ofxLine(line: {
  sequence: number;
  createdAt: number;
  amount: Cents;
  name: string;
  memo: string;
}): string {
  const { sequence, createdAt, amount, name, memo } = line;
  return (
    `<STMTTRN><TRNTYPE>${amount < 0 ? "DEBIT" : "CREDIT"}</TRNTYPE>` +
    `<DTPOSTED>${ofxTime(createdAt)}</DTPOSTED><TRNAMT>${decimalReais(amount)}</TRNAMT>` +
    `<FITID>${sequence}</FITID><NAME>${ofxText(name, NAME_MAX)}</NAME>` +
    `${memo === "" ? "" : `<MEMO>${ofxText(memo, MEMO_MAX)}</MEMO>`}</STMTTRN>\n`
  );
}

/** A text within the length of its field, as XML. */
function ofxText(text: string, length: number): string {
  return Array.from(text.replaceAll(/\p{Cc}/gu, " "))
    .slice(0, length)
    .join("")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/**
 * The end of the file, with the balance after its last transaction, and what of it can be withdrawn where that is less.
 * Centavos, epoch milliseconds.
 */
export function ofxFooter(balance: { amount: Cents; available?: Cents; asOf: number }): string {
  const { amount, available, asOf } = balance;
  const of = (name: string, cents: Cents) =>
    `<${name}><BALAMT>${decimalReais(cents)}</BALAMT><DTASOF>${ofxTime(asOf)}</DTASOF></${name}>\n`;
  return (
    `</BANKTRANLIST>\n${of("LEDGERBAL", amount)}` +
    (available === undefined ? "" : of("AVAILBAL", available)) +
    "</STMTRS></STMTTRNRS></BANKMSGSRSV1>\n</OFX>\n"
  );
}

/** `20261121090005.000[-3:BRT]`: the local time, because some programs read only the day. */
function ofxTime(epochMs: number): string {
  const local = new Date(epochMs - OFFSET_MS).toISOString();
  return `${local.replaceAll(/[-:TZ]/g, "")}${ZONE}`;
}
