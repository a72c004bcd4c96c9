import { configOf, type Env } from "../../config.ts";
import { withTimeout } from "../../lib/timeout.ts";

/** How long a caller waits until an e-mail is taken. */
const SEND_MS = 5_000;
/** What would end a line of an e-mail's head, or turn its text around. */
const UNPRINTABLE = /[\p{C}\u2028\u2029]+/gu;
const SENDER_NAME = "Centavo";

/** An e-mail as its caller writes it. The service is the sender. */
export interface Email {
  to: string;
  /** One line; what would end it becomes a space. */
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

/** A text as one line, without what would turn a line around. */
export function oneLine(text: string): string {
  return text.replaceAll(UNPRINTABLE, " ").trim();
}

/** Whether the service can send e-mails: it has a sender, and the binding `EMAIL` or a developer's mailbox. */
export function canSendEmail(env: Env): boolean {
  return postOfficeOf(env) !== null && configOf(env).emailFrom !== null;
}

/**
 * Sends an e-mail by the binding `EMAIL`; on a developer's machine without one, into the folder that `npm start` names.
 * Throws if it is not taken within 5 s, or if the service can send none.
 */
export async function sendEmail(
  env: Env,
  { to, subject, text, headers = {} }: Email,
): Promise<void> {
  const { emailFrom } = configOf(env);
  const office = postOfficeOf(env);
  if (office === null || emailFrom === null) throw new Error("EMAIL is not bound");
  const from = { email: emailFrom, name: SENDER_NAME };
  await withTimeout(office.send({ from, to, subject: oneLine(subject), text, headers }), SEND_MS);
}

interface PostOffice {
  send(message: EmailMessageBuilder): Promise<unknown>;
}

function postOfficeOf(env: Env): PostOffice | null {
  const { localMailbox } = configOf(env);
  if (env.EMAIL !== undefined) return env.EMAIL;
  return localMailbox === null ? null : { send: (message) => intoMailbox(localMailbox, message) };
}

async function intoMailbox(url: string, message: EmailMessageBuilder): Promise<void> {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(message) });
  if (!answer.ok) throw new Error(`the mailbox answers ${answer.status}`);
}
