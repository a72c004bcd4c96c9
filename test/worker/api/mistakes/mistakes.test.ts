import { beforeAll, describe, expect, it } from "vitest";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { givenAuthorized } from "../../../support/builders/charges/card.ts";
import {
  createTransaction,
  givenPaid,
  givenTransaction,
} from "../../../support/builders/charges/transaction.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { footprintOf } from "../../../support/probes/ledger/footprint.ts";
import {
  AMOUNT_MISTAKES,
  FIELD_MISTAKES,
  FOREIGN_NAME_MISTAKES,
  METHOD_MISTAKES,
} from "./create.ts";
import { BODY_MISTAKES, CREDENTIAL_MISTAKES, KEY_MISTAKES } from "./headers-and-json.ts";
import type { Beginner, Mistake } from "./mistake.ts";
import { BALANCE_MISTAKES, OPERATION_MISTAKES, WITHDRAW_MISTAKES } from "./money.ts";
import {
  ENDPOINT_MISTAKES,
  ID_MISTAKES,
  PATH_MISTAKES,
  PEER_QUERY_MISTAKES,
  QUERY_MISTAKES,
} from "./paths.ts";

const TABLE: [string, Mistake[]][] = [
  ["credentials", CREDENTIAL_MISTAKES],
  ["the body", BODY_MISTAKES],
  ["the idempotency key", KEY_MISTAKES],
  ["an amount", AMOUNT_MISTAKES],
  ["a field of a create", FIELD_MISTAKES],
  ["a name of a peer", FOREIGN_NAME_MISTAKES],
  ["a boleto or a card", METHOD_MISTAKES],
  ["a withdraw", WITHDRAW_MISTAKES],
  ["a balance", BALANCE_MISTAKES],
  ["a refund, cancel, capture or the sandbox", OPERATION_MISTAKES],
  ["an id", ID_MISTAKES],
  ["a query", [...QUERY_MISTAKES, ...PEER_QUERY_MISTAKES]],
  ["a webhook endpoint", ENDPOINT_MISTAKES],
  ["a path or method", PATH_MISTAKES],
];

let beginner: Beginner;
let before: unknown;

beforeAll(async () => {
  const company = await givenCompany({ balance: 10_000 });
  const other = await givenCompany();
  const { id: open } = await givenTransaction(company);
  const { id: paid } = await givenPaid(company, 2_500);
  const { id: authorized } = await givenAuthorized(company);
  await createTransaction(company, {}, { key: "tx_used" });
  const { id: othersTransaction } = await givenTransaction(other);
  beginner = { company, other, open, paid, authorized, listId: 1, othersTransaction };
  before = [await footprintOf(company), await footprintOf(other)];
});

describe.each(TABLE)("a beginner's mistake with %s", (_what, mistakes) => {
  it.each(mistakes.map((each): [string, Mistake] => [each.title, each]))(
    "%s",
    async (_title, mistake) => {
      const answer = await send(mistake);
      const { status, code, says, more } = mistake;
      const messages = typeof says === "string" ? undefined : Object.entries(says);
      const fields = messages?.map(([field]) => field);
      await expectProblem(answer, {
        status,
        code,
        ...(fields === undefined ? {} : { fields }),
        ...(more.extensions === undefined ? {} : { extensions: more.extensions }),
      });
      if (messages === undefined) expect(answer.body.detail).toBe(says);
      for (const [field, message] of messages ?? []) {
        expect(answer.body.errors[field]).toEqual([message]);
      }
      for (const [name, value] of Object.entries(more.headers ?? {})) {
        expect(answer.headers.get(name)).toBe(value);
      }
    },
  );
});

it("at least 125 mistakes are in the table", () => {
  expect(TABLE.flatMap(([, mistakes]) => mistakes).length).toBeGreaterThanOrEqual(125);
});

it("no mistake has made, moved or changed anything", async () => {
  expect([await footprintOf(beginner.company), await footprintOf(beginner.other)]).toEqual(before);
});

function send(mistake: Mistake): Promise<Answer> {
  const { path, anonymous, ...request } = mistake.send(beginner);
  return call(path, { ...(anonymous === true ? {} : { company: beginner.company }), ...request });
}
