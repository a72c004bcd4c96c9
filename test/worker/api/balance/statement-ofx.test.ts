import { isoTime } from "../../../../src/domain/shared/clock.ts";
import { Ofx } from "ofx-data-extractor";
import { describe, expect, it } from "vitest";
import { call, type Answer, type Call } from "../../../support/builders/requests/api.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { settleCommand, endToEndId } from "../../../support/builders/charges/charge-commands.ts";
import { refund, updateSettings } from "../../../support/builders/operations/refund.ts";
import { givenPaid } from "../../../support/builders/charges/transaction.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";

const OFX = "application/x-ofx";
/** More lines than one internal read returns. */
const MANY = 1_007;

const path = (company: TestCompany, query = "") =>
  `/api/Balance/statement/${company.id}?currency=BRL${query}`;

const ofx = (company: TestCompany, query = "", options: Call = {}): Promise<Answer> =>
  call(path(company, query), { ...options, company, headers: { Accept: OFX } });

/** The statement of a file, as a program that imports it reads it. */
function parsed({ text }: Answer): any {
  const file = new Ofx(text);
  expect(file.validate()).toMatchObject({ isValid: true });
  const { OFX: content } = file.toJson() as any;
  const statement = content.BANKMSGSRSV1.STMTTRNRS.STMTRS;
  // The parser's own spelling of STMTTRN.
  const { STRTTRN: lines = [] } = statement.BANKTRANLIST;
  return { ...statement, lines: [lines].flat() };
}

describe("the statement as OFX", () => {
  it("has the lines of the available account, and its balance", async () => {
    const company = await givenCompany();
    await updateSettings(company, { fees: { PIX: { fixed: 10 } }, releaseDays: { BOLETO: 1 } });
    const { id } = await givenPaid(company, 5_000);
    await refund(company, id, 1_000);
    const { body: withdraw } = await requestWithdraw(company, {});
    await runPayout(company, withdraw.id);

    const answer = await ofx(company);

    await expectDocumented("GET /api/Balance/statement/{companyId}", answer);
    expect(answer.headers.get("Content-Disposition")).toBe(
      `attachment; filename="statement-${company.id}.ofx"`,
    );
    const statement = parsed(answer);
    const { body: json } = await call(path(company), { company });
    const own = json.items.filter(({ account }: any) => account === "available");
    expect(own.length).toBeGreaterThanOrEqual(3);
    expect(
      statement.lines.map(({ FITID, TRNAMT }: any) => [Number(FITID), Number(TRNAMT)]),
    ).toEqual(own.map(({ sequence, amount }: any) => [sequence, amount / 100]));
    expect(Number(statement.LEDGERBAL.BALAMT)).toBe(own.at(-1).balance / 100);
    expect(statement.BANKACCTFROM.ACCTID).toBe(String(company.id));
  });

  it("is whole where internal reads have no line of the account", async () => {
    const company = await givenCompany();
    const transaction = await givenPaid(company, 2_500);
    const numbers = Array.from({ length: MANY }, (_, index) => index + 2);
    // Called at once, they share their drains. Nobody expected them: they go to suspense.
    await inAccount(company.id, (account) =>
      Promise.all(
        numbers.map((number) =>
          account.settlePayment(
            settleCommand(company, transaction, { paymentId: endToEndId(number), amount: number }),
          ),
        ),
      ),
    );
    await givenPaid(company, 700);

    const statement = parsed(await ofx(company));

    expect(statement.lines.map(({ TRNAMT }: any) => Number(TRNAMT))).toEqual([25, 7]);
    expect(Number(statement.LEDGERBAL.BALAMT)).toBe(32);
  });

  it("of a period has its lines and the balance at its end", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    await givenPaid(company, 1_000);
    clock.advance(86_400_000);
    await givenPaid(company, 500);
    const deps = { platformClock: clock };
    const first = clock.now() - 86_400_000 + 60_000;

    const before = parsed(await ofx(company, `&to=${isoTime(first)}`, { deps }));
    expect(before.lines).toHaveLength(1);
    expect(Number(before.LEDGERBAL.BALAMT)).toBe(10);
    const none = parsed(
      await ofx(company, `&from=${isoTime(first)}&to=${isoTime(first + 1_000)}`, { deps }),
    );
    expect(none.lines).toEqual([]);
    expect(Number(none.LEDGERBAL.BALAMT)).toBe(10);
  });

  it("of a company without movements has a balance of 0", async () => {
    const statement = parsed(await ofx(await givenCompany()));
    expect(statement.lines).toEqual([]);
    expect(Number(statement.LEDGERBAL.BALAMT)).toBe(0);
  });
});
