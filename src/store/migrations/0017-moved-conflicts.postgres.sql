-- Conflicts of imports that go to another domain: the host of those without a choice of their own, and of one.

ALTER TABLE import_jobs ADD COLUMN conflict_domain TEXT COLLATE "C";
ALTER TABLE import_items ADD COLUMN new_domain TEXT COLLATE "C";
