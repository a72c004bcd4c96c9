/** The contract's limit on `postbackUrl` (`product.md` section 3). */
export const MAX_URL_LENGTH = 2_048;

/**
 * Names that lead nowhere public: special use (IANA's registry of RFC 6761; `arpa` whole, where
 * `ipv4only.arpa` is an address of NAT64, and `alt`, where Workers keeps names of its own), the
 * private ones of RFC 6762 appendix G, those that ICANN withholds, and of common service discovery.
 */
const INTERNAL_SUFFIXES = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "lan",
  "home",
  "corp",
  "private",
  "mail",
  "svc",
  "consul",
  "arpa",
  "alt",
  "example",
  "test",
  "invalid",
  "onion",
];

const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** An @ before the path, also with nothing in front of it, which a parser would drop unseen. */
const USER_INFO = /^[^/?#\\]*[/\\]*[^/?#\\]*@/;
/**
 * Two slashes, a host without escapes, nowhere a space, control character or backslash: what parsers
 * strip, unescape or turn into a slash, so that what is read is not what is fetched.
 */
const UNAMBIGUOUS_URL = /^https:\/\/[^\s\p{Cc}\\/?#%]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const HOST_MAX = 253;

/**
 * Why a webhook may not be sent to `url`; null where it may. The rule of `product.md` section 7:
 * https, port 443, a public DNS name, no IP literal, no user-info, at most 2,048 characters. Only
 * local development may also allow http to loopback.
 */
export function webhookTargetError(url: string, allowHttpLoopback: boolean): string | null {
  if (url.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters`;
  const parsed = URL.parse(url);
  if (parsed === null) return "must be an absolute URL";
  if (USER_INFO.test(url)) return "must not contain user-info";
  if (allowHttpLoopback && parsed.protocol === "http:" && LOOPBACK_HOSTS.has(parsed.hostname)) {
    return null;
  }
  if (parsed.protocol !== "https:") return "must be https";
  if (parsed.port !== "") return "must use port 443";
  const nameFault = publicNameError(parsed.hostname);
  if (nameFault !== null) return nameFault;
  return UNAMBIGUOUS_URL.test(url)
    ? null
    : "must not contain spaces, backslashes or an escaped host";
}

/** The host of a webhook's URL, with its port where that is not the scheme's; "" where it is no URL. */
export function webhookHost(url: string): string {
  return URL.parse(url)?.host ?? "";
}

function publicNameError(hostname: string): string | null {
  const labels = hostname.split(".");
  const top = labels.at(-1) ?? "";
  const isName =
    hostname.length <= HOST_MAX &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    TOP_LABEL.test(top);
  if (!isName) return "must use a public DNS name as its host, not an IP address";
  const internal = INTERNAL_SUFFIXES.some(
    (suffix) => hostname === suffix || hostname.endsWith(`.${suffix}`),
  );
  return internal ? "must use a public host" : null;
}
