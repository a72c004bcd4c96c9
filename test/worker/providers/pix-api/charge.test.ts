import { expect, it } from "vitest";
import { parseBrCode } from "../../../../src/methods/pix/br-code-parser.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { newTransactionId } from "../../../../src/domain/shared/ids.ts";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import type { PixApiConfig } from "../../../../src/providers/pix-api/config.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { pspConfig, pspProvider } from "../../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../../support/fakes/fake-psp/psp.ts";
import {
  MARIA,
  ANONYMOUS_PAYER,
  pixOrder,
} from "../../../support/builders/providers/provider-orders.ts";

const PSP_URL = "https://psp.example.com/api/v2";
const DAY_MS = 86_400_000;

function given(wish: Partial<PixApiConfig> = {}) {
  const clock = new TestClock();
  const psp = new FakePsp(clock);
  const bank = pspProvider(pspConfig("https://psp.example.com", wish), psp.fetch, { clock });
  return { clock, psp, bank };
}

/** A PSP whose answers about charges are changed on their way. */
function rewritten(change: (cob: any) => void) {
  const { clock, psp } = given();
  const bank = pspProvider(
    pspConfig("https://psp.example.com"),
    async (request) => {
      const answer = await psp.fetch(request);
      if (!request.url.includes("/cob/") || !answer.ok) return answer;
      const body = await answer.json();
      change(body);
      return Response.json(body, { status: answer.status });
    },
    { clock },
  );
  return { clock, psp, bank };
}

it("a charge is created under its own id with its lifetime, and returns the PSP's QR code", async () => {
  const { psp, bank, clock } = given();
  const order = pixOrder({ payer: MARIA });

  const outcome = await bank.createCharge(order);

  const cob = psp.book.cobs.get(order.chargeId)!;
  expect(cob.requestBody).toEqual({
    calendario: { expiracao: 86_400 },
    devedor: { cpf: "12345678909", nome: "Maria da Conceição" },
    valor: { original: "25.00" },
    chave: pspConfig("").pixKey,
  });
  expect(outcome).toEqual({
    kind: "registered",
    pix: {
      qrcode: expect.stringContaining(`psp.example.com/qr/v2/${order.chargeId}`),
      url: null,
      expirationDate: clock.now() + DAY_MS,
    },
  });
});

it("a payer is sent only with a name and a valid document", async () => {
  const { psp, bank } = given();
  const company = {
    ...ANONYMOUS_PAYER,
    name: "ACME",
    documentNumber: "12.ABC.345/01DE-35",
    documentType: "CNPJ",
  };
  const payers = [
    company,
    { ...MARIA, name: " " },
    { ...MARIA, documentNumber: "11111111111" },
    ANONYMOUS_PAYER,
  ];
  const orders = payers.map((payer) => pixOrder({ payer }));

  for (const order of orders) await bank.createCharge(order);

  const asked = orders.map(({ chargeId }) => psp.book.cobs.get(chargeId)!.requestBody.devedor);
  expect(asked).toEqual([
    { cnpj: "12ABC34501DE35", nome: "ACME" },
    undefined,
    undefined,
    undefined,
  ]);
});

it("a charge has a due date only for a payer with an address, and lasts to the end of that day", async () => {
  const { psp, bank } = given({ charge: "cobv" });
  const expiresAt = Date.parse("2027-12-01T02:00:00Z");
  const [full, without] = [MARIA, { ...MARIA, address: { ...MARIA.address, city: "" } }].map(
    (payer) => pixOrder({ payer, expiresAt }),
  );

  const outcome = await bank.createCharge(full!);
  await bank.createCharge(without!);

  expect(psp.book.cobs.get(full!.chargeId)!.requestBody).toMatchObject({
    calendario: { dataDeVencimento: "2027-11-30", validadeAposVencimento: 0 },
    devedor: { logradouro: "Rua das Flores, 12", cidade: "São Paulo", uf: "SP", cep: "01310100" },
  });
  expect(outcome).toMatchObject({ pix: { expirationDate: Date.parse("2027-12-01T02:59:59Z") } });
  expect(psp.book.cobs.get(without!.chargeId)!.kind).toBe("cob");
});

