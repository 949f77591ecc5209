-- Clicks that other programs counted, apart from those that are counted here.

CREATE TABLE imported_clicks (
  link_id INTEGER NOT NULL,
  workspace_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  first_day INTEGER NOT NULL,
  last_day INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  PRIMARY KEY (link_id, kind, first_day, last_day, value)
) STRICT, WITHOUT ROWID;
-- Reports of a workspace read nothing else.
CREATE INDEX imported_clicks_of_workspace ON imported_clicks (workspace_id, kind, first_day, last_day, link_id, value, clicks);
