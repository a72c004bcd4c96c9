ALTER TABLE `operators` ADD `user_id` text;--> statement-breakpoint
ALTER TABLE `operators` ADD `link_hash` text;--> statement-breakpoint
ALTER TABLE `operators` ADD `link_expires_at` integer;--> statement-breakpoint
ALTER TABLE `operators` ADD `link_used_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `operators_user` ON `operators` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `operators_link` ON `operators` (`link_hash`);