import { expect, test } from 'bun:test'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import { HEAD_BYTES } from '../../src/codes/log/code-log-record.ts'
import { codeLogPath, readCodeLog } from '../../src/codes/log/read-code-log.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type AskedLink, CreationModel, type Key, PREFIX } from '../rigs/service/creation-model.ts'
import { type TestAnswer, useCaller } from '../rigs/service/service-rig.ts'
import { SeededRandom } from '../simulation/seeded-random.ts'
import { makeLink, useOwnContractRig } from './contract-rig.ts'

const SEED = 2_026
const MIXES = 200
const LINKS_MAX = 9

const rig = useOwnContractRig({ LINKS_MAX: String(LINKS_MAX) })
// The first user is the operator, whose workspaces have no limit.
const stranger = useCaller(rig)
const caller = useCaller(rig)

const random = new SeededRandom(SEED)
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`)
const CODES = [...numbered('code-', 14), ...numbered(PREFIX, 5), ...numbered('theirs-', 2)]

const model = new CreationModel(LINKS_MAX)

test(`${MIXES} random mixes of good and bad creations get the answers of a model, and leave its links and claims`, async () => {
  const deps = { db: rig.store.db, clock: systemClock, baseUrl: rig.config.baseUrl }
  const restrictions = { code_prefix: PREFIX, links_per_day: LINKS_PER_DAY }
  keys.push(
    caller.key,
    (await issueKey(deps, caller, { name: 'Public', scopes: ['links:create'], restrictions })).key,
  )
  for (const custom_code of CODES.slice(-2)) {
    await makeLink(rig, stranger, { custom_code })
    model.codes.set(custom_code, { isOwn: false, opens: undefined, isInTrash: false })
  }
  const mixes: Mix[] = []
  for (let n = 0; n < MIXES; n++) {
    mixes.push(mixes.length > 0 && random.chance(0.15) ? someOf(mixes) : someMix())
    await send(mixes.at(-1)!)
    if (random.chance(0.3)) await removeOne()
    if (random.chance(0.3)) await forgetOne()
  }
  const { body } = await rig.call('GET', '/api/links?per_page=100', { key: caller.key })
  const listed = body.data.map(({ id, short_code, aliases }: any) => [id, short_code, aliases])
  const kept = model.links.map(({ id, code, aliases }) => [id, code, aliases])
  expect(listed.toSorted(([a]: [number], [b]: [number]) => a - b)).toEqual(kept)
  const logged = [...readCodeLog(codeLogPath(rig.config.dataDir), HEAD_BYTES)]
    .flatMap(({ claims }) => claims)
    .filter(({ workspaceId }) => workspaceId === caller.workspaceId)
    .map(({ code, linkId }) => `${code} ${linkId}`)
  expect(logged.toSorted()).toEqual(model.claims.map(({ code, linkId }) => `${code} ${linkId}`).toSorted())
})

const URLS = numbered('https://example.com/', 3)
const IDS = numbered('id-', 4)

const LINKS_PER_DAY = 8

const KEYS: Key[] = [
  { isRestricted: false, linksPerDay: Infinity },
  { isRestricted: true, linksPerDay: LINKS_PER_DAY },
]

/** The first body and answer with each Idempotency-Key of a key and endpoint. */
const stored = new Map<string, { body: string; answer: TestAnswer }>()

const trash: (typeof model.links)[number][] = []
const keys: string[] = []

const STATUS_OF: Record<string, number> = {
  validation_failed: 422,
  limit_reached: 409,
  daily_limit_reached: 429,
}

type Mix = { links: AskedLink[]; isBulk: boolean; isDryRun: boolean; key: Key; idempotencyKey: string }
const someOf = <Item>(items: readonly Item[]): Item => items[random.below(items.length)]!

function someLink({ isRestricted }: Key): AskedLink {
  const isPlain = isRestricted && random.chance(0.9)
  return {
    original_url: someOf(URLS),
    ...(random.chance(0.4) ? { custom_code: someOf(CODES) } : {}),
    ...(!isPlain && random.chance(0.2) ? { aliases: [someOf(CODES)] } : {}),
    ...(!isPlain && random.chance(0.2) ? { external_id: someOf(IDS) } : {}),
    ...(!isPlain && random.chance(0.6) ? { reuse_existing: true } : {}),
  }
}

function someMix(): Mix {
  const key = KEYS[random.chance(0.25) ? 1 : 0]!
  const isBulk = random.chance(0.6)
  return {
    key,
    isBulk,
    links: Array.from({ length: isBulk ? random.between(1, 4) : 1 }, () => someLink(key)),
    isDryRun: isBulk && random.chance(0.35),
    idempotencyKey: random.chance(0.4) ? someOf(numbered('repeated-', 20)) : '',
  }
}

async function send(mix: Mix): Promise<void> {
  const { links, isBulk, isDryRun, idempotencyKey } = mix
  const body = JSON.stringify(isBulk ? { links, ...(isDryRun ? { dry_run: true } : {}) } : links[0])
  const answer = await rig.call('POST', isBulk ? '/api/bulk-shorten' : '/api/links', {
    key: keys[KEYS.indexOf(mix.key)]!,
    body,
    headers: idempotencyKey === '' ? {} : { 'Idempotency-Key': idempotencyKey },
  })
  const expected = model.expect(links, mix.key)
  const isReadable = 'links' in expected || !isRefusedAtOnce(expected.errors)
  const place = `${idempotencyKey} ${isBulk} ${KEYS.indexOf(mix.key)}`
  const before = idempotencyKey === '' || isDryRun || !isReadable ? undefined : stored.get(place)
  if (before !== undefined) return expectRepeated(answer, before, body)
  if ('code' in expected) {
    expect({ links, status: answer.status, code: answer.body.code, errors: shown(answer, mix) }).toEqual({
      links,
      status: STATUS_OF[expected.code]!,
      ...expected,
    })
    return
  }
  if (isDryRun) return expectPlan(answer, mix, expected.links)
  expectCreated(answer, mix, expected.links)
  if (idempotencyKey !== '') stored.set(place, { body, answer })
}

/** What is wrong with the request itself is refused before it is known whether it is repeated. */
const isRefusedAtOnce = (errors: Record<string, string>): boolean =>
  Object.values(errors).some((sentence) => /used twice|may not set|begin with/.test(sentence))

function expectRepeated(
  answer: TestAnswer,
  before: { body: string; answer: TestAnswer },
  body: string,
): void {
  if (body === before.body) {
    expect([answer.status, answer.text]).toEqual([before.answer.status, before.answer.text])
    expect(answer.headers.get('idempotent-replayed')).toBe('true')
  } else expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['idempotency_key']])
}

/** The first sentence about each field, by its name in a list. */
function shown({ body }: TestAnswer, { isBulk }: Mix): Record<string, string> {
  const errors = Object.entries<string[]>(body.errors ?? {})
  return Object.fromEntries(
    errors.map(([name, [first]]) => [isBulk ? name : `links.0.${name}`, first!] as const),
  )
}

type Planned = readonly ((typeof model.links)[number] | number | 'new')[]

function expectPlan(answer: TestAnswer, { links }: Mix, planned: Planned): void {
  expect(answer.status).toBe(200)
  expect(answer.body.data).toEqual(
    planned.map((link, index) => ({
      action: link === 'new' ? 'create' : 'reuse',
      short_code:
        typeof link === 'object' ? link.code : (links[link === 'new' ? index : link]!.custom_code ?? null),
      original_url: typeof link === 'object' ? link.asked.original_url : links[index]!.original_url,
    })),
  )
}

function expectCreated(answer: TestAnswer, { links, isBulk, key }: Mix, planned: Planned): void {
  const isAnyNew = planned.includes('new')
  const data: any[] = isBulk ? answer.body.data : [answer.body.data]
  expect([answer.status, data.length]).toEqual([isAnyNew ? 201 : 200, links.length])
  for (const [index, link] of planned.entries()) {
    const { id, short_code: code, aliases, external_id: externalId } = data[index]
    if (typeof link === 'object') expect([id, code]).toEqual([link.id, link.code])
    else if (link !== 'new') expect([id, code]).toEqual([data[link].id, data[link].short_code])
    else {
      const asked = links[index]!
      expect(code).toMatch(asked.custom_code ?? (key.isRestricted ? /^shop-\w{7}$/ : /^\w{7}$/))
      expect([aliases, externalId]).toEqual([asked.aliases ?? [], asked.external_id ?? null])
      model.create(asked, { id, code }, key)
    }
  }
}

async function removeOne(): Promise<void> {
  const link = model.links[random.below(model.links.length)]
  if (link === undefined) return
  expect((await rig.call('DELETE', `/api/links/${link.code}`, { key: caller.key })).status).toBe(200)
  model.moveToTrash(link)
  trash.push(link)
}

async function forgetOne(): Promise<void> {
  const [link] = trash.splice(random.below(trash.length), 1)
  if (link === undefined) return
  expect((await rig.call('DELETE', `/api/trash/${link.code}`, { key: caller.key })).status).toBe(200)
  model.forget(link)
}
