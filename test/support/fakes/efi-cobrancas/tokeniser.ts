import { constants, generateKeyPairSync, privateDecrypt, randomBytes } from "node:crypto";

const CORS = { headers: { "Access-Control-Allow-Origin": "*" } };
const CARD = /^\/v1\/card\/\w+\/jsonp$/;
/** Of a number that Efí's sandbox declines. */
const DECLINED_END = /[123]$/;

/** What Efí's sandbox answers to payers' browsers: its key, and a token for a card that is encrypted under it. */
export class EfiTokeniser {
  /** What it got of each card, as JSON. */
  readonly cards: string[] = [];
  readonly #keys = generateKeyPairSync("rsa", { modulusLength: 2048 });

  /** Null for what no browser asks. */
  answer(request: Request): Response | null {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/v1/pubkey") {
      const data = this.#keys.publicKey.export({ type: "spki", format: "pem" });
      return Response.json({ code: 200, data }, CORS);
    }
    if (!CARD.test(pathname)) return null;
    const card = this.#open(searchParams.get("data") ?? "");
    this.cards.push(card);
    const begin = DECLINED_END.test(JSON.parse(card).number) ? "d" : "a";
    const random = randomBytes(20).toString("hex").slice(1);
    return Response.json({ code: 200, data: { payment_token: `${begin}${random}` } }, CORS);
  }

  #open(data: string): string {
    const key = { key: this.#keys.privateKey, padding: constants.RSA_PKCS1_PADDING };
    return privateDecrypt(key, Buffer.from(data, "base64")).toString();
  }
}
