/** Text and how often it comes, beside the others of its list. */
export type Weighted = [text: string, weight: number]

export type HistoryLink = {
  code: string
  title: string
  url: string
  /** Clicks on an ordinary day, at the end of the history. */
  perDay: number
  bornDaysAgo: number
  /** Many in its first days, then few. */
  isCampaign?: boolean
  isOff?: boolean
  from: keyof typeof REFERRERS
}

/** The links of a small maker of outdoor things, newest first. */
export const HISTORY_LINKS: HistoryLink[] = [
  {
    code: 'advent',
    title: 'Advent calendar, day by day',
    url: 'https://www.northlight-supply.com/advent?utm_source=insta',
    perDay: 9,
    bornDaysAgo: 4,
    from: 'social',
  },
  {
    code: 'winter',
    title: 'Winter collection',
    url: 'https://www.northlight-supply.com/collections/winter?utm_source=newsletter&utm_medium=email&utm_campaign=2026-w45',
    perDay: 16,
    bornDaysAgo: 16,
    isCampaign: true,
    from: 'mail',
  },
  {
    code: 'repair-day',
    title: 'Repair day in the shop, 5 December',
    url: 'https://tickets.example.org/e/northlight-repair-day/b7f2c1',
    perDay: 5,
    bornDaysAgo: 19,
    from: 'social',
  },
  {
    code: 'jobs',
    title: 'We are hiring: workshop lead',
    url: 'https://jobs.example.com/northlight/workshop-lead-m-f-d',
    perDay: 4,
    bornDaysAgo: 27,
    from: 'work',
  },
  {
    code: 'tent-guide',
    title: 'How to choose a tent',
    url: 'https://www.northlight-supply.com/guides/how-to-choose-a-tent-for-autumn-and-winter',
    perDay: 7,
    bornDaysAgo: 41,
    from: 'search',
  },
  {
    code: 'flyer-a5',
    title: 'QR code on the A5 flyer',
    url: 'https://www.northlight-supply.com/?utm_source=flyer&utm_medium=print',
    perDay: 3,
    bornDaysAgo: 48,
    from: 'print',
  },
  {
    code: 'autumn-sale',
    title: 'Autumn sale',
    url: 'https://www.northlight-supply.com/sale?utm_source=newsletter&utm_campaign=2026-autumn',
    perDay: 12,
    bornDaysAgo: 55,
    isCampaign: true,
    isOff: true,
    from: 'mail',
  },
  {
    code: 'podcast',
    title: 'Podcast: sewing for the rain',
    url: 'https://podcasts.example.com/show/outdoor-makers/episode/128',
    perDay: 4,
    bornDaysAgo: 62,
    from: 'social',
  },
  {
    code: 'size-chart',
    title: 'Size chart (PDF)',
    url: 'https://cdn.northlight-supply.com/files/size-chart-2026.pdf',
    perDay: 6,
    bornDaysAgo: 70,
    from: 'search',
  },
  {
    code: 'returns',
    title: 'Send something back',
    url: 'https://www.northlight-supply.com/help/returns',
    perDay: 5,
    bornDaysAgo: 78,
    from: 'mail',
  },
  {
    code: 'map',
    title: 'The way to our shop',
    url: 'https://www.openstreetmap.org/?mlat=53.5503&mlon=9.9920#map=17/53.5503/9.9920',
    perDay: 5,
    bornDaysAgo: 88,
    from: 'print',
  },
  {
    code: 'insta',
    title: 'Link in our profile',
    url: 'https://www.northlight-supply.com/new',
    perDay: 14,
    bornDaysAgo: 90,
    from: 'social',
  },
  {
    code: 'newsletter',
    title: 'Sign up for the newsletter',
    url: 'https://news.example.net/northlight/subscribe',
    perDay: 4,
    bornDaysAgo: 90,
    from: 'search',
  },
  {
    code: 'press-kit',
    title: 'Press kit',
    url: 'https://drive.example.com/folders/1fQe0Zk2vNqXn5',
    perDay: 2,
    bornDaysAgo: 90,
    from: 'work',
  },
  {
    code: 'care',
    title: 'How to wash a down jacket',
    url: 'https://www.northlight-supply.com/guides/how-to-wash-a-down-jacket',
    perDay: 6,
    bornDaysAgo: 90,
    from: 'search',
  },
  {
    code: 'stockists',
    title: 'Where to find us: all stockists',
    url: 'https://www.northlight-supply.com/stockists',
    perDay: 3,
    bornDaysAgo: 90,
    from: 'search',
  },
  {
    code: 'festival',
    title: 'Summer festival, the photos',
    url: 'https://photos.example.com/albums/northlight-summer-festival-2026',
    perDay: 5,
    bornDaysAgo: 90,
    isCampaign: true,
    from: 'social',
  },
  {
    code: 'survey',
    title: 'Survey: what do you miss?',
    url: 'https://forms.example.com/f/9Qk2LmT',
    perDay: 6,
    bornDaysAgo: 66,
    isCampaign: true,
    isOff: true,
    from: 'mail',
  },
  {
    code: 'b2b',
    title: 'Price list for shops',
    url: 'https://portal.northlight-supply.com/b2b/prices?season=aw26',
    perDay: 2,
    bornDaysAgo: 84,
    from: 'work',
  },
  {
    code: 'gift-card',
    title: '',
    url: 'https://www.northlight-supply.com/products/gift-card',
    perDay: 3,
    bornDaysAgo: 33,
    from: 'search',
  },
]

