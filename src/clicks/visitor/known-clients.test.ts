import { describe, expect, test } from 'bun:test'
import { BROWSERS, readUserAgent, SYSTEMS } from './read-user-agent.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const WEB_VIEW = `Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A.231005.007; wv) ${BLINK} Version/4.0 Chrome/137.0.7151.61 Mobile Safari/537.36`
const FACEBOOK_IOS =
  'FBAV/512.0.0.50.73;FBBV/731234567;FBDV/iPhone15,3;FBMD/iPhone;FBSN/iOS;FBSV/18.5;FBSS/3;FBCR/;FBID/phone;FBLC/de_DE;FBOP/80'

describe('the web view of an app is a person', () => {
  test.each([
    [
      `${IPHONE} Mobile/22F76 Instagram 383.0.0.28.84 (iPhone15,3; iOS 18_5; de_DE; de; scale=3.00; 1290x2796; 741234567)`,
      'Instagram',
      'iOS',
    ],
    [
      `${WEB_VIEW} Instagram 382.0.0.49.84 Android (34/14; 480dpi; 1080x2124; samsung; SM-S918B; dm3q; qcom; en_GB; 738290512)`,
      'Instagram',
      'Android',
    ],
    [
      `${IPHONE} Mobile/22F76 Barcelona 381.0.0.25.100 (iPhone15,3; iOS 18_5; en_US; en; scale=3.00; 1290x2796)`,
      'Threads',
      'iOS',
    ],
    [`${IPHONE} Mobile/22F76 [FBAN/FBIOS;${FACEBOOK_IOS}]`, 'Facebook', 'iOS'],
    [`${WEB_VIEW} [FB_IAB/FB4A;FBAV/512.0.0.48.105;]`, 'Facebook', 'Android'],
    [`${IPHONE} Mobile/22F76 [FBAN/MessengerForiOS;${FACEBOOK_IOS}]`, 'Messenger', 'iOS'],
    [`${WEB_VIEW} [FB_IAB/Orca-Android;FBAV/505.0.0.57.78;]`, 'Messenger', 'Android'],
    [
      `${IPHONE} Mobile/15E148 musical_ly_39.6.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en Region/US isDarkMode/1 WKWebView/1 RevealType/Dialog BytedanceWebview/d8a21c6 FalconTag/`,
      'TikTok',
      'iOS',
    ],
    [
      `${WEB_VIEW} trill_390403 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/trill app_version/39.4.3 ByteLocale/en ByteFullLocale/en Region/MY AppId/1180 Spark/1.7.3 AppVersion/39.4.3 BytedanceWebview/d8a21c6`,
      'TikTok',
      'Android',
    ],
    [`${IPHONE} Mobile/15E148 [LinkedInApp]/9.31.2342`, 'LinkedIn', 'iOS'],
    [
      `${IPHONE} Version/18.5 Mobile/15E148 Snapchat/13.41.0.46 (like Safari/8621.2.5.10.10, panda)`,
      'Snapchat',
      'iOS',
    ],
    [`${WEB_VIEW} Line/15.7.1/IAB`, 'LINE', 'Android'],
    [
      `${IPHONE} Mobile/15E148 MicroMessenger/8.0.59(0x18003b2e) NetType/WIFI Language/zh_CN`,
      'WeChat',
      'iOS',
    ],
    [`${IPHONE} Mobile/15E148 Twitter for iPhone/11.2`, 'X', 'iOS'],
    [`${WEB_VIEW} [Pinterest/Android]`, 'Pinterest', 'Android'],
    [`${WEB_VIEW} YJApp-ANDROID jp.co.yahoo.android.yjtop/3.190.0`, 'Yahoo! Japan', 'Android'],
    // github.com/shalanah/inapp-spy/issues/57
    [`${WEB_VIEW} MetaIAB Facebook`, 'Facebook', 'Android'],
    [`${IPHONE} Mobile/22G100 Safari/604.1 MetaIAB Facebook`, 'Facebook', 'iOS'],
    [`[FBAN/FB4A;${FACEBOOK_IOS}]`, 'Facebook', 'Android'],
    [`${WEB_VIEW} Viber/22.5.0.1`, 'Viber', 'Android'],
    [`${WEB_VIEW} WhatsApp/2.24.18`, 'WhatsApp', 'Android'],
    [`${IPHONE} Mobile/15E148 Zalo iOS/540`, 'Zalo', 'iOS'],
    [`${IPHONE} Mobile/15E148 Version/18.5 Safari/604.1 BingSapphire/31.4`, 'Bing', 'iOS'],
    [`${WEB_VIEW} SmartNews 9.1.0`, 'Chrome', 'Android'],
    [`${IPHONE} Mobile/15E148 AppleNews/1070.1 Version/10.3`, 'Safari', 'iOS'],
    [`${WEB_VIEW} QRScanner/2.1`, 'Chrome', 'Android'],
    [`${WEB_VIEW} KAKAOTALK/25.4.2 (INAPP)`, 'KakaoTalk', 'Android'],
    [`${IPHONE} GSA/371.0.762347000 Mobile/15E148 Safari/604.1`, 'Google App', 'iOS'],
    [
      `Mozilla/5.0 (Linux; Android 14) ${BLINK} Version/4.0 Chrome/137.0.0.0 Mobile DuckDuckGo/5 Safari/537.36`,
      'DuckDuckGo',
      'Android',
    ],
  ])('%s', (userAgent, browser, os) => {
    expect(readUserAgent(userAgent)).toEqual({ isBot: false, device: 'mobile', browser, os })
  })
})

