/**
 * Every rule that a field of a request can break, with the API's sentence. `{name}` are the rule's values: numbers
 * where the name is one of `NUMBERS`, else words.
 */
export const FIELD_RULES = {
  required: "is required",
  requiredFor: "is required for {method}",
  requiredTo: "is required to {action}",
  requiredWith: "is required with {field}",
  requiredWithoutToken: "is required where no token is sent",
  providerCannot: "is not something that the account at the provider can carry out exactly",
  requiredForDueDate: "is required for a PIX with a due date",
  requiredForApproval: "is required: another operator must approve this connection",
  requiredApplication: "is required: the client id of the key's application",
  requiredAmount: "is required: the code has no amount",
  requiredReference: "is required, or externalRef or endToEndId",
  keyTypeNeeded:
    "is required: these eleven digits may be a CPF or a phone; send CPF or PHONE, or write 123.456.789-09 or +5511987654321",
  keyTypeAmbiguous: "is required: the key may be a CPF or a phone",
  keyMayBePhone: "may be a CPF or a phone: write 123.456.789-09 or +5511987654321",
  onlyAllowedWith: "is only allowed with {action}",
  needsDueDate: "needs a dueDate",
  notTogetherWithToken: "must not be sent together with a token",
  notTogetherWith: "must not be sent together with {field}",
  sameAs: "must equal {field}, its name from now on",
  unknown: "unknown field; {hint}",
  unknownNearly: "unknown field; did you mean {names}?",
  unknownParameter: "unknown parameter; {hint}",
  tooManyUnknown: "has more than {max} different unknown fields",
  sentOnce: "must be sent once",

  string: "must be a string",
  boolean: "must be true or false",
  array: "must be an array",
  object: "must be an object",
  objectOf: "must be an object of {names}",
  objectOrNull: "must be an object or null",
  jsonObject: "must be a JSON object",
  stringOrObject: "must be a string or a JSON object",
  rawBody: "must be a string: the raw body, not the parsed one",
  integer: "must be an integer",
  integerOf: "must be an integer number of {unit}",
  plainInteger: "must be an integer without a decimal point: 49.00 reais are 4900 centavos",
  amountNotNegative: "must be an integer number of centavos, at least 0",
  signedAmount: "must be an integer of centavos",
  amountNotNull: "must not be null; leave it out {whole}",
  positiveInteger: "must be a positive whole number",
  fraction: "must be a number from 0 to 1",
  notZero: "must not be 0",
  tooLarge: "is too large",
  type: "must be a {type}",

  minWithdraw: "must be at least {min} centavos (10.00 reais)",
  minCentavos: "must be at least {min} centavos",
  min: "must be at least {min}",
  maxCentavosFor: "must be at most {max} centavos for {method}",
  maxInstallments: "must be at most {max} for {method}",
  maxLength: "must be at most {max} characters",
  maxBasisPoints: "must be at most {max} hundredths of a percent",
  maxCentavos: "must be at most {max} centavos",
  maxItems: "must be at most {max} {things}",
  max: "must be at most {max}",
  between: "must be {min} to {max}",
  paymentTooLarge: "must not make a payment of more than {max} centavos",
  nothingLeft: "must leave something to pay",
  notBelow: "must not be below {field}",
  maximumBelowMinimum: "must not be below minimum",
  oneAmount: "one of amount, amounts, or minimum and maximum says what is paid",
  tooManyInstallments: "none of the payment methods is paid in so many installments",

  notEmpty: "must not be empty",
  unstorable: "must not contain NUL or unpaired surrogate characters",
  list: "must be a list",
  listOf: "must be a list of {things}",
  networkNeeded: "must name at least one network; null allows every address",
  nameOne: "must name at least one",
  nameOneOf: "must name at least one {thing}",
  nameAny: "must name a {thing}",
  nameOnce: "must name each once",
  nameEachOnce: "must name each {thing} once",
  nameAtMost: "must name at most {max} {things}",
  holdOne: "must hold at least one {thing}",
  holdEachOnce: "must hold each {thing} once",
  holdAtMost: "must hold at most {max} {things}",
  haveAtMost: "must have at most {max} {things}",
  limitsNeeded: "must name dailyLimit, pixKeys or until",
  evidenceNeeded: "must have text, links or delivery",
  pauseSomething: "must be true if withdraws is false",

  document: "is not a valid CPF or CNPJ",
  documentExpected: "must be a CPF or CNPJ",
  documentOrMask: "must be a valid CPF or CNPJ, or one with * for some of its digits",
  pixKeyOfItsType: "is not a valid PIX key of its type",
  anyPixKey:
    "is not a valid PIX key: an e-mail, a phone as +5511987654321, a CPF, a CNPJ or a random key (UUID)",
  pixKey: "is not a valid {type} key",
  keyOfOtherType: "is not the type of the registered main key, which is {type}",
  documentOf: "is not a valid {type}",
  cardNumber: "is not a valid card number",
  cardNumberSent: "reads as a card number, which is never kept; put a letter into an id of digits",
  cardNumberInName: "must have no field whose name holds a card number",
  cardDigits: "must be 12 to 19 digits",
  digits: "must be {sizes} digits",
  inPast: "is in the past",
  inFuture: "must be in the future",
  notBefore: "must not be before {field}",
  after: "must be after {field}",
  bankRefuses: "would be refused by a bank, {debitRule}: {why}",
  retryDays: "must be none, or at most three days from {min} to {max}, ascending",
  notBeforeToday: "must not be before today, {day}",
  afterToday: "must be after today, {day}",
  notAfterDueDate: "must not be after the due date, {day}",
  notAfter: "must not be after {day}",
  withinDays: "must be within {max} days of from",
  time: "must be an ISO 8601 time",
  timeOrDuration:
    "must be an ISO 8601 time with an offset, or a duration of whole numbers, such as P3D",
  duration: "must be an ISO 8601 duration of whole numbers, such as P3D or PT2H",
  advanceOrSet: "send advance or set, and not both",
  timeWithOffset: "must be an ISO 8601 time with an offset, such as 2026-11-21T12:00:00-03:00",
  timeOrNull: "must be an ISO 8601 time with its offset, or null",
  dayOrTime: "must be a day such as 2026-11-21 or an ISO 8601 time with its offset",
  day: "must be a day such as 2026-11-21",
  dayOfReport: "must be a day, such as 2026-11-21",
  calendarDay: "must be a day of the calendar, YYYY-MM-DD",

  email: "must be an e-mail address",
  ipAddress: "must be an IP address",
  network: "must be a network, such as {examples}",
  url: "must be an absolute URL",
  httpsUrl: "must be an https URL without user-info",
  https: "must be https",
  noUserInfo: "must not contain user-info",
  port443: "must use port 443",
  noFragment: "must not have a fragment",
  noQuery: "must have no query and no fragment",
  plainUrl: "must not contain spaces, backslashes or an escaped host",
  publicName: "must use a public DNS name as its host, not an IP address",
  publicHost: "must use a public host",
  urlOfEndpoint: "must not be the URL of another endpoint, {id}",
  notWith: "must not be sent with {field}",
  eventType: "must be * or an event type, such as transaction.paid (/docs/payloads)",
  originWithoutPath: "must be an origin without a path",
  origin: "must be an origin such as https://shop.example, without a path",
  hostName: "must have a host name, without wildcard",
  colour: "must be a colour such as #0b6b4f",
  fiscalKey: "must be the 44 digits of a DF-e's access key, check digit included",
  endToEndId: "must be an end-to-end id",
  endToEndIdForm: "must be an end-to-end id: E, 20 digits and 11 letters or digits",
  traceId: "must be 32 hexadecimal digits: the X-Trace-Id of an answer",
  twoLetters: "must be a two-letter code",
  currencyForm: "must be a currency code of three capital letters, such as BRL",
  currencyInCapitals: "must be {currency}, in capitals",
  idempotencyKey: "must be 1 to 255 of A-Z a-z 0-9 _ . : -, sent once",
  accountName: "must be 1 to 32 of A-Z a-z 0-9 _ -",
  testKey: "is a test key: a live company needs a live one",
  testAddress: "is an address for tests, where no money moves: a live company needs the live one",
  hours: "must be two different times such as 22:00-06:00",
  pagarMeAccount: "must be acc_ and letters or digits",
  headerValue: "must be letters, digits and signs without spaces",
  binding: "must be the name of a binding, such as PSP_LOJA",
  savedCardOfCustomer: "is no saved card of this customer",
  otherAccount: "must be the account that takes the charge",
  savedAtOtherAccount:
    "is of an account that takes no charges any more; the customer must enter a card again",
  noCertificate: "is no certificate binding of this Worker: deploy it first",
  publicCertificate: "must be the public part (PEM) of a certificate that has not ended",
  publicRequest: "must be a request for a certificate (PKCS #10, PEM)",
  privateKey: "holds a private key, which stays with you: send the public part only",
  otherKey: "is not the certificate of this request: their keys differ",

  sameSearchPage: "must be the `after` of an earlier page of the same search",
  earlierPage: "must be the `after` of an earlier page",
  earlierStep: "must be `after` of the step before",
  transactionId: "must be a transaction's UUID",
  companyNumber: "must be a company's number",
  companyIdOfCreate: "must be an integer: the companyId of a create's answer",
  withdrawNumber: "must be a withdraw's number",
  earlierWithdraw: "must be the id of the earlier withdraw",
  keyNumber: "must be a key's number",
  ofTheCompany: "must be a contradiction of the company",
  prefixAndId: "must be {prefix} and its id",
  oneId: "send transactionId or withdrawId, not both",
  endToEndIdOrAmount: "send either endToEndId, or amount and at",
  moveBody: "must be { to } or { abort: true }",
  otherClaim: "must be OTHER: only a PIX has the MED",
  notPaidSo: "is not how a {method} is paid",
  otherMode: "is for companies of the other mode; must be one of {values}",
  oneOf: "must be one of {values}",
  someOf: "must be of {values}",
  value: "must be {values}",
} as const;

