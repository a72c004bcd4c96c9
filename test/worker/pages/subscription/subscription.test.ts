import { expect, it } from "vitest";
import {
  chargesOf,
  decide,
  givenApproved,
  givenFailing,
  givenSubscription,
  liveUntil,
  openShop,
  play,
  subscriptionOf,
  SUBSCRIPTIONS,
  transactionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import { makeByHand, pay } from "../../../support/builders/charges/by-hand.ts";
import { runInD1 } from "../../../support/builders/companies/archived-rows.ts";
import { inAccount, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import type { Shop } from "../../../support/builders/companies/clocked-shop.ts";
import { env } from "../../../support/builders/companies/env.ts";
import { expectClean } from "../../../support/builders/console/page-checks.ts";
import { call } from "../../../support/builders/requests/api.ts";

/** A payer's browser, which nobody has signed in. */
async function open(shop: Shop, path: string, options: object = {}) {
  const { deps } = shop;
  const answer = await call(path, { deps, ...options });
  if (answer.headers.get("Content-Type")?.startsWith("text/html") === true) {
    expectClean(answer.text);
  }
  return answer;
}

type Made = { secureId: string };
const pathOf = ({ secureId }: Made) => `/a/${secureId}`;
const ownPathOf = ({ secureId }: Made) => `/s/${secureId}`;

const cancel = (shop: Shop, made: Made, origin = "https://localhost") =>
  open(shop, `${ownPathOf(made)}/cancel`, {
    method: "POST",
    headers: { Origin: origin, "Content-Type": "application/x-www-form-urlencoded" },
  });

it("a payer reads what is agreed, approves, and the page notices", async () => {
  const shop = await openShop();
  const made = await givenSubscription(shop, { endDate: "2027-12-10" });
  const path = pathOf(made);

  const page = await open(shop, path);
  expect(page.status).toBe(200);
  expect(page.text).toMatch(/R\$\s49,90, sempre o mesmo/);
  for (const shown of [
    "Loja",
    "Clube do livro",
    made.pix.qrcode,
    "Todo mês, no dia 10",
    "10 de dez. de 2026",
    "10 de dez. de 2027",
    "Tentamos de novo 1 e 3 dias depois do vencimento",
    "Como cancelar",
  ]) {
    expect(page.text).toContain(shown);
  }
  // Whoever has the link is not told who pays.
  expect(page.text).not.toContain("Maria");
  const english = await open(shop, path, { headers: { "Accept-Language": "en" } });
  expect(english.text).toContain("We try again 1 and 3 days after the due date");

  const polled = await open(shop, `${path}/status`);
  expect(polled.body).toEqual({ status: "open", pollAfterMs: 3_000 });
  const headers = { "If-None-Match": polled.headers.get("ETag") ?? "" };
  expect((await open(shop, `${path}/status`, { headers })).status).toBe(304);
  await play(shop, made.id, "approve");
  expect((await open(shop, `${path}/status`, { headers })).body.status).toBe("active");
  const approved = await open(shop, path);
  expect(approved.text).toContain("Assinatura aprovada");
  expect(approved.text).not.toContain(made.pix.qrcode);
});

it("a variable amount, no retries and a payment with the approval are said", async () => {
  const shop = await openShop();
  const made = await givenSubscription(shop, {
    amount: undefined,
    minimumAmount: 1_000,
    retry: "none",
    journey: "QR_AND_PAY",
    firstPayment: { amount: 2_500 },
  });

  const { text } = await open(shop, pathOf(made));

  expect(text).toMatch(/No mínimo R\$\s10,00/);
  expect(text).toContain("você escolhe o limite");
  expect(text).toContain("Não há nova tentativa.");
  expect(text).toMatch(/Pague R\$\s25,00 agora/);
});

it.each([
  ["QR_AND_PAY", { firstPayment: { amount: 2_500 } }],
  ["QR_ON_DUE", {}],
])(
  "a payer of %s who paid and did not approve is not asked to pay again",
  async (journey, body) => {
    const shop = await openShop();
    const made = await givenSubscription(shop, { journey, ...body });
    const path = pathOf(made);
    const [{ transactionId }] = await chargesOf(shop, made.id);
    expect((await open(shop, `${path}/status`)).body.status).toBe("open");
    await shop.send(`/api/v1/sandbox/transactions/${transactionId}/pay`);
    await waitUntilDrained(shop.company);
    await liveUntil(shop, "2026-12-02");

    const polled = await open(shop, `${path}/status`);
    expect(polled.body).toEqual({ status: "paid_unapproved", pollAfterMs: 3_000 });
    const { text } = await open(shop, path);
    expect(text).toContain("Pagamento recebido. Falta autorizar");
    expect(text).toContain((await subscriptionOf(shop, made.id)).pix.qrcode);
    expect(text).toContain("e autorize.");
    expect(text).not.toMatch(/Pague (?:R\$|o primeiro)/);
    const english = await open(shop, path, { headers: { "Accept-Language": "en" } });
    expect(english.text).toContain("Payment received. The approval is missing");

    await liveUntil(shop, "2027-01-15");
    const over = await open(shop, path);
    expect(over.text).toContain("O prazo para aprovar terminou");
    expect(over.text).toContain("o primeiro pagamento foi feito");
    expect(over.text).not.toContain("Nada foi debitado");
  },
);

it("a request goes to the bank's app, and its time ends", async () => {
  const shop = await openShop();
  const payerAccount = { ispb: "00000000", branch: "1", account: "12345" };
  const made = await givenSubscription(shop, { journey: "REQUEST", payerAccount });
  expect((await open(shop, pathOf(made))).text).toContain("Abra o app do seu banco");
  await liveUntil(shop, "2027-01-15");
  expect((await open(shop, pathOf(made))).text).toContain("O prazo para aprovar terminou");
});

it("the payer sees the next debit and why it is on its day, and what became of the last", async () => {
  const shop = await openShop();
  const made = await givenApproved(shop, { firstDueDate: "2026-12-12" });
  const path = ownPathOf(made);
  const before = await open(shop, path);
  // A Saturday.
  expect(before.text).toContain("14 de dez. de 2026");
  expect(before.text).toContain("Nesse dia os bancos não trabalham");

  await liveUntil(shop, "2026-12-10");
  const [{ transactionId }] = await chargesOf(shop, made.id);
  await decide(shop, transactionId, "no_balance");
  await liveUntil(shop, "2026-12-15");
  expect((await open(shop, path)).text).toContain("não havia saldo na conta.");
  await liveUntil(shop, "2026-12-20");
  const { text } = await open(shop, path);
  expect(text).toContain("Pago");
  const receipt = /href="(\/r\/[^"]+)"/.exec(text)?.[1] ?? "";
  expect((await open(shop, receipt)).status).toBe(200);
});

