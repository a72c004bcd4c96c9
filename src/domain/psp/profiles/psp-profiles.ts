import type { Fact, ProfileSource, PspProfile } from "./psp-profile.ts";

/**
 * What public sources say of seven PSPs' Pix APIs. Nothing of it was called: `npm run psp-check` tells what is so.
 */

const source = (name: string, date: string): ProfileSource => ({ name, date });

/** Efí's own. */
const EFI_SDK = source("github.com/efipay/sdk-node-apis-efi 2728b67", "2026-01-22");
const EFI_AUTOMATIC = source("npm sdk-node-apis-efi 2.0.1", "2026-11-29");
const EFI_MANUAL = source("dev.efipay.com.br, as src/providers/pix-api reads it", "2026-11-29");
/** The components of the ACBr project, as a mirror of them has them. */
const ACBR = source("github.com/frones/ACBr Fontes/ACBrPIXCD/ACBrPIXPSP*.pas", "2026-11-29");
const PYPIX = source("github.com/laddertech/pypix-api 24be861", "2026-07-28");
/** The central bank's own forum. */
const FORUM_LIST = source("github.com/bacen/pix-api issue 76, list of PSPs", "2025-09-28");
const FORUM_ITAU_WEBHOOK = source("github.com/bacen/pix-api issue 313", "2021-02-08");
const FORUM_ITAU_V1 = source("github.com/bacen/pix-api issue 371", "2021-04-22");
const FORUM_ITAU_URL = source("github.com/bacen/pix-api issue 9", "2023-04-20");
const FORUM_BRADESCO = source("github.com/bacen/pix-api issue 535", "2022-12-06");
/** The bank's page as several integrators repeat it. */
const INTER_DOCS = source(
  "developers.inter.co/references/pix, as copied by integrators",
  "2026-11-29",
);

function fact<Value>(value: Value, from: ProfileSource): Fact<Value> {
  return { value, source: from };
}

const EFI: PspProfile = {
  title: "Efí",
  calledForReal: false,
  test: fact(
    {
      baseUrl: "https://pix-h.api.efipay.com.br/v2",
      tokenUrl: "https://pix-h.api.efipay.com.br/oauth/token",
    },
    EFI_SDK,
  ),
  production: fact(
    {
      baseUrl: "https://pix.api.efipay.com.br/v2",
      tokenUrl: "https://pix.api.efipay.com.br/oauth/token",
    },
    EFI_SDK,
  ),
  tokenBody: fact("json", EFI_MANUAL),
  tokenClient: fact("basic", EFI_SDK),
  scope: null,
  headers: null,
  query: null,
  mtls: fact(true, EFI_SDK),
  certificate: fact("bank", EFI_MANUAL),
  webhook: fact("mTLS, or none with x-skip-mtls-checking: true, which this service sends", EFI_SDK),
  automatic: fact(true, EFI_AUTOMATIC),
  payouts: fact(
    { test: "https://pix-h.api.efipay.com.br", production: "https://pix.api.efipay.com.br" },
    EFI_SDK,
  ),
  faults: [fact({ point: "cob_repeat", what: "a known txid is 409 txid_duplicado" }, EFI_MANUAL)],
};

const INTER: PspProfile = {
  title: "Inter",
  calledForReal: false,
  test: fact(
    {
      baseUrl: "https://cdpj-sandbox.partners.uatinter.co/pix/v2",
      tokenUrl: "https://cdpj-sandbox.partners.uatinter.co/oauth/v2/token",
    },
    INTER_DOCS,
  ),
  production: fact(
    {
      baseUrl: "https://cdpj.partners.bancointer.com.br/pix/v2",
      tokenUrl: "https://cdpj.partners.bancointer.com.br/oauth/v2/token",
    },
    ACBR,
  ),
  tokenBody: fact("form", ACBR),
  tokenClient: fact("body", ACBR),
  scope: null,
  headers: null,
  query: null,
  mtls: fact(true, ACBR),
  certificate: fact("bank", INTER_DOCS),
  webhook: null,
  automatic: null,
  payouts: null,
  faults: [
    fact({ point: null, what: "similar to the standard, but not obedient to it" }, FORUM_LIST),
    fact(
      { point: null, what: "x-conta-corrente is needed where an application has several accounts" },
      INTER_DOCS,
    ),
  ],
};

const SICOOB: PspProfile = {
  title: "Sicoob",
  calledForReal: false,
  test: fact(
    {
      baseUrl: "https://sandbox.sicoob.com.br/sicoob/sandbox/pix/api/v2",
      tokenUrl: "https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token",
    },
    PYPIX,
  ),
  production: fact(
    {
      baseUrl: "https://api.sicoob.com.br/pix/api/v2",
      tokenUrl: "https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token",
    },
    PYPIX,
  ),
  tokenBody: fact("form", PYPIX),
  tokenClient: fact("certificate", PYPIX),
  scope: fact(
    "cob.write cob.read cobv.write cobv.read pix.write pix.read webhook.read webhook.write",
    PYPIX,
  ),
  headers: fact(["client_id"], ACBR),
  query: null,
  mtls: fact(true, ACBR),
  certificate: fact("own", source("github.com/SharpSistemas/SicoobAPI", "2026-11-29")),
  webhook: null,
  automatic: null,
  payouts: null,
  faults: [
    fact({ point: null, what: "the code is called brcode, not pixCopiaECola" }, ACBR),
    fact({ point: "schema", what: "PUT of a devolução answers 200, not 201" }, ACBR),
  ],
};

