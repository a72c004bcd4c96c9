import { X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { fromBase64, toBase64 } from "../../../../src/lib/base64.ts";
import { childrenOf, elementAt } from "../../../../src/lib/certificates/der.ts";
import {
  holdsPrivateKey,
  readCertificate,
  readRequestKey,
} from "../../../../src/lib/certificates/x509.ts";
import { makeCertificateRequest } from "../../../../tools/lib/certificates/request.ts";
import { CertificateAuthority } from "../../../support/builders/providers/certificate-authority.ts";

let asked: { key: string; request: string };
let certificate: string;

const pemOf = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${toBase64(der)}\n-----END CERTIFICATE-----`;

beforeAll(async () => {
  asked = await makeCertificateRequest({ commonName: "Padaria São João", organization: "Padaria" });
  const bank = await CertificateAuthority.create("Banco");
  certificate = await bank.answer(asked.request, 90);
});

describe("a certificate", () => {
  it("says its name, its time and its key as Node reads them", () => {
    const known = new X509Certificate(certificate);
    const read = readCertificate(`some text\n${certificate}\n`);
    expect(read).toEqual({
      name: "Padaria São João",
      startsAt: known.validFromDate.getTime(),
      endsAt: known.validToDate.getTime(),
      publicKey: readRequestKey(asked.request),
    });
    const der = known.publicKey.export({ type: "spki", format: "der" });
    const { start, end } = elementAt(der, 0);
    expect(read?.publicKey).toBe(toBase64(der.subarray(start, end)));
  });

  it("is unreadable where a byte is missing or its text is no certificate", async () => {
    const body = certificate.replaceAll(/-----[^-]+-----|\s/g, "");
    const bytes = fromBase64(body);
    expect(readCertificate(pemOf(bytes))).not.toBeNull();
    for (let length = 0; length < bytes.length; length += 7) {
      expect(readCertificate(pemOf(bytes.slice(0, length))), String(length)).toBeNull();
    }
    expect(readCertificate(asked.request)).toBeNull();
    expect(readCertificate("")).toBeNull();
    expect(readRequestKey(certificate)).toBeNull();
    expect(readRequestKey("-----BEGIN CERTIFICATE REQUEST-----")).toBeNull();
  });

  it("never makes the reader throw or hang, whatever byte is changed", () => {
    const bytes = fromBase64(certificate.replaceAll(/-----[^-]+-----|\s/g, ""));
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      expect(() => readCertificate(pemOf(changed))).not.toThrow();
    }
  });
});

it("a private key is known by its head, of whatever kind", () => {
  expect(holdsPrivateKey(asked.key)).toBe(true);
  expect(holdsPrivateKey("-----BEGIN RSA PRIVATE KEY-----")).toBe(true);
  expect(holdsPrivateKey("-----BEGIN ENCRYPTED PRIVATE KEY-----")).toBe(true);
  expect(holdsPrivateKey(certificate)).toBe(false);
  expect(holdsPrivateKey(asked.request)).toBe(false);
});

describe("DER", () => {
  it("has lengths of one byte and of several", () => {
    const long = new Uint8Array(4 + 300);
    long.set([0x30, 0x82, 0x01, 0x2c]);
    expect(elementAt(long, 0)).toEqual({ tag: 0x30, start: 4, end: 304 });
    expect(
      childrenOf(new Uint8Array([0x30, 4, 5, 0, 5, 0]), { tag: 0x30, start: 2, end: 6 }),
    ).toEqual([
      { tag: 5, start: 4, end: 4 },
      { tag: 5, start: 6, end: 6 },
    ]);
  });

  it.each([[[0x30]], [[0x30, 0x80, 0, 0]], [[0x30, 0x85, 0, 0, 0, 0, 1, 0]], [[0x30, 2, 0]]])(
    "is refused cut off, of no definite length or too long: %j",
    (bytes) => {
      expect(() => elementAt(new Uint8Array(bytes), 0)).toThrow(RangeError);
    },
  );
});
