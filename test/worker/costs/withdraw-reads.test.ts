import { expect, it } from "vitest";
import { givenCompany, inAccount } from "../../support/builders/companies/company.ts";
import { requestWithdraw } from "../../support/builders/withdraws/withdraw.ts";

/** Statements of one withdraw in the object: two of them insert. */
const STATEMENTS = 15;
/** The freeze decides, and again which alarm is next; the newest withdraw is another one once it is inserted. */
const READ_TWICE = [/^SELECT frozen /, /^SELECT id, .* FROM withdraws ORDER BY id DESC LIMIT 1$/];

it("a withdraw asks the object's tables each question once", async () => {
  const company = await givenCompany({ balance: 10_000 });
  expect((await requestWithdraw(company, { amount: 1_000 })).status).toBe(201);
  const texts: string[] = [];
  const stop = await inAccount(company.id, (_account, { storage: { sql } }) => {
    const exec = sql.exec.bind(sql);
    sql.exec = ((text: string, ...values: unknown[]) => {
      texts.push(text.replaceAll(/\s+/g, " "));
      return exec(text, ...values);
    }) as typeof sql.exec;
    return () => void (sql.exec = exec);
  });
  expect((await requestWithdraw(company, { amount: 1_001 })).status).toBe(201);
  stop();

  const repeated = texts.filter((text, index) => texts.indexOf(text) !== index);
  expect(repeated).toEqual(READ_TWICE.map((text) => expect.stringMatching(text)).toReversed());
  expect(texts).toHaveLength(STATEMENTS);
});
