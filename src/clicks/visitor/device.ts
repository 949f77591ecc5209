export const DEVICES = ['desktop', 'mobile', 'tablet', 'other'] as const
export type Device = (typeof DEVICES)[number]

const anyOf = (words: string[]) => new RegExp(words.join('|'), 'i')

/** They decide wherever they stand: the platform of such a system begins like that of another one. */
const SYSTEMS_BEFORE: [RegExp, string][] = [
  [/\bkaios\b/i, 'KaiOS'],
  [/windows phone|iemobile|wpdesktop|zunewp|xblwp|\blumia\b/i, 'Windows Phone'],
  [/\bweb[o0]s|\bnetcast\b/i, 'WebOS'],
  [/\btizen\b/i, 'Tizen'],
  // Televisions of TCL say "iPad".
  [/tclwebkit/i, 'Android'],
  // An iPad that asks for the desktop site says "Macintosh".
  [/\b(?:crios|edgios|fxios|opios)\//i, 'iOS'],
]
const HARMONY = /\b(?:open)?harmony(?:os)?\b/i

const SYSTEMS: [words: string, name: string][] = [
  ['android|silk-accelerated|fb4a', 'Android'],
  ['iphone\\w*|iph|ipad\\w*|ipod\\w*|ios', 'iOS'],
  ['windows|win(?:32|64|nt|9[58])', 'Windows'],
  ['macintosh|mac ?os|mac_powerpc', 'macOS'],
  ['cros', 'ChromeOS'],
  ['playstation 4', 'PlayStation 4'],
  ['playstation 5', 'PlayStation 5'],
  ['blackberry\\w*|bb10|playbook', 'BlackBerry'],
  ['bada', 'Bada'],
  ['roku', 'Roku'],
  ['freebsd', 'FreeBSD'],
  ['playstation|nintendo|symbian|symbianos|openbsd|netbsd|sunos', ''],
]
// The first of them decides: a model or a browser that comes later may be called "iPhone".
const SYSTEM = new RegExp(`\\b(?:${SYSTEMS.map(([words]) => `(${words})`).join('|')})(?![a-z])`, 'i')
const LINUX = /\blinux\b|\bubuntu\b/i

export const SYSTEM_NAMES: ReadonlySet<string> = new Set(
  [...SYSTEMS_BEFORE, ...SYSTEMS]
    .map(([, name]) => name)
    .concat('HarmonyOS', 'Linux')
    .filter((name) => name !== ''),
)

/** '' if the User-Agent has none with a name. */
export function systemOf({ model, rest }: { model: string; rest: string }): string {
  const before = SYSTEMS_BEFORE.find(([mark]) => mark.test(rest))
  if (before !== undefined) return before[1]
  if (HARMONY.test(model) || HARMONY.test(rest)) return 'HarmonyOS'
  if (model !== '') return 'Android'
  const match = SYSTEM.exec(rest)
  if (match !== null) return SYSTEMS[match.findIndex((part, at) => at > 0 && part !== undefined) - 1]![1]
  return LINUX.test(rest) ? 'Linux' : ''
}

/** Sizes of televisions in inches stand before the letters of a series: 43U520S, H32F8100Q, 55LEX-8161. */
const INCHES = '(?:(?<![ds\\d])(?:19|2[0248])|(?<!\\d|ms)(?:32|39|4[0-39]|5[058]|6[05]|7[057]|8[256]))'
const IS_TELEVISION = anyOf([
  '(?<![a-z])tv(?![a-z])|(?:smart|android|google|apple|hbb|opera|mi|chrome|net|web)[ _-]?tv|(?<!bn|le|s)tv(?:box|[\\d_])',
  'ce-html|\\bomi/|vidaa|crkey|chromecast|bravia|viera|netcast|smartcast|viz(?:io|ios)\\b|\\broku|\\btivo',
  'dunehd|brightsign|qtembedded|stbapp|\\bmag2?\\d0|sonycebrowser|espial|maple|netrange|tclwebkit|andr0id|diordna|webos\\.tv|web0s',
  '\\(linux (?:armv|mips|sh4)|\\b[a-z]{2}-device/\\d|coolita|streaming box|droidlogic',
])
const IS_TELEVISION_MODEL = anyOf([
  '(?<!le|na|bn|\\bs)tv(?![a-z])|atv|\\baft[a-z\\d]|(?<![a-z])shell(?![a-z])|(?<!l)led-?\\d\\d|tle-\\d|(?<!l)led\\b|\\ble-\\d\\d',
  `${INCHES}(?:[a-z]{2,5}[-_]?\\d|[a-z]\\d{3}|[a-z]\\d\\d[a-z]|[a-z]?[fu]hd|lex|smart)`,
  '(?<!run|tur)box(?![a-z]{2})|(?<![a-z\\d])as_?4k|\\d?4k[_-]|(?<![a-z\\d])(?:4k|uhd|ott|stb|dvb\\d*|stick)(?![a-z\\d])|smart4k|stream\\b|iptv',
  // Boxes.
  '\\b(?:x9[68]|x88|h96(?!\\d)|t95|a95x|tx\\d|mxq|m8s|mk80\\d|nv5\\d\\d|(?<!tecno )km\\d{1,2}$|h10 play|iconbit|gt1|s900|kant-|vmp-|ugoos|zidoo|vontar|yundoo|rombica|neo-[uxz]|evpad|yndx|sbdv|nexon|invin|beelink)',
  '\\b(?:tpm\\d{3}e|qm1\\d\\w?e|adt-\\d|nexus player|xgimi|jmgo|fengmi|wetek|dreambox|zgemma|humax|kaon|skyworth|kivi|amlogic|rk3\\d{3}|s905|cs918|r69|dv\\d{4}|[ud]iw\\d|hi37\\d\\d|projector|set-?top|dongle)',
  `^${INCHES}[a-z]{2}-[a-z]{3}`,
  '\\b(?:transpeed|orbsmart|alfawise|soullink|ozonehd|technosat|hiremco|perfeo_pf|10moons|noontec|tox\\d|r68|droidlogic|netta|xds)',
  '\\b(?:vorke|hk1|gt-?king|gtx-|pendoo|formuler|selenga|skystream|mygica|mecool|minix|tanix|km\\d+ ?pro|kiii|dolamee|polarline|polar_)',
])
const IS_NOT_A_COMPUTER = anyOf([
  '\\bxbox\\b|playstation|nintendo|\\bquest (?:\\d|pro)|oculus|\\bpico\\b|\\bvr safari|tesla/|qtcarbrowser|car ?play|polestar(?! phone)|watch|\\bglass \\d',
  '\\bsm-[rl]\\d{3}|\\baeo[a-z]{2}\\b|family hub|yandexstation|retroid|darwin/|appletv|audioos|homepod|echo show',
])

const IS_TABLET = anyOf([
  '(?<![a-z])tab(?:let|s)?(?![a-z])|tab(?:let)?[-_ \\d]|tab\\b|(?<!cool|g)pad(?![a-z]|fone|_v)|\\bnook\\b|kindle|slate(?! 6)|book\\b',
  // Samsung, Lenovo, Amazon, Huawei, Honor, Oppo, Alcatel.
  '\\bsm-[tpx]\\d|\\bgt-(?:p\\d|n[58])|\\btb[-_]?[\\dxj]|\\byt\\d?-|\\bkf[a-z]{2,}|-w\\d\\d\\b|\\bopd\\d{4}',
  '\\b(?:ag[smr]|ba[hg]|btv|jdn|kob|cmr|scm|mrx|dby|wgr|bz[dtwac]|mon|cpn|vrd|sht|gdi|btk|dbr|got|hey|kjr)\\d?-[a-z]{1,2}\\d',
  // The size of the screen, or a series, of smaller makers.
  'mid(?:\\b|\\d)|iplay|kids?\\b|\\bbq(?:ru)?[- ]?(?:[179]\\d{3}|10\\d\\d)|\\btz\\d{2,3}|pmt\\d|plane|optima (?!5)|irbis t|digma|teclast|chuwi',
  '\\bmfc\\d{3}|\\bqs\\d{4}|\\bnomi_c(?:07|08|10)|\\btpc|(?:^| )t10\\d\\d|readboy|pocketbook|flyer|\\bdl ?\\d{4}|\\bns-p|\\brct\\d|\\bme\\d{3}\\b',
  '^9[0-3]\\d\\d[xswgakmq]|^m[78]\\d|^mt[78]|^[ktmp]10|viva_?h\\d|7[_ ]?3g|(?<!\\b[trsl][amg])-(?:7|10)\\d\\d|^tm-(?:7|9|10)\\d\\d|^km\\d{4}',
  '^p(?:20hd|40|80|85)|^[mpt]\\d0(?:hd)? ?[(p]|^b1-|^wo? ?-?1\\d|volta\\d|vankyo|^bdf|alfa_?\\d|droidz (?:edge|portal)|kocaso|irulu|zync|pixus',
  '\\bnexus (?:7|9|10)\\b|pixel c\\b|\\bsgp\\d{3}|\\bmz\\d{3}\\b|xoom|iconia|\\bvenue \\d|transformer|\\btf\\d{3}|\\brmp\\d{4}|\\brmd-',
  '\\begq|\\bqta|\\bqmv|\\bk8[138]|\\ba\\d{4}-[fhl]|\\bb[68]000|\\bs[56]000|\\b[tms][123]-\\d|\\bs(?:7|8|10)-\\d|\\bteo|\\bta[dq]-|\\btiq-|\\bypy_|\\bk0\\d\\d\\b|\\bp0[0-2]\\w\\b',
  '^80(?:5[2-9]|[6-9]\\d)|\\blg-v[45]\\d\\d|\\ba[13]-[a\\d]|hytab|shield tablet|novo ?\\d|\\bgt-?x[78]|(?:dslide|touch|ursus|quantum)[-_ ]?(?:7|8|10)',
  '(?:^|[-_ a-z])(?:7|8|9|10|11)(?:\\.\\d)?(?:["\']|inch|[-_ ](?:lte|3g|hd)\\b)|\\b(?:9\\.7|10\\.1)\\b|\\bm[78][-_]',
])
/** What stands around the name of a model. */
const VERSION = /^\w+[ /]?[\d.]*[; ]*(?:[a-z]{2}[-_][a-z]{2}; ?)?/i
const BUILD = / ?\bbuild\/.*$/i
/** Branches of Android for televisions: PTT1, QTG3, RTM6, STTC. */
const MODEL_CHARS_MAX = 64
const TELEVISION_BUILD = /\bbuild\/[p-z]t(?:[a-z]{1,2}\d?\.|\b)/i
const HAS_ENGINE = /\b(?:safari|gecko|presto)\b/i
const IS_PHONE = /\bmobile\b/i
const IS_OLD_PHONE = anyOf([
  'midp|up\\.browser|\\bmaui\\b|netfront|obigo|symbian|series ?[346]0|opera mini|\\bbrew\\b|\\bmre\\b|\\bmmp/|j2me|ucweb|palmos',
])

/** `system` is what systemOf says. */
export function deviceOf({ model, rest }: { model: string; rest: string }, system: string): Device {
  if (IS_TELEVISION.test(rest) || IS_NOT_A_COMPUTER.test(rest)) return 'other'
  if (model !== '') return androidDevice(model, rest)
  switch (system) {
    case 'iOS':
      return /\bipad|macintosh/i.test(rest) ? 'tablet' : 'mobile'
    case 'Windows':
    case 'macOS':
    case 'ChromeOS':
    case 'FreeBSD':
      return 'desktop'
    case 'Windows Phone':
    case 'KaiOS':
    case 'Bada':
      return 'mobile'
    case 'Android':
      return /\bkf[a-z]{2,4}\b|kindle|tablet/i.test(rest) ? 'tablet' : 'mobile'
    case 'BlackBerry':
      return /playbook/i.test(rest) ? 'tablet' : 'mobile'
    default:
      if (IS_PHONE.test(rest) || IS_OLD_PHONE.test(rest)) return 'mobile'
      return system === 'Linux' || rest.includes('X11;') ? 'desktop' : 'other'
  }
}

function androidDevice(model: string, rest: string): Device {
  const name = model.replace(VERSION, '').replace(BUILD, '').slice(0, MODEL_CHARS_MAX)
  if (
    TELEVISION_BUILD.test(model) ||
    IS_TELEVISION_MODEL.test(name) ||
    IS_NOT_A_COMPUTER.test(name) ||
    IS_TELEVISION.test(name)
  )
    return 'other'
  if (IS_TABLET.test(name) || /\/apad|pocketbook|kindle/i.test(rest)) return 'tablet'
  // Of browsers only those of phones say "Mobile". Apps do not say what they run on.
  return IS_PHONE.test(rest + model) || !HAS_ENGINE.test(rest) ? 'mobile' : 'tablet'
}