it.each([
  ["over_limit", "passa do limite", "Aumente o limite no app do seu banco"],
  ["closed", "a conta foi encerrada.", "peça um novo link a Loja e aprove por outra conta"],
  ["no_balance", "não havia saldo na conta.", "Fale com Loja sobre o pagamento"],
] as const)("the payer sees what to do about %s, and pays by hand", async (outcome, why, todo) => {
  const shop = await openShop();
  const made = await givenFailing(shop, { dunning: { link: "event" } }, outcome);
  const path = ownPathOf(await subscriptionOf(shop, made.id));
  await liveUntil(shop, "2026-12-11");
  const { text } = await open(shop, path);
  expect(text).toContain(why);
  expect(text).toContain(todo);
  const [{ byHand }] = await chargesOf(shop, made.id);
  const link = /class="button primary" href="(\/checkout\/[^"]+)"/.exec(text)?.[1] ?? "";
  expect(link).toBe(`/checkout/${(await transactionOf(shop, byHand.id)).secureId}`);
  expect((await open(shop, link)).status).toBe(200);
  const english = await open(shop, path, { headers: { "Accept-Language": "en" } });
  expect(english.text).toContain("Pay by Pix now");

  await pay(shop, byHand.id);
  await liveUntil(shop, "2026-12-12");
  const paid = (await open(shop, path)).text;
  expect([paid.includes(link), paid.includes(todo)]).toEqual([false, false]);
});

it("a cycle that is paid by hand before its retry is shown as paid", async () => {
  const shop = await openShop();
  const made = await givenFailing(shop, { retry: [3] });
  const path = ownPathOf(await subscriptionOf(shop, made.id));
  await liveUntil(shop, "2026-12-11");
  expect((await open(shop, path)).text).toContain("Deixe saldo na conta");
  const byHand = await makeByHand(shop, made.id, made.transactionId);
  await pay(shop, byHand.id);
  await waitUntilDrained(shop.company);

  expect((await chargesOf(shop, made.id))[0].status).toBe("open");
  const { text } = await open(shop, path);
  expect(text).toContain("Pago");
  expect(text).not.toContain("Deixe saldo na conta");
  const receipt = /href="(\/r\/[^"]+)"/.exec(text)?.[1] ?? "";
  expect((await open(shop, receipt)).status).toBe(200);
});

