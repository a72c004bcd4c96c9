import { type Cents, decimalReais } from "../shared/money.ts";
import type { StatementLine } from "./statement.ts";

/** The account of an OFX statement: money that can be withdrawn, as in a bank account. */
export const OFX_ACCOUNT = "available";

/** Brazil has had no summer time since 2019; OFX names the offset with each time. */
const OFFSET_MS = 3 * 3_600_000;
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

/**
 * One posting. `FITID` is its number in the statement, which never changes, so that an import finds the lines
 * it has already.
 */
export function ofxTransaction(line: StatementLine): string {
  const { type, amount, sequence, createdAt, transactionId, withdrawId } = line;
  const about =
    transactionId === null ? `withdraw ${withdrawId ?? ""}` : `transaction ${transactionId}`;
  const memo = transactionId === null && withdrawId === null ? "" : `<MEMO>${about}</MEMO>`;
  return (
    `<STMTTRN><TRNTYPE>${amount < 0 ? "DEBIT" : "CREDIT"}</TRNTYPE>` +
    `<DTPOSTED>${ofxTime(createdAt)}</DTPOSTED><TRNAMT>${decimalReais(amount)}</TRNAMT>` +
    `<FITID>${sequence}</FITID><NAME>${type.replaceAll("_", " ")}</NAME>${memo}</STMTTRN>\n`
  );
}

/** The end of the file, with the balance after its last transaction. Centavos, epoch milliseconds. */
export function ofxFooter(balance: { amount: Cents; asOf: number }): string {
  return (
    `</BANKTRANLIST>\n<LEDGERBAL><BALAMT>${decimalReais(balance.amount)}</BALAMT>` +
    `<DTASOF>${ofxTime(balance.asOf)}</DTASOF></LEDGERBAL>\n` +
    "</STMTRS></STMTTRNRS></BANKMSGSRSV1>\n</OFX>\n"
  );
}

/** `20261121090005.000[-3:BRT]`: the local time, because some programs read only the day. */
function ofxTime(epochMs: number): string {
  const local = new Date(epochMs - OFFSET_MS).toISOString();
  return `${local.replaceAll(/[-:TZ]/g, "")}${ZONE}`;
}
