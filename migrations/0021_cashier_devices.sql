CREATE TABLE `cashier_devices` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`user_id` text,
	`since` integer,
	`failed_pins` integer DEFAULT 0 NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `cashier_devices_token` ON `cashier_devices` (`token_hash`);--> statement-breakpoint
CREATE INDEX `cashier_devices_company` ON `cashier_devices` (`company_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `cashier_pins` (
	`company_id` integer NOT NULL,
	`user_id` text NOT NULL,
	`pin_hash` text NOT NULL,
	`set_at` integer NOT NULL,
	`failed_tries` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`company_id`, `user_id`)
) STRICT, WITHOUT ROWID;