CREATE TABLE `sandbox_card_charges` (
	`charge_id` text PRIMARY KEY NOT NULL,
	`decision` text NOT NULL,
	`amount` integer NOT NULL,
	`card` text NOT NULL,
	`nsu` text NOT NULL,
	`refused_reason` text
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_card_tokens` (
	`token` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`card` text NOT NULL,
	`outcome` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `sandbox_payments` ADD `method` text DEFAULT 'PIX' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `boleto` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `external_nsu` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `card` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `refused_reason` text;--> statement-breakpoint
ALTER TABLE `sandbox_payments` RENAME COLUMN `end_to_end_id` TO `payment_id`;--> statement-breakpoint
ALTER TABLE `sandbox_refunds` RENAME COLUMN `end_to_end_id` TO `payment_id`;--> statement-breakpoint
ALTER TABLE `sandbox_disputes` RENAME COLUMN `end_to_end_id` TO `payment_id`;