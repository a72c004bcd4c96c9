import { describe, expect, it } from "vitest";
import { Journal, type Kind } from "../lib/journal.ts";
import type { Line, Movement, Observed } from "../lib/observe.ts";
import { bankAgreementProblems, lostProblems, type Dispute } from "../psp/check-bank-agreement.ts";
import { PSP_KEY } from "../../support/fakes/fake-psp/book.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";

const CHARGE = "01a1fda4-5e00-8d2c-9f31-6b1f0c000001";
const PAYOUT = "01a1fda4-5e00-8d2c-9f31-6b1f0c000002";
const TXID = CHARGE.replaceAll("-", "");
const ID_ENVIO = PAYOUT.replaceAll("-", "");
const REFUND = { id: "ours", valor: "10.00", status: "DEVOLVIDO" };

interface World {
  psp: FakePsp;
  endToEndId: string;
  journal: Journal;
  movements: Movement[];
  disputes: Dispute[];
  withdrawStatus: string;
}

/** A correct state: 25.00 paid, 10.00 of it refunded, 5.00 withdrawn, and 3.00 paid to the key. */
function given(): World {
  const psp = new FakePsp();
  psp.book.putCob("cob", TXID, { chave: PSP_KEY, valor: { original: "25.00" } });
  const endToEndId = psp.pay(TXID);
  psp.book.addDevolucao(psp.book.pix(endToEndId)!, REFUND);
  psp.book.putEnvio(ID_ENVIO, { valor: "5.00", favorecido: { chave: "alguem" } });
  psp.settlePayout(ID_ENVIO, "REALIZADO");
  psp.payKey("3.00");
  const journal = new Journal();
  acknowledge(journal, "create", null, { data: { id: CHARGE, amount: 2_500 } });
  acknowledge(journal, "refund", CHARGE, { data: { id: CHARGE, amount: 2_500 } });
  acknowledge(journal, "withdraw", null, { id: 1 });
  const movements = [
    movement("charge_paid", { fees: 10, available: 2_490 }),
    movement("refund_requested", { available: -1_000, blocked: 1_000 }),
    movement("refund_done", { blocked: -1_000 }),
    movement("withdraw_requested", { available: -500, payout: 500 }, null, 1),
    movement("withdraw_paid", { payout: -500 }, null, 1),
    movement("payment_suspended", { suspense: 300 }, null),
  ];
  return { psp, endToEndId, journal, movements, disputes: [], withdrawStatus: "Paid" };
}

function acknowledge(journal: Journal, kind: Kind, subject: string | null, body: object): void {
  const about = { kind, companyId: 1, method: "POST" as const, path: "/", key: kind, subject };
  const intent = journal.addIntent({ ...about, body: { amount: 500 } });
  journal.acknowledge(intent, { status: 200, headers: new Headers(), body });
}

function movement(
  type: string,
  postings: Movement["postings"],
  transactionId: string | null = CHARGE,
  withdrawId: number | null = null,
): Movement {
  return { type, transactionId, withdrawId, postings };
}

function problemsIn({ psp, journal, movements, disputes, withdrawStatus }: World) {
  const observed: Observed = {
    companyId: 1,
    transactions: [{ seq: 1, id: CHARGE, amount: 2_500, status: "PAID", key: "create" }],
    withdraws: [
      { id: 1, key: "withdraw", amount: 500, fee: 0, status: withdrawStatus, approval: "none" },
    ],
    payments: [],
    waiting: [],
    proposals: [],
    balance: { available: 990, held: 0, awaiting: 0, credit: 990, debt: 0 },
    lines: movements.flatMap(linesOf),
    movements,
  };
  const kept = {
    payoutIds: new Map([[1, PAYOUT]]),
    refundIds: new Map([["ours", CHARGE]]),
    openRefunds: new Map(),
    disputes,
  };
  const { problems, disputed } = bankAgreementProblems({ psp }, observed, kept);
  return { text: [...lostProblems(journal, observed), ...problems].join("\n"), disputed };
}

/** The fields of a line that the checks read. */
function linesOf({ postings, type, transactionId, withdrawId }: Movement): Line[] {
  return Object.entries(postings).map(([account, amount]) => ({
    sequence: 1,
    type,
    account,
    amount,
    balance: 0,
    transactionId,
    withdrawId,
    hash: "",
    detailsHash: null,
  }));
}

function removeMovement(type: string) {
  return (world: World) => {
    world.movements = world.movements.filter((one) => one.type !== type);
  };
}

