import { expect, test } from 'bun:test'
import { manualClock } from '../../runtime/clock.ts'
import { jsonLog } from '../../runtime/log.ts'
import { connectionWarning } from './connection-warning.ts'

test('closing connections for room is logged once a minute, with the limit', () => {
  const lines: string[] = []
  const clock = manualClock(0)
  const log = {
    ...jsonLog('silent', 'redirect'),
    warn: (text: string, fields?: object) => void lines.push(text + JSON.stringify(fields)),
  }
  const warn = connectionWarning({ log, clock }, 500)
  for (let second = 0; second < 120; second++) {
    warn()
    clock.advance(1_000_000)
  }
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('"files_of_connections":500')
})
