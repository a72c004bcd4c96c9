import { beforeEach, expect, it } from "vitest";
import {
  chargesOf,
  givenDebit,
  givenLiveWorld,
  liveUntil,
  mandateOf,
  subscribe,
  subscriptionOf,
  txidOf,
} from "../../../support/builders/charges/live-subscriptions.ts";
import {
  chargesOf as chargesOfShop,
  givenFailing,
  liveUntil as liveUntilNoon,
  openShop,
} from "../../../support/builders/charges/subscriptions.ts";
import { inAccount } from "../../../support/builders/companies/company.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import { deliverCallbacks, type PspSetup } from "../../../support/builders/providers/psp.ts";
import { invalid } from "../../../support/fakes/fake-psp/automatic/mandate-book.ts";
import { postOffice, sendDueEmails } from "../../../support/fakes/post-office.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

beforeEach(restoreLocalOperators);

const EMAIL = "maria.reasons@example.com";
const PAYER = { name: "Maria", document: { number: "12345678909" }, email: EMAIL };

const contradictionsOf = (world: PspSetup) =>
  inAccount(world.company.id, (_account, { storage: { sql } }) =>
    sql
      .exec<{ kind: string; said: string }>("SELECT kind, said FROM contradictions")
      .toArray()
      .map(({ kind, said }) => ({ kind, said: JSON.parse(said) as object })),
  );

it.each([
  ["SLDB", "USUARIO_PAGADOR", { reason: "PAYER_CANCELLED", action: "new_approval" }, "payer"],
  ["CPCL", "PSP_RECEBEDOR", { reason: "RECEIVER_CLOSED", action: "a_person" }, "receiver_bank"],
  ["ERSL", "PSP_PAGADOR", { reason: "CONFIRMATION_FAILED", action: "new_approval" }, "payer_bank"],
  ["PCFD", "PSP_PAGADOR", { reason: "APPROVED_OTHERWISE", action: "a_person" }, "payer_bank"],
  ["NV01", "PSP_PAGADOR", { reason: "OTHER", action: "a_person" }, "payer_bank"],
] as const)("a mandate that ends by %s says why, who, and what to do", async (...given) => {
  const [providerCode, asker, meaning, endedBy] = given;
  const world = await givenLiveWorld();
  const { id } = await subscribe(world);
  const idRec = mandateOf(world);
  world.psp.mandates.approve(idRec);
  world.psp.mandates.cancelByPayer(idRec, providerCode, asker);
  await deliverCallbacks(world);

  const { status, mandate } = await subscriptionOf(world, id);
  expect(status).toBe("cancelled");
  expect(mandate).toMatchObject({
    ...meaning,
    message: expect.stringMatching(/^[A-Z].*\.$/),
    endedBy,
    providerCode,
    providerMessage: "Cancelamento solicitado pelo pagador",
  });
  const told = (await eventsOf(world.company)).at(-1)?.body.data.mandate;
  expect(told).toMatchObject({ ...meaning, providerCode });
  // A bank's sentence may name the payer, whom no event names.
  expect(told).not.toHaveProperty("providerMessage");
});

it("a mandate that the PSP refuses to make keeps the PSP's sentence", async () => {
  const world = await givenLiveWorld();
  world.psp.mandates.create = () => invalid("RecOperacaoInvalida", "O convênio não existe.");
  const { id } = await subscribe(world);

  expect(await subscriptionOf(world, id)).toMatchObject({
    status: "rejected",
    mandate: {
      reason: "PROVIDER_REFUSED",
      action: "a_person",
      endedBy: "receiver_bank",
      providerCode: null,
      providerMessage: expect.stringContaining("O convênio não existe."),
    },
  });
});

it("a request that the PSP refuses keeps its sentence, also once the mandate was ended for it", async () => {
  const world = await givenLiveWorld();
  world.psp.mandates.createRequest = () =>
    invalid("SolicRecOperacaoInvalida", "A conta do pagador não existe.");
  const payerAccount = { ispb: "60701190", branch: "1", account: "12345" };
  const { id } = await subscribe(world, { journey: "REQUEST", payerAccount });
  await liveUntil(world, "2026-12-01T13:00:00");
  await deliverCallbacks(world);

  expect(world.psp.mandates.mandates.get(mandateOf(world))?.status).toBe("CANCELADA");
  expect(await subscriptionOf(world, id)).toMatchObject({
    status: "rejected",
    mandate: {
      reason: "PROVIDER_REFUSED",
      providerMessage: expect.stringContaining("A conta do pagador não existe."),
    },
  });
});

