import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { addDays, isCalendarDay } from "../../../../src/domain/shared/calendar-day.ts";
import type { Clock } from "../../../../src/domain/shared/clock.ts";
import { encodeBoleto, formattedLine } from "../../../../src/methods/boleto/boleto-code.ts";
import { encodeBrCode } from "../../../../src/methods/pix/br-code.ts";

/** A charge at Efí. Money is centavos, times are texts without an offset. */
export interface EfiCharge {
  id: number;
  total: number;
  status: string;
  custom_id: string | null;
  notification_url: string | null;
  created_at: string;
  items: unknown[];
  history: { message: string; created_at: string }[];
  token: string;
  /** The body of its second step. */
  payment: any;
  paidAt: string | null;
  paidValue: number | null;
  /** The day that a bank reported; none of a Pix. */
  receivedAt: string | null;
  changes: any[];
  /** Centavos of each refund that was ordered, oldest first. */
  refunds: number[];
  /** The day of the last one. */
  refundedOn: string | null;
  /** Centavos that went back to the payer, by order or by hand. */
  givenBack: number;
}

/** An error of Efí, whatever the HTTP status. */
export class EfiError extends Error {
  readonly code: number;
  readonly property: string | null;
  constructor(code: number, property: string | null = null) {
    super(property ?? `Erro ${code}`);
    this.code = code;
    this.property = property;
  }
}

const BANK = "364";
const DUE_DAYS_MAX = 1_247;
const AMOUNT_MIN = 500;
const PARTIAL_REFUND_DAYS = 90;
const TOTAL_REFUND_DAYS = 360;
const HOST = "qrcodespix.sejaefi.com.br/bolix/v2/cobv";
const ADDRESS = {
  street: "Rua Um",
  number: "1",
  complement: null,
  neighborhood: "Centro",
  city: "São Paulo",
  state: "SP",
  zipcode: "01310100",
};
const TIME = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "America/Sao_Paulo",
  dateStyle: "short",
  timeStyle: "medium",
});

