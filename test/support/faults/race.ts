import { callsTo } from "../builders/companies/calls.ts";
import { type TestCompany } from "../builders/companies/company.ts";

/** Attempts of each race: both orders, with delays of 0 to 11 calls to the object. */
export const RACE_ATTEMPTS = Array.from({ length: 24 }, (_, round) => round);

/** Attempts of calls that go to the object three times at most: with delays of 0 to 5 of its calls. */
export const SHORT_RACE_ATTEMPTS = RACE_ATTEMPTS.slice(0, 12);

const MAX_DELAY_CALLS = 12;

/** Starts both calls concurrently, the left one first in even attempts. */
export async function race<Left, Right>(
  company: TestCompany,
  attempt: number,
  left: () => Promise<Left>,
  right: () => Promise<Right>,
): Promise<[Left, Right]> {
  const trips = Math.floor(attempt / 2) % MAX_DELAY_CALLS;
  const late = async <Answer>(run: () => Promise<Answer>): Promise<Answer> => {
    for (let trip = 0; trip < trips; trip++) await callsTo(company.id).findWithdraw(0);
    return run();
  };
  if (attempt % 2 === 0) return Promise.all([left(), late(right)]);
  const [second, first] = await Promise.all([right(), late(left)]);
  return [first, second];
}
