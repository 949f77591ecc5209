CREATE TABLE account_hours (
  account_id INTEGER NOT NULL,
  dimension TEXT NOT NULL,
  hour INTEGER NOT NULL,
  value TEXT NOT NULL,
  clicks INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  bots INTEGER NOT NULL,
  PRIMARY KEY (account_id, dimension, hour, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE account_link_counts (
  account_id INTEGER NOT NULL REFERENCES "workspaces" (id),
  shard INTEGER NOT NULL,
  links INTEGER NOT NULL,
  active_links INTEGER NOT NULL, archived_links INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, shard)
) STRICT, WITHOUT ROWID;

CREATE TABLE account_totals (
  account_id INTEGER PRIMARY KEY,
  clicks INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  bots INTEGER NOT NULL,
  last_clicked_at INTEGER
) STRICT;

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id INTEGER NOT NULL REFERENCES "workspaces" (id),
  name TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  rate_limit INTEGER,
  window_started_at INTEGER,
  window_requests INTEGER NOT NULL DEFAULT 0,
  last_used_at INTEGER,
  revoked_at INTEGER,
  created_at INTEGER NOT NULL
, key_hint TEXT, user_id INTEGER REFERENCES users (id), restrictions TEXT, links_day INTEGER, links_of_day INTEGER NOT NULL DEFAULT 0, is_kept INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX api_keys_of_user ON api_keys (user_id);

CREATE INDEX api_keys_of_workspace ON api_keys (workspace_id, id);

CREATE INDEX api_keys_restricted ON api_keys (id) WHERE restrictions IS NOT NULL;

CREATE TABLE api_usage_days (
  account_id INTEGER NOT NULL REFERENCES "workspaces" (id),
  day INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
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

CREATE INDEX audit_log_of_account ON audit_log (account_id, happened_at);

CREATE TABLE blocked_hosts (
  host TEXT NOT NULL PRIMARY KEY,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE "click_dimensions" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  country TEXT NOT NULL,
  device TEXT NOT NULL,
  browser TEXT NOT NULL,
  os TEXT NOT NULL,
  referrer TEXT NOT NULL,
  UNIQUE (country, device, browser, os, referrer)
) STRICT;

CREATE TABLE clicks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  link_id INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  clicked_at INTEGER NOT NULL,
  dimensions_id INTEGER NOT NULL,
  visitor INTEGER,
  is_bot INTEGER NOT NULL
, extras TEXT) STRICT;

CREATE TABLE code_log (
  log TEXT NOT NULL PRIMARY KEY,
  position INTEGER NOT NULL
) STRICT;

CREATE TABLE codes (
  code TEXT NOT NULL,
  domain_id INTEGER NOT NULL DEFAULT 0,
  account_id INTEGER REFERENCES workspaces (id),
  link_id INTEGER REFERENCES links (id) ON DELETE SET NULL,
  lost_at INTEGER,
  PRIMARY KEY (code, domain_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX codes_of_link ON codes (link_id);

CREATE TABLE deleted_links (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES "workspaces" (id),
  code TEXT NOT NULL,
  svc_id TEXT NOT NULL,
  original_url TEXT NOT NULL,
  target_url TEXT,
  title TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER NOT NULL
, domain_id INTEGER NOT NULL DEFAULT 0, starts_at INTEGER, expires_at INTEGER, max_clicks INTEGER, fallback_url TEXT, password_hash TEXT, forward_query INTEGER, redirect_status INTEGER, rules TEXT, social_title TEXT, social_description TEXT, social_image_url TEXT, is_archived INTEGER, notes TEXT, external_id TEXT, other_keys TEXT, created_by INTEGER, destination_hash INTEGER, qr_style TEXT) STRICT;

CREATE INDEX deleted_links_by_age ON deleted_links (account_id, deleted_at DESC, id DESC);

CREATE INDEX deleted_links_by_time ON deleted_links (deleted_at);

CREATE INDEX deleted_links_of_account ON deleted_links (account_id, code);

CREATE TRIGGER domain_added AFTER INSERT ON domains WHEN new.verified_at IS NOT NULL BEGIN UPDATE redirect_state_changes SET count = count + 1; END;

CREATE TRIGGER domain_changed AFTER UPDATE ON domains
  WHEN new.verified_at IS NOT NULL AND (old.host IS NOT new.host OR old.account_id IS NOT new.account_id OR old.is_shared IS NOT new.is_shared OR old.home_url IS NOT new.home_url OR old.not_found_url IS NOT new.not_found_url OR old.expired_url IS NOT new.expired_url) BEGIN UPDATE redirect_state_changes SET count = count + 1; END;

CREATE TRIGGER domain_deleted AFTER DELETE ON domains WHEN old.verified_at IS NOT NULL BEGIN UPDATE redirect_state_changes SET count = count + 1; END;

CREATE TABLE domains (id INTEGER PRIMARY KEY AUTOINCREMENT, host TEXT UNIQUE, account_id INTEGER, name TEXT NOT NULL DEFAULT '', is_shared INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL DEFAULT 0, verification_token TEXT, verified_at INTEGER, checked_at INTEGER, failing_since INTEGER, failure TEXT, certificate_result TEXT, certificate_ends_at INTEGER, removed_at INTEGER, home_url TEXT, not_found_url TEXT, expired_url TEXT, dns_failure TEXT, found_addresses TEXT) STRICT;

CREATE UNIQUE INDEX domains_of_account ON domains (account_id, name) WHERE account_id IS NOT NULL;

CREATE TABLE group_workspaces (
  name TEXT NOT NULL PRIMARY KEY,
  workspace_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER host_blocked AFTER INSERT ON blocked_hosts BEGIN UPDATE redirect_state_changes SET count = count + 1; END;

CREATE TRIGGER host_unblocked AFTER DELETE ON blocked_hosts BEGIN UPDATE redirect_state_changes SET count = count + 1; END;

CREATE TABLE idempotency_keys (
  account_id INTEGER NOT NULL REFERENCES "workspaces" (id),
  endpoint TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, endpoint, key)
) STRICT;

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

CREATE VIEW indexed_link_texts AS
  SELECT link_id, text FROM link_texts WHERE link_id <= (SELECT indexed_to FROM link_search_progress);

CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL UNIQUE,
  token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE journal_segments (
  segment TEXT NOT NULL PRIMARY KEY,
  node TEXT NOT NULL,
  previous_segment TEXT NOT NULL,
  base_count INTEGER NOT NULL,
  position INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  dead_letters INTEGER NOT NULL,
  damaged_bytes INTEGER NOT NULL,
  finished_at INTEGER
, folder TEXT NOT NULL DEFAULT '', missing_clicks INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE label_link_counts (
  label_id INTEGER NOT NULL,
  shard INTEGER NOT NULL,
  links INTEGER NOT NULL,
  archived_links INTEGER NOT NULL,
  PRIMARY KEY (label_id, shard)
) STRICT, WITHOUT ROWID;

CREATE TABLE labels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  color INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, kind, folded_name)
) STRICT;

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

CREATE TABLE link_days_progress (summed_to INTEGER NOT NULL, begun_to INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE link_dimension_hours (
  link_id INTEGER NOT NULL,
  dimension TEXT NOT NULL,
  hour INTEGER NOT NULL,
  value TEXT NOT NULL,
  clicks INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  PRIMARY KEY (link_id, dimension, hour, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE link_hours (
  link_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  dimensions_id INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  bots INTEGER NOT NULL,
  PRIMARY KEY (link_id, hour, dimensions_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE link_labels (
  label_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  link_id INTEGER NOT NULL,
  PRIMARY KEY (label_id, created_at, link_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX link_labels_of_link ON link_labels (link_id);

CREATE TABLE link_openings (
  link_id INTEGER PRIMARY KEY,
  opened INTEGER NOT NULL
, limited_since INTEGER) STRICT;

CREATE INDEX link_openings_by_limited_since ON link_openings (limited_since)
  WHERE limited_since IS NOT NULL;

CREATE TABLE link_referrers (
  day INTEGER NOT NULL,
  link_id INTEGER NOT NULL,
  referrer TEXT NOT NULL,
  PRIMARY KEY (day, link_id, referrer)
) STRICT, WITHOUT ROWID;

CREATE TABLE link_reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  link_id INTEGER NOT NULL,
  short_url TEXT NOT NULL,
  original_url TEXT NOT NULL,
  reason TEXT NOT NULL,
  message TEXT NOT NULL,
  reported_at INTEGER NOT NULL,
  closed_at INTEGER,
  closed_by INTEGER
, more INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX link_reports_of_link ON link_reports (link_id);

CREATE INDEX link_reports_open ON link_reports (reported_at DESC, id DESC) WHERE closed_at IS NULL;

CREATE VIRTUAL TABLE link_search USING fts5 (
  text, content='indexed_link_texts', content_rowid='link_id', columnsize=0, detail=none,
  tokenize='trigram case_sensitive 1'
);

CREATE TABLE 'link_search_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'link_search_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TRIGGER link_search_delete AFTER DELETE ON link_texts
WHEN old.link_id <= (SELECT indexed_to FROM link_search_progress) BEGIN
  INSERT INTO link_search (link_search, rowid, text) VALUES ('delete', old.link_id, old.text);
END;

CREATE TABLE 'link_search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE link_search_progress (indexed_to INTEGER NOT NULL) STRICT;

CREATE TRIGGER link_search_update AFTER UPDATE ON link_texts
WHEN old.link_id <= (SELECT indexed_to FROM link_search_progress) BEGIN
  INSERT INTO link_search (link_search, rowid, text) VALUES ('delete', old.link_id, old.text);
  INSERT INTO link_search (rowid, text) VALUES (new.link_id, new.text);
END;

CREATE TABLE link_texts (
  link_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE INDEX link_texts_of_account ON link_texts (account_id, link_id DESC);

CREATE TABLE link_totals (
  link_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  bots INTEGER NOT NULL,
  last_clicked_at INTEGER
) STRICT;

CREATE INDEX link_totals_by_last_click ON link_totals (account_id, last_clicked_at DESC, link_id DESC)
  WHERE last_clicked_at IS NOT NULL;

CREATE INDEX link_totals_of_account ON link_totals (account_id, clicks DESC, link_id DESC);

CREATE TABLE link_versions (
  link_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  user_id INTEGER,
  changes TEXT NOT NULL, api_key_id INTEGER,
  PRIMARY KEY (link_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES workspaces (id),
  domain_id INTEGER NOT NULL DEFAULT 0,
  code TEXT NOT NULL,
  svc_id TEXT NOT NULL,
  original_url TEXT NOT NULL,
  target_url TEXT,
  title TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, starts_at INTEGER, expires_at INTEGER, max_clicks INTEGER, fallback_url TEXT, password_hash TEXT, forward_query INTEGER, redirect_status INTEGER, rules TEXT, social_title TEXT, social_description TEXT, social_image_url TEXT, is_archived INTEGER, notes TEXT, external_id TEXT, created_by INTEGER, destination_hash INTEGER, qr_style TEXT) STRICT;

CREATE INDEX links_archived ON links (account_id, created_at DESC, id DESC) WHERE is_archived = 1;

CREATE INDEX links_by_destination ON links (account_id, destination_hash, id DESC);

CREATE INDEX links_by_end ON links (account_id, expires_at) WHERE expires_at IS NOT NULL;

CREATE INDEX links_by_external_id ON links (account_id, external_id) WHERE external_id IS NOT NULL;

CREATE INDEX links_by_start ON links (account_id, starts_at) WHERE starts_at IS NOT NULL;

CREATE INDEX links_by_title ON links (account_id, lower(title), id) WHERE title <> '';

CREATE INDEX links_of_account ON links (account_id, created_at DESC, id DESC);

CREATE INDEX links_on_domain ON links (account_id, domain_id, created_at DESC, id DESC) WHERE domain_id > 0;

CREATE INDEX links_switched_off ON links (account_id, created_at DESC, id DESC) WHERE is_active = 0;

CREATE INDEX links_with_limit ON links (account_id, max_clicks) WHERE max_clicks IS NOT NULL;

CREATE TABLE members (
  workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  role TEXT NOT NULL,
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX members_of_user ON members (user_id);

CREATE TABLE "passkeys" (
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

CREATE TABLE "recovery_codes" (
  user_id INTEGER NOT NULL REFERENCES users (id),
  code_hash TEXT NOT NULL,
  PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE redirect_state_changes (count INTEGER NOT NULL) STRICT;

CREATE TABLE saved_views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  query TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX saved_views_of_account ON saved_views (account_id, id);

CREATE TABLE seen_visits (visit INTEGER PRIMARY KEY) STRICT;

CREATE TABLE "sessions" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  token_hash TEXT NOT NULL UNIQUE,
  device TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
, workspace_id INTEGER, confirmed_at INTEGER) STRICT;

CREATE INDEX sessions_of_user ON sessions (user_id, id);

CREATE TABLE "single_use_tokens" (
  token_hash TEXT NOT NULL PRIMARY KEY,
  purpose TEXT NOT NULL,
  user_id INTEGER REFERENCES users (id),
  email TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX single_use_tokens_of_user ON single_use_tokens (user_id);

CREATE TABLE store_identity (
  id TEXT NOT NULL,
  filled_from TEXT,
  moved_to TEXT,
  moved_place TEXT,
  moved_at INTEGER
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

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  email_verified_at INTEGER,
  role TEXT NOT NULL DEFAULT 'user',
  created_at INTEGER NOT NULL,
  closed_at INTEGER,
  last_signed_in_at INTEGER,
  failed_sign_ins INTEGER NOT NULL DEFAULT 0,
  totp_secret TEXT,
  totp_enabled_at INTEGER,
  totp_last_step INTEGER
, suspended_at INTEGER, last_workspace_id INTEGER) STRICT;

CREATE TABLE visitor_salts (day INTEGER PRIMARY KEY, salt BLOB NOT NULL) STRICT;

CREATE TRIGGER workspace_changed AFTER UPDATE ON workspaces WHEN old.suspended_at IS NOT new.suspended_at OR old.closed_at IS NOT new.closed_at OR old.default_domain_id IS NOT new.default_domain_id BEGIN UPDATE redirect_state_changes SET count = count + 1; END;

CREATE TABLE workspace_invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  invited_by INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (account_id, email)
) STRICT;

CREATE TABLE workspace_settings (
  account_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE "workspaces" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  subscription_status TEXT NOT NULL,
  subscription_expires_at INTEGER,
  rate_limit INTEGER,
  created_at INTEGER NOT NULL,
  suspended_at INTEGER,
  closed_at INTEGER
, default_domain_id INTEGER, requires_second_factor INTEGER NOT NULL DEFAULT 0, invitations_day INTEGER, invitations_of_day INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX workspaces_stopped ON workspaces (id)
  WHERE suspended_at IS NOT NULL OR closed_at IS NOT NULL;
