import { configOf, type Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { postWebhook } from "../../../webhooks/delivery/post.ts";
import { signWebhook } from "../../../webhooks/signing/sign.ts";
import { sendEmail } from "../../emails/send.ts";
import { textOf, type AlarmMessage } from "./message.ts";

/** No answer came from a target, so another message would wait in vain. */
export class TargetSilent extends Error {}

/** Where alarms go. */
export interface Target {
  name: "webhook" | "slack" | "email";
  /** Rejects, without naming the address, if the message was not taken. */
  send: (message: AlarmMessage) => Promise<void>;
}

type Deps = Pick<Dependencies, "platformClock" | "sender">;

/** The targets that the environment's variables name. */
export function targetsOf(env: Env, deps: Deps): Target[] {
  const { webhook, slackUrl, email } = configOf(env).alarms;
  const targets: (Target | null)[] = [
    webhook && { name: "webhook", send: (message) => sendWebhook(env, deps, webhook, message) },
    slackUrl === null
      ? null
      : {
          name: "slack",
          send: (message) => post(env, deps, slackUrl, {}, { text: textOf(message).text }),
        },
    email === null
      ? null
      : { name: "email", send: (message) => sendEmail(env, { to: email, ...textOf(message) }) },
  ];
  return targets.filter((target) => target !== null);
}

/** Signed like merchants' webhooks (Standard Webhooks 1.0), with the alarms' own secret. */
async function sendWebhook(
  env: Env,
  deps: Deps,
  { url, secret }: { url: string; secret: string },
  { messageId: id, ...message }: AlarmMessage,
): Promise<void> {
  const seconds = Math.floor(deps.platformClock.now() / 1_000);
  const signature = await signWebhook(secret, id, seconds, JSON.stringify(message));
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signature,
  };
  await post(env, deps, url, headers, message);
}

async function post(
  env: Env,
  { platformClock, sender }: Deps,
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<void> {
  const request = { url, headers, body: JSON.stringify(body) };
  const { fetch } = sender(env);
  const { httpStatus, fault } = await postWebhook(request, {
    fetch,
    now: () => platformClock.now(),
  });
  if (httpStatus === null) throw new TargetSilent(fault ?? "no answer");
  if (httpStatus >= 300) throw new Error(`HTTP ${httpStatus}`);
}