it("a retry minutes later sends the identical request", async () => {
  const { psp, bank, clock } = given();
  const order = pixOrder();
  psp.faultOnce("reset");
  expect(await bank.createCharge(order)).toEqual({ kind: "unknown" });
  const first = psp.book.cobs.get(order.chargeId)!;
  clock.advance(600_000);

  expect((await bank.createCharge(order)).kind).toBe("registered");

  expect(psp.book.cobs.get(order.chargeId)).toMatchObject({
    requestBody: first.requestBody,
    criacao: first.criacao,
  });
});

it("a charge's lifetime starts at its transaction's creation", async () => {
  const { psp, bank } = given();
  const madeAt = Date.now() - 600_000;
  const chargeId = providerChargeId(newTransactionId(7, madeAt, systemRandom));

  await bank.createCharge({ ...pixOrder({ expiresAt: madeAt + DAY_MS }), chargeId });

  expect(psp.book.cobs.get(chargeId)!.requestBody.calendario).toEqual({ expiracao: 86_400 });
});

it("a charge for another PIX key counts as no response", async () => {
  const { bank } = rewritten((cob) => (cob.chave = "outra@example.com"));

  expect(await bank.createCharge(pixOrder())).toEqual({ kind: "unknown" });
});

it("a rejection of a known txid means that the charge exists", async () => {
  const { psp, bank } = given();
  psp.book.rejectsKnownTxid = true;
  const order = pixOrder();
  const first = await bank.createCharge(order);

  expect(await bank.createCharge(order)).toEqual(first);
  expect(await bank.createCharge({ ...order, amount: 100 })).toEqual({ kind: "unknown" });
});

it("a charge is rejected only by an API error together with a lookup that does not find it", async () => {
  const { psp, bank } = given({ pixKey: "outra@example.com" });
  const order = pixOrder();

  expect(await bank.createCharge(order)).toEqual({
    kind: "refused",
    message:
      "A requisição está semanticamente errada. O campo cob.chave corresponde a uma conta de outro usuário.",
    code: "PROVIDER_REFUSED",
  });
  psp.faultOnce("unavailable", /^GET/);
  expect(await bank.createCharge(order)).toEqual({ kind: "unknown" });
});

it.each(["new_status", "other_amount", "other_id", "number_for_text"] as const)(
  "a response with %s counts as no response, and a later lookup finds the charge",
  async (fault) => {
    const { psp, bank } = given();
    const order = pixOrder();
    psp.faultOnce(fault);

    expect(await bank.createCharge(order)).toEqual({ kind: "unknown" });
    expect((await bank.createCharge(order)).kind).toBe("registered");
    if (fault !== "other_amount") {
      psp.faultOnce(fault);
      expect(await bank.findCharge(order.chargeId)).toEqual({ kind: "unknown" });
    }
  },
);

it("a BR Code is built from the location when the PSP returns no dynamic BR Code", async () => {
  for (const told of [
    undefined,
    "not a code",
    "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D",
  ]) {
    const { bank } = rewritten((cob) => (cob.pixCopiaECola = told));
    const order = pixOrder();
    const outcome = await bank.createCharge(order);
    const code = outcome.kind === "registered" && "pix" in outcome ? outcome.pix.qrcode : "";
    expect(parseBrCode(code)).toMatchObject({
      valid: true,
      content: { kind: "dynamic", location: `psp.example.com/qr/v2/${order.chargeId}` },
    });
  }
  const { bank } = rewritten((cob) => {
    delete cob.pixCopiaECola;
    delete cob.location;
    cob.loc = { id: 1 };
  });
  expect(await bank.createCharge(pixOrder())).toEqual({ kind: "unknown" });
});