it("nothing that a PSP says in its own words of a payer is in an event", async () => {
  const world = await givenLiveWorld();
  const { id } = await givenDebit(world, { retry: [3] });
  const txid = txidOf((await chargesOf(world, id))[0].transactionId);
  world.psp.debits.decide(txid, "no_balance");
  world.psp.debits.retry = () => invalid("CobROperacaoInvalida", "Maria da Silva mudou de banco.");
  await liveUntil(world, "2026-12-11T09:00:00");
  world.psp.debits.cancelByPayer(txid);
  const words = { solicitante: "PSP_PAGADOR", codigo: "Maria saiu", descricao: "Maria saiu" };
  world.psp.debits.debits.get(txid)!.end = { cancelamento: words };
  world.psp.mandates.cancelByPayer(mandateOf(world), "Maria saiu", "PSP_PAGADOR");
  await deliverCallbacks(world);

  const [charge] = await chargesOf(world, id);
  expect(charge.end).toMatchObject({ code: "CANCELLED_BY_BANK", providerCode: null });
  expect(charge.attempts).toContainEqual(
    expect.objectContaining({
      kind: "retry",
      code: "PROVIDER_REFUSED",
      action: "a_person",
      message: "The provider did not take the order of the debit.",
      providerMessage: expect.stringContaining("Maria da Silva mudou de banco."),
    }),
  );
  expect((await subscriptionOf(world, id)).mandate.providerCode).toBeNull();
  const events = await eventsOf(world.company);
  expect(events.map(({ type }) => type)).toContain("subscription.charge_attempt_failed");
  expect(JSON.stringify(events)).not.toContain("Maria");
});

it.each([
  ["AM09", "AMOUNT_NOT_AGREED", { valor: { valorRec: "1.00" } }],
  ["DTED", "DUE_DATE_NOT_AGREED", { calendario: { dataInicial: "2027-01-01" } }],
] as const)(
  "a charge that is rejected at its order by %s is our fault, and a person is told",
  async (...given) => {
    const [providerCode, code, change] = given;
    const world = await givenLiveWorld();
    const dunning = { link: "event", days: 1, then: "cancel" };
    const { id } = await subscribe(world, { dunning });
    const rec = world.psp.mandates.mandates.get(mandateOf(world));
    world.psp.mandates.approve(mandateOf(world));
    await deliverCallbacks(world);
    Object.assign(rec?.body, change);
    await liveUntil(world, "2026-12-05T12:00:00");
    await deliverCallbacks(world);
    await liveUntil(world, "2026-12-14T12:00:00");

    const reason = { code, action: "our_fault", providerCode };
    const [charge] = await chargesOf(world, id);
    expect(charge).toMatchObject({
      status: "failed",
      attempts: [{ at: "2026-12-10", status: "failed", ...reason }],
      end: { kind: "rejected", by: "payer_bank", ...reason },
      // Nobody asks the payer to mend it.
      byHand: null,
    });
    expect(await contradictionsOf(world)).toEqual([
      { kind: "debit_refused", said: expect.objectContaining(reason) },
    ]);
    expect((await subscriptionOf(world, id)).status).toBe("past_due");
    const types = (await eventsOf(world.company)).map(({ type }) => type);
    expect(types.filter((type) => type === "subscription.charge_attempt_failed")).toHaveLength(1);
  },
);

