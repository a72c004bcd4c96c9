CREATE TABLE `check_claims` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`claimed_until` integer NOT NULL
) STRICT;