it("unknown fields and nulls for absent fields are ignored", async () => {
  const { bank, psp } = rewritten((cob) =>
    Object.assign(cob, { novo: { x: [1] }, solicitacaoPagador: null, pix: cob.pix ?? null }),
  );
  const order = pixOrder();

  expect((await bank.createCharge(order)).kind).toBe("registered");
  psp.pay(order.chargeId, "30.00");
  expect(await bank.findCharge(order.chargeId)).toMatchObject({ payments: [{ amount: 3_000 }] });
});

it("an unpaid charge expires, and a charge that the PSP removed has failed", async () => {
  const { psp, bank, clock } = given();
  const [late, removed] = [pixOrder(), pixOrder()];
  await bank.createCharge(late);
  await bank.createCharge(removed);
  psp.removeCharge(removed.chargeId);

  expect(await bank.findCharge(late.chargeId)).toMatchObject({ status: "open" });
  clock.advance(DAY_MS + 1_000);
  expect(await bank.findCharge(late.chargeId)).toMatchObject({ status: "expired", payments: [] });
  expect(await bank.findCharge(removed.chargeId)).toMatchObject({ status: "failed" });
  expect(await bank.cancelCharge(removed.chargeId)).toMatchObject({ kind: "refused" });
  psp.pay(late.chargeId);
  expect(await bank.findCharge(late.chargeId)).toMatchObject({ status: "open", payments: [{}] });
});

it("a completed charge without a payment of its own counts as no response", async () => {
  for (const pix of [
    undefined,
    [],
    [{ endToEndId: "E1", txid: "f".repeat(32), valor: "25.00", horario: "2026-11-20T10:00:00Z" }],
  ]) {
    const { bank } = rewritten((cob) => Object.assign(cob, { status: "CONCLUIDA", pix }));
    const order = pixOrder();
    await bank.createCharge(order);
    expect(await bank.findCharge(order.chargeId)).toEqual({ kind: "unknown" });
  }
});

const ODD = [
  ["a time without an offset", { horario: "2026-11-20T10:00:00" }],
  ["an amount that is a number", { valor: 5 }],
  ["another charge's txid", { txid: "f".repeat(32) }],
] as const;

it.each(ODD)(
  "a payment with %s is returned as unreadable, next to its charge's readable payments",
  async (_what, odd) => {
    const { psp, bank } = rewritten((cob) => {
      if (cob.pix !== undefined) Object.assign(cob.pix[0], odd);
    });
    const order = pixOrder();
    await bank.createCharge(order);
    const [unread, read] = [psp.pay(order.chargeId), psp.pay(order.chargeId, "3.00")];

    const report = await bank.findCharge(order.chargeId);

    expect(report).toMatchObject({
      kind: "known",
      status: "open",
      payments: [{ paymentId: read, amount: 300 }],
      unreadable: [{ paymentId: unread }],
    });
    expect(await bank.cancelCharge(order.chargeId)).toMatchObject({ kind: "refused" });
  },
);

it.each(ODD)("a charge whose only payment has %s counts as no response", async (_what, odd) => {
  for (const status of ["ATIVA", "CONCLUIDA", "REMOVIDA_PELO_PSP"]) {
    const { clock, psp, bank } = rewritten((cob) => {
      if (cob.pix !== undefined) Object.assign(cob.pix[0], odd);
      if (cob.pix !== undefined) cob.status = status;
    });
    const order = pixOrder();
    await bank.createCharge(order);
    psp.pay(order.chargeId);
    clock.advance(2 * DAY_MS);

    expect(await bank.findCharge(order.chargeId)).toEqual({ kind: "unknown" });
    expect(await bank.cancelCharge(order.chargeId)).toEqual({ kind: "unknown" });
  }
});

it("a charge's payments are returned although its other fields are unreadable", async () => {
  const { psp, bank } = rewritten((cob) => {
    if (cob.pix === undefined) return;
    const calendario = { criacao: "20/11/2026", expiracao: "?" };
    Object.assign(cob, { status: "EM_ANALISE", valor: 7, chave: null, calendario });
  });
  const order = pixOrder();
  await bank.createCharge(order);
  const paymentId = psp.pay(order.chargeId);

  expect(await bank.findCharge(order.chargeId)).toMatchObject({ payments: [{ paymentId }] });
});

