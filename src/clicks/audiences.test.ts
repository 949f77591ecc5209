import { afterEach, beforeEach, expect, test } from 'bun:test'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { type Audience, AudienceIds, audienceKey, BOT_AUDIENCE_ID } from './audiences.ts'

const folders = temporaryFolders()
let store: Store

beforeEach(async () => {
  store = await openStore(folders.make(), 'same-thread')
})

afterEach(async () => {
  await store.close()
  folders.remove()
})

const from = (country: string): Audience => ({ country, device: '', browser: '', os: '', referrer: '' })
const byKey = (...audiences: Audience[]) =>
  new Map(audiences.map((audience) => [audienceKey(audience), audience]))
const numbered = (count: number) => byKey(...Array.from({ length: count }, (_, i) => from(String(i))))

test('each combination has one id, whoever asks and how often', async () => {
  const first = await new AudienceIds().find(store.db, byKey(from('DE'), from('NZ')))
  const ids = new AudienceIds()
  const second = await ids.find(store.db, byKey(from('NZ'), from('DE'), from('')))
  ids.remember(second)
  const third = await ids.find(store.db, byKey(from(''), from('NZ')))
  const de = audienceKey(from('DE'))
  const nz = audienceKey(from('NZ'))
  expect([second.get(de), second.get(nz), third.get(nz)]).toEqual([
    first.get(de),
    first.get(nz),
    first.get(nz),
  ])
  expect(new Set(second.values()).size).toBe(3)
  expect([...second.values()]).not.toContain(BOT_AUDIENCE_ID)
})

test('more combinations than go into one statement all get their ids', async () => {
  const ids = await new AudienceIds().find(store.db, numbered(1201))
  expect([ids.size, new Set(ids.values()).size]).toEqual([1201, 1201])
  const rows = await store.db.selectFrom('audiences').selectAll().execute()
  for (const { id, ...audience } of rows) expect(ids.get(audienceKey(audience))).toBe(id)
})

test('ids that were rolled back are asked for again', async () => {
  const ids = new AudienceIds()
  const lost = store.db.transaction().execute(async (tx) => {
    await ids.find(tx, byKey(from('DE')))
    throw new Error('changed my mind')
  })
  await expect(lost).rejects.toThrow('changed my mind')
  const found = await ids.find(store.db, byKey(from('NZ'), from('DE')))
  const rows = await store.db.selectFrom('audiences').select(['id', 'country']).execute()
  expect(rows.map(({ id, country }) => [country, id])).toEqual(
    ['NZ', 'DE'].map((country) => [country, found.get(audienceKey(from(country)))!]),
  )
})

test('texts that run into each other are different combinations', () => {
  expect(audienceKey({ ...from('a'), device: 'b' })).not.toBe(audienceKey({ ...from('ab'), device: '' }))
})
