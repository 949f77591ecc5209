-- An import that is remembered, so that it can be undone.

CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  actor TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  created INTEGER NOT NULL DEFAULT 0,
  equal INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  kept INTEGER NOT NULL DEFAULT 0,
  replaced INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  undone_at INTEGER,
  undo TEXT,
  undo_position INTEGER NOT NULL DEFAULT 0,
  undo_ended_at INTEGER,
  trashed INTEGER NOT NULL DEFAULT 0,
  spared INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX imports_of_workspace ON imports (workspace_id, id DESC);
CREATE INDEX imports_being_undone ON imports (id) WHERE undone_at IS NOT NULL AND undo_ended_at IS NULL;

-- No value is written for other links, and the index does not have them.
ALTER TABLE links ADD COLUMN import_id INTEGER;
ALTER TABLE links ADD COLUMN imported_at INTEGER;
ALTER TABLE deleted_links ADD COLUMN import_id INTEGER;
ALTER TABLE deleted_links ADD COLUMN imported_at INTEGER;
CREATE INDEX links_of_import ON links (import_id, id) WHERE import_id IS NOT NULL;
