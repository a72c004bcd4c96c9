CREATE TABLE `mandate_passes` (
	`company_id` integer NOT NULL,
	`account` text NOT NULL,
	`read_until` integer NOT NULL,
	`window_ms` integer NOT NULL,
	`next_run_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `account`)
) STRICT, WITHOUT ROWID;
