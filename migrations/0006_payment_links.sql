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
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_links_id` ON `payment_links` (`company_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payment_links_slug` ON `payment_links` (`company_id`,`slug`);--> statement-breakpoint
ALTER TABLE `transactions` ADD `payment_link_id` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `checkout_id` text;