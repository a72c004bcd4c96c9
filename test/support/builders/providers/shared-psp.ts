import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import type { FakePsp } from "../../fakes/fake-psp/psp.ts";
import { givenCompany } from "../companies/company.ts";
import { configurePixApi, givenPsp, pixApiRequest, type PspSetup } from "./psp.ts";

/** The host and client of the PSP's API that both companies use. */
const CLIENT = { clientId: "client-7" };

/** Two companies behind one client of a PSP, each with its own key. */
export interface SharedPsp {
  psp: FakePsp;
  first: PspSetup;
  second: PspSetup;
}

export async function givenSharedPsp(): Promise<SharedPsp> {
  const first = await givenPsp(oneClient());
  return { psp: first.psp, first, second: await connectBeside(first) };
}

/** A company that is alone behind its client, until others are connected beside it. */
export function givenLonePsp(): Promise<PspSetup> {
  return givenPsp(oneClient());
}

/** Another company, with another key of the same account, behind the same client. */
export async function connectBeside(first: PspSetup): Promise<PspSetup> {
  const { clock, psp } = first;
  const company = await givenCompany({ mode: "live", clock });
  const pixKey = newUuid(systemRandom);
  psp.book.keys.add(pixKey);
  const { tokenUrl, clientId } = first.configured;
  const request = pixApiRequest({ pixKey, tokenUrl, clientId });
  const { body, status, text } = await configurePixApi(company, request, first);
  if (status !== 200) throw new Error(`configure answered ${status}: ${text}`);
  return { ...first, company, configured: body };
}

function oneClient() {
  return {
    ...CLIENT,
    tokenUrl: `https://${newUuid(systemRandom)}.banco-de-teste.com.br/oauth/token`,
  };
}