it("a charge with an unreadable creation time stays open at the PSP after its lifetime", async () => {
  let isOdd = false;
  const { bank, clock } = rewritten((cob) => {
    if (isOdd) cob.calendario.criacao = "2026-11-20T10:00:00";
  });
  const order = pixOrder();
  await bank.createCharge(order);
  isOdd = true;
  clock.advance(2 * DAY_MS);

  expect(await bank.findCharge(order.chargeId)).toMatchObject({ status: "open", payments: [] });
});

it("only a return with a MED reason is a dispute, and other returns are refunds", async () => {
  const { psp, bank } = given();
  const order = pixOrder();
  await bank.createCharge(order);
  const paymentId = psp.pay(order.chargeId);
  const words = ["MED_OPERACIONAL", "MED_FRAUDE", "MED_PIX_AUTOMATICO", "MED_NOVO"];
  for (const natureza of words) psp.dispute(paymentId, "1.00", natureza);
  for (const natureza of ["ORIGINAL", "RETIRADA", "NOVA"]) psp.dispute(paymentId, "1.00", natureza);
  const without = psp.refundExternally(paymentId, "1.00");

  const report = await bank.findCharge(order.chargeId);

  if (report.kind !== "known") throw new Error("the charge is not known");
  const reasons = ["MED_OPERATIONAL_FAILURE", "MED_FRAUD", "MED_AUTOMATIC_PIX", "OTHER"];
  const disputes = reasons.map((reason, index) => [`${paymentId}:med${index + 1}`, reason]);
  expect(report.disputes.map(({ id, reason }) => [id, reason])).toEqual(disputes);
  expect(report.refunds.map(({ id, status }) => [id, status])).toEqual([
    ["med5", "PROCESSING"],
    ["med6", "PROCESSING"],
    ["med7", "PROCESSING"],
    [without, "DONE"],
  ]);
});

it("a return request of the payer's bank is a dispute under one id until it ends", async () => {
  const { psp, bank } = given();
  const order = pixOrder();
  await bank.createCharge(order);
  const paymentId = psp.pay(order.chargeId);
  psp.requestReturn(paymentId, "med1", "25.00");
  const disputes = async () => {
    const report = await bank.findCharge(order.chargeId);
    return report.kind === "known" ? report.disputes : [];
  };
  const reason = "MED_FRAUD";
  const dispute = { id: `${paymentId}:med1`, paymentId, kind: "DISPUTE", amount: 2_500, reason };

  expect(await disputes()).toEqual([{ ...dispute, status: "OPEN" }]);
  psp.settleDevolucao(paymentId, "med1", "EM_RECURSO");
  expect(await disputes()).toEqual([{ ...dispute, status: "OPEN" }]);
  psp.settleDevolucao(paymentId, "med1", "DEVOLVIDO");
  expect(await disputes()).toEqual([{ ...dispute, status: "LOST" }]);
  psp.settleDevolucao(paymentId, "med1", "NAO_REALIZADO");
  expect(await disputes()).toEqual([{ ...dispute, status: "WON" }]);
});

it("a base URL keeps its path and query, and http is allowed for loopback only", async () => {
  const seen: string[] = [];
  const fetcher = async (request: Request) => {
    seen.push(request.url);
    return Response.json({ access_token: "t", expires_in: 60 });
  };
  const find = (baseUrl: string) =>
    pspProvider(pspConfig(PSP_URL, { baseUrl, tokenUrl: `${PSP_URL}/token` }), fetcher).findPayment(
      "E1",
    );

  await find("https://api.example.com/pix/v2/?gw-dev-app-key=7");
  await find("http://api.example.com/pix");

  expect(seen).toEqual([
    `${PSP_URL}/token`,
    "https://api.example.com/pix/v2/pix/E1?gw-dev-app-key=7",
    `${PSP_URL}/token`,
  ]);
});