/** An account's charges at Efí, with the rules of its API Cobranças. */
export class EfiBook {
  readonly charges: EfiCharge[] = [];
  /** Posts that wait to be delivered, each five times. */
  readonly notices: { url: string; token: string }[] = [];
  /** Whether the account issues boletos with Pix. */
  issuesBolix = true;
  /** Centavos that the account may charge at most. */
  amountMax = Infinity;
  /** Whether a charge without a method is listed. */
  listsNew = true;
  /** Whether a boleto's line changes with its due date. */
  changesLines = true;
  /** Whether the account may change due dates. */
  mayChangeDueDates = true;
  readonly #usedTokens = new Set<string>();
  readonly #clock: Clock;
  #ids = 40_000_000 + Math.floor(Math.random() * 1_000_000);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Now as Efí writes it. */
  time(): string {
    return TIME.format(this.#clock.now());
  }

  today(): string {
    return saoPauloDay(this.#clock.now());
  }

  create({ items, metadata }: any): EfiCharge {
    const [item] = items;
    const alike = this.charges.filter((each: any) => each.items[0].name === item.name);
    if (alike.length >= 2) throw new EfiError(4_600_210);
    const charge: EfiCharge = {
      id: this.#ids++,
      total: items.reduce((sum: number, each: any) => sum + each.value * each.amount, 0),
      status: "new",
      custom_id: metadata?.custom_id ?? null,
      notification_url: metadata?.notification_url ?? null,
      created_at: this.time(),
      items,
      history: [],
      token: crypto.randomUUID(),
      payment: null,
      paidAt: null,
      paidValue: null,
      receivedAt: null,
      changes: [],
      refunds: [],
      refundedOn: null,
      givenBack: 0,
    };
    this.charges.push(charge);
    this.#changed(charge, "new", "Cobrança criada");
    return charge;
  }

  definePayment(charge: EfiCharge, { payment }: any): void {
    if (charge.status !== "new") throw new EfiError(3_500_030);
    if (payment.banking_billet !== undefined) this.#checkBillet(charge, payment.banking_billet);
    else {
      this.#checkAmount(charge.total);
      this.#checkCard(payment.credit_card);
    }
    charge.payment = { ...payment, definedAt: this.time() };
    const token: string = payment.credit_card?.payment_token ?? "";
    const status = token === "" ? "waiting" : token.startsWith("d") ? "unpaid" : "approved";
    this.change(charge, status);
  }

  /** A new status, with its history and its notice. */
  change(charge: EfiCharge, status: string, details: object = {}, message = status): void {
    this.#changed(charge, status, message, details);
  }

  cancel(charge: EfiCharge): void {
    if (!["new", "waiting", "unpaid"].includes(charge.status)) throw new EfiError(3_500_043);
    this.change(charge, "canceled");
  }

  /** Another due date of a boleto that waits, also past the one it had. Its line changes with it, unless it keeps it. */
  changeDueDate(charge: EfiCharge, { expire_at: day }: any): void {
    if (!this.mayChangeDueDates) throw new EfiError(3_500_001);
    if (charge.payment?.banking_billet === undefined) throw new EfiError(3_500_036);
    if (!["waiting", "unpaid"].includes(charge.status)) throw new EfiError(3_500_038);
    if (!isCalendarDay(day) || day <= this.today()) throw new EfiError(4_600_007, "expire_at");
    if (day > addDays(this.today(), DUE_DAYS_MAX)) throw new EfiError(4_600_414, "expire_at");
    const billet = charge.payment.banking_billet;
    if (!this.changesLines) billet.lineDay ??= billet.expire_at;
    billet.expire_at = day;
    charge.history.push({ message: "Vencimento alterado", created_at: this.time() });
  }

  /** Being processed: `giveBack` ends it. One at a time, one a day, a part within 90 days and all within 360. */
  refund(charge: EfiCharge, amount = charge.total): void {
    if (charge.status !== "paid" || charge.payment?.credit_card === undefined)
      throw new EfiError(3_500_044);
    const { refunds, refundedOn, givenBack, paidAt, total } = charge;
    const asked = refunds.reduce((sum, each) => sum + each, 0);
    const isUnderWay = asked > givenBack;
    if (isUnderWay || refundedOn === this.today()) throw new EfiError(3_500_044);
    const left = total - Math.max(asked, givenBack);
    if (!(amount > 0 && amount <= left)) throw new EfiError(3_500_034, "amount");
    const daysMax = amount === total ? TOTAL_REFUND_DAYS : PARTIAL_REFUND_DAYS;
    const day = (paidAt ?? charge.payment.definedAt).slice(0, "YYYY-MM-DD".length);
    if (this.today() > addDays(day, daysMax)) throw new EfiError(3_500_044);
    refunds.push(amount);
    charge.refundedOn = this.today();
    charge.history.push({ message: "Estorno solicitado", created_at: this.time() });
  }

  /** The boleto's line and Pix code. */
  billetOf(charge: EfiCharge) {
    const { expire_at: day, lineDay = day, configurations } = charge.payment.banking_billet;
    const freeField = String(charge.id).padStart(25, "0");
    const code = { bank: BANK, amount: charge.total, dueDate: lineDay, freeField };
    const line = formattedLine(encodeBoleto(code).digitableLine);
    const { interest } = configurations;
    const location = `${HOST}/${this.pixTxidOf(charge)}`;
    const qrcode = encodeBrCode({
      target: { location },
      merchantName: "Loja Exemplo",
      merchantCity: "SAO PAULO",
    });
    const link = `https://visualizacao.gerencianet.com.br/emissao/${charge.id}`;
    return {
      barcode: line,
      ...(this.issuesBolix ? { pix: { qrcode, qrcode_image: "data:image/svg+xml;base64," } } : {}),
      link,
      billet_link: link,
      pdf: { charge: `${link}.pdf` },
      expire_at: day,
      configurations: {
        days_to_write_off: configurations.days_to_write_off,
        fine: configurations.fine,
        interest: interest.value,
        interest_type: interest.type,
      },
    };
  }

  pixTxidOf(charge: EfiCharge): string {
    return charge.token.replaceAll("-", "");
  }

  cardOf(charge: EfiCharge) {
    const { installments = 1 } = charge.payment.credit_card;
    return {
      mask: "XXXXXXXXXXXX1111",
      installments,
      installment_value: Math.ceil(charge.total / installments),
      address: ADDRESS,
    };
  }

  #checkBillet(charge: EfiCharge, billet: any): void {
    const { expire_at: day, configurations, conditional_discount: discount, message } = billet;
    checkCustomer(billet.customer);
    if (!isCalendarDay(day) || day < this.today()) throw new EfiError(4_600_007, "expire_at");
    if (day > addDays(this.today(), DUE_DAYS_MAX)) throw new EfiError(4_600_414, "expire_at");
    if (discount !== undefined && !(discount.until_date <= day))
      throw new EfiError(3_500_034, "until_date");
    this.#checkAmount(charge.total - (discount?.value ?? 0));
    const { fine, interest, days_to_write_off: days } = configurations;
    if (!(fine >= 0 && fine <= 1_000)) throw new EfiError(3_500_034, "fine");
    if (!(interest.value >= 0 && interest.value <= 330)) throw new EfiError(3_500_034, "interest");
    if (!(days >= 0 && days <= 120)) throw new EfiError(3_500_034, "days_to_write_off");
    const lines: string[] = (message ?? "").split("\n");
    if (lines.length > 4 || lines.some((line) => line.length > 100))
      throw new EfiError(3_500_034, "message");
  }

  #checkAmount(amount: number): void {
    if (amount < AMOUNT_MIN) throw new EfiError(4_600_036);
    if (amount > this.amountMax) throw new EfiError(4_600_037);
  }

  #checkCard({ customer, payment_token: token, installments = 1 }: any): void {
    checkCustomer(customer);
    if (!/^[0-9a-f]{40}$/.test(token)) throw new EfiError(3_500_034, "payment_token");
    if (installments < 1 || installments > 12) throw new EfiError(3_500_034, "installments");
    if (this.#usedTokens.has(token)) throw new EfiError(3_500_018);
    this.#usedTokens.add(token);
  }

  #changed(charge: EfiCharge, status: string, message: string, details: object = {}): void {
    const previous = charge.changes.length === 0 ? null : charge.status;
    charge.status = status;
    charge.history.push({ message, created_at: this.time() });
    charge.changes.push({
      id: charge.changes.length + 1,
      type: "charge",
      custom_id: charge.custom_id,
      status: { current: status, previous },
      identifiers: { charge_id: charge.id },
      created_at: this.time(),
      ...details,
    });
    if (charge.notification_url === null) return;
    const notice = { url: charge.notification_url, token: charge.token };
    this.notices.push(notice, notice, notice, notice, notice);
  }
}

function checkCustomer({ name, cpf, juridical_person: company }: any): void {
  const isPerson = typeof name === "string" && /^\d{11}$/.test(cpf ?? "");
  const isCompany = company !== undefined && name === undefined && cpf === undefined;
  if (!isPerson && !isCompany) throw new EfiError(3_500_034, "customer");
}
