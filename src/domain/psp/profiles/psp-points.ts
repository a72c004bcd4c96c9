/**
 * What a PSP's Pix API must do for this service (docs/providers.md), point by point: the name of each, and what is
 * demanded. BACEN Pix API 2.9.0 and RFC 6749 are the sources; payouts and the balance are Efí's.
 */
export const PSP_POINTS = {
  tls: "HTTPS is TLS 1.2 or later, with a valid server certificate.",
  mtls: "A connection without the client certificate gets no token.",
  token: "The token endpoint answers 200 with a Bearer access_token (RFC 6749, 5.1).",
  token_life: "expires_in is a number of seconds, at least 60.",
  token_scope: "The token has every scope that was asked for, or names none.",
  token_wrong_secret: "A wrong client secret gets 400 or 401.",
  unknown_token: "A call with an unknown token gets 401, so that a new one is asked for.",
  clock: "The PSP's clock is within 60 s of this machine's.",
  cob_missing: "A txid that nobody made is 404 with CobNaoEncontrado.",
  cobv_missing: "A due charge that nobody made is 404 with CobVNaoEncontrada.",
  cob_create: "PUT /cob/{txid} registers the ordered txid, amount and key.",
  cob_time: "calendario.criacao is the time of creation, with its offset.",
  cob_code: "pixCopiaECola is a dynamic BR Code that a strict reader takes, or is left out.",
  cob_code_location: "The BR Code names the charge's location.",
  cob_code_amount: "The BR Code names the charge's amount, or none.",
  cob_repeat: "The same PUT again changes nothing, or is a conflict, and makes no second charge.",
  cob_read: "GET /cob/{txid} shows the charge at once, ATIVA, as it was ordered.",
  cob_refused:
    "An amount of zero is 400 or 422 with a problem that names its type, and makes nothing.",
  cob_extend: "PATCH with a longer calendario.expiracao keeps the charge open for longer.",
  cob_cancel: "PATCH to REMOVIDA_PELO_USUARIO_RECEBEDOR cancels, and GET says so.",
  cob_list: "GET /cob lists the charge in the window of its creation, with parametros.paginacao.",
  cob_list_window: "GET /cob lists nothing that was created outside of the window.",
  cob_list_pages:
    "paginacao.itensPorPagina and paginaAtual cut the list, and no page repeats another.",
  cobv_create:
    "PUT /cobv/{txid} registers due date, validity, fine, interest and discount as ordered.",
  cobv_list: "GET /cobv lists the due charge in the window of its creation.",
  pix_missing: "GET /pix/{e2eid} of no payment is 404 with PixNaoEncontrado.",
  pix_list: "GET /pix lists payments of a window, with parametros.paginacao.",
  pix_read: "GET /pix/{e2eid} shows the named test payment, and its list has it.",
  refund_missing: "GET of a devolução that nobody asked for is 404 with a NaoEncontrad... type.",
  refund_create: "PUT /pix/{e2eid}/devolucao/{id} takes a part of the payment, and GET shows it.",
  refund_repeat: "The same devolução again is the same one.",
  refund_too_much:
    "A devolução beyond the payment is 400 or 422 with a problem that names its type.",
  webhook: "PUT /webhook/{chave} takes an HTTPS URL, and GET reads it back.",
  payout_missing: "An idEnvio that nobody sent is 404 with a nao_encontrad... name (Efí).",
  payout_list: "GET /v2/gn/pix/enviados lists payouts of a window (Efí).",
  payout_send: "PUT /v3/gn/pix/{idEnvio} pays, and its repeat does not pay again (Efí).",
  balance: "GET /v2/gn/saldo tells the balance (Efí).",
  content_type: "An answer with a JSON body says so in its Content-Type.",
  schema: "Each answer of success keeps BACEN's OpenAPI document.",
} as const;

export type PspPoint = keyof typeof PSP_POINTS;
