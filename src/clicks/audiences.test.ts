import { afterEach, beforeEach, expect, test } from 'bun:test'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import type { Store } from '../store/open-store.ts'
import { openTestStore, testEngine } from '../../test/rigs/test-store.ts'
import { type Audience, Audiences, BOT_AUDIENCE_ID } from './audiences.ts'

const folders = temporaryFolders()
let store: Store

beforeEach(async () => {
  store = await openTestStore(folders.make())
})

afterEach(async () => {
  await store.close()
  folders.remove()
})

const from = (country: string): Audience => ({ country, device: '', browser: '', os: '', referrer: '' })

/** The ids of clicks from these countries, as one batch would find them. */
async function idsOf(audiences: Audiences, countries: string[]): Promise<number[]> {
  const each = countries.map((country) => audiences.of(from(country)))
  const ids = await audiences.find(store.db, each)
  audiences.remember()
  return each.map((audience) => ids.get(audience)!)
}

test('each combination has one id, whoever asks and how often', async () => {
  const [de, nz] = await idsOf(new Audiences(), ['DE', 'NZ'])
  const audiences = new Audiences()
  const [again, too, unknown] = await idsOf(audiences, ['NZ', 'DE', ''])
  expect([again, too]).toEqual([nz!, de!])
  expect(await idsOf(audiences, ['', 'NZ'])).toEqual([unknown!, nz!])
  expect(new Set([de, nz, unknown]).size).toBe(3)
  expect([de, nz, unknown]).not.toContain(BOT_AUDIENCE_ID)
})

test('more combinations than go into one statement all get their ids', async () => {
  const countries = Array.from({ length: 1201 }, (_, i) => String(i))
  const ids = await idsOf(new Audiences(), countries)
  const rows = await store.db.selectFrom('audiences').select(['id', 'country']).orderBy('id').execute()
  expect(rows.map(({ country }) => ids[countries.indexOf(country)])).toEqual(rows.map(({ id }) => id))
  expect(rows).toHaveLength(1201)
})

test('ids that were rolled back are asked for again', async () => {
  const audiences = new Audiences()
  const lost = store.db.transaction().execute(async (tx) => {
    await audiences.find(tx, [audiences.of(from('DE'))])
    throw new Error('changed my mind')
  })
  await expect(lost).rejects.toThrow('changed my mind')
  const ids = await idsOf(audiences, ['NZ', 'DE'])
  const rows = await store.db.selectFrom('audiences').select(['id', 'country']).orderBy('id').execute()
  expect(rows.map(({ country }) => country).sort()).toEqual(['DE', 'NZ'])
  expect(rows.map(({ id }) => id)).toEqual(ids.toSorted((a, b) => a - b))
})

test('texts that run into each other are different combinations', () => {
  const audiences = new Audiences()
  const one = audiences.of({ ...from('a'), device: 'b' })
  expect(audiences.of({ ...from('ab'), device: '' })).not.toBe(one)
  expect(audiences.of({ ...from('a'), device: 'b' })).toBe(one)
})

test('of endless combinations the old ones are forgotten, and have the same ids when they come back', async () => {
  const audiences = new Audiences()
  const [first] = await idsOf(audiences, ['DE'])
  for (let i = 0; i <= 50_000; i++) audiences.of(from(`${i}`))
  const one = audiences.of(from('DE'))
  audiences.forgetSome()
  expect(audiences.of(from('DE'))).not.toBe(one)
  expect(await idsOf(audiences, ['DE'])).toEqual([first!])
})

test.skipIf(testEngine === 'sqlite')(
  'those that are there are nobody’s while a batch is counted',
  async () => {
    const [known] = await idsOf(new Audiences(), ['DE'])
    await store.db.transaction().execute(async (tx) => {
      const audiences = new Audiences()
      await audiences.find(tx, [audiences.of(from('DE')), audiences.of(from('NZ'))])
      // The other one would wait until the end of this transaction.
      expect(await idsOf(new Audiences(), ['DE'])).toEqual([known!])
    })
  },
)