it("a payer who cancels one debit is told so, and the subscription goes on", async () => {
  const world = await givenLiveWorld();
  const office = postOffice();
  const dunning = { link: "email", days: 7, then: "none" };
  const { id, transactionId } = await givenDebit(world, { dunning, customer: PAYER });
  world.psp.debits.cancelByPayer(txidOf(transactionId));
  await deliverCallbacks(world);
  await liveUntil(world, "2026-12-11T12:00:00");

  const end = {
    kind: "cancelled",
    by: "payer",
    code: "PAYER_CANCELLED",
    action: "offer_link",
    providerCode: "SLBD",
  };
  expect(await chargesOf(world, id)).toMatchObject([{ end, attempts: [{ status: "cancelled" }] }]);
  expect((await subscriptionOf(world, id)).status).toBe("past_due");
  const failed = (await eventsOf(world.company)).find(
    ({ type }) => type === "subscription.charge_failed",
  );
  expect(failed?.body.data.charge.end).toMatchObject(end);
  const { EMAIL: mail, EMAIL_FROM, PUBLIC_URL } = office.env;
  await sendDueEmails({ ...world.env, EMAIL: mail, EMAIL_FROM, PUBLIC_URL }, world.clock);
  const sent = office.sent.find(({ to }) => to === EMAIL);
  expect(sent?.subject).toContain("o débito de R$ 49,90 foi cancelado · the debit was cancelled");
  expect(sent?.text).toContain("Você cancelou este débito no app do banco.");
  expect(sent?.text).toContain("You cancelled this debit in your bank's app.");
  expect(sent?.text).not.toContain("não foi pago");
  // It may be paused or over by then.
  expect(sent?.text).not.toContain("assinatura continua");
});

it.each([
  ["ACCT", { code: "PAYER_ACCOUNT_CLOSED", action: "a_person" }, 1],
  ["BLCK", { code: "PAYER_ACCOUNT_BLOCKED", action: "offer_link" }, 0],
  ["FAIL", { code: "DEBIT_FAILED", action: "offer_link" }, 0],
  ["ZZ99", { code: "UNKNOWN", action: "offer_link" }, 0],
  ["LIMITE_DO_PSP-7", { code: "UNKNOWN", action: "offer_link" }, 0],
] as const)("a bank that cancels a debit by %s ends no further debit", async (...given) => {
  const [codigo, meaning, people] = given;
  const world = await givenLiveWorld();
  const { id, transactionId } = await givenDebit(world);
  const debit = world.psp.debits.debits.get(txidOf(transactionId));
  world.psp.debits.cancelByPayer(txidOf(transactionId));
  const cancelamento = { solicitante: "PSP_PAGADOR", codigo, descricao: "Cancelada" };
  debit!.end = { cancelamento };
  await deliverCallbacks(world);

  expect(await chargesOf(world, id)).toMatchObject([
    { end: { kind: "cancelled", by: "payer_bank", ...meaning, providerCode: codigo } },
  ]);
  expect((await subscriptionOf(world, id)).mandate.needsApproval).toBe(false);
  // A person asks the payer.
  expect(await contradictionsOf(world)).toHaveLength(people);
});

it.each(["USUARIO_RECEBEDOR", "PSP_RECEBEDOR"])(
  "a debit that the merchant cancels at his own bank is not dunned: %s",
  async (solicitante) => {
    const world = await givenLiveWorld();
    const dunning = { link: "event", days: 1, then: "cancel" };
    const { id, transactionId } = await givenDebit(world, { dunning });
    const debit = world.psp.debits.debits.get(txidOf(transactionId));
    world.psp.debits.cancelByPayer(txidOf(transactionId));
    debit!.end = { cancelamento: { solicitante, codigo: "SLCR", descricao: "Cancelada" } };
    await deliverCallbacks(world);
    await liveUntil(world, "2026-12-14T12:00:00");

    expect(await chargesOf(world, id)).toMatchObject([
      {
        status: "cancelled",
        end: { kind: "cancelled", code: "RECEIVER_CANCELLED", action: "nothing" },
        byHand: null,
      },
    ]);
    expect((await subscriptionOf(world, id)).status).toBe("active");
    const types = (await eventsOf(world.company)).map(({ type }) => type);
    expect(types).not.toContain("subscription.charge_failed");
  },
);

it("a bank that was silent is told from an empty account", async () => {
  const shop = await openShop();
  const { id } = await givenFailing(shop, {}, "silent");
  await liveUntilNoon(shop, "2026-12-11");
  const [{ attempts }] = await chargesOfShop(shop, id);
  expect(attempts).toMatchObject([
    { status: "failed", code: "NO_ANSWER", action: "retry", providerCode: null },
  ]);
});
