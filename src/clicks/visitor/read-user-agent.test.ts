import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { MEASURES, readRows, wrongRows } from '../../../test/rigs/clicks/user-agent-measures.ts'
import { deviceName, readUserAgent } from './read-user-agent.ts'

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)'
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('a browser is named, with its system and device', () => {
  test.each([
    [`${WINDOWS} ${BLINK} Chrome/137.0.0.0 Safari/537.36`, 'desktop', 'Chrome', 'Windows'],
    [`${MAC} ${BLINK} Chrome/136.0.0.0 Safari/537.36`, 'desktop', 'Chrome', 'macOS'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${BLINK} Chrome/137.0.0.0 Safari/537.36`, 'desktop', 'Chrome', 'Linux'],
    [
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/136.0.0.0 Safari/537.36`,
      'desktop',
      'Chrome',
      'ChromeOS',
    ],
    [`${ANDROID} Chrome/137.0.0.0 Mobile Safari/537.36`, 'mobile', 'Chrome', 'Android'],
    [`${ANDROID} Chrome/137.0.0.0 Safari/537.36`, 'tablet', 'Chrome', 'Android'],
    [`${IPHONE} CriOS/137.0.7151.51 Mobile/15E148 Safari/604.1`, 'mobile', 'Chrome', 'iOS'],
    [`${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, 'mobile', 'Safari', 'iOS'],
    [
      'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
      'tablet',
      'Safari',
      'iOS',
    ],
    [
      `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`,
      'desktop',
      'Safari',
      'macOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0',
      'desktop',
      'Firefox',
      'Windows',
    ],
    [
      'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
      'desktop',
      'Firefox',
      'Linux',
    ],
    ['Mozilla/5.0 (Android 14; Mobile; rv:139.0) Gecko/139.0 Firefox/139.0', 'mobile', 'Firefox', 'Android'],
    [`${IPHONE} FxiOS/139.0 Mobile/15E148 Safari/605.1.15`, 'mobile', 'Firefox', 'iOS'],
    [
      'Mozilla/5.0 (X11; FreeBSD amd64; rv:128.0) Gecko/20100101 Firefox/128.0',
      'desktop',
      'Firefox',
      'FreeBSD',
    ],
    [`${WINDOWS} ${BLINK} Chrome/137.0.0.0 Safari/537.36 Edg/137.0.0.0`, 'desktop', 'Edge', 'Windows'],
    [`${ANDROID} Chrome/137.0.0.0 Mobile Safari/537.36 EdgA/137.0.0.0`, 'mobile', 'Edge', 'Android'],
    [`${WINDOWS} ${BLINK} Chrome/135.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'desktop', 'Opera', 'Windows'],
    [`${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 OPT/5.4.1`, 'mobile', 'Opera', 'iOS'],
    [
      `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      'mobile',
      'Samsung Internet',
      'Android',
    ],
    [`${MAC} ${BLINK} Chrome/136.0.0.0 Safari/537.36 Vivaldi/7.4.3684.38`, 'desktop', 'Vivaldi', 'macOS'],
    [
      `${WINDOWS} ${BLINK} Chrome/134.0.0.0 YaBrowser/25.4.0.0 Safari/537.36`,
      'desktop',
      'Yandex Browser',
      'Windows',
    ],
    [
      `Mozilla/5.0 (Linux; Android 11; KFTRWI) ${BLINK} Silk/134.3.1 like Chrome/134.0.6998.207 Safari/537.36`,
      'tablet',
      'Amazon Silk',
      'Android',
    ],
    [
      `Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 50) ${BLINK} Chrome/137.0.0.0 Mobile Safari/537.36`,
      'mobile',
      'Chrome',
      'Android',
    ],
    [
      `Mozilla/5.0 (SMART-TV; LINUX; Tizen 8.0) ${BLINK} Version/8.0 TV Safari/537.36`,
      'other',
      'Tizen',
      'Tizen',
    ],
    [
      `Mozilla/5.0 (Linux; Android 12; BRAVIA 4K VH22) ${BLINK} Chrome/120.0.0.0 Safari/537.36`,
      'other',
      'Chrome',
      'Android',
    ],
  ] as const)('%s', (userAgent, device, browser, os) => {
    expect(readUserAgent(userAgent)).toEqual({ isBot: false, device, browser, os })
  })
})

describe('names come from browsers, and not from models', () => {
  const chrome = `${BLINK} Chrome/137.0.0.0 Mobile Safari/537.36`
  test.each([
    ['TECNO BB4'],
    ['InFocus M808'],
    ['PHANTOM PZ25'],
    ['BlackBerry Key2'],
    ['M bot 60'],
    ['Mi Note 10 Lite;iPhone:'],
    ['Twist (2018)'],
  ])('%s', (model) => {
    expect(readUserAgent(`Mozilla/5.0 (Linux; Android 10; ${model}) ${chrome}`)).toEqual({
      isBot: false,
      device: 'mobile',
      browser: 'Chrome',
      os: 'Android',
    })
  })

  test.each([
    ['CriOS/125', 'Chrome'],
    ['EdgiOS/124.0.2478.89', 'Edge'],
    ['FxiOS/126.0', 'Firefox'],
  ])('an iPad that asks for the desktop site with %s is one', (token, browser) => {
    const userAgent = `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) ${token} Safari/605.1.15`
    expect(readUserAgent(userAgent)).toEqual({ isBot: false, device: 'tablet', browser, os: 'iOS' })
  })

  test.each([
    ['YaSearchBrowser/24.47', 'Yandex Browser'],
    ['OPX/2.8', 'Opera GX'],
    ['HuaweiBrowser/12.0.4.310', 'Huawei Browser'],
    ['baiduboxapp/13.52.0.10 (Baidu; P1 15)', 'Baidu'],
    ['Quark/6.9.5.521', 'Quark'],
    ['(Ecosia android@113.0.5672.163)', 'Ecosia'],
    ['coc_coc_browser/120.0', 'Coc Coc'],
    ['PHX/8.4', 'Phoenix Browser'],
    ['AlohaBrowser/3.12.1', 'Aloha Browser'],
  ])('%s is %s', (token, browser) => {
    expect(readUserAgent(`${ANDROID} Chrome/137.0.0.0 Mobile Safari/537.36 ${token}`)).toEqual({
      isBot: false,
      device: 'mobile',
      browser,
      os: 'Android',
    })
  })
})

/** Made for these tests, and every 24th of crawler-user-agents (MIT), with one of each program that shows previews. */
const sample = readRows(
  readFileSync(fileURLToPath(new URL('../../../test/user-agents.tsv', import.meta.url)), 'utf8'),
)

test.each(MEASURES)('of the sample: $name', (measure) => {
  expect(sample.filter(measure.of).length).toBeGreaterThan(5)
  expect(wrongRows(measure, sample)).toEqual([])
})

describe('who says nothing known is a visitor without a name', () => {
  const nobody = { isBot: false, device: 'other', browser: 'Unknown', os: 'Unknown' } as const

  test.each([
    [''],
    ['Mozilla/5.0'],
    ['MyApp/1.0'],
    ['<script>alert(1)</script>'],
    ['\u0000'],
    ['constructor'],
  ])('%p', (userAgent) => {
    expect(readUserAgent(userAgent)).toEqual(nobody)
  })

  test('a made-up product gives no browser of its name', () => {
    expect(readUserAgent('Chromatic/1.0 (Amiga) Invented/2.0').browser).toBe('Unknown')
  })
})

test('what stands behind the 512th character is not read', () => {
  const chrome = `${WINDOWS} ${BLINK} Chrome/137.0.0.0 Safari/537.36`
  const tail = 'Googlebot/2.1'
  expect(readUserAgent(`${chrome.padEnd(512)}${tail}`)).toEqual(readUserAgent(chrome))
  expect(readUserAgent(`${chrome.padEnd(512 - tail.length)}${tail}`).isBot).toBe(true)
})

test('100 KB of what makes regular expressions backtrack are read like anything else', () => {
  for (const piece of ['Mozilla/', '(((', 'a/ (', '/ ', ';;(']) {
    expect(readUserAgent(piece.repeat(100_000 / piece.length)).browser).toBe('Unknown')
  }
})

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox on Linux'],
  // Counted as a bot, whose system does not matter; here somebody is signed in with it.
  [`Mozilla/5.0 (X11; Linux x86_64) ${BLINK} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (X11; OpenBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox'],
  ['curl/8.5.0', 'curl'],
  ['Nothing that is known', 'Unknown browser'],
  ['', 'Unknown browser'],
])('somebody signed in with %p uses %s', (userAgent, device) => {
  expect(deviceName(userAgent)).toBe(device)
})