/** Hosts, as in the journal; '' when the browser sent none. */
export const REFERRERS = {
  social: [
    ['l.instagram.com', 38],
    ['', 22],
    ['m.facebook.com', 12],
    ['t.co', 8],
    ['www.youtube.com', 7],
    ['www.reddit.com', 6],
    ['bsky.app', 4],
    ['www.pinterest.com', 3],
  ],
  mail: [
    ['', 62],
    ['mail.google.com', 18],
    ['outlook.live.com', 9],
    ['navigator.gmx.net', 6],
    ['mail.yahoo.com', 5],
  ],
  search: [
    ['www.google.com', 41],
    ['', 24],
    ['www.northlight-supply.com', 14],
    ['duckduckgo.com', 9],
    ['www.bing.com', 7],
    ['www.ecosia.org', 5],
  ],
  work: [
    ['www.linkedin.com', 44],
    ['', 30],
    ['com.slack', 12],
    ['teams.microsoft.com', 9],
    ['www.xing.com', 5],
  ],
  print: [['', 100]],
} satisfies Record<string, Weighted[]>

/** '' where the address tells no country. */
export const COUNTRIES: Weighted[] = [
  ['DE', 400],
  ['US', 130],
  ['AT', 90],
  ['GB', 72],
  ['CH', 66],
  ['NL', 48],
  ['FR', 40],
  ['SE', 30],
  ['DK', 26],
  ['NO', 22],
  ['PL', 18],
  ['CA', 14],
  ['ES', 12],
  ['IT', 12],
  ['BE', 10],
  ['AU', 7],
  ['JP', 6],
  ['BR', 5],
  ['IN', 4],
  ['NZ', 3],
  ['ZA', 2],
  ['', 8],
]

const webkit = (system: string, rest: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`
const apple = (system: string, rest: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`
const IPHONE = 'iPhone; CPU iPhone OS 19_1 like Mac OS X'
const WINDOWS = 'Windows NT 10.0; Win64; x64'
const MAC = 'Macintosh; Intel Mac OS X 10_15_7'

export const USER_AGENTS: Weighted[] = [
  [apple(IPHONE, 'Version/19.1 Mobile/15E148 Safari/604.1'), 230],
  [webkit('Linux; Android 16; Pixel 10', 'Chrome/142.0.0.0 Mobile Safari/537.36'), 170],
  [webkit(WINDOWS, 'Chrome/142.0.0.0 Safari/537.36'), 160],
  [apple(MAC, 'Version/19.1 Safari/605.1.15'), 90],
  [apple(IPHONE, 'Mobile/15E148 Instagram 402.0.0.30.86 (iPhone17,1; iOS 19_1; de_DE; scale=3.00)'), 80],
  [webkit(WINDOWS, 'Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0'), 60],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0', 55],
  [
    webkit(
      'Linux; Android 15; SAMSUNG SM-S931B',
      'SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
    ),
    50,
  ],
  [webkit(MAC, 'Chrome/142.0.0.0 Safari/537.36'), 45],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 22],
  [apple('iPad; CPU OS 19_1 like Mac OS X', 'Version/19.1 Mobile/15E148 Safari/604.1'), 20],
  [webkit('X11; Linux x86_64', 'Chrome/142.0.0.0 Safari/537.36'), 10],
  [webkit(WINDOWS, 'Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0'), 6],
  ['curl/8.16.0', 2],
]

export const BOTS: Weighted[] = [
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 40],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 25],
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 15],
  ['Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)', 20],
]

/** Clicks of the hours of a day in UTC: asleep, on the way, lunch, sofa. */
export const HOURS = [3, 2, 1, 1, 1, 3, 8, 12, 10, 9, 10, 14, 13, 9, 9, 10, 12, 15, 18, 22, 21, 15, 9, 5]
/** Of the days of a week, Sunday first. */
export const WEEKDAYS = [1.15, 0.95, 0.92, 0.98, 1.0, 0.9, 1.1]
