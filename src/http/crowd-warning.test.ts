import { expect, test } from 'bun:test'
import { manualClock } from '../clock.ts'
import { jsonLog } from '../log.ts'
import { crowdWarning } from './crowd-warning.ts'

test('a crowd is told of once a minute, with the number that is too small', () => {
  const lines: string[] = []
  const clock = manualClock(0)
  const log = {
    ...jsonLog('silent', 'visitors'),
    warn: (text: string, fields?: object) => void lines.push(text + JSON.stringify(fields)),
  }
  const warn = crowdWarning({ log, clock }, 500)
  for (let second = 0; second < 120; second++) {
    warn()
    clock.advance(1_000_000)
  }
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('"files_of_connections":500')
})
