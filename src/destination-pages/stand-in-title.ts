/** Titles of pages that stand in for another: of challenges, refusals and errors that are sent with status 200. */
const STAND_INS: readonly RegExp[] = [
  /^(?:just|only|one|wait) a moment(?: please)?$|^one moment(?: please)?$|^please wait$|^loading$|^redirecting$|^please stand by$/,
  /^(?:einen|nur einen) moment(?: bitte)?$|^un (?:momento|instant|attimo)(?: por favor)?$|^um momento$|^een ogenblik(?: geduld)?$/,
  /^attention required\b|^checking (?:your|the) browser\b|^(?:ddos[- ]guard|ddos protection\b)/,
  /\bsecurity (?:check|checkpoint|verification)$|^pardon our interruption$|^request (?:blocked|rejected|unsuccessful)$/,
  /^(?:are|verify|prove|confirm)(?: that)? you(?: are|'re) (?:not )?(?:a )?(?:human|robot)\b|^are you (?:a )?(?:human|robot)$/,
  /^(?:robot|bot|human|captcha|browser) (?:check|challenge|verification|test)$|^captcha$/,
  /^(?:(?:error|http) )?(?:4\d\d|50\d|52\d)(?:[ :-]+(?:error|forbidden|not found|unauthori[sz]ed|access denied|too many requests|service (?:temporarily )?unavailable|bad gateway|gateway time-?out|internal server error|bad request))?$/,
  /^(?:access (?:is |has been )?denied|access to this (?:page|site|website) (?:has been|is|was) (?:denied|blocked)|forbidden|not found|page not found|unauthori[sz]ed|service (?:temporarily )?unavailable|bad gateway|too many requests|you have been blocked|blocked|error)$/,
  /^(?:please )?(?:enable|turn on) (?:javascript|cookies)\b|^javascript (?:is )?(?:required|disabled)$/,
]
/** Behind the name of the challenge: whose it is. */
const OWNER =
  /\s*[|·–—-]\s*(?:\S+ used )?(?:cloudflare|akamai|imperva|incapsula|sucuri|vercel|fastly|aws waf)\b.*$/

/** Whether it is the title of no page that somebody would link to. */
export function isStandInTitle(title: string): boolean {
  const plain = title
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(OWNER, '')
    .replaceAll(/[.…!?,:]+(?=\s|$)/g, '')
    .trim()
  return STAND_INS.some((pattern) => pattern.test(plain))
}
