/** The contract's records: each documented field and its type. `?`: there in some answers only. */
export type Shape = { [field: string]: string | Shape | [Shape] };

const ADDRESS_LINES = [
  "street",
  "streetNumber",
  "complement",
  "zipCode",
  "neighborhood",
  "city",
  "state",
  "country",
];
const eachLine = (type: string): Shape =>
  Object.fromEntries(ADDRESS_LINES.map((line) => [line, type]));

/** A create request with every field of the contract, as it shows them. */
export const CREATE_REQUEST = {
  amount: 2_500,
  currency: "BRL",
  paymentMethod: "PIX",
  installments: 1,
  customer: {
    id: "cus_1",
    name: "Maria da Silva",
    email: "maria@example.com",
    document: { number: "52998224725", type: "CPF" },
    phone: "+5511987654321",
    externalRef: "pedido-1",
  },
  shipping: {
    fee: 0,
    address: {
      street: "Rua das Flores",
      streetNumber: "10",
      complement: "",
      zipCode: "01001000",
      neighborhood: "Centro",
      city: "São Paulo",
      state: "SP",
      country: "BR",
    },
  },
  items: [{ title: "Caneca", unitPrice: 2_500, quantity: 1, tangible: true, externalRef: "sku-7" }],
  pix: { expiresInDays: 1 },
  postbackUrl: "",
  metadata: '{"pedido":1}',
  traceable: true,
  ip: "203.0.113.7",
};

/** Withdraw requests as the contract allows them: with a key of each type, or the main one. */
export const WITHDRAW_REQUESTS = [
  { amount: 1_000, currency: "BRL", description: "Repasse" },
  { amount: 1_000, pixKey: "52998224725", pixKeyType: "CPF" },
  { amount: 1_000, pixKey: "11222333000181", pixKeyType: "CNPJ" },
  { amount: 1_000, pixKey: "maria@example.com", pixKeyType: "EMAIL", metadata: '{"lote":7}' },
  { amount: 1_000, pixKey: "+5511987654321", pixKeyType: "PHONE", metadata: { lote: 7 } },
  { amount: 1_000, pixKey: "123e4567-e89b-42d3-a456-426614174000", pixKeyType: "EVP" },
];

export const CREATED: Shape = {
  data: {
    id: "uuid",
    externalRef: "string",
    amount: "integer",
    refundedAmount: "integer",
    providerCompanyId: "uuid",
    companyId: "integer|null",
    installments: "integer",
    paymentMethod: "string",
    status: "string",
    postbackUrl: "string",
    metadata: "string|null",
    traceable: "boolean",
    secureId: "string|null",
    secureUrl: "string|null",
    createdAt: "utc?",
    updatedAt: "utc?",
    paidAt: "utc?",
    ip: "string?",
    endToEndId: "string|null?",
    externalNsu: "string|null?",
    currency: "string?",
    pix: { qrcode: "string", url: "string|null", expirationDate: "utc" },
  },
  status: "integer",
  message: "string",
};

export const DETAIL: Shape = {
  id: "integer",
  leadId: "integer",
  lead: {
    id: "integer",
    name: "string",
    email: "string",
    phone: "string",
    document: "string",
    address: eachLine("string"),
  },
  companyId: "integer",
  enSubIntegration: "string",
  value: "number",
  transactionId: "uuid",
  gatewayPostbackUrl: "string",
  enStatusTransaction: "string",
  enPaymentSystem: "string",
  updateDate: "offset",
  createdAt: "utc",
  items: "array",
};

export const LIST: Shape = {
  ok: "boolean",
  res: {
    items: [
      {
        id: "integer",
        leadId: "uuid",
        lead: {
          id: "uuid",
          externalId: "string|null",
          name: "string",
          email: "string",
          phone: "string",
          documentNumber: "string",
          documentType: "string",
          ...eachLine("string|null"),
        },
        amount: "integer",
        status: "string",
        paymentMethod: "string",
        providerTxId: "uuid",
        createdAt: "utc",
        updatedAt: "utc",
      },
    ],
    totalItems: "integer",
    totalPages: "integer",
    currentPage: "integer",
    pageSize: "integer",
  },
};

export const WITHDRAW: Shape = {
  id: "integer",
  companyId: "integer",
  idempotencyKey: "string",
  value: "number",
  pixKey: "string",
  pixKeyType: "string",
  creditorDocument: "string",
  description: "string",
  currency: "string",
  enTransaction: "string",
  createdAt: "utc",
};

export const BALANCE: Shape = {
  id: "integer",
  companyId: "integer",
  currency: "string",
  enBalanceStatus: "string",
  accBalance: "number",
  accBalanceCredit: "number",
  accBalanceCreditAwaiting: "number",
};

export const PROBLEM: Shape = {
  type: "string",
  title: "string",
  status: "integer",
  detail: "string",
  traceId: "string?",
  instance: "string?",
};
