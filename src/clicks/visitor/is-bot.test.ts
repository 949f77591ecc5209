import { describe, expect, test } from 'bun:test'
import { namesItselfBot, soundsLikeProgram } from './is-bot.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36'

test.each([
  ['ExampleBot/1.0'],
  ['example_bot_2'],
  ['Example Spider'],
  ['FacebookExternalHit, facebookexternalhit/1.1'],
  ['Mozilla/4.0 (compatible; ms-office; MSOffice 16)'],
  ['Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)'],
  ['Microsoft Office Word/2.90 (iOS/17.5; Tablet; en-GB; AppStore; Apple/iPad13,4)'],
])('%s names itself a bot', (text) => {
  expect(namesItselfBot(text)).toBe(true)
})

test.each([['CUBOT'], ['cubot note'], ['Robotics App'], [CHROME], [`${CHROME} Feedly/93.0`], ['']])(
  '%j does not',
  (text) => {
    expect(namesItselfBot(text)).toBe(false)
  },
)

describe('what a browser says besides', () => {
  test.each([
    ['+https://example.com/about'],
    ['someone@example.com'],
    ['www.example.com'],
    ['(compatible; Example/1.0)'],
    ['HeadlessChrome/137.0'],
    ['Example-Google'],
  ])('%s is of a program', (token) => {
    expect(soundsLikeProgram(`${CHROME} ${token}`)).toBe(true)
  })

  test.each([
    ['(Ecosia android@62.0.3202.101)'],
    ['com.example.shop/7.2'],
    ['SmartNews 9'],
    ['Discovery/2'],
    ['Scanner/1'],
    ['NewsFeed'],
  ])('%s is of a person', (token) => {
    expect(soundsLikeProgram(`${CHROME} ${token}`)).toBe(false)
  })
})

describe('without a browser', () => {
  test.each([
    ['Uptime Monitor'],
    ['HealthCheck/2'],
    ['example-link-checker'],
    ['Zabbix Scanner'],
    ['SEO tool'],
    ['${agent}'],
  ])('%s is a program', (text) => {
    expect(soundsLikeProgram(text)).toBe(true)
  })

  test.each([
    ['MyApp/1.0'],
    ['QR Scanner/3'],
    ['Podcasts (iPhone) https://example.com'],
    ['Radio FM'],
    ['<script>alert(1)</script>'],
  ])('%s is the app of a person', (text) => {
    expect(soundsLikeProgram(text)).toBe(false)
  })
})
