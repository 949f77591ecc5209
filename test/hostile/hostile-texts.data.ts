// What clients send by mistake or on purpose: at the edges of every rule, and beyond them. ¦ stands between two.

const items = (...lines: string[]): string[] => lines.flatMap((line) => line.split('¦'))
const after = (start: string, ends: string[]): string[] => ends.map((end) => start + end)
const nested = (open: string, middle: string, close: string, depth: number): string =>
  open.repeat(depth) + middle + close.repeat(depth)

const LONG = items('a¦9¦%¦(¦💩¦é¦\u0301¦/¦.¦-¦=¦%00¦../')

export const TEXTS = [
  ...items(
    '¦ ¦\t¦\n¦\r\nX-Injected: y¦\0¦a\0b¦\u0001¦\u007f¦\u0085¦\u2028¦\ufeff¦\uffff¦\ud800¦a\udfff¦\ud83d¦\u202egpj',
  ),
  ...items(
    'e\u0301¦ﬀ¦İ¦ß¦ſ¦１２¦٣¦①¦Ａｂｃ¦аbc¦日本¦👩‍👩‍👧‍👦¦__proto__¦constructor¦toString¦hasOwnProperty¦then¦length',
  ),
  ...items(
    '0¦-0¦-1¦1¦1.5¦1e3¦1e400¦0x10¦+5¦ 5¦5 ¦99999999999999999999¦NaN¦Infinity¦100¦101¦true¦null¦undefined¦[]¦{}',
  ),
  ...items(`' OR 1=1--¦"; DROP TABLE links;--¦%¦_¦\\¦"¦'¦\`¦a" OR b¦a* AND NEAR(b)¦-a¦^a¦{a}:b¦abc"¦"abc`),
  ...items(
    '"><script>alert(1)</script>¦${7*7}¦{{7*7}}¦=HYPERLINK("x")¦../../etc/passwd¦..\\..\\¦%2e%2e%2f¦%252e',
  ),
  ...items(
    'https://example.com/¦HTTP://EXAMPLE.COM¦javascript:alert(1)¦https://user:pw@example.com¦http://[::1]¦//x.test',
  ),
  ...items(
    'https://xn--a.com¦https://a\u00adb.com¦https://example.com:0¦https://example.com:99999¦https://1.2.3.4.5',
  ),
  ...items(
    'https://example.com/\u202e¦https://example.com/?q=\ud800¦https://%¦https://ex%61mple.com¦https://[::',
  ),
  ...items(
    'hello¦HELLO¦hello ¦hel.lo¦api¦ab¦abc¦svc_0196a1b2-7c3d-7e4f-8a9b-0c1d2e3f4a5b¦tern_¦http://256.1.1.1',
  ),
  ...items('UTC¦Europe/Berlin¦europe/berlin¦+01:00¦Etc/GMT+12¦Pacific/Kiritimati¦EST5EDT¦local¦Z¦../UTC'),
  ...items('24h¦7d¦30d¦90d¦12m¦all¦ALL¦hour¦day¦month¦week¦svg¦png¦L¦H¦fff¦#000000¦64¦2048'),
  ...items(
    '2026-04-20¦2026-02-29¦0000-01-01¦0001-01-01¦9999-12-31¦2026-4-2¦-271821-04-20¦+275760-09-13¦2026-W01',
  ),
  ...items(
    '2026-04-20T09:30:00Z¦2026-04-20T24:00:00Z¦9999-12-31T23:59:59.999999999-23:59¦2026-04-20T09:30:00Z[x]',
  ),
  ...items(
    '1969-12-31¦2255-06-06¦2026-04-20T09:30:00+99:99¦2026-03-29T02:30:00[Europe/Berlin]¦2026-04-20T09:30:60Z',
  ),
  ...LONG.flatMap((text) => [64, 65, 255, 256, 1_000].map((times) => text.repeat(times))),
  ...[8_192, 8_193, 70_000].map((length) => 'https://example.com/'.padEnd(length, 'a')),
  `tern_${'0'.repeat(38)}`,
]

