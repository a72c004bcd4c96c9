import { env } from "../builders/companies/env.ts";

/** A post office that keeps what it takes, and takes nothing while it is closed. */
export function postOffice() {
  const sent: EmailMessageBuilder[] = [];
  const office = { isClosed: false, sent };
  const send = async (message: EmailMessageBuilder) => {
    if (office.isClosed) throw new Error("the post office is closed");
    sent.push(message);
    return { messageId: "1" };
  };
  const world = {
    ...env,
    EMAIL: { send } as SendEmail,
    EMAIL_FROM: "gateway@example.com",
    PUBLIC_URL: "https://pay.example.com",
  };
  return Object.assign(office, { env: world });
}
