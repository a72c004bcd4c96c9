import { SELDOM } from "../lib/packed-dictionary.ts";

/**
 * What the JSON of events consists of once its values are taken out (`packed-values.ts`): the usual ones
 * are nearly whole here. It never changes, as little as the characters that stand for values.
 */
export const DICTIONARY_2 = [
  ...SELDOM,
  '{"type":"withdraw.paid","timestamp":"\u0005","sequence":\u0006,"data":{"id":\u0006,"companyId":\u0006,"idempotencyKey":"wd_","value":\u0006,"fee":\u0006,"pixKey":"","pixKeyType":"EMAIL","creditorDocument":"","description":"","currency":"BRL","enTransaction":"Paid","metadata":null,"endToEndId":"\u0007","createdAt":"\u0005","updatedAt":"\u0005","previousStatus":"Processing"}}',
  ',"refunds":[{"id":"\u0004","status":"DONE","amount":\u0006,"createdAt":"\u0005"}],"ip":"',
  '"postbackUrl":"https://www.api..com.br/webhooks","metadata":null,"traceable":true,"secureId":"',
  '{"type":"transaction.paid","timestamp":"\u0005","sequence":\u0006,"data":{"id":"\u0001","externalRef":"","amount":\u0006,"refundedAmount":\u0006,"providerCompanyId":"\u0004","companyId":\u0006,"installments":\u0006,"paymentMethod":"PIX","status":"PAID","postbackUrl":"","metadata":"{\\"","traceable":false,"secureId":"\u0003","secureUrl":null,"currency":"BRL","createdAt":"\u0005","updatedAt":"\u0005","paidAt":"\u0005","paidAmount":\u0006,"endToEndId":"\u0007","externalNsu":null,"pix":{"qrcode":"00020101021226770014br.gov.bcb.pix2555pix.sandbox.example/v2/\u0002520400005303986\u000e5802BR5912Loja Exemplo6009SAO PAULO62070503***6304\u000f","url":null,"expirationDate":"\u0005"},"previousStatus":"WAITING_PAYMENT"}}',
].join("\n");
