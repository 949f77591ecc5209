-- Clicks that other programs counted, apart from those that are counted here.

CREATE TABLE imported_clicks (
  link_id BIGINT NOT NULL,
  workspace_id BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  first_day BIGINT NOT NULL,
  last_day BIGINT NOT NULL,
  clicks BIGINT NOT NULL,
  PRIMARY KEY (link_id, kind, first_day, last_day, value)
);
-- Reports of a workspace read nothing else.
CREATE INDEX imported_clicks_of_workspace ON imported_clicks (workspace_id, kind, first_day, last_day, link_id, value, clicks);
