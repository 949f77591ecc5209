import { expect, test } from 'bun:test'
import { makeKey } from '../api-keys/key-format.ts'
import { countErrors, describeError, jsonLog, type LogFields } from './log.ts'

const KEY = makeKey()
const SECRET = KEY.slice('tern_'.length)

test('a line is one JSON object with time, level, thread, message and the fields', () => {
  const [line = ''] = linesOf('request', { status: 200, isFine: true, nothing: null, absent: undefined })
  expect(line).toEndWith('}\n')
  expect(JSON.parse(line)).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    level: 'info',
    thread: 'api',
    message: 'request',
    status: 200,
    isFine: true,
    nothing: null,
  })
})

test('what is less important than the level is not written', () => {
  for (const [at, level] of (['debug', 'info', 'warn', 'error', 'silent'] as const).entries()) {
    const written: string[] = []
    const log = jsonLog(level, 'api', (line) => void written.push(JSON.parse(line).level))
    for (const name of ['debug', 'info', 'warn', 'error'] as const) log[name]('x')
    expect(written).toEqual(['debug', 'info', 'warn', 'error'].slice(at))
  }
})

test.each([
  KEY,
  `x${KEY}`,
  `_${KEY}_`,
  `/api/links/${KEY}/x`,
  `TERN_${SECRET}`,
  `tern%5F${SECRET}`,
  `tern%5f${SECRET}`,
])('the key in %s is not written', (text) => {
  for (const value of [text, `before ${text} after`, 'x'.repeat(1_980) + text]) {
    expect(fieldOf(value)).not.toContain(SECRET.slice(0, 12))
    expect(linesOf(value)[0]).not.toContain(SECRET.slice(0, 12))
  }
})

test('the value of api_key is not written, whatever it is', () => {
  expect(fieldOf('/api/links?a=b&api_key=my%20secret&c=d')).toBe('/api/links?a=b&api_key=[redacted]&c=d')
  expect(fieldOf('API_KEY=secret')).toBe('api_key=[redacted]')
})

test('the end of a secret URL is not written', () => {
  const secret = 'l7nqKJYI0yO1mCWmpf2Dr2ZbLMOSMnN4HxK3-pVvG1k'
  expect(fieldOf(`/share/${secret}/badge.svg?a=b`)).toBe('/share/[redacted]/badge.svg?a=b')
  expect(fieldOf(`/share/%6C${secret.slice(1)}`)).toBe('/share/[redacted]')
  expect(fieldOf(`/unsubscribe/12.34.${secret}`)).toBe('/unsubscribe/[redacted]')
  expect(fieldOf(`/own-traffic/12.${secret}`)).toBe('/own-traffic/[redacted]')
})

test('a word that only begins like a key is', () => {
  for (const text of ['tern_', 'pattern_of_words', 'tern_api', 'lantern']) expect(fieldOf(text)).toBe(text)
})

test('nobody can end a line, or tell a terminal what to do', () => {
  const hostile =
    'a\n{"level":"fatal"}\r\u001b[31m\u0000\u007f\u0085\u009b31m\u2028\u2029\u202egpj\u2066\ud800'
  const [line = '', ...others] = linesOf(hostile, { value: hostile, [hostile]: 1 })
  expect(others).toEqual([])
  expect(line.trimEnd()).toMatch(/^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$/)
  expect(JSON.parse(line)).toMatchObject({ message: hostile, value: hostile, level: 'info' })
})

test('a long value is cut', () => {
  expect(fieldOf('x'.repeat(100_000))).toHaveLength(2_000)
})

test('errors are counted and written as before, at any level; what is less is not counted', () => {
  for (const level of ['info', 'silent'] as const) {
    const lines: string[] = []
    let errors = 0
    const log = countErrors(
      jsonLog(level, 'test', (line) => void lines.push(line)),
      { add: () => void errors++ },
    )
    log.error('Broken.', { which: 1 })
    log.warn('Nearly.')
    expect(errors).toBe(1)
    expect(lines.map((line) => JSON.parse(line).message)).toEqual(
      level === 'info' ? ['Broken.', 'Nearly.'] : [],
    )
  }
})

test('an error is described by its name, message, stack and cause, anything else by its text', () => {
  const error = new TypeError('broken', { cause: new RangeError('deeper') })
  expect(describeError(error)).toEqual({
    error: 'TypeError: broken',
    stack: expect.stringContaining('log.test.ts'),
    cause: 'RangeError: deeper',
  })
  expect(describeError('just a text')).toEqual({ error: 'just a text' })
})

function linesOf(message: string, fields?: LogFields): string[] {
  const lines: string[] = []
  jsonLog('debug', 'api', (line) => void lines.push(line)).info(message, fields)
  return lines
}

const fieldOf = (value: string): string => JSON.parse(linesOf('request', { value })[0]!).value
