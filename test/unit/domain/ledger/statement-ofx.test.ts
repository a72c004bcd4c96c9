import { expect, it } from "vitest";
import {
  ofxFooter,
  ofxHeader,
  ofxTransaction,
} from "../../../../src/domain/ledger/statement-ofx.ts";
import type { StatementLine } from "../../../../src/domain/ledger/statement.ts";

const AT = Date.UTC(2026, 10, 22, 2, 30, 5, 7);
const LINE: StatementLine = {
  sequence: 33,
  createdAt: AT,
  type: "charge_paid",
  account: "available",
  amount: 2_475,
  balance: 2_475,
  transactionId: "01a1fda4-5e00-8d2c-9f31-6b1f0c000001",
  withdrawId: null,
  hash: "",
  detailsHash: null,
};

it("is the OFX 2 of one account, in the order that its DTD asks for", () => {
  const head = { companyId: 7, currency: "BRL", from: AT - 86_400_000, to: AT, createdAt: AT };
  const lines = [
    LINE,
    {
      ...LINE,
      sequence: 48,
      type: "withdraw_requested" as const,
      amount: -5,
      transactionId: null,
      withdrawId: 3,
    },
    { ...LINE, sequence: 64, type: "correction" as const, amount: 100_000, transactionId: null },
  ];
  expect(
    ofxHeader(head) +
      lines.map(ofxTransaction).join("") +
      ofxFooter({ amount: -102_470, asOf: AT }),
  ).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8" standalone="no"?>
    <?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
    <OFX>
    <SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><DTSERVER>20261121233005.007[-3:BRT]</DTSERVER><LANGUAGE>POR</LANGUAGE><FI><ORG>Centavo</ORG></FI></SONRS></SIGNONMSGSRSV1>
    <BANKMSGSRSV1><STMTTRNRS><TRNUID>0</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><STMTRS><CURDEF>BRL</CURDEF>
    <BANKACCTFROM><BANKID>CENTAVO</BANKID><ACCTID>7</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>
    <BANKTRANLIST><DTSTART>20261120233005.007[-3:BRT]</DTSTART><DTEND>20261121233005.007[-3:BRT]</DTEND>
    <STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20261121233005.007[-3:BRT]</DTPOSTED><TRNAMT>24.75</TRNAMT><FITID>33</FITID><NAME>charge paid</NAME><MEMO>transaction 01a1fda4-5e00-8d2c-9f31-6b1f0c000001</MEMO></STMTTRN>
    <STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20261121233005.007[-3:BRT]</DTPOSTED><TRNAMT>-0.05</TRNAMT><FITID>48</FITID><NAME>withdraw requested</NAME><MEMO>withdraw 3</MEMO></STMTTRN>
    <STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20261121233005.007[-3:BRT]</DTPOSTED><TRNAMT>1000.00</TRNAMT><FITID>64</FITID><NAME>correction</NAME></STMTTRN>
    </BANKTRANLIST>
    <LEDGERBAL><BALAMT>-1024.70</BALAMT><DTASOF>20261121233005.007[-3:BRT]</DTASOF></LEDGERBAL>
    </STMTRS></STMTTRNRS></BANKMSGSRSV1>
    </OFX>
    "
  `);
});
