/**
 * Holidays of states and of capitals, by the IBGE code of the payer's town. BACEN's Pix API 2.9.0 (`ajusteDiaUtil`) has the
 * receiver's PSP count them when a debit moves to a business day. States: the laws that the Python package `holidays`
 * 0.105 lists and that are days off, as Lei 9.093/1995 lets each state have. Capitals: `?`, their own calendars, read in
 * no official list. A town that is missing has the days of its state only.
 */
export interface LocalHoliday {
  /** Whose: of the state, or of the town alone. */
  of: "STATE" | "TOWN";
}

/** `MM-DD` by the first two digits of a town's code. */
const STATE_DAYS: Readonly<Record<string, readonly string[]>> = {
  "11": ["01-04", "06-18"],
  "12": ["06-15", "11-17"],
  "13": ["09-05"],
  "14": ["10-05"],
  "15": ["08-15"],
  "16": ["03-19", "09-13"],
  "17": ["03-18", "09-08", "10-05"],
  "21": ["07-28"],
  "22": ["10-19"],
  "23": ["03-19", "03-25"],
  "24": ["10-03"],
  "25": ["08-05"],
  "26": ["03-06"],
  "27": ["06-24", "06-29", "09-16"],
  "28": ["07-08"],
  "29": ["07-02"],
  "33": ["04-23"],
  "35": ["07-09"],
  "43": ["09-20"],
  "50": ["10-11"],
  "53": ["11-30"],
};

const TOWN_DAYS: Readonly<Record<string, readonly string[]>> = {
  // Manaus, Belém
  "1302603": ["10-24", "12-08"],
  "1501402": ["01-12", "12-08"],
  // Fortaleza, Recife, Salvador
  "2304400": ["08-15"],
  "2611606": ["06-24", "07-16", "12-08"],
  "2927408": ["06-24", "12-08"],
  // Belo Horizonte, Vitória, Rio de Janeiro, São Paulo
  "3106200": ["08-15", "12-08"],
  "3205309": ["09-08"],
  "3304557": ["01-20"],
  "3550308": ["01-25"],
  // Curitiba, Florianópolis, Porto Alegre
  "4106902": ["09-08"],
  "4205407": ["03-23"],
  "4314902": ["02-02"],
  // Goiânia
  "5208707": ["05-24", "10-24"],
};

/** The holiday of a day (`YYYY-MM-DD`) in a town, by its IBGE code of seven digits; null where none is known. */
export function localHoliday(day: string, city: string): LocalHoliday | null {
  const monthDay = day.slice("YYYY-".length);
  if (STATE_DAYS[city.slice(0, 2)]?.includes(monthDay) === true) return { of: "STATE" };
  return TOWN_DAYS[city]?.includes(monthDay) === true ? { of: "TOWN" } : null;
}
