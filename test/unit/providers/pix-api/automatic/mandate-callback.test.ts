import { expect, test } from "vitest";
import {
  parseDebitCallback,
  parseMandateCallback,
} from "../../../../../src/providers/pix-api/automatic/callback.ts";

const ID = "RR1026652320240821lab77511abf";
const idOf = (index: number) => `RN0908935620261130Rec${String(index).padStart(8, "0")}`;
const TXID = "3136957d93134f2184b369e8f1c0729d";

test("a notice of mandates names each once, in the letters of its PSP", () => {
  const other = ID.toUpperCase();
  const body = {
    recs: [{ idRec: ID, status: "APROVADA" }, { idRec: ID, status: "CANCELADA" }, { idRec: other }],
  };
  expect(parseMandateCallback(body)).toEqual([
    { kind: "mandate", mandateId: ID },
    { kind: "mandate", mandateId: other },
  ]);
});

test.each(["cobsr", "cobrs"])("a notice of debits may call them %s", (member) => {
  const body = { [member]: [{ txid: TXID.toUpperCase(), status: "CONCLUIDA" }, { txid: TXID }] };
  expect(parseDebitCallback(body)).toEqual([{ kind: "debit", chargeId: TXID }]);
});

test("a debit that others ordered is no debit of ours", () => {
  expect(parseDebitCallback({ cobsr: [{ txid: "abcdefghijklmnopqrstuvwxyz123456" }] })).toEqual([]);
});

test("an entry without a readable id hides no other", () => {
  const unreadable = { kind: "unreadable", report: { kind: "unreadable" } };
  const recs = [{ idRec: "../../cob" }, { idRec: 7 }, null, { idRec: ID }];
  expect(parseMandateCallback({ recs })).toEqual([unreadable, { kind: "mandate", mandateId: ID }]);
  const cobsr = [{ txid: "a/b" }, "text", { txid: TXID }];
  expect(parseDebitCallback({ cobsr })).toEqual([unreadable, { kind: "debit", chargeId: TXID }]);
});

test.each([null, 7, "text", [], {}, { recs: {} }, { pix: [] }, { cobsr: "none" }])(
  "a body without a list of them names nothing: %j",
  (body) => {
    expect(parseMandateCallback(body)).toEqual([]);
    expect(parseDebitCallback(body)).toEqual([]);
  },
);

test("at most a hundred are read of one body", () => {
  const recs = Array.from({ length: 150 }, (_, index) => ({ idRec: idOf(index) }));
  expect(parseMandateCallback({ recs })).toHaveLength(100);
});
