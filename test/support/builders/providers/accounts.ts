import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import type { Answer } from "../requests/api.ts";
import type { TestCompany } from "../companies/company.ts";
import { callAsOperator } from "../companies/operator.ts";
import { approve, REASON } from "../operations/decide.ts";
import { pixApiRequest, type PspSetup } from "./psp.ts";

type Body = Record<string, unknown>;
type World = Pick<PspSetup, "options">;

/** An account over the Pix API with a key of its own, as its route takes it. */
export function pixAccount(overrides: Body = {}, terms: Body = {}): Body {
  const { clientSecret, ...settings } = pixApiRequest(overrides);
  const common = { methods: ["PIX", "PAYOUT"], priority: 1 };
  return { provider: "pix-api", ...common, ...terms, settings, secrets: { clientSecret } };
}

/** An account at Efí for boletos, with a client of its own. */
export function efiAccount(settings: Body = {}, terms: Body = {}): Body {
  return {
    provider: "efi-cobrancas",
    methods: ["BOLETO"],
    priority: 1,
    ...terms,
    settings: {
      baseUrl: "https://cobrancas.banco-de-teste.com.br",
      clientId: newUuid(systemRandom),
      ...settings,
    },
    secrets: { clientSecret: "efi-s3cret" },
  };
}

/** An account at Pagar.me for cards, with a key of its own. */
export function pagarmeAccount(settings: Body = {}, terms: Body = {}): Body {
  return {
    provider: "pagarme",
    methods: ["CREDIT_CARD"],
    priority: 1,
    ...terms,
    settings: {
      baseUrl: "https://pagarme.banco-de-teste.com.br/core/v5",
      publicKey: `pk_${newUuid(systemRandom)}`,
      kind: "psp",
      ...settings,
    },
    secrets: { secretKey: "sk_s3cret" },
  };
}

export function accountPath(company: Pick<TestCompany, "id">, account: string): string {
  return `/companies/${company.id}/providers/${account}`;
}

/** What one operator asks for. */
export function putAccount(
  company: Pick<TestCompany, "id">,
  account: string,
  body: Body,
  { options }: World,
): Promise<Answer> {
  return callAsOperator(accountPath(company, account), { ...options, method: "PUT", body });
}

export function patchAccount(
  company: Pick<TestCompany, "id">,
  account: string,
  body: Body,
  { options }: World,
): Promise<Answer> {
  return callAsOperator(accountPath(company, account), { ...options, method: "PATCH", body });
}

/** Connects an account, with another operator's approval where it takes one. Throws where it is refused. */
export async function connectAccount(
  company: Pick<TestCompany, "id">,
  account: string,
  body: Body,
  world: World,
): Promise<void> {
  const answer = await putAccount(company, account, { reason: REASON, ...body }, world);
  const done = answer.status === 202 ? await approve(answer.body.data.id, world.options) : answer;
  if (done.status !== 200) throw new Error(`connecting answered ${done.status}: ${done.text}`);
}

/** A company's accounts as the operators' list shows them. */
export async function accountsOf(
  company: Pick<TestCompany, "id">,
  { options }: World,
): Promise<any[]> {
  return (await callAsOperator(`/companies/${company.id}/providers`, options)).body.data;
}
