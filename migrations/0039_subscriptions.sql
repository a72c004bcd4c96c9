CREATE TABLE `sandbox_debits` (
	`charge_id` text PRIMARY KEY NOT NULL,
	`mandate_id` text NOT NULL,
	`due_date` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` text NOT NULL,
	`next_outcome` text,
	`version` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sandbox_debits_mandate` ON `sandbox_debits` (`mandate_id`,`due_date`);--> statement-breakpoint
CREATE TABLE `sandbox_mandates` (
	`mandate_id` text PRIMARY KEY NOT NULL,
	`contract` text NOT NULL,
	`status` text NOT NULL,
	`terms` text NOT NULL,
	`first_charge_id` text,
	`request_id` text,
	`end_reason` text,
	`created_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `sandbox_mandates_contract` ON `sandbox_mandates` (`contract`);--> statement-breakpoint
CREATE TABLE `subscription_cycles` (
	`company_id` integer NOT NULL,
	`number` integer NOT NULL,
	`subscription_id` text NOT NULL,
	`cycle` integer NOT NULL,
	`due_date` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text NOT NULL,
	`transaction_id` text NOT NULL,
	`debit` text NOT NULL,
	`attempts` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`company_id`, `number`)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_cycles_cycle` ON `subscription_cycles` (`company_id`,`subscription_id`,`cycle`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_cycles_transaction` ON `subscription_cycles` (`company_id`,`transaction_id`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`company_id` integer NOT NULL,
	`number` integer NOT NULL,
	`id` text NOT NULL,
	`external_ref` text NOT NULL,
	`status` text NOT NULL,
	`description` text NOT NULL,
	`customer` text NOT NULL,
	`terms` text NOT NULL,
	`amount` integer NOT NULL,
	`account` text NOT NULL,
	`mandate` text NOT NULL,
	`next_cycle` integer NOT NULL,
	`approval_expires_at` integer NOT NULL,
	`metadata` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`company_id`, `number`)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_id` ON `subscriptions` (`company_id`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_status` ON `subscriptions` (`company_id`,`status`,`number`);