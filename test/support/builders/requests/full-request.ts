/** A create request with every field (PIX). */
export const FULL_REQUEST = {
  amount: 12_345,
  currency: "BRL",
  paymentMethod: "PIX",
  installments: 1,
  externalRef: "order-77",
  customer: {
    id: "cus-9",
    name: "Maria da Conceição",
    email: "maria@example.com",
    document: { number: "529.982.247-25", type: "CPF" },
    phone: "+5511987654321",
    externalRef: "crm-9",
  },
  shipping: {
    fee: 2_345,
    address: {
      street: "Rua das Flores",
      streetNumber: "12-A",
      complement: "Fundos",
      zipCode: "01310-100",
      neighborhood: "Bela Vista",
      city: "São Paulo",
      state: "SP",
      country: "BR",
    },
  },
  items: [
    {
      title: "Camiseta",
      unitPrice: 5_000,
      quantity: 2,
      tangible: true,
      externalRef: "sku-1",
    },
    { title: "Cupom", unitPrice: 0, quantity: 1, tangible: false, externalRef: "sku-2" },
  ],
  pix: { expiresInDays: 3 },
  postbackUrl: "https://loja.example.com/postback?origem=centavo",
  metadata: '{"pedido":77}',
  traceable: true,
  ip: "203.0.113.7",
} as const;

/** Valid bodies of the other payment methods. */
export const BOLETO_REQUEST = {
  amount: 5_000,
  paymentMethod: "BOLETO",
  customer: { name: "Maria", document: { number: "52998224725", type: "CPF" } },
} as const;

export const CARD_REQUEST = {
  amount: 5_000,
  paymentMethod: "CREDIT_CARD",
  customer: { name: "Maria", document: { number: "52998224725", type: "CPF" } },
  card: {
    number: "4242424242424242",
    holderName: "MARIA SILVA",
    expirationMonth: 12,
    expirationYear: 2030,
    cvv: "123",
  },
} as const;
