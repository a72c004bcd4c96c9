import { HistoryEntryType } from "@vendure/common/lib/generated-types";
import { Inject, Injectable } from "@nestjs/common";
import { HistoryService, Logger, type RequestContext } from "@vendure/core";
import type { CentavoCharge } from "./charge.entity.ts";
import { LOG } from "./options.ts";

/** Tells the shop's owner, as private notes in the order's history. */
@Injectable()
export class OwnerNotes {
  constructor(@Inject(HistoryService) private history: HistoryService) {}

  /** Writes a note once for each `key`, and marks it in `charge`, which the caller saves. */
  async once(ctx: RequestContext, charge: CentavoCharge, key: string, note: string): Promise<void> {
    if (charge.noted.includes(key)) return;
    charge.noted = [...charge.noted, key];
    const entry = { ctx, orderId: charge.orderId, type: HistoryEntryType.ORDER_NOTE } as const;
    await this.history.createHistoryEntryForOrder({ ...entry, data: { note } }, false);
    Logger.warn(`Order ${charge.orderId}: ${note}`, LOG);
  }

  /** As `once`, of what the owner has to decide. */
  async ask(ctx: RequestContext, charge: CentavoCharge, key: string, note: string): Promise<void> {
    charge.attention = note;
    await this.once(ctx, charge, key, note);
  }
}
