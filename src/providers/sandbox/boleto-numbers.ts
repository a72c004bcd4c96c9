/** How many bits of each part of a charge's id the numbers carry (`domain/ids.ts`). */
const COMPANY_BITS = 24n;
const LOW_RANDOM_BITS = 38n;
const HIGH_RANDOM_BITS = 12n;
const TIME_BITS = 6n;
/** The UUID's variant and version, which stand between those parts. */
const VARIANT_BITS = 2n;
const VERSION_BITS = 4n;
const COMPANY_DIGITS = 8;
const OUR_NUMBER_DIGITS = 17;

/**
 * The sandbox bank's numbers of a boleto, from its charge's id: `ourNumber` holds its 50 random bits and
 * 6 bits of its time, the free field (25 digits) the company and `ourNumber`.
 */
export function boletoNumbers(chargeId: string): { ourNumber: string; freeField: string } {
  let rest = BigInt(`0x${chargeId.replaceAll("-", "")}`);
  const next = (bits: bigint) => {
    const part = BigInt.asUintN(Number(bits), rest);
    rest >>= bits;
    return part;
  };
  const company = next(COMPANY_BITS);
  const low = next(LOW_RANDOM_BITS);
  next(VARIANT_BITS);
  const high = next(HIGH_RANDOM_BITS);
  next(VERSION_BITS);
  const own = (((next(TIME_BITS) << HIGH_RANDOM_BITS) | high) << LOW_RANDOM_BITS) | low;
  const ourNumber = String(own).padStart(OUR_NUMBER_DIGITS, "0");
  return { ourNumber, freeField: String(company).padStart(COMPANY_DIGITS, "0") + ourNumber };
}