function duplicate(type: string) {
  return (world: World) => {
    world.movements = world.movements.flatMap((one) => (one.type === type ? [one, one] : [one]));
  };
}

it("the kill test with PSPs reports nothing when bank and ledger agree", () => {
  expect(problemsIn(given())).toEqual({ text: "", disputed: 0 });
});

describe("the kill test with PSPs reports", () => {
  it.each<[string, RegExp, (world: World) => void]>([
    [
      "a payment that is not booked",
      /^lost: \S+001: the bank has 1500/m,
      removeMovement("charge_paid"),
    ],
    [
      "a payment that is booked twice",
      /^lost: \S+001: the bank has 1500/m,
      duplicate("charge_paid"),
    ],
    [
      "an external refund that is not booked",
      /^lost: \S+001: the bank has 1400 of it, we have 1500$/m,
      ({ psp, endToEndId }) => psp.refundExternally(endToEndId, "1.00"),
    ],
    [
      "a returned payout that is not booked",
      /^lost: \S+002: the bank has -300 of it, we have -500$/m,
      ({ psp }) => psp.returnPayout(ID_ENVIO, "2.00"),
    ],
    [
      "a payment to the key that is not booked",
      /^lost: payments to the key: the bank has 300/m,
      removeMovement("payment_suspended"),
    ],
    [
      "a payout without a withdraw",
      /^lost: E\d+: the bank has -700 of it, we have 0$/m,
      ({ psp }) => psp.payOutExternally("7.00"),
    ],
    [
      "a payout that was sent twice",
      /^doubled: payout/m,
      ({ psp }) => psp.book.payoutCounts.set(ID_ENVIO, 2),
    ],
    [
      "a refund that was accepted and is missing",
      /^lost: refund of/m,
      removeMovement("refund_requested"),
    ],
    ["a refund that was booked twice", /^doubled: refund of/m, duplicate("refund_requested")],
    [
      "a refund that ended twice",
      /^doubled: 1 refunds of \S+001 ended 2/m,
      duplicate("refund_done"),
    ],
    [
      "a return that was accepted and is missing",
      /^lost: payment a payment was returned and is undefined/m,
      ({ journal }) => acknowledge(journal, "return", "a payment", { data: {} }),
    ],
    [
      "an approval that was accepted and is missing",
      /^lost: proposal p1/m,
      ({ journal }) => acknowledge(journal, "proposal", "withdraw:1", { data: { id: "p1" } }),
    ],
    [
      "money that stays blocked",
      /^wrong: blocked of company 1 is 1000/m,
      removeMovement("refund_done"),
    ],
    [
      "a withdraw that never ends",
      /^lost: withdraw 1 is still/m,
      (world) => (world.withdrawStatus = "Processing"),
    ],
  ])("%s", (_what, expected, spoil) => {
    const world = given();
    spoil(world);
    expect(problemsIn(world).text).toMatch(expected);
  });
});

describe("a contradiction explains", () => {
  it.each(["withdraw:1", `payout:${PAYOUT}`])(
    "a difference of the object %s up to its amount",
    (object) => {
      const world = given();
      world.psp.returnPayout(ID_ENVIO, "2.00");
      world.disputes.push({ object, text: "", amount: 200 });
      expect(problemsIn(world)).toEqual({ text: "", disputed: 1 });
      world.psp.returnPayout(ID_ENVIO, "0.01");
      expect(problemsIn(world).text).toMatch(/^lost: .* we have -500, 200 disputed$/);
    },
  );

  it("a difference of its payment", () => {
    const world = given();
    world.psp.refundExternally(world.endToEndId, "1.00");
    world.disputes.push({ object: `payment:${world.endToEndId}`, text: "", amount: 100 });
    expect(problemsIn(world)).toEqual({ text: "", disputed: 1 });
  });

  it("a difference of the transaction of its refund", () => {
    const world = given();
    world.psp.refundExternally(world.endToEndId, "1.00");
    world.disputes.push({ object: "operation:ours", text: "", amount: 100 });
    expect(problemsIn(world)).toEqual({ text: "", disputed: 1 });
  });

  it("no difference of another object", () => {
    const world = given();
    world.psp.returnPayout(ID_ENVIO, "2.00");
    world.disputes.push({ object: "withdraw:11", text: "{}", amount: 200 });
    expect(problemsIn(world).text).toMatch(/^lost: \S+002/);
  });
});
