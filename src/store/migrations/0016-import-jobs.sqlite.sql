-- Imports that the server runs: what they read, what became of each link, and how far they are.

CREATE TABLE import_jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  state TEXT NOT NULL,
  caller TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  url TEXT,
  source_key TEXT,
  domain TEXT,
  options TEXT NOT NULL,
  files TEXT NOT NULL,
  description TEXT NOT NULL,
  links INTEGER,
  counts TEXT,
  on_conflict TEXT NOT NULL,
  position INTEGER NOT NULL,
  started_at INTEGER,
  import_id INTEGER,
  recorded INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  waiting_until INTEGER,
  message TEXT,
  runner TEXT,
  runner_until INTEGER NOT NULL
) STRICT;
CREATE INDEX import_jobs_of_workspace ON import_jobs (workspace_id, id DESC);
CREATE INDEX import_jobs_to_run ON import_jobs (id) WHERE state IN ('checking', 'importing');
CREATE INDEX import_jobs_changed ON import_jobs (changed_at);

CREATE TABLE import_parts (
  job_id INTEGER NOT NULL,
  file INTEGER NOT NULL,
  position INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (job_id, file, position)
) STRICT;

CREATE TABLE import_groups (
  job_id INTEGER NOT NULL,
  first INTEGER NOT NULL,
  links TEXT NOT NULL,
  PRIMARY KEY (job_id, first)
) STRICT;

CREATE TABLE import_items (
  job_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  result TEXT NOT NULL,
  item TEXT NOT NULL,
  choice TEXT,
  new_code TEXT,
  PRIMARY KEY (job_id, number)
) STRICT;
CREATE INDEX import_items_by_result ON import_items (job_id, result, number);
CREATE INDEX import_items_chosen ON import_items (job_id, choice) WHERE choice IS NOT NULL;
