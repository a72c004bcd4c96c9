CREATE TABLE `provider_refs` (
	`company_id` integer NOT NULL,
	`account` text NOT NULL,
	`id` text NOT NULL,
	`ref` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `account`, `id`)
) STRICT, WITHOUT ROWID;
