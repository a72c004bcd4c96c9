import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { newTransactionId, newUuid } from "../../../../src/domain/shared/ids.ts";
import type { PixDetails, PixDueTerms } from "../../../../src/domain/charges/payment-details.ts";
import { providerChargeId, type Payer } from "../../../../src/domain/charges/transaction.ts";
import type { PayoutOrder } from "../../../../src/domain/withdraws/withdraw.ts";
import { dueExpiresAt } from "../../../../src/methods/pix/expiry.ts";
import type { RefundOrder } from "../../../../src/providers/provider.ts";
import type { ChargeOrder } from "../../../../src/providers/charge.ts";

const DAY_MS = 86_400_000;
const COMPANY = 7;

export const ANONYMOUS_PAYER: Payer = {
  externalId: null,
  name: "",
  email: "",
  phone: "",
  documentNumber: "",
  documentType: "",
  address: {},
};

export const MARIA: Payer = {
  ...ANONYMOUS_PAYER,
  name: "Maria da Conceição",
  documentNumber: "12345678909",
  documentType: "CPF",
  address: {
    street: "Rua das Flores",
    streetNumber: "12",
    zipCode: "01310-100",
    city: "São Paulo",
    state: "SP",
  },
};

/** An order for a PIX charge of 25 reais that lasts a day. */
export function pixOrder(
  overrides: { amount?: number; payer?: Payer; expiresAt?: number; pix?: PixDetails } = {},
) {
  return {
    chargeId: providerChargeId(newTransactionId(COMPANY, Date.now(), systemRandom)),
    paymentMethod: "PIX",
    amount: 2_500,
    merchantName: "Loja Exemplo",
    payer: ANONYMOUS_PAYER,
    expiresAt: Date.now() + DAY_MS,
    ...overrides,
  } satisfies ChargeOrder;
}

/** A PIX of 25 reais, due next week, with every text and term. */
export function duePixOrder(terms: Partial<PixDueTerms> = {}) {
  const dueDate = saoPauloDay(Date.now() + 7 * DAY_MS);
  const due: PixDueTerms = {
    dueDate,
    validityAfterDue: 10,
    fine: { type: "PERCENTAGE", value: 200 },
    interest: { value: 150 },
    discount: { type: "FIXED", value: 105, untilDate: dueDate },
    ...terms,
  };
  const pix: Required<PixDetails> = {
    payerMessage: "Número do pedido",
    additionalInfo: [{ name: "Pedido", value: "1001" }],
    due,
  };
  return { ...pixOrder({ payer: MARIA, expiresAt: dueExpiresAt(due) }), pix };
}

/** A boleto of 25 reais, due next week. */
export function boletoOrder() {
  const expiresAt = Date.now() + 7 * DAY_MS;
  const boleto = {
    dueDate: saoPauloDay(expiresAt),
    instructions: "",
    documentNumber: "",
    fine: null,
    interest: null,
    discount: null,
  };
  return { ...pixOrder({ expiresAt }), paymentMethod: "BOLETO", boleto } satisfies ChargeOrder;
}

/** A card number that acquirers' simulators approve. */
export function cardOrder(overrides: { capture?: boolean } = {}) {
  const { expiresAt: _expiresAt, ...order } = pixOrder();
  const source = {
    number: "4111111111111111",
    holderName: "MARIA DA CONCEICAO",
    expirationMonth: 12,
    expirationYear: new Date().getUTCFullYear() + 3,
    cvv: "123",
  };
  const card = { source, capture: true, installments: 1, statementDescriptor: "", ...overrides };
  return { ...order, paymentMethod: "CREDIT_CARD", card } satisfies ChargeOrder;
}

export function refundOrder(
  payment: { chargeId: string | null; paymentId: string | null },
  amount: number,
): RefundOrder {
  return { refundId: providerChargeId(newUuid(systemRandom)), ...payment, amount };
}

export function payoutOrder(overrides: Partial<PayoutOrder> = {}): PayoutOrder {
  return {
    payoutId: newUuid(systemRandom),
    amount: 1_000,
    pixKey: "11222333000181",
    pixKeyType: "CNPJ",
    creditorDocument: "11222333000181",
    description: "",
    ...overrides,
  };
}
