import { beforeEach, expect, test } from 'bun:test'
import { recordingLog } from '../../test/rigs/clicks/ingest-rig.ts'
import { StoreUnavailable } from '../errors/store-unavailable.ts'
import { StoreOutage } from './store-outage.ts'

const withCode = (code: string, errno?: string) => Object.assign(new Error(code), { code, errno })
const GONE = withCode('ERR_POSTGRES_CONNECTION_REFUSED')
const READ_ONLY = withCode('ERR_POSTGRES_SERVER_ERROR', '25006')

let nowMs: number
let seen: { errors: number; unavailable: number }
let log: ReturnType<typeof recordingLog>
let outage: StoreOutage

beforeEach(openOutage)

test('is logged when it begins and when it is over, with the reason, the duration and the failures', () => {
  for (; nowMs < 10_000; nowMs += 100) outage.failed(GONE, nowMs % 200 === 0)
  outage.failed(new StoreUnavailable('The database has not answered yet.'), false)
  expect([messages().length, seen]).toEqual([1, { errors: 101, unavailable: 1 }])
  nowMs += 3_000
  outage.succeeded(false)
  outage.succeeded(false)
  expect(log.lines.map(({ message, fields }) => [message, fields])).toEqual([
    [
      'The database cannot be used; this is logged again when it is over.',
      {
        error: 'Error: ERR_POSTGRES_CONNECTION_REFUSED',
        reason: 'PostgreSQL does not respond at the host of DATABASE_URL.',
      },
    ],
    ['The database can be used again.', { seconds: 10, failures: 101 }],
  ])
  expect(seen.unavailable).toBe(0)
})

test('is not over at the first success between failures', () => {
  outage.failed(GONE, false)
  nowMs += 1_000
  outage.succeeded(false)
  outage.failed(GONE, false)
  expect([messages().length, seen.unavailable]).toEqual([1, 1])
})

test.each([
  ['PostgreSQL is read-only', READ_ONLY],
  ['its disk is full', withCode('ERR_POSTGRES_SERVER_ERROR', '53100')],
  ["SQLite's disk is full", withCode('SQLITE_FULL')],
  ['the file is read-only', withCode('SQLITE_READONLY_DBMOVED')],
])('of changes alone is over when one succeeds, not when something is read: %s', (_, error) => {
  outage.failed(error, true)
  nowMs += 5_000
  outage.succeeded(false)
  expect([messages(), seen.unavailable]).toEqual([
    ['The database refuses changes; this is logged again when it is over.'],
    1,
  ])
  outage.succeeded(true)
  expect([messages()[1], seen.unavailable]).toEqual(['The database accepts changes again.', 0])
})

test('begins when PostgreSQL has no room for what a connection needs', () => {
  outage.failed(
    Object.assign(withCode('ERR_POSTGRES_SERVER_ERROR', 'XX000'), { message: 'could not write init file' }),
    false,
  )
  expect([messages(), log.lines[0]!.fields]).toEqual([
    ['The database cannot be used; this is logged again when it is over.'],
    {
      error: 'Error: could not write init file',
      reason: 'The disk of PostgreSQL is full. Free some space there.',
    },
  ])
})

test('does not begin with a bug', () => {
  outage.failed(withCode('ERR_POSTGRES_SERVER_ERROR', '42703'), true)
  expect([messages(), seen]).toEqual([[], { errors: 0, unavailable: 0 }])
})

function openOutage(): void {
  nowMs = 0
  seen = { errors: 0, unavailable: 0 }
  log = recordingLog()
  outage = new StoreOutage({
    clock: { monotonicMs: () => nowMs },
    log,
    errors: { add: () => void seen.errors++ },
    unavailable: { set: (value) => void (seen.unavailable = value) },
  })
}

const messages = () => log.lines.map(({ message }) => message)