export type FieldRule = keyof typeof FIELD_RULES;

/** The values' names that are numbers: limits, in the unit of the rule. */
type NumberName = "min" | "max";
const NUMBERS: ReadonlySet<string> = new Set<NumberName>(["min", "max"]);

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends ` ${string}` ? never : Name) | NamesIn<Rest>
  : never;
type ValuesOf<Rule extends FieldRule> = {
  [Name in NamesIn<(typeof FIELD_RULES)[Rule]>]: Name extends NumberName ? number : string;
};

/** A broken rule with its values, for a program that says it in its own words. */
export interface BrokenRule {
  rule: FieldRule;
  [value: string]: string | number;
}

/** The API's sentence of a broken rule: the message of a schema's check, or of a field error. */
export function breaks<Rule extends FieldRule>(
  rule: Rule,
  ...[values]: {} extends ValuesOf<Rule> ? [] : [values: ValuesOf<Rule>]
): string {
  const given: Record<string, string | number> = values ?? {};
  return FIELD_RULES[rule].replaceAll(PLACE, (place, name: string) => String(given[name] ?? place));
}

const PLACE = /\{(\w+)\}/g;
/** What `fieldMessage` adds: the value that came. */
const GOT = "(?:; got .*)?";

/** The longest sentence first, which says most of itself: `must be an integer` before `must be {values}`. */
const PATTERNS = Object.entries(FIELD_RULES)
  .toSorted(([, one], [, other]) => wordsOf(other).length - wordsOf(one).length)
  .map(([rule, sentence]) => ({
    rule: rule as FieldRule,
    pattern: new RegExp(`^${patternOf(sentence)}${GOT}$`, "su"),
  }));

function wordsOf(sentence: string): string {
  return sentence.replaceAll(PLACE, "");
}

function patternOf(sentence: string): string {
  // Between the names of the places stand the words.
  const parts = sentence.split(PLACE);
  return parts.map((part, at) => (at % 2 === 0 ? escaped(part) : placeOf(part))).join("");
}

function escaped(words: string): string {
  return words.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

function placeOf(name: string): string {
  return `(?<${name}>${NUMBERS.has(name) ? String.raw`-?\d+` : ".+?"})`;
}

/**
 * The rule of a message that `breaks` made, with its values; null for any other. A message is all that a zod issue
 * carries to where an answer is made, so the rule is read back from it.
 */
export function brokenRule(message: string): BrokenRule | null {
  for (const { rule, pattern } of PATTERNS) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const values = Object.entries(found.groups ?? {}).map(([name, value]) => [
      name,
      NUMBERS.has(name) ? Number(value) : value,
    ]);
    return { rule, ...(Object.fromEntries(values) as Record<string, string | number>) };
  }
  return null;
}
