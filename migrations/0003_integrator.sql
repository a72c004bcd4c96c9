CREATE TABLE `disputes` (
	`company_id` integer NOT NULL,
	`number` integer NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`reason` text NOT NULL,
	`transaction_id` text,
	`payment_id` text,
	`amount` integer NOT NULL,
	`held` integer NOT NULL,
	`status` text NOT NULL,
	`deadline` integer,
	`opened_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`evidence` text,
	PRIMARY KEY(`company_id`, `number`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `disputes_id` ON `disputes` (`company_id`,`id`);--> statement-breakpoint
CREATE INDEX `disputes_status` ON `disputes` (`company_id`,`status`,`number`);--> statement-breakpoint
CREATE TABLE `static_codes` (
	`company_id` integer NOT NULL,
	`number` integer NOT NULL,
	`id` text NOT NULL,
	`txid` text NOT NULL,
	`qrcode` text NOT NULL,
	`amount` integer,
	`description` text NOT NULL,
	`account` text NOT NULL,
	`idempotency_key` text,
	`request_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	PRIMARY KEY(`company_id`, `number`)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `static_codes_txid` ON `static_codes` (`company_id`,`txid`);--> statement-breakpoint
CREATE UNIQUE INDEX `static_codes_idempotency` ON `static_codes` (`company_id`,`idempotency_key`) WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
CREATE TABLE `unexpected_payments` (
	`company_id` integer NOT NULL,
	`number` integer NOT NULL,
	`payment_id` text NOT NULL,
	`reason` text NOT NULL,
	`rule` text NOT NULL,
	`amount` integer NOT NULL,
	`transaction_id` text,
	`end_to_end_id` text,
	`payer` text,
	`received_at` integer NOT NULL,
	`status` text NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`next_run_at` integer,
	PRIMARY KEY(`company_id`, `number`)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `unexpected_payments_payment` ON `unexpected_payments` (`company_id`,`payment_id`);--> statement-breakpoint
CREATE INDEX `unexpected_payments_status` ON `unexpected_payments` (`company_id`,`status`,`number`);--> statement-breakpoint
CREATE INDEX `unexpected_payments_due` ON `unexpected_payments` (`next_run_at`,`company_id`) WHERE next_run_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `daily_reports` (
	`company_id` integer NOT NULL,
	`day` text NOT NULL,
	`payment_method` text NOT NULL,
	`count` integer DEFAULT 0 NOT NULL,
	`gross` integer DEFAULT 0 NOT NULL,
	`fees` integer DEFAULT 0 NOT NULL,
	`refunds` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	`fiscal_keys` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`company_id`, `day`, `payment_method`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `companies` ADD `unexpected_payments` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `paid_by` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `payer_match` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `failure_reason` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `fiscal_key` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `booked_day` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `static_code_id` text;--> statement-breakpoint
-- The three indexes read the whole table once. No installation had many charges before this.
CREATE INDEX `transactions_end_to_end` ON `transactions` (`company_id`,`end_to_end_id`,`seq`) WHERE end_to_end_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_paid` ON `transactions` (`company_id`,`paid_at`,`seq`) WHERE paid_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_fiscal_key` ON `transactions` (`company_id`,`fiscal_key`,`seq`) WHERE fiscal_key IS NOT NULL;--> statement-breakpoint
ALTER TABLE `withdraws` ADD `failure_code` text;--> statement-breakpoint
ALTER TABLE `sandbox_disputes` ADD `reason` text;--> statement-breakpoint
ALTER TABLE `sandbox_disputes` ADD `deadline` integer;--> statement-breakpoint
ALTER TABLE `sandbox_payments` ADD `txid` text;--> statement-breakpoint
ALTER TABLE `sandbox_payments` ADD `payer` text;--> statement-breakpoint
CREATE INDEX `sandbox_payments_payment` ON `sandbox_payments` (`payment_id`);--> statement-breakpoint
-- Counts a day's paid transactions with a fiscal key, whichever of the two comes first. A row that is
-- copied from another database is counted already.
CREATE TRIGGER `transactions_fiscal_key_counted`
AFTER UPDATE OF `fiscal_key`, `booked_day` ON `transactions`
WHEN (OLD.fiscal_key IS NOT NULL AND OLD.booked_day IS NOT NULL)
    <> (NEW.fiscal_key IS NOT NULL AND NEW.booked_day IS NOT NULL)
  AND NOT EXISTS (
    SELECT 1 FROM `fences` WHERE company_id = NEW.company_id AND state = 'arriving')
BEGIN
  UPDATE `daily_reports`
  SET fiscal_keys = fiscal_keys
    + CASE WHEN NEW.fiscal_key IS NULL OR NEW.booked_day IS NULL THEN -1 ELSE 1 END
  WHERE company_id = NEW.company_id AND day = coalesce(NEW.booked_day, OLD.booked_day)
    AND payment_method = NEW.payment_method;
END;
