import type { BoletoCharge } from "../../../../src/domain/charges/payment-details.ts";
import { encodeBoleto } from "../../../../src/methods/boleto/boleto-code.ts";
import { encodeBrCode } from "../../../../src/methods/pix/br-code.ts";
import { EXAMPLE_TRANSACTION } from "../../../../src/domain/events/api-examples.ts";
import type { TransactionRecord } from "../../../../src/domain/charges/transaction.ts";
import type { RegisteredCharge } from "../../../../src/methods/boleto/slip/slip.ts";

/** R$ 1.234,56, due on Saturday, 2026-12-05. */
const SLIP_AMOUNT = 123_456;
const DUE_DATE = "2026-12-05";
/** A Saturday, at noon in São Paulo. */
export const SLIP_RENDERED_AT = Date.parse("2026-11-21T12:00:00-03:00");

/** A provider's result for a registered boleto with a PIX code. */
function registeredBoleto(changes: Partial<BoletoCharge> = {}) {
  const dueDate = changes.dueDate ?? DUE_DATE;
  return {
    dueDate,
    instructions: "",
    documentNumber: "PED-1001",
    fine: null,
    interest: null,
    discount: null,
    origin: "https://api.centavo.test",
    registered: {
      ...encodeBoleto({
        bank: "001",
        amount: SLIP_AMOUNT,
        dueDate,
        freeField: "0000001234567890123456789",
      }),
      ourNumber: "1234567890-1",
      qrcode: encodeBrCode({
        target: { location: "pix.example.com/qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e7" },
        merchantName: "Loja",
        merchantCity: "SAO PAULO",
        amount: SLIP_AMOUNT,
      }),
    },
    ...changes,
  };
}

/** The boleto's transaction, created on 2026-11-21. */
export function givenCharge(
  boleto: Partial<BoletoCharge> = {},
  changes: Partial<TransactionRecord> = {},
): RegisteredCharge {
  return {
    ...EXAMPLE_TRANSACTION,
    paymentMethod: "BOLETO",
    amount: SLIP_AMOUNT,
    pix: null,
    ...changes,
    boleto: registeredBoleto(boleto),
  } as RegisteredCharge;
}

export const SLIP_COMPANY = {
  name: "Açougue São João Ltda",
  bankDocument: "11222333000181",
  mode: "live" as const,
};
