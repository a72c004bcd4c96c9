import type { FurtherApplication, NewCompany } from "./company-sql.ts";

/** The two sandbox companies of a local database. Their credentials exist only there. */
export const LOCAL_COMPANIES: readonly NewCompany[] = [
  {
    name: "Loja Exemplo",
    mode: "sandbox",
    providerCompanyId: "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a01",
    clientId: "app_local_loja",
    apiKey: "sk_test_local_loja",
    webhookSecret: "whsec_bG9jYWwtbG9qYS1leGVtcGxvLXNlY3JldA==",
    mainPixKey: { type: "CNPJ", value: "11222333000181" },
    bankDocument: "11222333000181",
    duplicateWithdrawGuard: false,
  },
  {
    name: "Outra Loja",
    mode: "sandbox",
    providerCompanyId: "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a02",
    clientId: "app_local_outra",
    apiKey: "sk_test_local_outra",
    webhookSecret: "whsec_bG9jYWwtb3V0cmEtbG9qYS1zZWNyZXQhIQ==",
    mainPixKey: null,
    bankDocument: "",
    duplicateWithdrawGuard: false,
  },
];

/** An application of the first local company that approves what the first one asks for. */
export const LOCAL_APPROVER: FurtherApplication = {
  company: { providerCompanyId: "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a01" },
  name: "aprovador",
  clientId: "app_local_aprovador",
  apiKey: "sk_test_local_aprovador",
  scopes: ["withdraws:read", "withdraws:approve"],
};
