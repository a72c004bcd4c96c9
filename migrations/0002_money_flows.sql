CREATE TABLE `callbacks` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`object_id` text NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `callbacks_due` ON `callbacks` (`due_at`);--> statement-breakpoint
CREATE TABLE `sandbox_disputes` (
	`charge_id` text NOT NULL,
	`number` integer NOT NULL,
	`end_to_end_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text NOT NULL,
	PRIMARY KEY(`charge_id`, `number`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sandbox_disputes_payment` ON `sandbox_disputes` (`end_to_end_id`);--> statement-breakpoint
CREATE TABLE `sandbox_refunds` (
	`refund_id` text PRIMARY KEY NOT NULL,
	`end_to_end_id` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sandbox_refunds_payment` ON `sandbox_refunds` (`end_to_end_id`);--> statement-breakpoint
CREATE TABLE `self_checks` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`checked_at` integer NOT NULL,
	`movement` integer NOT NULL,
	`company_sequence` integer NOT NULL,
	`missing_events` text NOT NULL,
	`suspects` text NOT NULL,
	`violations` text NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `companies` ADD `fees` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `release_days` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `minimum_withdraw` integer;--> statement-breakpoint
ALTER TABLE `transactions` ADD `fee_basis_points` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `fee_fixed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `release_days` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `refunds` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `dispute` text;