import { describe, expect, it } from "vitest";
import { payableUntil } from "../../../../src/methods/pix/expiry.ts";
import { parseBrCode } from "../../../../src/methods/pix/br-code-parser.ts";
import {
  duePixOrder,
  MARIA,
  pixOrder,
} from "../../../support/builders/providers/provider-orders.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { pspConfig, pspProvider } from "../../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../../support/fakes/fake-psp/psp.ts";

const DAY_MS = 86_400_000;

/** A PSP whose answers about charges may be changed on their way. */
function given(change: (cob: any) => void = () => {}) {
  const clock = new TestClock();
  const psp = new FakePsp(clock);
  const fetcher = async (request: Request) => {
    const answer = await psp.fetch(request);
    if (!request.url.includes("/cob") || !answer.ok) return answer;
    const body = await answer.json();
    change(body);
    return Response.json(body, { status: answer.status });
  };
  return {
    clock,
    psp,
    bank: pspProvider(pspConfig("https://psp.example.com"), fetcher, { clock }),
  };
}

describe("a PIX with a due date", () => {
  it("is a cobv with BACEN's words for its terms, whatever the charges of the config", async () => {
    const { psp, bank } = given();
    const order = duePixOrder();
    const { due } = order.pix;

    const outcome = await bank.createCharge(order);

    const cob = psp.book.cobs.get(order.chargeId)!;
    expect(cob.kind).toBe("cobv");
    expect(cob.requestBody).toEqual({
      calendario: { dataDeVencimento: due.dueDate, validadeAposVencimento: 10 },
      devedor: {
        cpf: "12345678909",
        nome: "Maria da Conceição",
        logradouro: "Rua das Flores, 12",
        cidade: "São Paulo",
        uf: "SP",
        cep: "01310100",
      },
      valor: {
        original: "25.00",
        multa: { modalidade: 2, valorPerc: "2.00" },
        juros: { modalidade: 3, valorPerc: "1.50" },
        desconto: { modalidade: 1, descontoDataFixa: [{ data: due.dueDate, valorPerc: "1.05" }] },
      },
      chave: pspConfig("").pixKey,
      solicitacaoPagador: "Número do pedido",
      infoAdicionais: [{ nome: "Pedido", valor: "1001" }],
    });
    expect(outcome).toMatchObject({
      kind: "registered",
      pix: { url: null, expirationDate: payableUntil(due) },
    });
  });

  it("needs no address, and leaves out the terms that it has not", async () => {
    const { psp, bank } = given();
    const order = duePixOrder({
      fine: { type: "FIXED", value: 7 },
      interest: null,
      discount: { type: "PERCENTAGE", value: 9_999, untilDate: "2026-01-02" },
    });

    await bank.createCharge({ ...order, payer: { ...MARIA, address: {} } });

    const { devedor, valor } = psp.book.cobs.get(order.chargeId)!.requestBody;
    expect(devedor).toEqual({ cpf: "12345678909", nome: "Maria da Conceição" });
    expect(valor).toEqual({
      original: "25.00",
      multa: { modalidade: 1, valorPerc: "0.07" },
      desconto: { modalidade: 2, descontoDataFixa: [{ data: "2026-01-02", valorPerc: "99.99" }] },
    });
  });

  it("gets a code without an amount where the PSP gives only a location", async () => {
    const { bank } = given((cob) => delete cob.pixCopiaECola);
    const outcome = await bank.createCharge(duePixOrder());
    const code = outcome.kind === "registered" && "pix" in outcome ? outcome.pix.qrcode : "";
    expect(parseBrCode(code)).toMatchObject({ valid: true, content: { kind: "dynamic" } });
    expect(code).not.toContain("540525.00");
  });

  it("stays open at the PSP a week longer than the calendar says, for holidays", async () => {
    const { clock, psp, bank } = given();
    const order = duePixOrder();
    await bank.createCharge(order);
    const statusAt = async (ms: number) => {
      clock.advance(ms - clock.now());
      const report = await bank.findCharge(order.chargeId);
      return report.kind === "known" ? report.status : report.kind;
    };

    expect(await statusAt(payableUntil(order.pix.due) + 7 * DAY_MS)).toBe("open");
    expect(await statusAt(order.expiresAt + 1)).toBe("expired");
    expect(await bank.cancelCharge(order.chargeId)).toEqual({ kind: "cancelled" });
    expect(psp.book.cobs.get(order.chargeId)?.status).toBe("REMOVIDA_PELO_USUARIO_RECEBEDOR");
  });

  it("is refused by the PSP without a debtor", async () => {
    const { bank } = given();
    const order = duePixOrder();
    const refused = await bank.createCharge({ ...order, payer: { ...MARIA, name: " " } });
    expect(refused).toMatchObject({ kind: "refused", message: expect.stringContaining("devedor") });
  });
});

