const TAGS = 300
const FOLDERS = 20

/** Of made links, which are as many as their ids; `ownerOf` is one account. */
export type LabeledLinks = { count: number; workspaceId: number }

/** Runs a statement without a limit of time. */
export type Run = (statement: string) => Promise<unknown>

/**
 * Three tags for each link, of 300 with uneven use, and a folder for most: `tag 1` to `tag 6` are on 15 % of the links each, `tag 299` on
 * about one in 9,000. `tag oldest` is on the oldest 15 % and on no other. Some links are switched off, ended or archived, and four in ten
 * were clicked.
 */
export async function labelMadeLinks(run: Run, { count, workspaceId }: LabeledLinks): Promise<void> {
  await run(`UPDATE links SET is_active = 0 WHERE id % 20 = 3`)
  await run(`UPDATE links SET expires_at = 1 WHERE id % 50 = 7`)
  await run(`UPDATE links SET is_archived = 1 WHERE id % 50 = 11`)
  await run(`UPDATE workspace_link_counts SET
    active_links = (SELECT count(*) FROM links WHERE is_active = 1), archived_links = (SELECT count(*) FROM links WHERE is_archived = 1)
    WHERE workspace_id = ${workspaceId} AND shard = (SELECT min(shard) FROM workspace_link_counts WHERE workspace_id = ${workspaceId})`)
  await run(`UPDATE workspace_link_counts SET active_links = 0, archived_links = 0
    WHERE workspace_id = ${workspaceId} AND shard > (SELECT min(shard) FROM workspace_link_counts WHERE workspace_id = ${workspaceId})`)
  await run(`INSERT INTO link_totals (link_id, workspace_id, clicks, visitors, bots, last_clicked_at)
    SELECT id, workspace_id, ${clicksOf('id')}, ${clicksOf('id')}, 0, created_at + 1 + (id * 7919) % 1000003 FROM links WHERE id % 10 < 4`)
  const names = [
    ...Array.from({ length: TAGS - 1 }, (_, at) => ['tag', `tag ${at + 1}`]),
    ['tag', 'tag oldest'],
    ...Array.from({ length: FOLDERS }, (_, at) => ['folder', `folder ${at + 1}`]),
  ]
  const rows = names.map(
    ([kind, name], at) => `(${at + 1}, ${workspaceId}, '${kind}', '${name}', '${name}', ${at % 6}, 1)`,
  )
  await run(
    `INSERT INTO labels (id, workspace_id, kind, name, folded_name, color, created_at) VALUES ${rows.join(', ')}`,
  )
  const given = [tagOf('id * 7919'), tagOf('id * 6007 + 331', 16), tagOf('id * 5003 + 77', 56)]
  for (const label of given)
    await run(
      `INSERT INTO link_labels (label_id, created_at, link_id) SELECT ${label}, created_at, id FROM links ORDER BY 1, 2`,
    )
  await run(
    `INSERT INTO link_labels (label_id, created_at, link_id) SELECT ${TAGS}, created_at, id FROM links WHERE id <= ${count} * 15 / 100`,
  )
  await run(`INSERT INTO link_labels (label_id, created_at, link_id)
    SELECT ${TAGS} + 1 + (id * 9001) % ${FOLDERS}, created_at, id FROM links WHERE id % 10 < 7 ORDER BY 1, 2`)
  await run(`INSERT INTO label_link_counts (label_id, shard, links, archived_links)
    SELECT label_id, 0, count(*), sum(CASE WHEN is_archived = 1 THEN 1 ELSE 0 END)
    FROM link_labels JOIN links ON links.id = link_labels.link_id GROUP BY label_id`)
}

/** Few links have most of the clicks. */
const clicksOf = (id: string) => `1 + 1000003 / (1 + (${id} * 7919) % 1000003)`

/** The first of three: six common ones and ten of 1 %. The others leave the 16 or 56 before them alone. */
function tagOf(mixed: string, after = 0): string {
  const at = `((${mixed}) % 100003)`
  if (after === 0) return `CASE WHEN ${at} < 90000 THEN 1 + ${at} / 15001 ELSE 7 + ${at} % 10 END`
  if (after === 16) return `CASE WHEN ${at} < 90000 THEN 17 + ${at} % 20 ELSE 37 + ${at} % 20 END`
  return `CASE WHEN ${at} < 80000 THEN 57 + ${at} % 20 WHEN ${at} < 98000 THEN 77 + ${at} % 40 ELSE 117 + ${at} % 183 END`
}