const BANCO_DO_BRASIL: PspProfile = {
  title: "Banco do Brasil",
  calledForReal: false,
  test: fact(
    {
      baseUrl: "https://api-pix.hm.bb.com.br/pix/v2",
      tokenUrl: "https://oauth.hm.bb.com.br/oauth/token",
    },
    PYPIX,
  ),
  production: fact(
    {
      baseUrl: "https://api-pix.bb.com.br/pix/v2",
      tokenUrl: "https://oauth.bb.com.br/oauth/token",
    },
    PYPIX,
  ),
  tokenBody: fact("form", ACBR),
  tokenClient: fact("basic", ACBR),
  scope: fact(
    "cob.read cob.write cobv.read cobv.write pix.read pix.write webhook.read webhook.write",
    PYPIX,
  ),
  headers: null,
  query: fact(["gw-dev-app-key"], ACBR),
  mtls: fact(true, ACBR),
  certificate: null,
  webhook: null,
  automatic: null,
  payouts: null,
  faults: [
    fact({ point: "schema", what: "PUT /cob answers 200, not 201, and PATCH 201" }, ACBR),
    fact({ point: null, what: "in test the code is called textoImagemQRcode" }, ACBR),
    fact({ point: "cob_list", what: "charges cannot be listed by a window" }, ACBR),
    fact({ point: "cob_refused", what: "its errors are a list erros, no problem" }, ACBR),
    fact({ point: null, what: "similar to the standard, but not obedient to it" }, FORUM_LIST),
  ],
};

const ITAU: PspProfile = {
  title: "Itaú",
  calledForReal: false,
  test: fact(
    {
      baseUrl: "https://api.itau.com.br/sandbox/pix_recebimentos/v2",
      tokenUrl: "https://api.itau.com.br/sandbox/api/oauth/token",
    },
    ACBR,
  ),
  production: fact(
    {
      baseUrl: "https://secure.api.itau/pix_recebimentos/v2",
      tokenUrl: "https://sts.itau.com.br/as/token.oauth2",
    },
    ACBR,
  ),
  tokenBody: fact("form", ACBR),
  tokenClient: fact("body", ACBR),
  scope: fact("", ACBR),
  headers: fact(["x-correlationID"], ACBR),
  query: null,
  mtls: fact(true, ACBR),
  certificate: fact("request", ACBR),
  webhook: fact("mTLS; its CA must be trusted at our door", FORUM_ITAU_WEBHOOK),
  automatic: null,
  payouts: null,
  faults: [
    fact(
      { point: "webhook", what: "a URL that another product has already is refused" },
      FORUM_ITAU_URL,
    ),
    fact({ point: "webhook", what: "version 1 took the URL by e-mail only" }, FORUM_ITAU_V1),
  ],
};

const BRADESCO: PspProfile = {
  title: "Bradesco",
  calledForReal: false,
  test: fact(
    {
      baseUrl: "https://qrpix-h.bradesco.com.br/v2",
      tokenUrl: "https://qrpix-h.bradesco.com.br/oauth/token",
    },
    ACBR,
  ),
  production: fact(
    {
      baseUrl: "https://qrpix.bradesco.com.br/v2",
      tokenUrl: "https://qrpix.bradesco.com.br/oauth/token",
    },
    ACBR,
  ),
  tokenBody: fact("form", ACBR),
  tokenClient: fact("basic", ACBR),
  scope: fact("", ACBR),
  headers: null,
  query: null,
  mtls: fact(true, ACBR),
  certificate: null,
  webhook: null,
  automatic: null,
  payouts: null,
  faults: [
    fact({ point: "schema", what: "PUT /cobv and PUT of a devolução answer 200, not 201" }, ACBR),
    fact({ point: null, what: "errors of its gateway are SOAP with status 500" }, FORUM_BRADESCO),
    fact({ point: null, what: "similar to the standard, but not obedient to it" }, FORUM_LIST),
  ],
};

const SANTANDER: PspProfile = {
  title: "Santander",
  calledForReal: false,
  test: fact(
    {
      baseUrl: "https://trust-pix-h.santander.com.br/api/v1",
      tokenUrl: "https://trust-pix-h.santander.com.br/oauth/token?grant_type=client_credentials",
    },
    ACBR,
  ),
  production: fact(
    {
      baseUrl: "https://trust-pix.santander.com.br/api/v1",
      tokenUrl: "https://trust-pix.santander.com.br/oauth/token?grant_type=client_credentials",
    },
    ACBR,
  ),
  tokenBody: fact("form", ACBR),
  tokenClient: fact("body", ACBR),
  scope: fact("", ACBR),
  headers: null,
  query: null,
  mtls: fact(true, ACBR),
  certificate: null,
  webhook: null,
  automatic: null,
  payouts: null,
  faults: [fact({ point: "schema", what: "a new charge is answered with 200, not 201" }, ACBR)],
};

export const PSP_PROFILES = {
  efi: EFI,
  inter: INTER,
  sicoob: SICOOB,
  bb: BANCO_DO_BRASIL,
  itau: ITAU,
  bradesco: BRADESCO,
  santander: SANTANDER,
} as const;

export type PspProfileName = keyof typeof PSP_PROFILES;
