import { expect, test } from "vitest";
import { automaticSubject } from "../../../../support/fakes/fake-psp/automatic/subject.ts";
import {
  debitOrder,
  mandateOrder,
  PAYER_ACCOUNT,
  todayOf,
} from "../../../../support/builders/providers/mandate-orders.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { FakePsp } from "../../../../support/fakes/fake-psp/psp.ts";

const DAY_MS = 86_400_000;
const URL_OF_PSP = "https://psp.example.com";

/** A PSP whose answers about Pix Automático are changed on their way. */
function given(change: (body: any, call: string) => void = () => undefined) {
  const clock = new TestClock();
  const psp = new FakePsp(clock);
  const bodies: { call: string; body: any }[] = [];
  const subject = automaticSubject({ psp, clock }, { url: URL_OF_PSP }, async (request) => {
    const { pathname } = new URL(request.url);
    const call = `${request.method} ${pathname}`;
    if (request.method !== "GET") bodies.push({ call, body: await bodyOf(request) });
    const answer = await psp.fetch(request);
    if (!/^\/(?:rec|solicrec|cobr)/.test(pathname) || !answer.ok) return answer;
    const body = await answer.json();
    change(body, call);
    return Response.json(body, { status: answer.status });
  });
  return { ...subject, psp, bodies };
}

async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.clone().text();
  return text.startsWith("{") ? JSON.parse(text) : null;
}

/** A PSP with one approved mandate and the order of its first debit. */
async function approved(change?: Parameters<typeof given>[0]) {
  let isOn = false;
  const bank = given((body, call) => (isOn ? change?.(body, call) : undefined));
  const order = mandateOrder(todayOf(bank.clock));
  const made = await bank.provider.createMandate(order);
  if (made.kind !== "created") throw new Error(made.kind);
  const { mandateId } = made.mandate;
  bank.payer.approve(mandateId);
  isOn = true;
  return { ...bank, order, mandateId, debit: debitOrder(mandateId, order) };
}

test("a mandate is asked for with our id as its contract and nothing that the API does not know", async () => {
  const { provider, clock, bodies } = given();
  const order = mandateOrder(todayOf(clock), {
    description: "Um texto que é mais longo do que o banco mostra ao pagador",
  });
  await provider.createMandate(order);
  expect(bodies.find(({ call }) => call === "POST /rec")?.body).toEqual({
    vinculo: {
      contrato: order.subscriptionId,
      devedor: { cpf: "12345678909", nome: "Maria da Conceição" },
      objeto: "Um texto que é mais longo do que o ",
    },
    calendario: { dataInicial: order.schedule.firstDueDate, periodicidade: "MENSAL" },
    valor: { valorRec: "50.00" },
    politicaRetentativa: "PERMITE_3R_7D",
  });
});

test("the branches of payer and receiver are always sent, as Efí demands", async () => {
  const { provider, mandateId, debit, bodies, clock } = await approved();
  const account = { ...PAYER_ACCOUNT, branch: null };
  await provider.requestApproval(mandateId, { account, expiresAt: clock.now() + DAY_MS });
  await provider.scheduleDebit(debit);
  const asked = bodies.find(({ call }) => call === "POST /solicrec")?.body;
  expect(asked.destinatario).toEqual({
    agencia: "0001",
    conta: "567890",
    cpf: "12345678909",
    ispbParticipante: "60701190",
  });
  const ordered = bodies.find(({ call }) => call.startsWith("PUT /cobr"))?.body;
  expect(ordered).toMatchObject({
    ajusteDiaUtil: true,
    recebedor: { agencia: "0001", conta: "12345678", tipoConta: "PAGAMENTO" },
  });
});

test.each([
  ["another contract", (rec: any) => (rec.vinculo.contrato = "0".repeat(32))],
  ["another amount", (rec: any) => (rec.valor = { valorRec: "50.01" })],
  ["an amount beside the minimum", (rec: any) => (rec.valor.valorMinimoRecebedor = "1.00")],
  ["another beginning", (rec: any) => (rec.calendario.dataInicial = "2020-01-01")],
  ["an end", (rec: any) => (rec.calendario.dataFinal = "2099-01-01")],
  ["another period", (rec: any) => (rec.calendario.periodicidade = "SEMANAL")],
  ["an id of another length", (rec: any) => (rec.idRec += "1")],
  ["a new state", (rec: any) => (rec.status = "EM_ANALISE")],
  ["an amount that is a number", (rec: any) => (rec.valor.valorRec = 50)],
])("a created mandate with %s is unknown", async (_, change) => {
  const { provider, clock } = given(change);
  expect(await provider.createMandate(mandateOrder(todayOf(clock)))).toEqual({ kind: "unknown" });
});

test("terms that a PSP does not repeat, and fields that it adds, change nothing", async () => {
  const { provider, clock } = given((rec) => {
    for (const name of ["ativacao", "atualizacao", "recebedor", "calendario", "valor"]) {
      delete rec[name];
    }
    Object.assign(rec, { pagador: null, dadosQR: null, solicitacao: null, novo: { campo: 1 } });
  });
  const made = await provider.createMandate(mandateOrder(todayOf(clock)));
  expect(made).toMatchObject({ kind: "created", mandate: { payer: null, code: null } });
});

test("the case of letters counts in a mandate's id", async () => {
  const { provider, mandateId } = await approved();
  const other = mandateId.replace("Rec", "rEC");
  expect(await provider.findMandate(other)).toEqual({ kind: "not_found" });
  const { provider: strange, mandateId: known } = await approved((rec) => {
    if (rec.idRec !== undefined) rec.idRec = rec.idRec.toLowerCase();
  });
  expect(await strange.findMandate(known)).toEqual({ kind: "unknown" });
});