it("the texts for the payer of a PIX without a due date are in its cob", async () => {
  const { psp, bank } = given();
  const additionalInfo = [{ name: "Pedido", value: "1001" }];
  const order = pixOrder({ pix: { payerMessage: "Seu pedido?", additionalInfo } });

  expect((await bank.createCharge(order)).kind).toBe("registered");

  expect(psp.book.cobs.get(order.chargeId)).toMatchObject({
    kind: "cob",
    requestBody: {
      solicitacaoPagador: "Seu pedido?",
      infoAdicionais: [{ nome: "Pedido", valor: "1001" }],
    },
  });
});

/** Another day for the discount of `duePixOrder`. */
const date = (day: string) => (cob: any) =>
  (cob.valor.desconto.descontoDataFixa = [{ data: day, valorPerc: "1.05" }]);

describe("the PSP's answer to an order with a due date", () => {
  it.each<[string, (cob: any) => void]>([
    ["another amount", (cob) => (cob.valor.original = "25.01")],
    ["another due date", (cob) => (cob.calendario.dataDeVencimento = "2027-01-01")],
    ["no due date", (cob) => delete cob.calendario.dataDeVencimento],
    ["another validity", (cob) => (cob.calendario.validadeAposVencimento = 11)],
    ["another key", (cob) => (cob.chave = "outra@example.com")],
    ["another txid", (cob) => (cob.txid = "f".repeat(32))],
    ["another fine", (cob) => (cob.valor.multa.valorPerc = "2.01")],
    ["a fixed fine instead of a percentage", (cob) => (cob.valor.multa.modalidade = 1)],
    ["an unreadable fine", (cob) => (cob.valor.multa.valorPerc = 2)],
    ["interest a day instead of a month", (cob) => (cob.valor.juros.modalidade = 2)],
    ["a discount until another day", date("2027-01-01")],
    [
      "a discount for each day",
      (cob) => (cob.valor.desconto = { modalidade: 3, valorPerc: "1.05" }),
    ],
  ])("with %s counts as no response", async (_what, change) => {
    const { bank } = given(change);
    expect(await bank.createCharge(duePixOrder())).toEqual({ kind: "unknown" });
  });

  it("with a fine that nobody ordered counts as no response", async () => {
    const { bank } = given((cob) => (cob.valor.multa = { modalidade: 1, valorPerc: "1.00" }));
    expect(await bank.createCharge(duePixOrder({ fine: null }))).toEqual({ kind: "unknown" });
  });

  it.each<[string, (cob: any) => void]>([
    ["terms left out", (cob) => (cob.valor = { original: cob.valor.original })],
    ["null for its terms", (cob) => Object.assign(cob.valor, { multa: null, desconto: null })],
    ["a fine of zero", (cob) => (cob.valor.multa.valorPerc = "0.00")],
    ["a null validity", (cob) => (cob.calendario.validadeAposVencimento = null)],
  ])("with %s is registered", async (_what, change) => {
    const { bank } = given(change);
    expect(await bank.createCharge(duePixOrder())).toMatchObject({ kind: "registered" });
  });

  it("with a due date beyond the calendar hides no payment and ends no charge", async () => {
    let isOdd = false;
    const { clock, psp, bank } = given((cob) => {
      if (isOdd) Object.assign(cob.calendario, { validadeAposVencimento: 2 ** 31 - 1 });
    });
    const order = duePixOrder();
    await bank.createCharge(order);
    isOdd = true;
    clock.advance(100 * DAY_MS);

    expect(await bank.findCharge(order.chargeId)).toMatchObject({ kind: "known", status: "open" });
    const paymentId = psp.pay(order.chargeId, "26.10");
    expect(await bank.findCharge(order.chargeId)).toMatchObject({ payments: [{ paymentId }] });
  });
});
