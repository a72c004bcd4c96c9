import { createPrivateKey, X509Certificate } from "node:crypto";

const DAY_MS = 86_400_000;
const PEM = /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g;

/** The files of a client certificate, as PEM texts. */
export interface CertificateFiles {
  /** The certificate, and after it those that issued it, in any number. */
  cert: string;
  key: string;
  /** The bank's root or issuer, to check the end of the chain; null where it is not at hand. */
  ca: string | null;
  /** A text that the subject must have: the client id or CNPJ at the bank; null for any. */
  name: string | null;
}

/** What a certificate says, and why it cannot be used. */
export interface CertificateVerdict {
  /** Empty for one that can be used. */
  faults: string[];
  /** In one line. */
  subject: string;
  /** Epoch milliseconds. */
  notAfter: number;
  /** Whole days from now on; negative once it has ended. */
  daysLeft: number;
}

/** Checks a client certificate before it goes to the platform. Never throws for what a file holds. */
export function judgeCertificate(files: CertificateFiles, nowMs: number): CertificateVerdict {
  const chain = certificatesOf(files.cert);
  const [own] = chain;
  if (own === undefined) {
    return {
      faults: ["The file has no certificate (PEM)."],
      subject: "",
      notAfter: 0,
      daysLeft: 0,
    };
  }
  const subject = own.subject.replaceAll("\n", ", ");
  const [notBefore, notAfter] = [own.validFromDate.getTime(), own.validToDate.getTime()];
  const faults = [
    isItsKey(own, files.key) ? null : "The key is not this certificate's.",
    notBefore > nowMs ? `It is valid only from ${own.validFromDate.toISOString()}.` : null,
    notAfter <= nowMs ? `It ended at ${own.validToDate.toISOString()}.` : null,
    own.ca ? "It is an authority's certificate, not a client's." : null,
    files.name === null || subject.includes(files.name)
      ? null
      : `Its subject (${subject}) does not name ${files.name}.`,
    ...chainFaults(chain, files.ca),
  ].filter((fault) => fault !== null);
  return { faults, subject, notAfter, daysLeft: Math.floor((notAfter - nowMs) / DAY_MS) };
}

function chainFaults(chain: X509Certificate[], ca: string | null): string[] {
  const broken = chain.slice(1).some((issuer, at) => !isIssuedBy(chain[at] ?? issuer, issuer));
  const roots = ca === null ? [] : certificatesOf(ca);
  const last = chain.at(-1);
  const isEnded = ca === null || roots.some((root) => last !== undefined && isIssuedBy(last, root));
  return [
    ...(broken ? ["Its file's certificates do not follow from each other."] : []),
    ...(isEnded ? [] : ["None of the given authorities issued it."]),
  ];
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function isItsKey(certificate: X509Certificate, key: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** The readable certificates of a PEM text, in their order. */
function certificatesOf(text: string): X509Certificate[] {
  return (text.match(PEM) ?? []).flatMap((pem) => {
    try {
      return [new X509Certificate(pem)];
    } catch {
      return [];
    }
  });
}
