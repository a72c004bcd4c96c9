import { beforeEach, describe, expect, it } from "vitest";
import { claimPayment } from "../../src/db/reconciliation/payment-owners.ts";
import { createTransaction, givenTransaction } from "../support/builders/charges/transaction.ts";
import { env } from "../support/builders/companies/company.ts";
import { decide } from "../support/builders/reconciliation/decisions.ts";
import {
  connectBeside,
  givenLonePsp,
  givenSharedPsp,
  type SharedPsp,
} from "../support/builders/providers/shared-psp.ts";
import {
  deliverCallbacks,
  postCallback,
  reconcile,
  reconcileDue,
  type PspSetup,
} from "../support/builders/providers/psp.ts";
import { findingsOf } from "../support/probes/contradictions/findings.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What the ledger says that the bank holds for a company, in centavos. */
const atBank = async ({ company }: PspSetup) => 0 - ((await accountsOf(company)).provider ?? 0);
const identityFindings = async ({ company }: PspSetup) =>
  (await findingsOf(company)).filter(({ kind }) => kind === "payment_identity");
const claimsOf = async ({ company }: PspSetup) => {
  const { results } = await env.DB.prepare(
    "SELECT payment_id AS paymentId FROM payment_owners WHERE company_id = ? AND is_undecided = 0",
  )
    .bind(company.id)
    .all();
  return results;
};

/** Both companies read the lists, in turn, several times. */
async function bothRead({ first, second }: SharedPsp): Promise<void> {
  for (let pass = 0; pass < 3; pass++) {
    first.clock.advance(5 * MINUTE_MS);
    await reconcile(first);
    await reconcile(second);
  }
}

describe("two companies behind one client of a PSP", () => {
  let shared: SharedPsp;
  beforeEach(async () => {
    shared = await givenSharedPsp();
  });

  it("a listed PIX without a key is nobody's: neither gets it, and operators see it once", async () => {
    const { psp, first, second } = shared;
    const id = psp.payKey("500.00");
    psp.callbacks.length = 0;
    await bothRead(shared);
    expect([await atBank(first), await atBank(second)]).toEqual([0, 0]);
    const found = [await identityFindings(first), await identityFindings(second)].flat();
    expect(found).toMatchObject([
      { object: `payment:${id}`, amount: 50_000, held: 0, status: "open" },
    ]);
  });

  it("operators say whose it is: the one that dismisses it passes it on, and one correction credits it", async () => {
    const { psp, first, second } = shared;
    psp.payKey("500.00");
    psp.callbacks.length = 0;
    await bothRead(shared);
    const answer = await decide(`${first.company.id}-1`, {
      action: "dismiss",
      reason: "It is of the other company",
    });
    expect(answer.status, answer.text).toBe(200);
    first.clock.advance(DAY_MS);
    await reconcileDue(first);
    await reconcileDue(second);
    expect(await identityFindings(second)).toMatchObject([{ status: "open", amount: 50_000 }]);
    const credited = await decide(`${second.company.id}-1`, {
      action: "correct",
      amount: 50_000,
      reason: "It is of this company",
    });
    expect(credited.status, credited.text).toBe(200);
    first.clock.advance(DAY_MS);
    await reconcileDue(first);
    await reconcileDue(second);
    expect([await atBank(first), await atBank(second)]).toEqual([0, 50_000]);
  });

  it("a PIX with the other company's key is the other's, whatever txid it names", async () => {
    const { psp, first, second } = shared;
    const key = second.configured.pixKey;
    psp.payKey("1.00", key);
    const pix = psp.book.received[0]!;
    pix.txid = "0123456789abcdef0123456789abcdef";
    psp.callbacks.length = 0;
    await bothRead(shared);
    expect([await atBank(first), await atBank(second)]).toEqual([0, 100]);
  });

  it("each gets the payments of its own charges, by callbacks and lists of both", async () => {
    const { psp, first, second } = shared;
    const one = await givenTransaction(first.company, { amount: 1_000 }, first.options);
    const other = await givenTransaction(second.company, { amount: 2_000 }, second.options);
    const paid = [one, other].map(({ id }) => psp.pay(id.replaceAll("-", "")));
    await deliverCallbacks(first);
    await bothRead(shared);
    expect([await atBank(first), await atBank(second)]).toEqual([1_000, 2_000]);
    expect([await claimsOf(first), await claimsOf(second)]).toEqual(
      paid.map((paymentId) => [{ paymentId }]),
    );
  });

  it("a payment that another company has claimed is credited by nobody, and its operators are told", async () => {
    const { psp, first, second } = shared;
    const { id } = await givenTransaction(first.company, { amount: 1_000 }, first.options);
    const paymentId = psp.pay(id.replaceAll("-", ""));
    const host = new URL(first.configured.tokenUrl).host;
    const { clientId } = first.configured;
    const claim = { paymentId, companyId: second.company.id, isUndecided: false };
    await claimPayment(env, { host, clientId }, claim);
    await deliverCallbacks(first);
    await bothRead(shared);
    expect([await atBank(first), await atBank(second)]).toEqual([0, 0]);
    expect(await identityFindings(first)).toMatchObject([{ amount: 1_000 }]);
    expect(await identityFindings(second)).toEqual([]);
  });

  it("a payment whose id differs in case only from one of the same company is credited by nobody", async () => {
    const { psp, first } = shared;
    const { id } = await givenTransaction(first.company, { amount: 1_000 }, first.options);
    const paymentId = psp.pay(id.replaceAll("-", ""));
    const host = new URL(first.configured.tokenUrl).host;
    const { clientId } = first.configured;
    const twin = paymentId.toLowerCase();
    expect(twin).not.toBe(paymentId);
    // The first of them is claimed, and its Worker died before it was booked.
    const claim = { paymentId: twin, companyId: first.company.id, isUndecided: false };
    await claimPayment(env, { host, clientId }, claim);
    await deliverCallbacks(first);
    await bothRead(shared);
    expect(await atBank(first)).toBe(0);
    expect(await identityFindings(first)).toMatchObject([
      { object: `payment:${paymentId}`, amount: 1_000, status: "open" },
    ]);
  });

  it("a callback that names a payment without a key credits nobody either", async () => {
    const { psp, first, second } = shared;
    psp.payKey("3.00");
    const [body] = psp.callbacks.splice(0);
    for (const { configured } of [first, second])
      await postCallback(first, `${configured.callbackUrl}/pix`, JSON.stringify(body));
    expect([await atBank(first), await atBank(second)]).toEqual([0, 0]);
    expect([await identityFindings(first), await identityFindings(second)].flat()).toHaveLength(1);
  });

  it("a payout in the bank's app without a key is shown to operators of one company", async () => {
    const { psp, first, second } = shared;
    psp.payOutExternally("7.00", "");
    await bothRead(shared);
    const found = [await findingsOf(first.company), await findingsOf(second.company)].flat();
    expect(found).toMatchObject([{ kind: "payout_unknown", amount: 700 }]);
  });
});

