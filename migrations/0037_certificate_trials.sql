CREATE TABLE `certificate_trials` (
	`company_id` integer NOT NULL,
	`account` text NOT NULL,
	`binding` text NOT NULL,
	`previous` text,
	`state` text NOT NULL,
	`successes` integer NOT NULL,
	`result` text,
	`beside` text,
	`tried_at` integer,
	`swapped_at` integer,
	`ends_at` integer,
	`previous_ends_at` integer,
	`named_at` integer NOT NULL,
	`next_run_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `account`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `certificate_trials_due` ON `certificate_trials` (`next_run_at`);