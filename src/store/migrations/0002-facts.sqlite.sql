-- A row of clicks becomes a fact, in every dimension: what counters of links were kept for is asked from it.

ALTER TABLE clicks RENAME TO single_clicks;

CREATE TABLE clicks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id INTEGER NOT NULL,
  link_id INTEGER NOT NULL,
  clicked_at INTEGER NOT NULL,
  country TEXT NOT NULL,
  device TEXT NOT NULL,
  browser TEXT NOT NULL,
  os TEXT NOT NULL,
  referrer TEXT NOT NULL,
  language TEXT NOT NULL,
  via TEXT NOT NULL,
  variant TEXT NOT NULL,
  alias TEXT NOT NULL,
  clicks INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  workspace_visitors INTEGER NOT NULL,
  bots INTEGER NOT NULL
) STRICT;
INSERT INTO sqlite_sequence SELECT 'clicks', seq FROM sqlite_sequence WHERE name = 'single_clicks';

-- All single clicks are kept of the days from this one on. Of earlier days there are hours.
CREATE TABLE first_whole_day (day INTEGER NOT NULL);
INSERT INTO first_whole_day SELECT coalesce((SELECT min(clicked_at) / 86400000000 + 1 FROM single_clicks), 1000000);

INSERT INTO clicks SELECT
  single_clicks.id, workspace_id, link_id, clicked_at,
  coalesce(country, ''), coalesce(device, ''), coalesce(browser, ''), coalesce(os, ''), coalesce(referrer, ''),
  coalesce(extras ->> '$.language', ''), CASE WHEN is_bot = 1 THEN '' ELSE coalesce(extras ->> '$.via', 'link') END, coalesce(extras ->> '$.variant', ''),
  coalesce(extras ->> '$.alias', ''),
  1 - is_bot,
  is_bot = 0 AND visitor IS NOT NULL AND 1 = row_number() OVER
    (PARTITION BY link_id, clicked_at / 86400000000, visitor, is_bot ORDER BY clicked_at, single_clicks.id),
  is_bot = 0 AND visitor IS NOT NULL AND 1 = row_number() OVER
    (PARTITION BY workspace_id, clicked_at / 86400000000, visitor, is_bot ORDER BY clicked_at, single_clicks.id),
  is_bot
  FROM single_clicks LEFT JOIN click_dimensions ON click_dimensions.id = dimensions_id
  WHERE clicked_at >= (SELECT day FROM first_whole_day) * 86400000000;

-- Their ids are negative, so that they come before all single clicks.
INSERT INTO clicks SELECT
  -row_number() OVER (ORDER BY hour DESC, link_id, dimensions_id), workspace_id, link_id, hour * 3600000000,
  coalesce(country, ''), coalesce(device, ''), coalesce(browser, ''), coalesce(os, ''), coalesce(referrer, ''),
  '', CASE WHEN dimensions_id = 0 THEN '' ELSE 'link' END, '', '',
  link_hours.clicks, link_hours.visitors, 0, link_hours.bots
  FROM link_hours JOIN link_totals USING (link_id) LEFT JOIN click_dimensions ON click_dimensions.id = dimensions_id
  WHERE hour < (SELECT day FROM first_whole_day) * 24;

-- Which link's click was the first to the workspace is not known of hours. No link has the id 0.
INSERT INTO clicks SELECT
  (SELECT min(0, coalesce(min(id), 0)) FROM clicks) - row_number() OVER (ORDER BY hour DESC, workspace_id),
  workspace_id, 0, hour * 3600000000, '', '', '', '', '', '', '', '', '', 0, 0, visitors, 0
  FROM workspace_hours WHERE dimension = 'total' AND visitors > 0
  AND hour < (SELECT day FROM first_whole_day) * 24;

-- Without an index: when they are many, most are moved into files (src/clicks/parquet/).
CREATE TABLE click_files (
  name TEXT PRIMARY KEY,
  from_us INTEGER NOT NULL,
  to_us INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  removed_at INTEGER
) STRICT;

CREATE TABLE click_progress (merged_to INTEGER NOT NULL) STRICT;
INSERT INTO click_progress VALUES (0);

DROP TABLE first_whole_day;
DROP TABLE single_clicks;
DROP TABLE click_dimensions;
DROP TABLE link_hours;
DROP TABLE link_dimension_hours;
DROP TABLE link_days;
DROP TABLE link_days_progress;
DROP TABLE link_referrers;
