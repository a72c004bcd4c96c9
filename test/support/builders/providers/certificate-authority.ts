import "reflect-metadata";
import {
  BasicConstraintsExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type Extension,
} from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;

/** A certificate with its key, as PEM. */
export interface Issued {
  cert: string;
  key: string;
}

/** A bank's authority, which issues certificates to servers and to who asks by a request. */
export class CertificateAuthority {
  readonly cert: string;
  readonly #name: string;
  readonly #keys: CryptoKeyPair;

  private constructor(name: string, keys: CryptoKeyPair, cert: string) {
    this.#name = name;
    this.#keys = keys;
    this.cert = cert;
  }

  static async create(name: string): Promise<CertificateAuthority> {
    const keys = await newKeys();
    const made = await X509CertificateGenerator.createSelfSigned({
      name: `CN=${name}`,
      keys,
      signingAlgorithm: ALGORITHM,
      ...validity(365),
      extensions: [new BasicConstraintsExtension(true)],
    });
    return new CertificateAuthority(name, keys, made.toString("pem"));
  }

  /** Answers a request (PKCS #10), as the bank does; `days` from now on, or ended for less than 0. */
  async answer(request: string, days = 365): Promise<string> {
    const asked = new Pkcs10CertificateRequest(request);
    if (!(await asked.verify())) throw new Error("The request is not signed by its key.");
    return this.#issue(asked.subject, await asked.publicKey.export(), days, []);
  }

  /** For a server on this machine. */
  async forLoopback(): Promise<Issued> {
    const keys = await newKeys();
    const names = new SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }]);
    const cert = await this.#issue("CN=127.0.0.1", keys.publicKey, 30, [names]);
    return { cert, key: await pemOf(keys.privateKey) };
  }

  async #issue(
    subject: string,
    publicKey: CryptoKey,
    days: number,
    extensions: Extension[],
  ): Promise<string> {
    const made = await X509CertificateGenerator.create({
      subject,
      issuer: `CN=${this.#name}`,
      publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: ALGORITHM,
      ...validity(days),
      extensions,
    });
    return made.toString("pem");
  }
}

function validity(days: number): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return {
    notBefore: new Date(now - 2 * DAY_MS),
    notAfter: new Date(now + days * DAY_MS),
  };
}

async function newKeys(): Promise<CryptoKeyPair> {
  const keys: CryptoKey | CryptoKeyPair = await crypto.subtle.generateKey(ALGORITHM, true, [
    "sign",
    "verify",
  ]);
  if (!("privateKey" in keys)) throw new Error("ECDSA keys come in pairs");
  return keys;
}

async function pemOf(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", key)).toString("base64");
  return `-----BEGIN PRIVATE KEY-----\n${der.replaceAll(/.{64}/g, "$&\n")}\n-----END PRIVATE KEY-----\n`;
}
