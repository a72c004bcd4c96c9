/** What every dictionary begins with; it changes as little as they do. */
export const SELDOM = [
  '"shipping":{"fee":',
  '"boleto":{"barcode":"","digitableLine":"","formattedLine":"","ourNumber":"","dueDate":"","registered":{"origin":"https://","instructions":"","documentNumber":"","fine":{"type":"PERCENTAGE","value":},"interest":{"value":},"discount":{"type":"FIXED","value":,"untilDate":"',
  "/boletos/",
  '.pdf","pdfUrl":"',
  '"card":{"brand":"mastercard","brand":"visa","firstDigits":"","lastDigits":"","holderName":"","expirationMonth":12,"expirationYear":20,"authorizationCode":',
  '"refusedReason":{"code":"","message":"","retryable":false',
  '"refunds":[{"id":"","amount":,"status":"DONE","PENDING","FAILED"',
  '"dispute":{"kind":"DISPUTE","CHARGEBACK","status":"OPEN","WON","LOST"',
  '"cancelReason":"REQUESTED","EXPIRED","refundReason":"MED"',
  "REFUSED AUTHORIZED CANCELLED REFUNDED FAILED CREDIT_CARD BOLETO",
  "withdraw.processing withdraw.paid withdraw.failed withdraw.cancelled withdraw.returned transaction.authorized transaction.refused transaction.failed transaction.cancelled transaction.refunded transaction.partially_refunded transaction.disputed balance.released webhook.test",
];

/**
 * What the JSON that is stored packed commonly consists of, the most common last (RFC 1951: what is
 * near costs fewest bits). Rows are unreadable without it: an entry is never changed, a better
 * dictionary is a new one with a number of its own. Holds common words and names, nobody's data.
 */
export const DICTIONARY_1 = [
  ...SELDOM,
  '{"type":"withdraw.paid","timestamp":"2026-","sequence":2,"data":{"id":,"companyId":,"idempotencyKey":"wd_","value":,"pixKey":"","pixKeyType":"CPF","CNPJ","EMAIL","PHONE","EVP","creditorDocument":"","description":"","currency":"BRL","enTransaction":"Awaiting","Processing","Paid","Failed","createdAt":"","metadata":null,"fee":0,"endToEndId":"E","updatedAt":"',
  '[{"at":1,"from":"waiting_payment","to":"paid","cause":{"kind":"payment","id":"E","amount":,"paidAt":17,"expected":true},"movement":,"event":{"type":"transaction.paid","companySequence":,"sequence":1}}]',
  '{"kind":"transaction","transactionId":"","state":{"status":"paid","version":1,"updatedAt":17,"paidAt":17,"paidAmount":,"refundedAmount":0,"endToEndId":"E","externalNsu":null,"card":null,"refusedReason":null,"cancelReason":null,"refundReason":null,"refunds":[],"dispute":null},"event":{"type":"transaction.paid","companySequence":,"sequence":1,"previousStatus":"waiting_payment","timestamp":17',
  '[{"number":1,"createdAt":17,"durationMs":,"httpStatus":200,"fault":null,"answer":"',
  '[{"title":"Camiseta Produto Plano Mensal Assinatura Ingresso Curso Livro","unitPrice":,"quantity":1,"tangible":false,"tangible":true,"externalRef":"sku-"}]',
  "Av. Avenida Rua Travessa Alameda Praça Rodovia das dos da do Apto Apartamento Casa Bloco Sala Jardim Vila Parque Centro São Bela Vista Rio de Janeiro Belo Horizonte Brasília Salvador Fortaleza Curitiba Recife Porto Alegre Manaus Goiânia Campinas MG RJ RS PR SC BA PE CE DF GO São Paulo",
  " João José Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Gabriel Rafael Daniel Marcelo Bruno Eduardo Felipe Rodrigo Maria Ana Francisca Adriana Juliana Márcia Fernanda Patrícia Aline Camila Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa Mariana da Silva dos Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso Ramos Gonçalves Santana Teixeira",
  '{"externalId":null,"externalId":"","name":"","email":"maria@hotmail.com","@yahoo.com.br","@outlook.com","@gmail.com","phone":"+5511","+5521","documentNumber":"","documentType":"CNPJ","documentType":"CPF","address":{},"address":{"street":"Rua ","streetNumber":"","complement":"","zipCode":"","neighborhood":"Centro","city":"São Paulo","state":"SP","country":"BR"}}',
  '{"type":"transaction.paid","timestamp":"2026-","2027-","sequence":1,"data":{"id":"01","externalRef":"","amount":,"refundedAmount":0,"providerCompanyId":"","companyId":,"installments":1,"paymentMethod":"PIX","status":"PAID","postbackUrl":"","postbackUrl":"https://www.api..com.br/webhooks","metadata":null,"metadata":"{\\"","traceable":false,"traceable":true,"secureId":"AZ","secureUrl":null,"currency":"BRL","createdAt":"2026-","updatedAt":"2026-","paidAt":"2026-T00:00:00.000Z","paidAmount":,"ip":"","endToEndId":"E","externalNsu":null,"pix":{"qrcode":"00020101021226770014br.gov.bcb.pix2555pix.sandbox.example/v2/qr/cobv/520400005303986540525.005802BR5912Loja Exemplo6009SAO PAULO62070503***6304","url":null,"expirationDate":"2026-","expirationDate":17}},"previousStatus":"WAITING_PAYMENT"}}',
].join("\n");
