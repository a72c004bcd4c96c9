import { expect, it } from "vitest";
import { failureCodeOf } from "../../../../src/providers/pix-api/failure-codes.ts";

it.each([
  [["AC07", "Conta encerrada"], "ACCOUNT_CLOSED"],
  [["AC03", null], "ACCOUNT_INVALID"],
  [["AB03"], "TIMED_OUT"],
  [["BE01"], "KEY_OWNER_MISMATCH"],
  [["AM02"], "LIMIT_EXCEEDED"],
  [["AM04"], "INSUFFICIENT_FUNDS_AT_PROVIDER"],
  [["FRAD"], "FRAUD_SUSPECTED"],
  [["DS04"], "REFUSED_BY_BANK"],
  [[null, "Erro AC06: recebedor"], "ACCOUNT_BLOCKED"],
  [["ZZ99", "Conta encerrada"], "ACCOUNT_CLOSED"],
  [["chave_invalida", "A chave não existe"], "KEY_NOT_FOUND"],
  [["chave_nao_encontrada", ""], "KEY_NOT_FOUND"],
  [["chave_invalida", "A chave informada não faz referência à conta"], "PROVIDER_REFUSED"],
  [["saldo_insuficiente"], "INSUFFICIENT_FUNDS_AT_PROVIDER"],
  [["Limite diário excedido"], "LIMIT_EXCEEDED"],
  [["Tempo limite excedido"], "TIMED_OUT"],
  [["CPF diverge do titular"], "KEY_OWNER_MISMATCH"],
  [["Conta inexistente"], "ACCOUNT_INVALID"],
  [["Suspeita de fraude"], "FRAUD_SUSPECTED"],
  [[undefined, "?"], "PROVIDER_REFUSED"],
  [[], "PROVIDER_REFUSED"],
] as const)("%j is %s", (words, code) => {
  expect(failureCodeOf([...words], "PROVIDER_REFUSED")).toBe(code);
});
