import { expect, setDefaultTimeout, test } from 'bun:test'
import { systemClock } from '../../src/runtime/clock.ts'
import { accountByEmail } from '../../src/users/find-account.ts'
import { issueToken } from '../../src/users/tokens/single-use-token.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { memberOf, type TestUser, useDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { seededRandom } from '../rigs/program/click-load.ts'
import { type ServiceRig, type TestCaller, useServiceRig } from '../rigs/service/service-rig.ts'
import { testEngine } from '../rigs/store/test-store.ts'

setDefaultTimeout(300_000)

const CHANGES = testEngine === 'sqlite' ? 1_500 : 500
/** Requests at the same time, which meet at the same links and labels. */
const AT_ONCE = 5
const MEMBER_ROUNDS = 60

const rig = useServiceRig()

test('replaying the audit log of random changes arrives at the links as they are', async () => {
  const caller = await rig.makeCaller()
  const random = randomChanges(20_261_123)
  for (let done = 0; done < CHANGES;) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send(rig, caller, random.next())))
    for (const { status, body } of answers) {
      expect(status).toBeLessThan(500)
      if (status < 300) done++
      if (status === 201) random.made([body.data].flat())
    }
  }
  const rows = await rig.store.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
  // Some change nothing.
  expect(rows.length).toBeGreaterThan(CHANGES / 2)
  const links = await linksOf(rig, caller)
  expect(links.size).toBeGreaterThan(20)
  expect(replay(rows)).toEqual(links)
})

type Request = { method: string; path: string; body?: object }

const send = (service: ServiceRig, { key }: TestCaller, { method, path, body }: Request) =>
  service.call(method, path, { key, body })

const NAMES = ['Ads', 'Winter', 'news', 'Shop', 'Old', 'B2B']

/** Requests about a few links and labels, so that they often meet; some are refused. */
function randomChanges(seed: number) {
  const random = seededRandom(seed)
  const upTo = (max: number) => Math.floor(random() * (max + 1))
  const oneOf = <Value>(values: readonly Value[]): Value => values[upTo(values.length - 1)]!
  const maybe = <Value>(value: () => Value) => (random() < 0.3 ? value() : undefined)
  const someOf = (values: readonly string[]) => values.filter(() => random() < 0.3)
  const codes: string[] = ['none']
  const labels: Record<'tags' | 'folders', number[]> = { tags: [1], folders: [1] }
  const url = () => `https://${oneOf(['a', 'b'])}.example/${upTo(50)}?utm_source=${oneOf(['x', 'y'])}`
  const fields = () => ({
    original_url: maybe(url),
    title: maybe(() => oneOf(['', 'Title', 'Übergröße 冬'])),
    is_active: maybe(() => random() < 0.5),
    tags: maybe(() => someOf(NAMES)),
    folder: maybe(() => oneOf([null, ...NAMES])),
    notes: maybe(() => oneOf([null, 'For us'])),
    archived: maybe(() => random() < 0.5),
    external_id: maybe(() => oneOf([null, `order-${upTo(30)}`])),
    expires_at: maybe(() => oneOf([null, '2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'])),
    max_clicks: maybe(() => oneOf([null, 5, 10])),
    forward_path: maybe(() => random() < 0.5),
    forward_query: maybe(() => oneOf([false, true, 'replace'])),
    redirect_status: maybe(() => oneOf([301, 302, 307])),
    aliases: maybe(() => someOf(['alias-a', 'alias-b', 'alias-c', 'alias-d'])),
    rules: maybe(() => oneOf([null, [{ when: { country: ['DE'] }, to: url() }]])),
  })
  const bulkFields = () => {
    const { is_active, archived, folder, expires_at, max_clicks } = fields()
    return {
      is_active,
      archived,
      folder,
      expires_at,
      max_clicks,
      add_tags: maybe(() => someOf(NAMES)),
      remove_tags: maybe(() => someOf(NAMES)),
    }
  }
  /** The latest ones, so that changes meet. */
  const code = () => oneOf(codes.slice(-30))
  const someCodes = () => [...new Set(Array.from({ length: 1 + upTo(4) }, code))]
  const kind = () => oneOf(['tags', 'folders'] as const)
  const labelPath = () => {
    const each = kind()
    return `/api/${each}/${oneOf(labels[each].slice(-8))}`
  }
  const ways: (() => Request)[] = [
    () => ({ method: 'POST', path: '/api/links', body: { ...fields(), original_url: url() } }),
    () => ({
      method: 'POST',
      path: '/api/bulk-shorten',
      body: {
        links: Array.from({ length: 1 + upTo(3) }, () => ({ ...fields(), original_url: url(), aliases: [] })),
      },
    }),
    () => ({ method: 'PUT', path: `/api/links/${code()}`, body: fields() }),
    () => ({ method: 'PUT', path: `/api/links/${code()}`, body: fields() }),
    () => ({ method: 'POST', path: `/api/links/${code()}/toggle` }),
    () => ({
      method: 'POST',
      path: '/api/links/bulk-update',
      body: { short_codes: someCodes(), set: bulkFields() },
    }),
    () => ({ method: 'DELETE', path: `/api/links/${code()}` }),
    () => ({ method: 'POST', path: '/api/links/bulk-delete', body: { short_codes: someCodes() } }),
    () => ({ method: 'POST', path: '/api/links/bulk-restore', body: { short_codes: someCodes() } }),
    () => ({ method: 'POST', path: `/api/links/${code()}/restore` }),
    () => ({ method: 'DELETE', path: `/api/trash/${code()}` }),
    () => ({ method: 'POST', path: `/api/links/${code()}/versions/${1 + upTo(3)}/restore` }),
    () => ({ method: 'POST', path: `/api/${kind()}`, body: { name: oneOf(NAMES) } }),
    () => ({ method: 'PUT', path: labelPath(), body: { name: oneOf(NAMES) } }),
    () => ({ method: 'POST', path: `${labelPath()}/merge`, body: { into: oneOf(labels.tags.slice(-8)) } }),
    () => ({ method: 'DELETE', path: labelPath() }),
  ]
  return {
    next: () => oneOf(ways)(),
    made(data: { id: number; short_code?: string; name?: string }[]) {
      for (const each of data) {
        if (each.short_code !== undefined) codes.push(each.short_code)
        else for (const ids of Object.values(labels)) ids.push(each.id)
      }
    },
  }
}

