CREATE TABLE `payment_links` (
	`company_id` integer NOT NULL,
	`number` integer NOT NULL,
	`id` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`is_active` integer NOT NULL,
	`terms` text NOT NULL,
	`max_payments` integer,
	`expires_at` integer,
	`paid_count` integer NOT NULL,
	`open_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`metadata` text,
	PRIMARY KEY(`company_id`, `number`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_links_id` ON `payment_links` (`company_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payment_links_slug` ON `payment_links` (`company_id`,`slug`);--> statement-breakpoint
ALTER TABLE `companies` ADD `brand` text;--> statement-breakpoint
ALTER TABLE `operators` ADD `user_id` text;--> statement-breakpoint
ALTER TABLE `operators` ADD `link_hash` text;--> statement-breakpoint
ALTER TABLE `operators` ADD `link_expires_at` integer;--> statement-breakpoint
ALTER TABLE `operators` ADD `link_used_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `operators_user` ON `operators` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `operators_link` ON `operators` (`link_hash`);--> statement-breakpoint
ALTER TABLE `transactions` ADD `payment_link_id` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `checkout_id` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `day_methods` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `return_url` text;