/** Fragments of JSON that no value of ours makes. */
export const JSON_FRAGMENTS = [
  ...items('null¦true¦false¦0¦-0¦1¦-1¦1.5¦1e400¦-1e400¦1E-400¦12345678901234567890¦0.1e1'),
  ...items('[]¦{}¦[null]¦[[]]¦[{}]¦[1,2]¦{"length":101}¦{"0":1}¦{"href":"https://example.com"}¦{"then":1}'),
  ...items('"\\ud800"¦"\\udc00\\ud800"¦"\\u0000"¦"\\u001b[31m"¦"\\/"¦"\\u202e"¦""¦" "¦"\\n"'),
  ...items(
    '{"__proto__":{"a":1}}¦{"constructor":{"prototype":{"a":1}}}¦{"toString":1}¦{"valueOf":null,"toJSON":1}',
  ),
  nested('[', '', ']', 2_000),
  nested('{"a":', '1', '}', 2_000),
  nested('[', '"x"', ']', 50_000),
  `[${'1,'.repeat(500)}1]`,
]

/** Bodies that are something else than a JSON object, or too much of one. */
export const BODIES = [
  ...items(`¦ ¦{¦}¦[¦[]¦null¦0¦"x"¦{}{}¦{},¦\xef\xbb\xbf{}¦\0¦{"a":}¦{'a':1}¦{a:1}¦{"a":1,}¦//x¦NaN¦a=b`),
  ...items(
    'original_url=https%3A%2F%2Fexample.com¦<?xml version="1.0"?><a/>¦--x\r\n\r\n--x--¦{"a":"\xff"}¦\xff\xfe{\0}\0',
  ),
  ...items(
    '{"a":"\x01"}¦{"links":[¦{"links":{}}¦{"links":[]}¦{"links":[{}]}¦{"links":"x"}¦{"links":[[]]}¦{"a":"\xed\xa0\x80"}',
  ),
  nested('[', '', ']', 100_000),
  nested('{"a":', '1', '}', 50_000),
  '['.repeat(200_000),
  ' '.repeat(1_100_000),
  '{}'.padEnd(1_048_576),
  `{"links":[${Array(101).fill('{"original_url":"https://example.com"}').join()}]}`,
  `{"links":[${Array(100).fill('{"original_url":"x"}').join()}]}`,
]

export const QUERIES = items('&&¦=¦=x¦%¦%ff=%ff¦[]=1¦a[b]=c¦+¦?¦;a=b¦page[]=1¦page=1&page=2¦limit=1;limit=2')

/** Header lines that a client may well send, in Latin-1. */
export const HEADERS = [
  ...after(
    'Content-Type: ',
    items(
      'text/plain¦application/json; charset=utf-16¦application/json;¦APPLICATION/JSON¦application/jsonp¦',
    ),
  ),
  ...after('Accept: ', items('text/html¦*/*¦text/html;q=0¦application/xml¦,').concat('a'.repeat(4_000))),
  ...after(
    'Idempotency-Key: ',
    items('"a"¦a¦¦""¦"\xff"¦__proto__¦"unclosed').concat('x'.repeat(255), 'x'.repeat(256)),
  ),
  ...after('X-API-Key: ', items(`¦x¦tern_¦tern_${'0'.repeat(38)}¦\xff`).concat('x'.repeat(8_000))),
  ...after('Authorization: ', items('Bearer¦Bearer  ¦Bearer x¦Basic eDp5¦bearer x y¦\xff')),
  ...after('Sec-GPC: ', items('1¦0¦1, 1¦x')).concat(after('DNT: ', items('1¦0¦x'))),
  ...after('X-Forwarded-For: ', items('203.0.113.7¦x¦,,,¦[::1]:80').concat('1.1.1.1,'.repeat(500))),
  ...after('Content-Encoding: ', items('gzip¦identity¦br¦x')),
  ...after(
    'User-Agent: ',
    items('\xff\xfe¦¦<script>¦Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)').concat(
      '('.repeat(8_000),
    ),
  ),
  ...after(
    'Referer: ',
    items('\xff¦https://[¦javascript:1¦about:client').concat(`https://${'a'.repeat(4_000)}`),
  ),
  ...items(
    'Range: bytes=0-1¦If-None-Match: *¦If-Modified-Since: x¦Origin: null¦Cookie: a=b¦Expect: 100-continue¦TE: trailers',
  ),
  ...items(
    'X-HTTP-Method-Override: DELETE¦X-Forwarded-Host: evil.test¦Forwarded: for=x¦Max-Forwards: 0¦Priority: u=9',
  ),
  ...items(
    '__proto__: x¦constructor: x¦Service-Worker: script¦Access-Control-Request-Method: GET¦Date: x¦Early-Data: 1',
  ),
  ...items(
    'Connection: close¦Connection: keep-alive, X-API-Key¦Upgrade: h2c¦Upgrade-Insecure-Requests: 1¦Accept-Encoding: gzip',
  ),
]

