ALTER TABLE `transactions` ADD `metadata_packed` blob;--> statement-breakpoint
ALTER TABLE `transactions` ADD `payer_packed` blob DEFAULT x'7b7d' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `items_packed` blob DEFAULT x'5b5d' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `pix_packed` blob;--> statement-breakpoint
ALTER TABLE `transactions` ADD `boleto_packed` blob;--> statement-breakpoint
ALTER TABLE `transactions` ADD `failure_packed` blob;--> statement-breakpoint
UPDATE `transactions` SET `metadata_packed` = CAST(`metadata` AS blob), `payer_packed` = CAST(`payer` AS blob), `items_packed` = CAST(`items` AS blob), `pix_packed` = CAST(`pix` AS blob), `boleto_packed` = CAST(`boleto` AS blob), `failure_packed` = CAST(`failure` AS blob);--> statement-breakpoint
ALTER TABLE `transactions` DROP COLUMN `metadata`;--> statement-breakpoint
ALTER TABLE `transactions` RENAME COLUMN `metadata_packed` TO `metadata`;--> statement-breakpoint
ALTER TABLE `transactions` DROP COLUMN `payer`;--> statement-breakpoint
ALTER TABLE `transactions` RENAME COLUMN `payer_packed` TO `payer`;--> statement-breakpoint
ALTER TABLE `transactions` DROP COLUMN `items`;--> statement-breakpoint
ALTER TABLE `transactions` RENAME COLUMN `items_packed` TO `items`;--> statement-breakpoint
ALTER TABLE `transactions` DROP COLUMN `pix`;--> statement-breakpoint
ALTER TABLE `transactions` RENAME COLUMN `pix_packed` TO `pix`;--> statement-breakpoint
ALTER TABLE `transactions` DROP COLUMN `boleto`;--> statement-breakpoint
ALTER TABLE `transactions` RENAME COLUMN `boleto_packed` TO `boleto`;--> statement-breakpoint
ALTER TABLE `transactions` DROP COLUMN `failure`;--> statement-breakpoint
ALTER TABLE `transactions` RENAME COLUMN `failure_packed` TO `failure`;--> statement-breakpoint
ALTER TABLE `events` ADD `body_packed` blob DEFAULT x'' NOT NULL;--> statement-breakpoint
UPDATE `events` SET `body_packed` = CAST(`body` AS blob);--> statement-breakpoint
ALTER TABLE `events` DROP COLUMN `body`;--> statement-breakpoint
ALTER TABLE `events` RENAME COLUMN `body_packed` TO `body`;
