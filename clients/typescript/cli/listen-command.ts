import { resolve } from "node:path";
import { stopSignal } from "../../../tools/lib/stop-signal.ts";
import { configuredSecret, forwardUrl, typeFilter } from "./account.ts";
import type { Call, Command } from "./command.ts";
import { listen } from "./listen.ts";
import { lock } from "./lock.ts";
import type { Output } from "./output.ts";
import { makeFolderOf } from "./private-file.ts";
import { ListenState, refuseFolder } from "./state.ts";

const STATE_FILE = ".centavo/listen.json";
const BEGINNINGS = ["start", "now"] as const;

/** Forwards the company's events to a handler on this machine. */
export const listenCommand: Command = {
  name: "listen",
  summary: "forwards each event, signed, to a handler on your machine",
  options: {
    forward: { value: "URL", help: "the handler; an address of this machine" },
    types: { value: "a,b", help: "forwards only these event types" },
    from: {
      value: "start|now",
      help: "starts the first run here (default: now); later runs go on after the last event",
      choices: BEGINNINGS,
    },
    state: { value: "FILE", help: `stores position and secret here (default: ${STATE_FILE})` },
  },
  run: runListen,
};

async function runListen(call: Call): Promise<void> {
  const forward = forwardUrl(call.text("forward"));
  const types = typeFilter(call.text("types"));
  const from = call.choice("from", BEGINNINGS, "now");
  const { account, output } = call;
  const secret = configuredSecret(call.environment);
  const file = resolve(call.text("state") ?? STATE_FILE);
  makeFolderOf(file);
  refuseFolder(file);
  const unlock = lock(`${file}.lock`);
  try {
    const state = new ListenState(file);
    await listen({
      centavo: call.centavo({ retries: 0 }),
      url: account.url,
      state,
      key: `${account.url} ${account.clientId}`,
      forward,
      secret: secret ?? secretOf(state, output),
      types,
      from,
      stop: stopSignal(),
      output,
    });
  } finally {
    unlock();
  }
}

/** The secret of the state file. It is printed only when it is created. */
function secretOf(state: ListenState, output: Output): string {
  const { secret, fresh } = state.secret();
  output.say(
    fresh
      ? `Verify signatures with this secret, stored in ${state.file}: ${secret}`
      : `listen signs with the secret in ${state.file}.`,
    { state: state.file, ...(fresh ? { secret } : {}) },
  );
  return secret;
}