it("an early code of a cycle that is debited no more is shown at once", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop, { firstDueDate: "2026-12-18" });
  const body = { dueDate: "2026-12-18" };
  const opened = await shop.send(`${SUBSCRIPTIONS}/${id}/charges`, { body });
  const byHand = await makeByHand(shop, id, opened.body.data.transactionId);
  const path = ownPathOf(await subscriptionOf(shop, id));
  await waitUntilDrained(shop.company);
  const { secureId } = await transactionOf(shop, byHand.id);
  expect((await open(shop, path)).text).not.toContain(secureId);
  const useless =
    "UPDATE subscriptions SET mandate = json_set(mandate, '$.needsApproval', json('true')) WHERE id = ?";
  await runInD1(useless, id);
  await inAccount(shop.company.id, (_account, { storage: { sql } }) => {
    sql.exec(useless, id);
  });

  const { text } = await open(shop, path);
  expect(text).toContain(`/checkout/${secureId}`);
  expect(text).toContain("A autorização não vale mais");
  expect(text).toContain("Nenhum débito à frente");
});

it("a pause says that a debit which could no longer be stopped still happens", async () => {
  const shop = await openShop();
  const made = await givenApproved(shop);
  await shop.live({ set: "2026-12-09T23:00:00-03:00" });
  const paused = await shop.send(`${SUBSCRIPTIONS}/${made.id}/pause`);
  expect(paused.status).toBe(200);
  const { text } = await open(shop, ownPathOf(made));
  expect(text).toContain("um que já não podia ser parado ainda acontece");
  expect(text).toContain("o débito de 10 de dez. de 2026 não pode mais ser parado aqui");
  expect(text).not.toContain("Nada é debitado");
  await liveUntil(shop, "2026-12-11");
  expect((await chargesOf(shop, made.id))[0]).toMatchObject({ status: "paid" });
});

it("the payer cancels once, by a form of this page, and the bank ends the mandate", async () => {
  const shop = await openShop();
  const made = await givenApproved(shop);
  expect((await open(shop, `${ownPathOf(made)}/cancel`)).text).toContain("Cancelar a assinatura?");
  expect((await cancel(shop, made, "https://elsewhere.example")).status).toBe(403);
  expect((await subscriptionOf(shop, made.id)).status).toBe("active");

  const done = await cancel(shop, made);

  expect([done.status, done.headers.get("Location")]).toEqual([303, ownPathOf(made)]);
  expect(await subscriptionOf(shop, made.id)).toMatchObject({
    status: "cancelled",
    mandate: { status: "cancelled" },
  });
  expect((await open(shop, ownPathOf(made))).text).toContain("Assinatura cancelada");
  expect((await cancel(shop, made)).status).toBe(303);
  const late = await open(shop, `${ownPathOf(made)}/cancel`);
  expect([late.status, late.text.includes("ela já terminou")]).toEqual([409, true]);
  const trail = await shop.send("/api/v1/audit?limit=10", { method: "GET" });
  expect(trail.body.items).toContainEqual(
    expect.objectContaining({
      action: "subscription.cancel",
      actor: expect.objectContaining({ id: "payer" }),
    }),
  );
});

it("a debit after 22:00 of its eve stays, and the payer is told so", async () => {
  const shop = await openShop();
  const made = await givenApproved(shop);
  await shop.live({ set: "2026-12-09T23:00:00-03:00" });
  const asked = await open(shop, `${ownPathOf(made)}/cancel`);
  expect(asked.text).toContain("já não pode ser parado aqui e ainda acontece");
});

it("only the whole secret opens the pages", async () => {
  const shop = await openShop();
  const made = await givenSubscription(shop);
  const path = pathOf(made);
  const other = path.endsWith("A") ? `${path.slice(0, -1)}Q` : `${path.slice(0, -1)}A`;
  for (const wrong of [other, `/a/${made.id}`, `${other}/status`, other.replace("/a/", "/s/")]) {
    expect((await open(shop, wrong)).status, wrong).not.toBe(200);
  }
  const { body } = await call(`${SUBSCRIPTIONS}/${made.id}`, {
    company: shop.company,
    env: { ...env, PUBLIC_URL: "https://pay.example.com" },
  });
  expect(body.data.approvalUrl).toBe(`https://pay.example.com${path}`);
});