describe("a company that is alone behind its client", () => {
  it("gets a PIX without a key, which the second one's lists do not credit again", async () => {
    const first = await givenLonePsp();
    first.psp.payKey("500.00");
    first.psp.callbacks.length = 0;
    first.clock.advance(2 * MINUTE_MS);
    await reconcile(first);
    const second = await connectBeside(first);
    // As if it had been connected all along: its lists show the payment too.
    await env.DB.prepare(
      "UPDATE psp_accounts SET created_at = 0, listed_until = ? WHERE company_id = ?",
    )
      .bind(first.clock.now() - DAY_MS, second.company.id)
      .run();
    await bothRead({ psp: first.psp, first, second });
    expect([await atBank(first), await atBank(second)]).toEqual([50_000, 0]);
    expect(await identityFindings(second)).toEqual([]);
  });

  it("writes one row of D1 more for each payment, and none again for a payment that is known", async () => {
    const first = await givenLonePsp();
    const { body } = await createTransaction(first.company, { amount: 1_000 }, first.options);
    const paymentId = first.psp.pay(body.data.id.replaceAll("-", ""));
    await deliverCallbacks(first);
    expect(await claimsOf(first)).toEqual([{ paymentId }]);
    await bothRead({ psp: first.psp, first, second: first });
    expect(await claimsOf(first)).toEqual([{ paymentId }]);
    expect(await atBank(first)).toBe(1_000);
  });
});

it("however many companies claim a payment at once, in whatever case, one has it", async () => {
  const client = { host: "auth.example.com", clientId: "one" };
  const claims = [1, 2, 3, 4].map((companyId) =>
    claimPayment(env, client, {
      paymentId: companyId % 2 === 0 ? "E1a" : "E1A",
      companyId,
      isUndecided: false,
    }),
  );
  const owners = await Promise.all(claims);
  expect(new Set(owners.map(({ companyId, paymentId }) => `${companyId} ${paymentId}`)).size).toBe(
    1,
  );
});

it("a client of the same name at another PSP is another one, with payments of its own", async () => {
  const claims = [
    { host: "auth.example.com", companyId: 1 },
    { host: "auth.example.org", companyId: 2 },
  ].map(({ host, companyId }) =>
    claimPayment(
      env,
      { host, clientId: "two" },
      { paymentId: "E2", companyId, isUndecided: false },
    ),
  );
  const owners = await Promise.all(claims);
  expect(owners.map(({ companyId }) => companyId)).toEqual([1, 2]);
});
