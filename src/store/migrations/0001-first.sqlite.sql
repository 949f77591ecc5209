-- Every table of SQLite, in the order of 0001-first.postgres.sql. src/store/schema.ts says what the columns mean.

-- Users, and how they sign in

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  email_verified_at INTEGER,
  role TEXT NOT NULL DEFAULT 'user',
  created_at INTEGER NOT NULL,
  closed_at INTEGER,
  suspended_at INTEGER,
  last_signed_in_at INTEGER,
  last_workspace_id INTEGER,
  failed_sign_ins INTEGER NOT NULL DEFAULT 0,
  totp_secret TEXT,
  totp_enabled_at INTEGER,
  totp_last_step INTEGER
) STRICT;

CREATE TABLE user_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_identities_of_user ON user_identities (user_id);

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  token_hash TEXT NOT NULL UNIQUE,
  device TEXT NOT NULL,
  workspace_id INTEGER,
  confirmed_at INTEGER,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_of_user ON sessions (user_id, id);

CREATE TABLE single_use_tokens (
  token_hash TEXT NOT NULL PRIMARY KEY,
  purpose TEXT NOT NULL,
  user_id INTEGER REFERENCES users (id),
  email TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX single_use_tokens_of_user ON single_use_tokens (user_id);

CREATE TABLE recovery_codes (
  user_id INTEGER NOT NULL REFERENCES users (id),
  code_hash TEXT NOT NULL,
  PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE passkeys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  credential_id TEXT NOT NULL UNIQUE,
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX passkeys_of_user ON passkeys (user_id, id);

CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL UNIQUE,
  token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

-- Workspaces, their members, settings and keys

CREATE TABLE workspaces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  subscription_status TEXT NOT NULL,
  subscription_expires_at INTEGER,
  rate_limit INTEGER,
  created_at INTEGER NOT NULL,
  suspended_at INTEGER,
  closed_at INTEGER,
  default_domain_id INTEGER,
  requires_second_factor INTEGER NOT NULL DEFAULT 0,
  invitations_day INTEGER,
  invitations_of_day INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX workspaces_stopped ON workspaces (id) WHERE suspended_at IS NOT NULL OR closed_at IS NOT NULL;

CREATE TABLE members (
  workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  role TEXT NOT NULL,
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_of_user ON members (user_id);

CREATE TABLE workspace_invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  invited_by INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (workspace_id, email)
) STRICT;

CREATE TABLE workspace_settings (
  workspace_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE group_workspaces (
  name TEXT NOT NULL PRIMARY KEY,
  workspace_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE saved_views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  query TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_views_of_workspace ON saved_views (workspace_id, id);

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
  user_id INTEGER REFERENCES users (id),
  is_kept INTEGER NOT NULL DEFAULT 0,
  name TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  key_hint TEXT,
  scopes TEXT NOT NULL,
  rate_limit INTEGER,
  window_started_at INTEGER,
  window_requests INTEGER NOT NULL DEFAULT 0,
  last_used_at INTEGER,
  revoked_at INTEGER,
  created_at INTEGER NOT NULL,
  restrictions TEXT,
  links_day INTEGER,
  links_of_day INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX api_keys_of_workspace ON api_keys (workspace_id, id);
CREATE INDEX api_keys_of_user ON api_keys (user_id);
CREATE INDEX api_keys_restricted ON api_keys (id) WHERE restrictions IS NOT NULL;

CREATE TABLE api_usage_days (
  workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
  day INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency_keys (
  workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
  endpoint TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, endpoint, key)
) STRICT;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id INTEGER NOT NULL,
  happened_at INTEGER NOT NULL,
  user_id INTEGER,
  api_key_id INTEGER,
  actor TEXT NOT NULL,
  client TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  target_id INTEGER,
  changes TEXT
) STRICT;
CREATE INDEX audit_log_of_workspace ON audit_log (workspace_id, happened_at);

-- Domains, and the hosts that no link may lead to

CREATE TABLE domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  host TEXT UNIQUE,
  name TEXT NOT NULL DEFAULT '',
  workspace_id INTEGER,
  is_shared INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL DEFAULT 0,
  verification_token TEXT,
  verified_at INTEGER,
  checked_at INTEGER,
  failing_since INTEGER,
  failure TEXT,
  dns_failure TEXT,
  found_addresses TEXT,
  certificate_result TEXT,
  certificate_ends_at INTEGER,
  removed_at INTEGER,
  home_url TEXT,
  not_found_url TEXT,
  expired_url TEXT
) STRICT;
CREATE UNIQUE INDEX domains_of_workspace ON domains (workspace_id, name) WHERE workspace_id IS NOT NULL;
INSERT INTO domains (id, is_shared) VALUES (0, 1);

CREATE TABLE blocked_hosts (
  host TEXT NOT NULL PRIMARY KEY,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Links and their codes

-- AUTOINCREMENT: the ID of a deleted link must not come back, or its late clicks would be counted for another link.
CREATE TABLE links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
  domain_id INTEGER NOT NULL DEFAULT 0,
  code TEXT NOT NULL,
  svc_id TEXT NOT NULL,
  original_url TEXT NOT NULL,
  target_url TEXT,
  destination_hash INTEGER,
  title TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by INTEGER,
  created_key_id INTEGER,
  starts_at INTEGER,
  expires_at INTEGER,
  max_clicks INTEGER,
  fallback_url TEXT,
  password_hash TEXT,
  forward_query INTEGER,
  redirect_status INTEGER,
  rules TEXT,
  social_title TEXT,
  social_description TEXT,
  social_image_url TEXT,
  is_archived INTEGER,
  notes TEXT,
  external_id TEXT,
  qr_style TEXT
) STRICT;
CREATE INDEX links_of_workspace ON links (workspace_id, created_at DESC, id DESC);
-- Few links are inactive or archived, and most are on the default domain: finding the others must not read all links.
CREATE INDEX links_switched_off ON links (workspace_id, created_at DESC, id DESC) WHERE is_active = 0;
CREATE INDEX links_archived ON links (workspace_id, created_at DESC, id DESC) WHERE is_archived = 1;
CREATE INDEX links_on_domain ON links (workspace_id, domain_id, created_at DESC, id DESC) WHERE domain_id > 0;
CREATE INDEX links_by_title ON links (workspace_id, lower(title), id) WHERE title <> '';
CREATE INDEX links_by_destination ON links (workspace_id, destination_hash, id DESC);
CREATE INDEX links_by_external_id ON links (workspace_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX links_by_start ON links (workspace_id, starts_at) WHERE starts_at IS NOT NULL;
CREATE INDEX links_by_end ON links (workspace_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX links_with_limit ON links (workspace_id, max_clicks) WHERE max_clicks IS NOT NULL;

CREATE TABLE codes (
  code TEXT NOT NULL,
  domain_id INTEGER NOT NULL DEFAULT 0,
  workspace_id INTEGER REFERENCES workspaces (id),
  link_id INTEGER REFERENCES links (id) ON DELETE SET NULL,
  lost_at INTEGER,
  PRIMARY KEY (code, domain_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX codes_of_link ON codes (link_id);

CREATE TABLE code_log (
  log TEXT NOT NULL PRIMARY KEY,
  position INTEGER NOT NULL
) STRICT;

CREATE TABLE deleted_links (
  id INTEGER PRIMARY KEY,
  workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
  domain_id INTEGER NOT NULL DEFAULT 0,
  code TEXT NOT NULL,
  svc_id TEXT NOT NULL,
  original_url TEXT NOT NULL,
  target_url TEXT,
  destination_hash INTEGER,
  title TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER NOT NULL,
  created_by INTEGER,
  created_key_id INTEGER,
  starts_at INTEGER,
  expires_at INTEGER,
  max_clicks INTEGER,
  fallback_url TEXT,
  password_hash TEXT,
  forward_query INTEGER,
  redirect_status INTEGER,
  rules TEXT,
  social_title TEXT,
  social_description TEXT,
  social_image_url TEXT,
  is_archived INTEGER,
  notes TEXT,
  external_id TEXT,
  qr_style TEXT,
  other_keys TEXT
) STRICT;
CREATE INDEX deleted_links_of_workspace ON deleted_links (workspace_id, code);
CREATE INDEX deleted_links_by_age ON deleted_links (workspace_id, deleted_at DESC, id DESC);
CREATE INDEX deleted_links_by_time ON deleted_links (deleted_at);

CREATE TABLE link_versions (
  link_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  user_id INTEGER,
  api_key_id INTEGER,
  is_destination INTEGER NOT NULL DEFAULT 0,
  changes TEXT NOT NULL,
  PRIMARY KEY (link_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE link_openings (
  link_id INTEGER PRIMARY KEY,
  opened INTEGER NOT NULL,
  limited_since INTEGER
) STRICT;
CREATE INDEX link_openings_by_limited_since ON link_openings (limited_since) WHERE limited_since IS NOT NULL;

CREATE TABLE workspace_link_counts (
  workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
  shard INTEGER NOT NULL,
  links INTEGER NOT NULL,
  active_links INTEGER NOT NULL,
  archived_links INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, shard)
) STRICT, WITHOUT ROWID;

CREATE TABLE labels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  color INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (workspace_id, kind, folded_name)
) STRICT;

CREATE TABLE link_labels (
  label_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  link_id INTEGER NOT NULL,
  PRIMARY KEY (label_id, created_at, link_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_labels_of_link ON link_labels (link_id);

CREATE TABLE label_link_counts (
  label_id INTEGER NOT NULL,
  shard INTEGER NOT NULL,
  links INTEGER NOT NULL,
  archived_links INTEGER NOT NULL,
  PRIMARY KEY (label_id, shard)
) STRICT, WITHOUT ROWID;

CREATE TABLE link_reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id INTEGER NOT NULL,
  link_id INTEGER NOT NULL,
  short_url TEXT NOT NULL,
  original_url TEXT NOT NULL,
  reason TEXT NOT NULL,
  message TEXT NOT NULL,
  reported_at INTEGER NOT NULL,
  closed_at INTEGER,
  closed_by INTEGER,
  more INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX link_reports_of_link ON link_reports (link_id);
CREATE INDEX link_reports_open ON link_reports (reported_at DESC, id DESC) WHERE closed_at IS NULL;

-- Search

CREATE TABLE link_texts (
  link_id INTEGER PRIMARY KEY,
  workspace_id INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX link_texts_of_workspace ON link_texts (workspace_id, link_id DESC);

-- New links are added to the index by the thousand (indexNewLinks): one by one, this would cost more than the rest of their
-- creation. Links up to indexed_to are in the index, and a search reads those after it.
CREATE TABLE link_search_progress (indexed_to INTEGER NOT NULL) STRICT;
INSERT INTO link_search_progress VALUES (0);

CREATE VIEW indexed_link_texts AS
  SELECT link_id, text FROM link_texts WHERE link_id <= (SELECT indexed_to FROM link_search_progress);

-- Finds any part of a text by its trigrams. It holds neither the texts, so the triggers pass it the old ones when they change,
-- nor positions (detail=none): the search looks in the text itself whether the trigrams stand together. That takes a quarter of
-- the space and a fifth of the work.
CREATE VIRTUAL TABLE link_search USING fts5 (
  text, content='indexed_link_texts', content_rowid='link_id', columnsize=0, detail=none,
  tokenize='trigram case_sensitive 1'
);
CREATE TRIGGER link_search_delete AFTER DELETE ON link_texts
  WHEN old.link_id <= (SELECT indexed_to FROM link_search_progress) BEGIN
    INSERT INTO link_search (link_search, rowid, text) VALUES ('delete', old.link_id, old.text);
  END;
CREATE TRIGGER link_search_update AFTER UPDATE ON link_texts
  WHEN old.link_id <= (SELECT indexed_to FROM link_search_progress) BEGIN
    INSERT INTO link_search (link_search, rowid, text) VALUES ('delete', old.link_id, old.text);
    INSERT INTO link_search (rowid, text) VALUES (new.link_id, new.text);
  END;

-- Clicks. They and the counters have no foreign keys: a click that was under way when its link was deleted still counts.

CREATE TABLE clicks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  link_id INTEGER NOT NULL,
  workspace_id INTEGER NOT NULL,
  clicked_at INTEGER NOT NULL,
  dimensions_id INTEGER NOT NULL,
  visitor INTEGER,
  is_bot INTEGER NOT NULL,
  extras TEXT
) STRICT;

CREATE TABLE click_dimensions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  country TEXT NOT NULL,
  device TEXT NOT NULL,
  browser TEXT NOT NULL,
  os TEXT NOT NULL,
  referrer TEXT NOT NULL,
  UNIQUE (country, device, browser, os, referrer)
) STRICT;

CREATE TABLE seen_visits (visit INTEGER PRIMARY KEY) STRICT;

CREATE TABLE visitor_salts (day INTEGER PRIMARY KEY, salt BLOB NOT NULL) STRICT;

CREATE TABLE journal_segments (
  segment TEXT NOT NULL PRIMARY KEY,
  node TEXT NOT NULL,
  folder TEXT NOT NULL DEFAULT '',
  previous_segment TEXT NOT NULL,
  base_count INTEGER NOT NULL,
  position INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  dead_letters INTEGER NOT NULL,
  damaged_bytes INTEGER NOT NULL,
  missing_clicks INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER
) STRICT;

-- Counters

CREATE TABLE link_totals (
  link_id INTEGER PRIMARY KEY,
  workspace_id INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  bots INTEGER NOT NULL,
  last_clicked_at INTEGER
) STRICT;
CREATE INDEX link_totals_of_workspace ON link_totals (workspace_id, clicks DESC, link_id DESC);
CREATE INDEX link_totals_by_last_click ON link_totals (workspace_id, last_clicked_at DESC, link_id DESC)
  WHERE last_clicked_at IS NOT NULL;

CREATE TABLE link_hours (
  link_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  dimensions_id INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  bots INTEGER NOT NULL,
  PRIMARY KEY (link_id, hour, dimensions_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE link_dimension_hours (
  link_id INTEGER NOT NULL,
  dimension TEXT NOT NULL,
  hour INTEGER NOT NULL,
  value TEXT NOT NULL,
  clicks INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  PRIMARY KEY (link_id, dimension, hour, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE link_days (
  link_id INTEGER NOT NULL,
  dimension TEXT NOT NULL,
  day INTEGER NOT NULL,
  value TEXT NOT NULL,
  clicks INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  bots INTEGER NOT NULL,
  PRIMARY KEY (link_id, dimension, day, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE link_days_progress (summed_to INTEGER NOT NULL, begun_to INTEGER NOT NULL) STRICT;
INSERT INTO link_days_progress VALUES (0, 0);

CREATE TABLE link_referrers (
  day INTEGER NOT NULL,
  link_id INTEGER NOT NULL,
  referrer TEXT NOT NULL,
  PRIMARY KEY (day, link_id, referrer)
) STRICT, WITHOUT ROWID;

CREATE TABLE workspace_totals (
  workspace_id INTEGER PRIMARY KEY,
  clicks INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  bots INTEGER NOT NULL,
  last_clicked_at INTEGER
) STRICT;

CREATE TABLE workspace_hours (
  workspace_id INTEGER NOT NULL,
  dimension TEXT NOT NULL,
  hour INTEGER NOT NULL,
  value TEXT NOT NULL,
  clicks INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  bots INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, dimension, hour, value)
) STRICT, WITHOUT ROWID;

-- Which store this is

CREATE TABLE store_identity (
  id TEXT NOT NULL,
  filled_from TEXT,
  moved_to TEXT,
  moved_place TEXT,
  moved_at INTEGER
) STRICT;
INSERT INTO store_identity (id) VALUES (lower(hex(randomblob(16))));

-- What a running server keeps in memory. It reads the number each second, so it learns what a command has changed.

CREATE TABLE redirect_state_changes (count INTEGER NOT NULL) STRICT;
INSERT INTO redirect_state_changes VALUES (0);

CREATE TRIGGER host_blocked AFTER INSERT ON blocked_hosts
  BEGIN UPDATE redirect_state_changes SET count = count + 1; END;
CREATE TRIGGER host_unblocked AFTER DELETE ON blocked_hosts
  BEGIN UPDATE redirect_state_changes SET count = count + 1; END;
CREATE TRIGGER workspace_changed AFTER UPDATE ON workspaces
  WHEN old.suspended_at IS NOT new.suspended_at
    OR old.closed_at IS NOT new.closed_at
    OR old.default_domain_id IS NOT new.default_domain_id
  BEGIN UPDATE redirect_state_changes SET count = count + 1; END;
-- A domain that was never verified serves nothing.
CREATE TRIGGER domain_added AFTER INSERT ON domains WHEN new.verified_at IS NOT NULL
  BEGIN UPDATE redirect_state_changes SET count = count + 1; END;
CREATE TRIGGER domain_deleted AFTER DELETE ON domains WHEN old.verified_at IS NOT NULL
  BEGIN UPDATE redirect_state_changes SET count = count + 1; END;
CREATE TRIGGER domain_changed AFTER UPDATE ON domains
  WHEN new.verified_at IS NOT NULL AND (
    old.host IS NOT new.host
    OR old.workspace_id IS NOT new.workspace_id
    OR old.is_shared IS NOT new.is_shared
    OR old.home_url IS NOT new.home_url
    OR old.not_found_url IS NOT new.not_found_url
    OR old.expired_url IS NOT new.expired_url)
  BEGIN UPDATE redirect_state_changes SET count = count + 1; END;
