import type { z } from "@hono/zod-openapi";
import { certificateOf, type Env } from "../../../config.ts";
import {
  holdsPrivateKey,
  readCertificate,
  readRequestKey,
} from "../../../lib/certificates/x509.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import type { NamedCertificate } from "./schemas.ts";

/** What is wrong with a named certificate by the Worker's bindings, by the time, and by what its public part says. */
export function certificateIssues(
  env: Env,
  named: NamedCertificate,
  nowMs: number,
): z.core.$ZodIssue[] {
  const { binding, certificate = null, request = null } = named;
  const read = certificate === null ? null : readCertificate(certificate);
  const key = request === null ? null : readRequestKey(request);
  const faults: [keyof NamedCertificate, boolean, string][] = [
    ["binding", certificateOf(env, binding) === null, breaks("noCertificate")],
    ["certificate", holdsPrivateKey(certificate ?? ""), breaks("privateKey")],
    [
      "certificate",
      certificate !== null && (read === null || read.endsAt <= nowMs),
      breaks("publicCertificate"),
    ],
    ["request", holdsPrivateKey(request ?? ""), breaks("privateKey")],
    ["request", request !== null && key === null, breaks("publicRequest")],
    ["certificate", key !== null && read !== null && read.publicKey !== key, breaks("otherKey")],
  ];
  const found = faults.find(([, isFault]) => isFault);
  if (found === undefined) return [];
  const [name, , message] = found;
  // Not the value: it may be a private key.
  return [{ code: "custom", path: [name], message, input: "" }];
}
