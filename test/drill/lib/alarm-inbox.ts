import { Webhook } from "standardwebhooks";
import { startReceiver, type Receiver } from "../../../tools/lib/receiver.ts";

/** The key that signs a drill's alarms. */
export const ALARM_SECRET = `whsec_${Buffer.from("the alarms of a drill, 24+ bytes").toString("base64")}`;

/** What a service tells of an alarm (docs/operating.md). */
export interface AlarmTold {
  type: "alarm.firing" | "alarm.resolved";
  alarm: string;
  detail: string;
  new: string[];
  still: string[];
  over: string[];
  runbook: string;
}

/** Who is on call: receives a service's alarms, and believes none without its signature. */
export class AlarmInbox {
  readonly told: AlarmTold[] = [];
  /** Sees each message as it comes. */
  reader: (told: AlarmTold) => void = () => undefined;
  #receiver: Receiver | null = null;

  /** The address that alarms go to. */
  get url(): string {
    if (this.#receiver === null) throw new Error("the inbox is not open");
    return this.#receiver.url;
  }

  async open(): Promise<void> {
    const webhook = new Webhook(ALARM_SECRET);
    this.#receiver = await startReceiver(({ headers, body }) => {
      const told = webhook.verify(body, headers) as AlarmTold;
      this.told.push(told);
      this.reader(told);
      return 200;
    });
  }

  async close(): Promise<void> {
    await this.#receiver?.close();
  }
}