type State = Record<string, unknown>

const NEW_LINK: State = {
  title: '',
  is_active: true,
  aliases: [],
  tags: [],
  folder: null,
  starts_at: null,
  expires_at: null,
  max_clicks: null,
  fallback_url: null,
  forward_query: false,
  forward_path: false,
  redirect_status: 302,
  rules: null,
  social_title: null,
  social_description: null,
  social_image_url: null,
  archived: false,
  notes: null,
  external_id: null,
  password: null,
}
const FIELDS = ['original_url', ...Object.keys(NEW_LINK)].filter((name) => name !== 'password')

/** The links that are not in the trash, by ID. */
async function linksOf(service: ServiceRig, caller: TestCaller): Promise<Map<number, State>> {
  const links = new Map<number, State>()
  for (let page = 1; ; page++) {
    const path = `/api/links?archived=include&per_page=100&page=${page}`
    const { data, meta } = (await send(service, caller, { method: 'GET', path })).body
    for (const link of data)
      links.set(link.id, sorted(Object.fromEntries(FIELDS.map((name) => [name, link[name]]))))
    if (page >= meta.last_page) return links
  }
}

const sorted = (state: State): State => ({ ...state, tags: (state.tags as string[]).toSorted() })

type Changes = Record<string, { from: unknown; to: unknown }>
type Row = { action: string; target: string; target_id: number | null; changes: string | null }
type ListedLink = { id: number; changes?: Changes }

function replay(rows: readonly Row[]): Map<number, State> {
  const links = new Map<number, State>()
  const trash = new Map<number, State>()
  for (const row of rows) {
    if (/^(member|workspace|key)\./.test(row.action)) continue
    const { links: listed, ...common }: Changes = row.changes === null ? {} : JSON.parse(row.changes)
    const [what, deed] = row.action.split('.') as [string, string]
    if (what === 'link') {
      const all = (listed?.to as ListedLink[]) ?? [{ id: row.target_id! }]
      for (const { id, changes } of all)
        applyToLink({ links, trash }, deed, { id, changes: { ...common, ...changes } })
    } else
      for (const link of [...links.values(), ...trash.values()]) applyToLabels(link, row, common.name?.to)
  }
  return new Map([...links].map(([id, { password: _, ...link }]) => [id, sorted(link)]))
}

