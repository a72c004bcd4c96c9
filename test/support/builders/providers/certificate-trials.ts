import { tryCertificates } from "../../../../src/api/operator/certificates/tasks.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import type { Answer } from "../requests/api.ts";
import { env } from "../companies/env.ts";
import { callAsOperator } from "../companies/operator.ts";
import { accountPath } from "./accounts.ts";
import { givenPsp, type PspSetup } from "./psp.ts";

/** The account of `givenPsp`. */
export const ACCOUNT = "first";
/** The binding in use, and the one of the next certificate. */
export const PRESENT = "PSP_CERTIFICATE";
export const NEXT = "PSP_CERTIFICATE_2";
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** How the PSP takes a certificate. */
type Handshake = "taken" | "refused" | "silent";

/** A company whose Worker has two certificates for its PSP. */
export interface CertificateWorld extends PspSetup {
  /** How the PSP takes each, which a test may change. */
  handshakes: Record<typeof PRESENT | typeof NEXT, Handshake>;
  /** Requests that each has carried. */
  carried: Record<typeof PRESENT | typeof NEXT, number>;
}

export async function givenTwoCertificates(): Promise<CertificateWorld> {
  // A run tries those of all companies.
  await env.DB.prepare("DELETE FROM certificate_trials").run();
  const first = await givenPsp({ certificate: PRESENT });
  const handshakes: CertificateWorld["handshakes"] = { [PRESENT]: "taken", [NEXT]: "taken" };
  const carried = { [PRESENT]: 0, [NEXT]: 0 };
  const bound = (name: typeof PRESENT | typeof NEXT) => ({
    fetch: async (request: Request) => {
      carried[name] += 1;
      if (handshakes[name] === "silent") throw new TypeError("Network connection lost.");
      if (handshakes[name] === "refused") return new Response("no certificate", { status: 403 });
      return first.psp.fetch(request);
    },
  });
  const both = { ...first.env, [PRESENT]: bound(PRESENT), [NEXT]: bound(NEXT) };
  const deps = { ...first.deps, providers: () => providerRegistry(both, first.clock) };
  return { ...first, env: both, deps, options: { env: both, deps }, handshakes, carried };
}

export function nameCertificate(
  { company, options }: Pick<PspSetup, "company" | "options">,
  body: Record<string, unknown> = { binding: NEXT },
  account = ACCOUNT,
): Promise<Answer> {
  const path = `${accountPath(company, account)}/certificate`;
  return callAsOperator(path, { ...options, method: "PUT", body });
}

/** The cron after a while: an hour by default, in which each trial is due once. */
export async function runTrials(world: PspSetup, afterMs = HOUR_MS + MINUTE_MS): Promise<void> {
  world.clock.advance(afterMs);
  await tryCertificates(world.env, world.deps);
}

/** The account as an operator sees it. */
export async function shownAccountOf({ company, options }: PspSetup) {
  const { body } = await callAsOperator(`/companies/${company.id}/providers`, options);
  return body.data.find((each: { account: string }) => each.account === ACCOUNT);
}
