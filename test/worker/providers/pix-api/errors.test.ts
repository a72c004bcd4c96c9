import { expect, it, vi } from "vitest";
import { pspConfig, pspProvider } from "../../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../../support/fakes/fake-psp/psp.ts";
import { payoutOrder, pixOrder } from "../../../support/builders/providers/provider-orders.ts";

const URL = "https://psp.example.com";
const BACEN = "https://pix.bcb.gov.br/api/v2/error";

/** A PSP that has nothing, and answers calls of one method so. */
function answering(method: string, status: number, body: unknown) {
  const psp = new FakePsp();
  return pspProvider(pspConfig(URL), async (request) =>
    request.method === method && !request.url.endsWith("/token")
      ? Response.json(body, { status })
      : psp.fetch(request),
  );
}

const efi = (nome: string) => ({ nome, mensagem: `Efí diz ${nome}` });
const bacen = (type: string) => ({ type: `${BACEN}/${type}`, title: type, status: 400 });

it.each([
  [400, bacen("CobOperacaoInvalida"), "refused"],
  [422, bacen("RequisicaoInvalida"), "refused"],
  [400, efi("documento_bloqueado"), "refused"],
  [422, efi("pagamento_negado"), "refused"],
  [409, efi("txid_duplicado"), "unknown"],
  [400, efi("id_envio_duplicado"), "unknown"],
  [409, bacen("CobOperacaoInvalida"), "unknown"],
  [401, bacen("AcessoNegado"), "unknown"],
  [403, bacen("AcessoNegado"), "unknown"],
  [404, bacen("NaoEncontrado"), "unknown"],
  [408, efi("tempo_esgotado"), "unknown"],
  [410, bacen("PermanentementeRemovido"), "unknown"],
  [429, efi("limite_excedido"), "unknown"],
  [500, bacen("ErroInternoDoServidor"), "unknown"],
  [504, bacen("IndisponibilidadePorTempoEsgotado"), "unknown"],
  [400, { type: "about:blank", title: "Bad Request", status: 400 }, "unknown"],
  [400, { type: "https://waf.example.com/error/CobOperacaoInvalida", title: "No" }, "unknown"],
  [400, { error: "invalid_request" }, "unknown"],
  [400, null, "unknown"],
])("a status %i with %j makes a charge or payout %s", async (status, body, kind) => {
  const bank = answering("PUT", status, body);

  expect((await bank.createCharge(pixOrder())).kind).toBe(kind);
  const payout = await bank.sendPayout(payoutOrder());
  expect(payout.kind).toBe(kind === "refused" ? "failed" : "unknown");
});

it.each([
  [404, bacen("CobNaoEncontrado"), "not_found"],
  [404, bacen("CobVNaoEncontrada"), "not_found"],
  [404, efi("cobranca_nao_encontrada"), "not_found"],
  [404, bacen("AcessoNegado"), "unknown"],
  [404, efi("rota_inexistente"), "unknown"],
  [404, { type: "https://stoplight.io/prism/errors#NO_PATH_MATCHED_ERROR" }, "unknown"],
  [404, {}, "unknown"],
  [200, bacen("CobNaoEncontrado"), "unknown"],
  [410, bacen("PermanentementeRemovido"), "unknown"],
])("a status %i with %j makes a lookup %s", async (status, body, kind) => {
  const bank = answering("GET", status, body);

  expect(await bank.findCharge(pixOrder().chargeId)).toEqual({ kind });
  expect(await bank.findPayment("E12345678202611211000abcdefghijk")).toEqual({ kind });
  expect(await bank.findPayout(payoutOrder().payoutId)).toEqual({ kind });
});

it("a rejected lookup leaves a charge or payout unknown, and means that a payment id does not exist", async () => {
  const bank = answering("GET", 400, bacen("RequisicaoInvalida"));

  expect(await bank.findCharge(pixOrder().chargeId)).toEqual({ kind: "unknown" });
  expect(await bank.findPayout(payoutOrder().payoutId)).toEqual({ kind: "unknown" });
  expect(await bank.findPayment("E7")).toEqual({ kind: "not_found" });
});

it("a PSP's error text becomes one line of bounded length", async () => {
  const body = { ...bacen("CobOperacaoInvalida"), detail: `a\n\u0007b ${"x".repeat(5_000)}` };

  const outcome = await answering("PUT", 400, body).createCharge(pixOrder());

  const message = `a b ${"x".repeat(196)}`;
  expect(outcome).toEqual({ kind: "refused", message, code: "PROVIDER_REFUSED" });
});

it("a charge is not found only when it is neither an immediate charge nor one with a due date", async () => {
  const psp = new FakePsp();
  const bank = pspProvider(pspConfig(URL), psp.fetch);
  psp.faultOnce("access_denied", /^GET \/cobv/);

  expect(await bank.findCharge(pixOrder().chargeId)).toEqual({ kind: "unknown" });
  expect(await bank.findCharge(pixOrder().chargeId)).toEqual({ kind: "not_found" });
});

it("a response with an invalid field is unknown, and the log names the field", async () => {
  const lines = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const bank = answering("GET", 200, { parametros: { paginacao: { paginaAtual: 0 } }, pix: [] });

  expect(await bank.list("payments", { from: 0, to: 1 }, 0)).toEqual({ kind: "unknown" });

  const logged = lines.mock.calls.map(([line]) => JSON.parse(line));
  lines.mockRestore();
  const field = "parametros.paginacao.quantidadeDePaginas";
  expect(logged).toEqual([{ level: "warn", event: "pix_api_unparseable", field }]);
});
