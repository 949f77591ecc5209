import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { madeMmdb } from '../rigs/clicks/made-mmdb.ts'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { FIREFOX, GOOGLEBOT, makeLink, open, useOwnContractRig } from './contract-rig.ts'

const folder = mkdtempSync(join(tmpdir(), 'tern-cities-'))
const database = join(folder, 'cities.mmdb')
writeFileSync(database, madeMmdb({ country_code: 'US', state1: 'Illinois', city: 'Springfield' }))
const rig = useOwnContractRig({ TRUSTED_PROXIES: '127.0.0.1', GEOIP_DB: database })
const caller = useCaller(rig)
let code: string

beforeAll(visit)
afterAll(() => rmSync(folder, { recursive: true }))

test('with a database of cities, clicks are reported by region and by city', async () => {
  expect(await rowsOf('cities')).toEqual([
    { city: 'Springfield, Illinois, US', clicks: 2, percentage: 66.67 },
    { city: null, clicks: 1, percentage: 33.33 },
  ])
  expect(await rowsOf('regions')).toMatchObject([
    { region: 'Illinois, US', clicks: 2 },
    { region: null, clicks: 1 },
  ])
  // Of the whole workspace they are in the kept counters.
  expect((await get('/api/analytics/cities?period=7d')).data).toMatchObject([{ clicks: 2 }, { clicks: 1 }])
})

test('both are filters, and in the export', async () => {
  const totalOf = async (filter: string) =>
    (await get(`/api/analytics/clicks?short_code=${code}&${filter}`)).meta.total
  expect(await totalOf('city=Springfield, Illinois, US')).toBe(2)
  expect(await totalOf('city=not:Springfield, Illinois, US')).toBe(1)
  expect(await totalOf('region=unknown')).toBe(1)
  expect(await totalOf('city=Springfield')).toBe(0)
  const { text } = await rig.call('GET', `/api/analytics/export?short_code=${code}`, caller)
  expect(text).toContain('"Springfield, Illinois, US"')
})

async function visit() {
  code = (await makeLink(rig, caller)).short_code
  const known = { 'X-Forwarded-For': '1.2.3.4' }
  await open(rig, code, { ...known, 'User-Agent': FIREFOX })
  await open(rig, `${code}?qr`, { ...known, 'User-Agent': FIREFOX })
  await open(rig, code, { 'X-Forwarded-For': '200.2.3.4', 'User-Agent': FIREFOX })
  await open(rig, code, { ...known, 'User-Agent': GOOGLEBOT })
  await eventually(
    () => rowsOf('bots'),
    ({ length }) => length === 1,
  )
}

const rowsOf = async (report: string) => (await get(`/api/analytics/${report}?short_code=${code}`)).data

async function get(path: string): Promise<any> {
  const { status, body } = await rig.call('GET', path, caller)
  expect({ path, status }).toEqual({ path, status: 200 })
  return body
}
