import { startServiceRig } from './service-rig.ts'

/** Watches fields that only a changed checkout has, from their creation to the log, and prints what it saw. */
const [fields, edit] = process.argv.slice(2).map((json) => JSON.parse(json) as Record<string, unknown>)
const rig = await startServiceRig()
const { key } = await rig.makeCaller()
const ask = async (method: string, path: string, body?: unknown) =>
  rig.call(method, path, body === undefined ? { key } : { key, body })
const names = Object.keys(fields!)
const pick = (link: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, link[name]]))
const visit = async (code: string) =>
  (await fetch(`${rig.url}/${code}`, { redirect: 'manual' })).headers.get('location')

const link = { original_url: 'https://example.com/', fallback_url: 'https://example.com/paused', ...fields }
const created = await ask('POST', '/api/links', link)
const { short_code: code } = created.body.data
const path = `/api/links/${code}`
const seen: Record<string, unknown> = {
  status: created.status,
  created: pick(created.body.data),
  reused: (await ask('POST', '/api/links', { ...link, reuse_existing: true })).body.data.short_code === code,
  other: (await ask('POST', '/api/links', { ...link, ...edit, reuse_existing: true })).status,
  visited: await visit(code),
}
seen.edited = (await ask('PUT', path, edit)).status
seen.visitedThen = await visit(code)
seen.shown = pick((await ask('GET', path)).body.data)
seen.bulk = (
  await ask('POST', '/api/links/bulk-update', { short_codes: [code], set: { priority: 9 } })
).status
await ask('DELETE', path)
await ask('POST', `${path}/restore`)
const { body: list } = await ask('GET', '/api/links')
seen.listed = pick(list.data.find((each: { short_code: string }) => each.short_code === code))
seen.versions = (await ask('GET', `${path}/versions`)).body.data.map(
  ({ changes }: { changes: object }) => changes,
)
seen.audit = (await ask('GET', '/api/audit-log')).body.data
  .filter(({ target }: { target: string }) => target === code)
  .map(({ action, changes }: { action: string; changes: Record<string, unknown> }) => [action, changes])
const rows = (await ask('GET', '/api/export/links?format=csv')).text.trim().split('\r\n')
seen.head = rows[0]!.split(',').filter((name) => names.includes(name))
seen.row = rows.find((row) => row.includes(`,${code},`))
const lines = (await ask('GET', '/api/export/links?format=ndjson')).text.trim().split('\n')
seen.exported = pick(lines.map((line) => JSON.parse(line)).find((each) => each.short_code === code))
console.log(JSON.stringify(seen))
await rig.stop()
process.exit(0)
