import "reflect-metadata";
import { runInNewContext } from "node:vm";
import { Pkcs10CertificateRequest } from "@peculiar/x509";
import { expect, it } from "vitest";
import { readRequestKey } from "../../../../../../src/lib/certificates/x509.ts";
import { REQUEST_MAKER } from "../../../../../../src/pages/console/ui/scripts/certificate.ts";

const ALGORITHM = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2_048,
};

type MakeRequest = (
  keys: CryptoKeyPair,
  names: [type: number, text: string][],
) => Promise<Uint8Array>;

it("the browser's script makes a signed request that banks' libraries read, also with long and foreign names", async () => {
  const make = runInNewContext(`(${REQUEST_MAKER})`, {
    crypto,
    TextEncoder,
    Uint8Array,
  }) as MakeRequest;
  const keys: CryptoKey | CryptoKeyPair = await crypto.subtle.generateKey(ALGORITHM, true, [
    "sign",
    "verify",
  ]);
  if (!("privateKey" in keys)) throw new Error("RSA keys come in pairs");
  const city = "São José dos Pinhais ".repeat(8).trim();
  const der = await make(keys, [
    [6, "BR"],
    [7, city],
    [10, "Padaria"],
    [3, "client-7"],
  ]);
  const request = new Pkcs10CertificateRequest(Buffer.from(der));
  expect(await request.verify()).toBe(true);
  expect(request.subject).toBe(`C=BR, L=${city}, O=Padaria, CN=client-7`);
  const spki = await crypto.subtle.exportKey("spki", keys.publicKey);
  expect(Buffer.from(request.publicKey.rawData)).toEqual(Buffer.from(spki));
  expect(readRequestKey(request.toString("pem"))).not.toBeNull();
});
