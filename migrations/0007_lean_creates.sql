ALTER TABLE `leads` ADD `first_seq` integer;--> statement-breakpoint
ALTER TABLE `transactions` ADD `lead_count` integer;--> statement-breakpoint
ALTER TABLE `transactions` ADD `is_repeat` integer DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE `transactions` SET `lead_count` = (SELECT max(`number`) FROM `leads` WHERE `leads`.`company_id` = `transactions`.`company_id`) WHERE (`company_id`, `seq`) IN (SELECT `id`, (SELECT max(`seq`) FROM `transactions` AS `own` WHERE `own`.`company_id` = `companies`.`id`) FROM `companies`);--> statement-breakpoint
DROP INDEX `leads_number`;--> statement-breakpoint
DROP INDEX `transactions_lead`;--> statement-breakpoint
CREATE INDEX `transactions_lead` ON `transactions` (`company_id`,`lead_number`,`seq`) WHERE is_repeat = 1;--> statement-breakpoint
INSERT INTO `cursors` (`name`, `value`) VALUES ('unanswered', (unixepoch() - 3600) * 1000), ('open', (unixepoch() - 3600) * 1000);
