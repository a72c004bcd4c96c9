ALTER TABLE `events` ADD `postback` text;--> statement-breakpoint
ALTER TABLE `events` ADD `endpoint` text;--> statement-breakpoint
ALTER TABLE `events` ADD `due_at` integer GENERATED ALWAYS AS (min(coalesce(postback ->> 'dueAt', endpoint ->> 'dueAt'), coalesce(endpoint ->> 'dueAt', postback ->> 'dueAt'))) VIRTUAL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `event_numbers` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `withdraws` ADD `event_numbers` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
UPDATE `events` SET `postback` = (
	SELECT json_object('url', d.`url`, 'status', d.`status`, 'dueAt', d.`due_at`, 'updatedAt', d.`updated_at`,
		'attempts', d.`attempts`, 'tries', (
			SELECT json_group_array(json_array(a.`created_at`, a.`duration_ms`, a.`http_status`, a.`fault`, a.`answer`))
			FROM (SELECT * FROM `attempts` WHERE `company_id` = d.`company_id`
				AND `company_sequence` = d.`company_sequence` AND `target` = d.`target` ORDER BY `number`) AS a))
	FROM `deliveries` AS d WHERE d.`company_id` = `events`.`company_id`
		AND d.`company_sequence` = `events`.`company_sequence` AND d.`target` = 'postback')
WHERE EXISTS (SELECT 1 FROM `deliveries` AS d WHERE d.`company_id` = `events`.`company_id`
	AND d.`company_sequence` = `events`.`company_sequence` AND d.`target` = 'postback');--> statement-breakpoint
UPDATE `events` SET `endpoint` = (
	SELECT json_object('url', d.`url`, 'status', d.`status`, 'dueAt', d.`due_at`, 'updatedAt', d.`updated_at`,
		'attempts', d.`attempts`, 'tries', (
			SELECT json_group_array(json_array(a.`created_at`, a.`duration_ms`, a.`http_status`, a.`fault`, a.`answer`))
			FROM (SELECT * FROM `attempts` WHERE `company_id` = d.`company_id`
				AND `company_sequence` = d.`company_sequence` AND `target` = d.`target` ORDER BY `number`) AS a))
	FROM `deliveries` AS d WHERE d.`company_id` = `events`.`company_id`
		AND d.`company_sequence` = `events`.`company_sequence` AND d.`target` = 'endpoint')
WHERE EXISTS (SELECT 1 FROM `deliveries` AS d WHERE d.`company_id` = `events`.`company_id`
	AND d.`company_sequence` = `events`.`company_sequence` AND d.`target` = 'endpoint');--> statement-breakpoint
UPDATE `transactions` SET `event_numbers` = (
	SELECT json_group_array(e.`company_sequence`) FROM (SELECT `company_sequence` FROM `events` INDEXED BY `events_object`
		WHERE `company_id` = `transactions`.`company_id` AND `object_id` = `transactions`.`id` ORDER BY `company_sequence`) AS e);--> statement-breakpoint
UPDATE `withdraws` SET `event_numbers` = (
	SELECT json_group_array(e.`company_sequence`) FROM (SELECT `company_sequence` FROM `events` INDEXED BY `events_object`
		WHERE `company_id` = `withdraws`.`company_id` AND `object_id` = 'withdraw:' || `withdraws`.`id` ORDER BY `company_sequence`) AS e);--> statement-breakpoint
DROP TABLE `attempts`;--> statement-breakpoint
DROP TABLE `deliveries`;--> statement-breakpoint
DROP INDEX `events_object`;--> statement-breakpoint
CREATE INDEX `events_due` ON `events` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_balance` ON `events` (`company_id`,`object_id`,`company_sequence`) WHERE type = 'balance.released';--> statement-breakpoint
CREATE INDEX `webhook_hosts_off` ON `webhook_hosts` (`company_id`) WHERE off_since IS NOT NULL;
