import { Centavo } from "../src/index.ts";
import { LOCAL_URL, serviceUrl } from "./account.ts";
import { withQuestions, type Ask } from "./ask.ts";
import type { Call, Command } from "./command.ts";
import { forgetAccount, storeAccount } from "./credentials.ts";
import { CliError, explained } from "./failure.ts";
import { printable } from "./output.ts";

/** Stores an application's credentials for the other commands, once the service knows them. */
export const loginCommand: Command = {
  name: "login",
  summary: "checks your credentials and stores them for the other commands",
  options: {
    url: { value: "URL", help: "the service; else CENTAVO_URL, else it asks" },
    "client-id": { value: "ID", help: "the client id; else CENTAVO_CLIENT_ID, else it asks" },
  },
  run: (call) => withQuestions((ask) => login(call, ask)),
};

/** Removes them. */
export const logoutCommand: Command = {
  name: "logout",
  summary: "removes what login stored",
  run: ({ environment, output }) => {
    const file = forgetAccount(environment);
    output.say(`No credentials are stored in ${file}.`, { file });
  },
};

/** The key comes from the environment, a pipe or the terminal: an argument would stand in the shell's history. */
async function login(call: Call, ask: Ask): Promise<void> {
  const { environment, output } = call;
  const given = call.text("url") ?? environment["CENTAVO_URL"];
  const url = serviceUrl(given || (await ask(`Service [${LOCAL_URL}]: `)) || LOCAL_URL);
  const clientId =
    call.text("client-id") ?? (environment["CENTAVO_CLIENT_ID"] || (await ask("Client id: ")));
  const apiKey =
    environment["CENTAVO_API_KEY"] || (await ask("API key (not shown): ", { isSecret: true }));
  if (clientId === "" || apiKey === "")
    throw new CliError("login needs a client id and an API key.", 2);
  const centavo = new Centavo({ baseUrl: url, clientId, apiKey, retries: 1 });
  const me = await centavo.me().catch((error: unknown) => {
    throw explained(error, url);
  });
  const file = storeAccount(environment, { url, clientId, apiKey });
  output.say(
    printable(
      `${me.application.name} of ${me.company.name} (${me.company.mode}) at ${url}, stored in ${file}.`,
    ),
    { url, file, ...me },
  );
}
