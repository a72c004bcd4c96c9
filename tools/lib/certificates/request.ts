import "reflect-metadata";
import { Pkcs10CertificateRequestGenerator } from "@peculiar/x509";

/** What banks take everywhere: RSA of 2,048 bits, SHA-256. */
const ALGORITHM = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2_048,
};
const LINE = /.{1,64}/g;

/** Whom a client certificate is for; what is left out is not in the request. */
export interface CertificateSubject {
  /** What the bank matches: its client id, or a CNPJ. */
  commonName: string;
  organization?: string | undefined;
  unit?: string | undefined;
  city?: string | undefined;
  /** Two letters. */
  state?: string | undefined;
}

/** A new private key (PKCS #8) and a request for its certificate (PKCS #10), both as PEM. */
export async function makeCertificateRequest(
  subject: CertificateSubject,
): Promise<{ key: string; request: string }> {
  const keys: CryptoKey | CryptoKeyPair = await crypto.subtle.generateKey(ALGORITHM, true, [
    "sign",
    "verify",
  ]);
  if (!("privateKey" in keys)) throw new Error("RSA keys come in pairs");
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [
      { C: ["BR"] },
      ...field("ST", subject.state),
      ...field("L", subject.city),
      ...field("O", subject.organization),
      ...field("OU", subject.unit),
      ...field("CN", subject.commonName),
    ],
    keys,
    signingAlgorithm: ALGORITHM,
  });
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  const lines = der.toString("base64").match(LINE) ?? [];
  const key = ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join("\n");
  return { key, request: `${request.toString("pem")}\n` };
}

function field(name: string, value: string | undefined): Record<string, string[]>[] {
  return value === undefined ? [] : [{ [name]: [value] }];
}
