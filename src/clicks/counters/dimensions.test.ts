import { transact } from '../../store/transact.ts'
import { expect, test } from 'bun:test'
import { useTestStore, testEngine } from '../../../test/rigs/store/test-store.ts'
import { type ClickDimensions, DimensionSets, BOT_DIMENSIONS_ID } from './dimensions.ts'

const store = useTestStore()

test('each combination has one id, however often and from wherever it is asked for', async () => {
  const [de, nz] = await idsOf(new DimensionSets(), ['DE', 'NZ'])
  const dimensionSets = new DimensionSets()
  const [again, too, unknown] = await idsOf(dimensionSets, ['NZ', 'DE', ''])
  expect([again, too]).toEqual([nz!, de!])
  expect(await idsOf(dimensionSets, ['', 'NZ'])).toEqual([unknown!, nz!])
  expect(new Set([de, nz, unknown]).size).toBe(3)
  expect([de, nz, unknown]).not.toContain(BOT_DIMENSIONS_ID)
})

test('more combinations than go into one statement all get their ids', async () => {
  const countries = Array.from({ length: 1201 }, (_, i) => String(i))
  const ids = await idsOf(new DimensionSets(), countries)
  const rows = await store.db.selectFrom('click_dimensions').select(['id', 'country']).orderBy('id').execute()
  expect(rows.map(({ country }) => ids[countries.indexOf(country)])).toEqual(rows.map(({ id }) => id))
  expect(rows).toHaveLength(1201)
})

test('ids that were rolled back are asked for again', async () => {
  const dimensionSets = new DimensionSets()
  const lost = transact(store.db, async (tx) => {
    await dimensionSets.find(tx, [dimensionSets.of(from('DE'))])
    throw new Error('changed my mind')
  })
  await expect(lost).rejects.toThrow('changed my mind')
  const ids = await idsOf(dimensionSets, ['NZ', 'DE'])
  const rows = await store.db.selectFrom('click_dimensions').select(['id', 'country']).orderBy('id').execute()
  expect(rows.map(({ country }) => country).sort()).toEqual(['DE', 'NZ'])
  expect(rows.map(({ id }) => id)).toEqual(ids.toSorted((a, b) => a - b))
})

test('texts that run into each other are different combinations', () => {
  const dimensionSets = new DimensionSets()
  const one = dimensionSets.of({ ...from('a'), device: 'b' })
  expect(dimensionSets.of({ ...from('ab'), device: '' })).not.toBe(one)
  expect(dimensionSets.of({ ...from('a'), device: 'b' })).toBe(one)
})

test('of endless combinations the old ones are forgotten, and have the same ids when they come back', async () => {
  const dimensionSets = new DimensionSets()
  const [first] = await idsOf(dimensionSets, ['DE'])
  for (let i = 0; i <= 50_000; i++) dimensionSets.of(from(`${i}`))
  const one = dimensionSets.of(from('DE'))
  dimensionSets.forgetSome()
  expect(dimensionSets.of(from('DE'))).not.toBe(one)
  expect(await idsOf(dimensionSets, ['DE'])).toEqual([first!])
})

test.skipIf(testEngine === 'sqlite')(
  'those that are there are nobody’s while a batch is counted',
  async () => {
    const [known] = await idsOf(new DimensionSets(), ['DE'])
    await transact(store.db, async (tx) => {
      const dimensionSets = new DimensionSets()
      await dimensionSets.find(tx, [dimensionSets.of(from('DE')), dimensionSets.of(from('NZ'))])
      // The other one would wait until the end of this transaction.
      expect(await idsOf(new DimensionSets(), ['DE'])).toEqual([known!])
    })
  },
)

const from = (country: string): ClickDimensions => ({
  country,
  device: '',
  browser: '',
  os: '',
  referrer: '',
})

/** The ids of clicks from these countries, as one batch would find them. */
async function idsOf(dimensionSets: DimensionSets, countries: string[]): Promise<number[]> {
  const each = countries.map((country) => dimensionSets.of(from(country)))
  const ids = await transact(store.db, (tx) => dimensionSets.find(tx, each))
  dimensionSets.remember()
  return each.map((dimensions) => ids.get(dimensions)!)
}
