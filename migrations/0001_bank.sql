CREATE TABLE `anchor_days` (
	`day` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`at_company` integer,
	`companies` integer NOT NULL,
	`signature` text,
	`public_key` text,
	`signed_at` integer
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_anchors` (
	`company_id` integer NOT NULL,
	`day` text NOT NULL,
	`movement` integer NOT NULL,
	`hash` text NOT NULL,
	`digest` text NOT NULL,
	`anchored_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `day`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `storage_gauges` (
	`name` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`stopped` integer NOT NULL,
	`measured_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `former_accounts` (
	`company_id` integer NOT NULL,
	`account` text NOT NULL,
	`provider` text NOT NULL,
	`settings` text NOT NULL,
	`sealed` text NOT NULL,
	`callback_token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`left_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `account`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `former_accounts_key` ON `former_accounts` (json_extract(settings, '$.pixKey'));--> statement-breakpoint
CREATE INDEX `former_accounts_left` ON `former_accounts` (`company_id`,`left_at`);--> statement-breakpoint
CREATE TABLE `contradictions` (
	`company_id` integer NOT NULL,
	`number` integer NOT NULL,
	`kind` text NOT NULL,
	`object` text NOT NULL,
	`said` text NOT NULL,
	`booked` text NOT NULL,
	`amount` integer NOT NULL,
	`held` integer NOT NULL,
	`status` text NOT NULL,
	`since` integer NOT NULL,
	`proposal` text,
	`decision` text,
	`version` integer NOT NULL,
	PRIMARY KEY(`company_id`, `number`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `contradictions_open` ON `contradictions` (`company_id`,`number`) WHERE status <> 'decided';--> statement-breakpoint
CREATE TABLE `operator_events` (
	`company_id` integer NOT NULL,
	`number` integer NOT NULL,
	`type` text NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`company_id`, `number`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `operator_events_at` ON `operator_events` (`at`,`company_id`,`number`);--> statement-breakpoint
CREATE TABLE `reconciliation_passes` (
	`company_id` integer NOT NULL,
	`account` text NOT NULL,
	`list` text NOT NULL,
	`pass` text NOT NULL,
	`read_until` integer NOT NULL,
	`window_ms` integer NOT NULL,
	`next_run_at` integer NOT NULL,
	`finished_at` integer,
	PRIMARY KEY(`company_id`, `account`, `list`, `pass`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `reconciliation_passes_due` ON `reconciliation_passes` (`next_run_at`);--> statement-breakpoint
CREATE INDEX `reconciliation_passes_finished` ON `reconciliation_passes` (`pass`,`finished_at`);--> statement-breakpoint
CREATE TABLE `listed_records` (
	`company_id` integer NOT NULL,
	`account` text NOT NULL,
	`record` text NOT NULL,
	`digest` text NOT NULL,
	`told_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `account`, `record`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `callbacks` ADD `told` text;--> statement-breakpoint
ALTER TABLE `callbacks` ADD `told_at` integer;--> statement-breakpoint
ALTER TABLE `callbacks` ADD `account` text DEFAULT 'first' NOT NULL;--> statement-breakpoint
CREATE INDEX `callbacks_company` ON `callbacks` (`company_id`);--> statement-breakpoint
ALTER TABLE `companies` ADD `charges_stopped` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `company_providers` ADD `account` text DEFAULT 'first' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `account` text DEFAULT 'first' NOT NULL;--> statement-breakpoint
ALTER TABLE `withdraws` ADD `returned_amount` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sandbox_payouts` ADD `returned_amount` integer DEFAULT 0 NOT NULL;