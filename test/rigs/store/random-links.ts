import { seededRandom } from '../program/click-load.ts'

/** Links with rules and other options, what an operator blocks, and visits: all follows from the seed. */
export function randomLinks(seed: number) {
  const random = seededRandom(seed)
  const upTo = (max: number) => Math.floor(random() * (max + 1))
  const oneOf = <Value>(values: readonly Value[]): Value => values[upTo(values.length - 1)]!
  const someOf = <Value>(values: readonly Value[]): Value[] =>
    Array.from({ length: 1 + upTo(2) }, () => oneOf(values))
  const maybe = <Value>(chance: number, value: () => Value) => (random() < chance ? value() : undefined)
  const timeOfDay = () => `${String(upTo(23)).padStart(2, '0')}:${oneOf(['00', '15', '59'])}`
  const time = () => new Date(NOW_MS + (random() - 0.5) * 200 * DAY_MS).toISOString()
  const url = () => `https://${oneOf(HOSTS)}/${upTo(1_000_000)}${oneOf(['', '?a=0', '#end', '?b=1#x'])}`

  const inDays = (days: number) => new Date(NOW_MS + days * DAY_MS).toISOString()
  const schedule = () =>
    oneOf<object>([
      { starts_at: inDays(1) },
      { expires_at: inDays(-1) },
      { starts_at: inDays(-1), expires_at: inDays(1) },
    ])

  const card = () => ({
    social_title: maybe(0.7, () => 'A card'),
    social_description: maybe(0.5, () => 'For previews'),
    social_image_url: maybe(0.5, () => `https://${oneOf(HOSTS)}/picture.png`),
  })

  function between() {
    const [from, to] = [time(), time()].sort()
    return oneOf([{ from }, { to }, from === to ? { from } : { from, to }])
  }

  function hours() {
    const [from, to] = [timeOfDay(), timeOfDay()]
    const days = maybe(0.7, () => someOf(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']))
    return { days, from, to: from === to ? '24:00' : to, timezone: oneOf(ZONES) }
  }

  const conditions = () => ({
    country: maybe(0.3, () => someOf(COUNTRIES)),
    device: maybe(0.2, () => someOf(['desktop', 'mobile', 'tablet', 'other'])),
    os: maybe(0.2, () => someOf(['iOS', 'windows', 'Android', 'Linux'])),
    browser: maybe(0.2, () => someOf(['Chrome', 'firefox', 'Safari', 'curl'])),
    language: maybe(0.3, () => someOf(['de', 'en', 'pt-BR', 'zh-Hant', 'fr'])),
    query: maybe(0.2, () => ({ [oneOf(['a', 'b', 'ü'])]: oneOf([true, '1', 'x y']) })),
    between: maybe(0.1, between),
    hours: maybe(0.1, hours),
  })

  const split = () => Array.from({ length: 2 + upTo(8) }, () => ({ to: url(), weight: 1 + upTo(99) }))
  const rule = () => ({
    when: maybe(0.9, conditions),
    ...(random() < 0.3 ? { split: split() } : { to: url() }),
  })

  return {
    link: () => ({
      original_url: url(),
      is_active: random() < 0.95,
      rules: Array.from({ length: upTo(6) }, rule),
      forward_path: random() < 0.3,
      forward_query: oneOf([false, false, true, 'replace']),
      redirect_status: oneOf([301, 302, 307, 308]),
      ...maybe(0.15, schedule),
      max_clicks: maybe(0.2, () => oneOf([1, 2, 1_000])),
      password: maybe(0.12, () => 'sesame opens'),
      ...maybe(0.2, card),
      fallback_url: maybe(0.3, url),
    }),
    /** Most lists block nothing. */
    blockedHosts: () => (random() < 0.6 ? [] : someOf([...HOSTS, 'example'])),
    visit: (): RandomVisit => ({
      ip: oneOf(IPS),
      userAgent: oneOf(USER_AGENTS),
      language: oneOf(LANGUAGES),
      knowsPassword: random() < 0.5,
      isOwn: random() < 0.2,
      path: oneOf(['', '', '/page', '//a/b%2Fc/']),
      query: oneOf(['', 'a=1', 'b=x+y&a=2', '%C3%BC=x%20y', 'a=1&a=%31#', 'b', '&&=']),
    }),
  }
}

export type RandomVisit = {
  ip: string
  userAgent: string
  language: string
  query: string
  /** What follows the code; for links that open with a path. */
  path: string
  knowsPassword: boolean
  /** In a browser that its workspace does not count. */
  isOwn: boolean
}

/** A subdomain is blocked with its domain, and "example" blocks them all. */
const HOSTS = ['a.example', 'b.example', 'c.example', 'sub.a.example']

const DAY_MS = 86_400_000
/** A test asks for other times too, but most links are made around this one. */
const NOW_MS = Date.now()

const COUNTRIES = ['DE', 'us', 'FR']
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'UTC']
/** In the United States, Germany and nowhere. */
const IPS = ['8.8.8.8', '193.99.144.80', '2a02:2e0:3fe:1001:302::', '192.168.1.1']
const LANGUAGES = [
  '',
  'de-AT,de;q=0.9,en;q=0.8',
  'en-US',
  'pt-BR;q=0.5, fr',
  'zh-Hant-TW, *;q=0.1',
  'nl',
  'x;q=y,,',
]
const USER_AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'curl/8.5.0',
  'facebookexternalhit/1.1',
]