describe('a general-purpose HTTP library is a visitor named after the tool', () => {
  test.each([
    ['curl/8.14.1', 'curl'],
    ['Wget/1.25.0', 'Wget'],
    ['python-requests/2.32.4', 'python-requests'],
    ['Python-urllib/3.13', 'urllib'],
    ['python-httpx/0.28.1', 'HTTPX'],
    ['Python/3.12 aiohttp/3.12.13', 'Python'],
    ['node', 'Node.js'],
    ['undici', 'Node.js'],
    ['node-fetch/1.0 (+https://github.com/bitinn/node-fetch)', 'node-fetch'],
    ['axios/1.9.0', 'axios'],
    ['got (https://github.com/sindresorhus/got)', 'got'],
    ['Bun/1.4.5', 'Bun'],
    ['Deno/2.3.5', 'Deno'],
    ['Go-http-client/2.0', 'Go-http-client'],
    ['okhttp/5.0.0-alpha.14', 'okhttp'],
    ['com.example.shop/7.2 okhttp/4.12.0', 'okhttp'],
    ['Java/21.0.7', 'Java'],
    ['Java-http-client/21.0.7', 'Java'],
    ['Apache-HttpClient/4.5.14 (Java/17.0.15)', 'Apache-HttpClient'],
    ['PostmanRuntime/7.44.0', 'Postman'],
    ['HTTPie/3.2.4', 'HTTPie'],
    ['GuzzleHttp/7', 'Guzzle'],
    ['Shop/412 CFNetwork/3826.500.131 Darwin/24.5.0', 'CFNetwork'],
    ['Ruby', 'Ruby'],
    ['Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.26100.4202', 'PowerShell'],
  ])('%s', (userAgent, browser) => {
    expect(readUserAgent(userAgent)).toEqual({ isBot: false, device: 'other', browser, os: 'Unknown' })
  })
})

test('a tool that names its phone has a system and a device', () => {
  const dalvik = 'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UD1A.230803.041)'
  const visitor = { isBot: false, device: 'mobile', browser: 'Dalvik', os: 'Android' } as const
  expect(readUserAgent(dalvik)).toEqual(visitor)
  expect(readUserAgent(dalvik.replace('Pixel 8', 'SM-T500'))).toEqual({ ...visitor, device: 'tablet' })
})

