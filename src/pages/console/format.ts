/** What of a company is frozen, as a list of words. */
export function whatIsFrozen(
  { withdraws, charges }: { withdraws: boolean; charges: boolean },
  labels: { withdraws: string; charges: string },
): string {
  return [withdraws ? labels.withdraws : "", charges ? labels.charges : ""]
    .filter((what) => what !== "")
    .join(", ");
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * A typed range of days for the API, which takes a day alone as one of UTC: from the first to the last moment of these
 * days in America/Sao_Paulo. A text that is no day goes as it is: the API says what is wrong with it.
 */
export function dayRange({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  from?: string;
  to?: string;
} {
  return {
    ...(from === undefined ? {} : { from: timeOf(from, "00:00:00.000") }),
    ...(to === undefined ? {} : { to: timeOf(to, "23:59:59.999") }),
  };
}

function timeOf(day: string, time: string): string {
  return DAY.test(day) ? `${day}T${time}-03:00` : day;
}