type Places = { links: Map<number, State>; trash: Map<number, State> }

function applyToLink(
  { links, trash }: Places,
  deed: string,
  { id, changes }: { id: number; changes: Changes },
): void {
  const values = Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]))
  const move = (from: Map<number, State>, to: Map<number, State>) => {
    to.set(id, { ...from.get(id)!, ...values })
    from.delete(id)
  }
  if (deed === 'created') links.set(id, { ...NEW_LINK, ...values })
  else if (deed === 'deleted') move(links, trash)
  else if (deed === 'restored') move(trash, links)
  else if (deed === 'deleted_for_good') trash.delete(id)
  else links.set(id, { ...links.get(id)!, ...values })
}

function applyToLabels(link: State, { action, target }: Row, name: unknown): void {
  const [kind, deed] = action.split('.')
  if (deed === 'created' || (deed === 'updated' && name === undefined)) return
  if (kind === 'folder') {
    if (link.folder === target) link.folder = name ?? null
  } else if ((link.tags as string[]).includes(target)) {
    const others = (link.tags as string[]).filter((tag) => tag !== target)
    link.tags = [...new Set([...others, ...(name === undefined ? [] : [name])])]
  }
}

type MemberState = { name: unknown; email: string; role: unknown }

const members = useDashboardRig()

test('replaying it arrives at the members as they are, with their names and emails', async () => {
  const owner = await members.user()
  const { workspaceId } = await accountByEmail(members.store.db, owner.email)
  const joined = await Promise.all(Array.from({ length: 4 }, () => memberOf(members, owner, 'viewer')))
  const random = seededRandom(20_261_124)
  const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  const ids = new Map<TestUser, number>()
  for (const user of joined) ids.set(user, (await user.browser.succeed('GET', '/session')).id)
  const start = await membersNow(owner)
  const deps = { db: members.store.db, clock: systemClock }
  const ways = [
    (user: TestUser) => user.browser.request('PUT', '/account', { name: `Name ${oneOf([1, 2, 3, 4])}` }),
    async (user: TestUser) => {
      const email = `changed-${oneOf([1, 2, 3, 4, 5, 6])}@example.com`
      const token = await issueToken(deps, { purpose: 'change-email', userId: ids.get(user)!, email })
      return user.browser.request('POST', '/confirm-email', { token })
    },
    (user: TestUser) =>
      owner.browser.request('PUT', `/members/${ids.get(user)}`, {
        role: oneOf(['viewer', 'editor', 'admin']),
      }),
  ]
  for (let round = 0; round < MEMBER_ROUNDS; round++) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => oneOf(ways)(oneOf(joined))))
    for (const { status } of answers) expect(status).toBeLessThan(500)
  }
  await joined[0]!.browser.succeed('DELETE', '/account', { password: PASSWORD })
  const rows = await members.store.db
    .selectFrom('audit_log')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('action', 'like', 'member.%')
    .orderBy('id')
    .execute()
  expect(new Set(rows.flatMap(({ changes }) => Object.keys(JSON.parse(changes ?? '{}'))))).toEqual(
    new Set(['name', 'email', 'role']),
  )
  expect(replayMembers(start, rows)).toEqual(await membersNow(owner))
})

async function membersNow({ browser }: TestUser): Promise<Map<number, MemberState>> {
  const list = await browser.succeed('GET', '/members')
  return new Map(list.map(({ id, name, email, role }: any) => [id, { name, email, role }]))
}

function replayMembers(start: Map<number, MemberState>, rows: readonly Row[]): Map<number, MemberState> {
  const now = new Map(start)
  for (const { action, target_id: id, changes } of rows) {
    if (action === 'member.left') {
      now.delete(id!)
      continue
    }
    const fields: Changes = JSON.parse(changes!)
    const before = now.get(id!)!
    for (const [name, { from }] of Object.entries(fields)) expect(before[name as 'name']).toEqual(from)
    const values = Object.fromEntries(Object.entries(fields).map(([name, { to }]) => [name, to]))
    now.set(id!, { ...before, ...values })
  }
  return now
}