test("retries are allowed only where the id and the policy both say so", async () => {
  const { provider, mandateId } = await approved(
    (rec) => (rec.politicaRetentativa = "NAO_PERMITE"),
  );
  const report = await provider.findMandate(mandateId);
  expect(report).toMatchObject({ mandate: { allowsRetries: false } });
});

test("an end by a code that is not known keeps it, and says who ended", async () => {
  const cancelamento = { solicitante: "USUARIO_PAGADOR", codigo: "NEW1", descricao: "Outro" };
  const { provider, mandateId } = await approved((rec) =>
    Object.assign(rec, { status: "CANCELADA", encerramento: { cancelamento } }),
  );
  expect(await provider.findMandate(mandateId)).toMatchObject({
    mandate: {
      status: "cancelled",
      end: { by: "payer", reason: "PAYER_CANCELLED", providerCode: "NEW1", message: "Outro" },
    },
  });
});

test("a code that no reader takes is none", async () => {
  const { provider, clock } = given((rec) => {
    if (rec.dadosQR !== undefined) rec.dadosQR.pixCopiaECola = "00020126";
  });
  const made = await provider.createMandate(mandateOrder(todayOf(clock), { journey: "QR" }));
  expect(made).toMatchObject({ kind: "created", mandate: { code: null } });
});

test("a list with a mandate that cannot be read proves nothing about a contract", async () => {
  const { provider, clock } = await approved((body, call) => {
    if (call === "GET /rec") delete body.recs[0].idRec;
  });
  const stranger = mandateOrder(todayOf(clock));
  const since = clock.now() - DAY_MS;
  expect(await provider.findMandateByContract(stranger, since)).toEqual({ kind: "unknown" });
  const whole = await approved();
  expect(await whole.provider.findMandateByContract(stranger, since)).toEqual({
    kind: "not_found",
  });
});

test("a contract is looked for on every page of its list", async () => {
  const { provider, order, clock, mandateId, psp } = await approved();
  for (let other = 0; other < 101; other += 1) {
    await provider.createMandate(mandateOrder(todayOf(clock)));
  }
  psp.requests.length = 0;
  const last = mandateOrder(todayOf(clock));
  await provider.createMandate(last);
  const since = clock.now() - DAY_MS;
  expect(await provider.findMandateByContract(order, since)).toMatchObject({
    mandate: { mandateId },
  });
  expect(await provider.findMandateByContract(last, since)).toMatchObject({ kind: "known" });
  expect(psp.requests.filter((call) => call === "GET /rec")).toHaveLength(4);
});

test.each([
  ["another mandate", (cobr: any) => (cobr.idRec = "RR0908935620261130Rec00999999")],
  ["another amount", (cobr: any) => (cobr.valor.original = "50.01")],
  ["another due date", (cobr: any) => (cobr.calendario.dataDeVencimento = "2020-01-01")],
  ["another txid", (cobr: any) => (cobr.txid = "0".repeat(32))],
  ["a new state", (cobr: any) => (cobr.status = "EM_ANALISE")],
  [
    "a new state of an attempt",
    (cobr: any) => (cobr.tentativas = [{ dataLiquidacao: "2026-12-01", status: "NOVO" }]),
  ],
])("an ordered debit with %s is unknown", async (_, change) => {
  const { provider, debit } = await approved(change);
  expect(await provider.scheduleDebit(debit)).toEqual({ kind: "unknown" });
});

test("an attempt with an end-to-end id is no payment, and neither is a concluded debit without one", async () => {
  const { provider, debit } = await approved((cobr, call) => {
    if (!call.startsWith("GET /cobr/")) return;
    cobr.status = "CONCLUIDA";
    cobr.tentativas[0].status = "PAGA";
  });
  await provider.scheduleDebit(debit);
  const report = await provider.findDebit(debit.chargeId);
  expect(report).toMatchObject({
    debit: {
      status: "paid",
      attempts: [{ endToEndId: expect.stringMatching(/^E/) }],
      charge: { status: "open", payments: [] },
    },
  });
});

test("an attempt of a new kind counts as a retry, and codes are kept", async () => {
  const attempt = { dataLiquidacao: "2026-12-01", tipo: "NOVA", status: "REJEITADA" };
  const rejeicao = { codigo: "ZZ99", descricao: "Outra" };
  const { provider, debit } = await approved((cobr, call) => {
    if (call.startsWith("GET /cobr/")) cobr.tentativas = [{ ...attempt, rejeicao }];
  });
  await provider.scheduleDebit(debit);
  expect(await provider.findDebit(debit.chargeId)).toMatchObject({
    debit: {
      attempts: [
        { kind: "retry", reason: { code: "UNKNOWN", providerCode: "ZZ99" }, endToEndId: null },
      ],
    },
  });
});

test.each([
  ["lower case", "am02", "am02"],
  // It may name the payer.
  ["words", "Conta-encerrada 7", null],
  ["a number", 4012, "4012"],
  ["a whole page", "X".repeat(5_000), null],
  ["spaces", "  ", null],
  ["no text", {}, null],
])("a code in another form is kept where it is short: %s", async (_, codigo, kept) => {
  const attempt = { dataLiquidacao: "2026-12-01", tipo: "AGND", status: "REJEITADA" };
  const rejeicao = { codigo, descricao: "Outra" };
  const { provider, debit } = await approved((cobr, call) => {
    if (call.startsWith("GET /cobr/")) cobr.tentativas = [{ ...attempt, rejeicao }];
  });
  await provider.scheduleDebit(debit);
  expect(await provider.findDebit(debit.chargeId)).toMatchObject({
    debit: { attempts: [{ reason: { providerCode: kept } }] },
  });
});
