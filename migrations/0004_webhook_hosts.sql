CREATE TABLE `webhook_hosts` (
	`company_id` integer NOT NULL,
	`host` text NOT NULL,
	`failing_since` integer NOT NULL,
	`last_failure_at` integer NOT NULL,
	`last_failure` text NOT NULL,
	`off_since` integer,
	PRIMARY KEY(`company_id`, `host`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `companies` ADD `webhook_secrets_previous` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `webhook_chaos` text;