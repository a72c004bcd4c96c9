ALTER TABLE `companies` ADD `brand` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `return_url` text;