import type { Email } from "./send.ts";

/** The link by which a person sets a new password. */
export function resetEmail(to: string, url: string): Email {
  return {
    to,
    subject: "Nova senha · New password",
    text:
      "Alguém pediu uma nova senha para o console com este e-mail. O link vale uma vez, por 30 minutos:\n" +
      "Somebody asked for a new password for the console with this e-mail. The link works once, for 30 minutes:\n\n" +
      `${url}\n\n` +
      "Se não foi você, ignore: nada muda. If it was not you, ignore it: nothing changes.\n",
  };
}
