CREATE TABLE `__new_events` (
	`company_id` integer NOT NULL,
	`company_sequence` integer NOT NULL,
	`type` integer NOT NULL,
	`object_id` any NOT NULL,
	`sequence` integer NOT NULL,
	`created_at` integer NOT NULL,
	`body` blob DEFAULT x'' NOT NULL,
	`postback` text,
	`endpoint` text,
	`due_at` integer GENERATED ALWAYS AS (min(coalesce(postback ->> 5, endpoint ->> 5), coalesce(endpoint ->> 5, postback ->> 5))) VIRTUAL,
	PRIMARY KEY(`company_id`, `company_sequence`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_events` (`company_id`, `company_sequence`, `type`, `object_id`, `sequence`, `created_at`, `body`, `postback`, `endpoint`)
SELECT `company_id`, `company_sequence`,
	(SELECT key FROM json_each('["transaction.authorized","transaction.paid","transaction.refused","transaction.failed","transaction.cancelled","transaction.refunded","transaction.partially_refunded","transaction.disputed","withdraw.processing","withdraw.paid","withdraw.failed","withdraw.cancelled","withdraw.returned","balance.released","webhook.test"]') WHERE value = `events`.`type`),
	iif(length(`object_id`) = 36, coalesce(unhex(replace(`object_id`, '-', '')), `object_id`), `object_id`),
	`sequence`, `created_at`, `body`,
	iif(`postback` IS NULL, NULL, json_array(`postback` -> 'url',
		(SELECT key FROM json_each('["pending","delivered","superseded","stopped","exhausted"]') WHERE value = `postback` ->> 'status'),
		(`postback` ->> 'updatedAt') - `created_at`, `postback` -> 'attempts',
		(SELECT json_group_array(json_array((value ->> 0) - `created_at`, value -> 1, value -> 2, value -> 3, value -> 4))
			FROM json_each(`postback`, '$.tries')),
		`postback` -> 'dueAt')),
	iif(`endpoint` IS NULL, NULL, json_array(`endpoint` -> 'url',
		(SELECT key FROM json_each('["pending","delivered","superseded","stopped","exhausted"]') WHERE value = `endpoint` ->> 'status'),
		(`endpoint` ->> 'updatedAt') - `created_at`, `endpoint` -> 'attempts',
		(SELECT json_group_array(json_array((value ->> 0) - `created_at`, value -> 1, value -> 2, value -> 3, value -> 4))
			FROM json_each(`endpoint`, '$.tries')),
		`endpoint` -> 'dueAt'))
FROM `events` ORDER BY `company_id`, `company_sequence`;--> statement-breakpoint
DROP TABLE `events`;--> statement-breakpoint
ALTER TABLE `__new_events` RENAME TO `events`;--> statement-breakpoint
CREATE INDEX `events_due` ON `events` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_balance` ON `events` (`company_id`,`object_id`,`company_sequence`) WHERE type = 13;