describe('a crawler or link preview that names itself is a bot', () => {
  test.each([
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    [
      `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${BLINK} Chrome/137.0.7151.55 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    ],
    [
      `Mozilla/5.0 ${BLINK.replace(')', '; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)')} Chrome/116.0.1938.76 Safari/537.36`,
    ],
    ['Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)'],
    ['Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)'],
    ['Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)'],
    [
      `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)`,
    ],
    ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    ],
    ['facebookexternalhit/1.1;line-poker/1.0'],
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['Slack-ImgProxy (+https://api.slack.com/robots)'],
    ['Twitterbot/1.0'],
    ['WhatsApp/2.23.20.0 A'],
    ['WhatsApp/2.2519.4 N'],
    ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
    ['TelegramBot (like TwitterBot)'],
    ['LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)'],
    ['Pinterest/0.2 (+https://www.pinterest.com/bot.html)'],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
    ],
    ['Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)'],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
    ],
    ['Perplexity-User/1.0'],
    ['Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)'],
    ['http.rb/5.2.0 (Mastodon/4.3.8; +https://mastodon.social/) Bot'],
    ['kakaotalk-scrap/1.0; +https://devtalk.kakao.com/'],
    ['SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com'],
    ['Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${BLINK} HeadlessChrome/137.0.0.0 Safari/537.36`],
    ['python-requests/2.32.4 (compatible; ExampleBot/1.0)'],
  ])('%s', (userAgent) => {
    expect(readUserAgent(userAgent)).toMatchObject({ isBot: true, device: 'other', os: 'Unknown' })
  })

  test('a well-known crawler keeps its name', () => {
    const visitor = readUserAgent('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)')
    expect(visitor.browser).toBe('Googlebot')
  })
})

test('names that rules could name in the past are accepted', () => {
  const browsers =
    'Alipay|Amazon Silk|AmazonBot|Android Browser|Apache-HttpClient|Bada|BaiduSpider|BingCrawler|BlackBerry|Brave|Bun|CFNetwork|ChatGPT-User|Chrome|Chromium|ClaudeBot|Dalvik|Dart|Deno|Diffbot|DuckDuckBot|DuckDuckGo|Edge|Electron|Epiphany|Facebook|FacebookExternalHit|Faraday|Firefox|Firefox Focus|GPTBot|Generic|Go-http-client|Google App|Googlebot|Guzzle|HTTPClient|HTTPX|HTTPie|HeyTap Browser|Insomnia|Instagram|Internet Explorer|InternetArchiveCrawler|Java|K-Meleon|KakaoTalk|Ktor|LINE|Ladybird|LibreWolf|Linespider|LinkedIn|MZ Browser|Maxthon|Messenger|Meta-ExternalAds|Meta-ExternalAgent|Meta-ExternalFetcher|Meta-WebIndexer|Naver|Node.js|OAI-SearchBot|Omgilibot|Opera|PHP|Pale Moon|Perplexity-User|PerplexityBot|PhantomJS|PingdomBot|Pinterest|Postman|PowerShell|Puffin|Python|QQ|QQ Browser|QQ Browser Lite|QupZilla|Reddit|RestSharp|Roku|Ruby|Safari|Sailfish|Samsung Internet|SeaMonkey|SlackBot|Sleipnir|Snapchat|Sogou Browser|Swing|Symfony|Telegram|Threads|TikTok|Tizen|Typhoeus|UC Browser|Unknown|Vivaldi|Vivo Browser|WeChat|WebOS Browser|Weibo|Wget|Whale|WinHTTP|X|YahooSlurp|Yandex Browser|YandexBot|YouBot|aiohttp|aria2|axios|curl|fasthttp|got|http.rb|httplib2|hyper|k6|libwww-perl|lua-resty-http|node-fetch|okhttp|python-requests|reqwest|rest-client|superagent|ureq|urllib|urllib3|xh'
  const systems =
    'Android|Bada|BlackBerry|ChromeOS|HarmonyOS|iOS|Linux|macOS|PlayStation 4|Roku|Tizen|WebOS|Windows|Windows Phone|Unknown'
  expect(browsers.split('|').filter((name) => !BROWSERS.has(name))).toEqual([])
  expect(systems.split('|').filter((name) => !SYSTEMS.has(name))).toEqual([])
})
