CREATE TABLE `shadow_charges` (
	`company_id` integer NOT NULL,
	`transaction_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`account` text NOT NULL,
	`created_at` integer NOT NULL,
	`next_run_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `transaction_id`, `attempt`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `shadow_charges_due` ON `shadow_charges` (`next_run_at`);--> statement-breakpoint
ALTER TABLE `transactions` ADD `attempt` integer DEFAULT 1 NOT NULL;