/** The contract's limit on `postbackUrl`, in characters. */
export const MAX_URL_LENGTH = 2_048;

/**
 * Host names that are not public: special use (RFC 6761; all of `arpa`, because `ipv4only.arpa` is a NAT64
 * address; `alt`, which Workers uses internally), private (RFC 6762 appendix G), withheld by ICANN, and
 * names of common service discovery.
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
/** An @ before the path, also without a name in front of it: a URL parser drops that silently. */
const USER_INFO = /^[^/?#\\]*[/\\]*[^/?#\\]*@/;
/**
 * Two slashes, a host without escapes, no space, control character or backslash. Parsers strip, unescape or
 * replace these, so the URL that is checked would not be the URL that is fetched.
 */
const UNAMBIGUOUS_URL = /^https:\/\/[^\s\p{Cc}\\/?#%]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const HOST_MAX = 253;

/**
 * Why `url` is not allowed as a webhook target; null when it is allowed. The contract asks for https, port
 * 443, a public DNS name, no IP literal, no user-info and at most 2,048 characters. Local development may
 * also allow http to loopback.
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
  const nameError = publicNameError(parsed.hostname);
  if (nameError !== null) return nameError;
  return UNAMBIGUOUS_URL.test(url)
    ? null
    : "must not contain spaces, backslashes or an escaped host";
}

/** The host of a URL, with the port unless it is the scheme's default; "" for an invalid URL. */
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
