import { writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { startReceiver, type Receiver } from "../../../tools/lib/receiver.ts";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { ROOT } from "../../../tools/lib/root.ts";
import { PSP_CLIENT } from "../../support/fakes/fake-psp/psp.ts";
import { Bank } from "./bank.ts";
import { runCommand } from "./runbook.ts";
import type { Site } from "./site.ts";
import { until } from "./until.ts";

/** A statement that is right, and that no pinned key vouches for: a service of an hour has no anchor. */
const VERIFIED = new Set([0, 3]);
const BOOKED_WITHIN_MS = 60_000;

/** A live company with a bank and a webhook receiver of its own. */
export class Shop {
  readonly bank: Bank;
  readonly merchant: Merchant;
  readonly #site: Site;
  readonly #receiver: Receiver;
  readonly #door: { isOpen: boolean };

  private constructor(parts: {
    bank: Bank;
    merchant: Merchant;
    site: Site;
    receiver: Receiver;
    door: { isOpen: boolean };
  }) {
    this.bank = parts.bank;
    this.merchant = parts.merchant;
    this.#site = parts.site;
    this.#receiver = parts.receiver;
    this.#door = parts.door;
  }

  /** Creates the company, connects its PSP and sets its webhook URL. */
  static async open(site: Site): Promise<Shop> {
    const bank = new Bank(randomUUID());
    await bank.open();
    const door = { isOpen: true };
    const receiver = await startReceiver(() => (door.isOpen ? 200 : null));
    const made = await site
      .operator()
      .call("POST", "/api/v1/operator/companies", { name: "Loja", mode: "live", reason: "drill" });
    const { id: companyId, application, key: apiKey, webhookSecret } = requireData(made);
    const merchant = new Merchant(site.base, {
      companyId,
      clientId: application.clientId,
      apiKey,
      webhookSecret,
    });
    const path = `/api/v1/operator/companies/${companyId}/providers/pix-api`;
    const connected = await site.operator().call("PUT", path, {
      baseUrl: bank.url,
      tokenUrl: `${bank.url}/oauth/token`,
      ...PSP_CLIENT,
      pixKey: bank.pixKey,
      payouts: { url: bank.url },
    });
    if (connected.status !== 200) throw new Error(`PUT pix-api: ${JSON.stringify(connected.body)}`);
    const hooked = await merchant.call("PUT", "/api/v1/webhooks/endpoint", { url: receiver.url });
    if (hooked.status >= 300) throw new Error(`PUT endpoint: ${JSON.stringify(hooked.body)}`);
    return new Shop({ bank, merchant, site, receiver, door });
  }

  get companyId(): number {
    return this.merchant.companyId;
  }

  async close(): Promise<void> {
    await Promise.all([this.bank.close(), this.#receiver.close()]);
  }

  /** The receiver cuts every connection until it opens again. */
  closeReceiver(): void {
    this.#door.isOpen = false;
  }

  openReceiver(): void {
    this.#door.isOpen = true;
  }

  /** A new charge; its id. */
  async charge(cents: number): Promise<string> {
    const answer = await this.merchant.create(
      {
        amount: cents,
        paymentMethod: "PIX",
        customer: { name: "Maria da Silva", document: { type: "CPF", number: "52998224725" } },
      },
      randomUUID(),
    );
    return requireData(answer).id;
  }

  /** A payer pays a charge at the bank, which tells the service. */
  async payAtBank(id: string): Promise<void> {
    this.bank.psp.pay(id.replaceAll("-", ""));
    await this.bank.callBack(this.#site.base);
  }

  /** A charge that is paid, booked and shown. */
  async sell(cents: number): Promise<string> {
    const id = await this.charge(cents);
    await this.payAtBank(id);
    const path = `/api/v1/transactions/${id}`;
    const isPaid = async () =>
      (await this.merchant.call("GET", path)).body?.data?.status === "PAID";
    if (!(await until(isPaid, BOOKED_WITHIN_MS))) throw new Error(`${id} was not booked`);
    return id;
  }

  /** What is wrong with the money: the ledger's proof, D1 against the object, and both against the bank. */
  async problems(): Promise<string[]> {
    const path = `/api/Balance/statement/${this.companyId}?currency=BRL`;
    const [own, all, balance] = await Promise.all([
      this.merchant.text(path, "text/csv"),
      this.merchant.text(`${path}&accounts=all`, "text/csv"),
      this.merchant.balance(),
    ]);
    const files = ["statement.csv", "balance.json"].map((name) =>
      join(this.#site.stateDir, `${this.companyId}-${name}`),
    );
    const [statementFile = "", balanceFile = ""] = files;
    writeFileSync(statementFile, all);
    writeFileSync(balanceFile, JSON.stringify(balance.body));
    const problems: string[] = [];
    const proof = await verifyLedger(files);
    if (!VERIFIED.has(proof.status)) problems.push(`verify-ledger: ${proof.output}`);
    const { status, output } = await runCommand(this.#site.base, "verify", {
      id: this.companyId,
    });
    if (status !== 0) problems.push(`verify: ${output}`);
    const [booked, paid] = [sumOf(own), this.bank.net()];
    if (booked !== paid) problems.push(`the bank has ${paid} centavos, the ledger ${booked}`);
    return problems;
  }
}

function verifyLedger(files: string[]): Promise<{ status: number; output: string }> {
  const script = join(ROOT, "tools/ops/verify-ledger.ts");
  return new Promise((done) => {
    execFile(process.execPath, [script, ...files], (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      done({ status: typeof code === "number" ? code : 1, output: stdout + stderr });
    });
  });
}

/** The sum of a statement's lines: what came from outside, less what left. */
function sumOf(csv: string): number {
  const [header = "", ...lines] = csv.trimEnd().split("\r\n");
  const column = header.split(",").indexOf("amount");
  return lines.reduce((sum, line) => sum + Number(line.split(",")[column]), 0);
}

/** The `data` of an answer that is no refusal. */
function requireData({ status, body }: Awaited<ReturnType<Merchant["call"]>>) {
  if (status >= 300) throw new Error(`the service answered ${status}: ${JSON.stringify(body)}`);
  return body.data;
}