/** Lines that no client sends, and that the server's own parser may answer. */
export const BROKEN_LINES = [
  ...items(
    'Host: a b¦Host: x, y¦Host:¦X-A : b¦ folded¦X-A: a\x01b¦X-\xe9: a¦: b¦no colon¦X-A: a\0b¦X A: b¦X-A: a\rb¦X-A: a\nb',
  ),
  ...items(
    'Transfer-Encoding: chunked¦Transfer-Encoding: x¦Content-Length: -1¦Content-Length: 1, 2¦Content-Length: 0',
  ),
  `X-A: ${'a'.repeat(20_000)}`,
  Array.from({ length: 300 }, (_, i) => `X-${i}: a`).join('\r\n'),
]

export const METHODS = items('HEAD¦OPTIONS¦PATCH¦PUT¦POST¦DELETE¦GET¦TRACE¦CONNECT¦PROPFIND¦PURGE¦QUERY')
export const BROKEN_METHODS = items('FOO¦get¦G@T¦¦ GET¦GET\x01¦PRI').concat('A'.repeat(5_000))

/**
 * A text that costs more than its length somewhere: in Unicode's forms, in host names, in patterns that backtrack. Of the
 * units, the first is repeated as often as there is room, then the next as often.
 */
export type ExpensiveText = { what: string; start: string; units: string[]; end: string }

const expensive = (what: string, start: string, units: string[], end = ''): ExpensiveText => ({
  what,
  start,
  units,
  end,
})

/** What the others are compared with. */
export const PLAIN_TEXT = expensive('plain letters', '', ['a'])

export const EXPENSIVE_TEXTS = [
  // To be put into their order, each mark is compared with those before it.
  expensive('marks in two orders', 'a', ['\u0301', '\u0316']),
  expensive('a host of marks', 'https://a', ['\u0301', '\u0316'], '.com/'),
  expensive('a host of letters that are far apart', 'https://', ['一龥丂龤七龣丄龢'], '.com/'),
  expensive('a host of labels', 'https://', ['\u00fc.'], 'com/'),
  expensive('a path that climbs', 'https://example.com/', ['a/', '../']),
  expensive('syllables in their parts', '', ['\u1100\u1161\u11a8']),
  expensive('characters that become eighteen', '', ['\ufdfa']),
  expensive('capitals that depend on what follows', 'a', ['\u03a3', '\u0301']),
  expensive('joined pictures', '', ['\u{1f469}\u200d']),
  expensive('blanks', 'a', [' '], 'b'),
  expensive('an e-mail address', 'a@', ['a.'], '@'),
  expensive('a common password', '', ['abc'], '!'),
  expensive('digits', '1', ['1'], 'e'),
  expensive('brackets', '', ['('], ')'),
]
