/**
 * Cuts the model out of an Android User-Agent. Models are called "M bot 54", "MiPad 3" or "PHANTOM 6": no name of a bot, a
 * browser or a system is looked for there. `rest` is the whole text where there is no model.
 */
export function splitModel(userAgent: string): { model: string; rest: string } {
  const start = userAgent.search(ANDROID)
  if (start === -1) return { model: '', rest: userAgent }
  const end = endOfPlatform(userAgent, start)
  const model = userAgent.slice(start, end)
  // A crawler that is an Android phone names itself here.
  if (NAMES_ITSELF.test(model)) return { model: '', rest: userAgent }
  return { model, rest: userAgent.slice(0, start) + userAgent.slice(end) }
}

/** Some televisions and crawlers of people's habits write it so. `Adr` is UC Browser's. */
const ANDROID = /\b(?:andr[o0]id|diordna|adr)\b/i
const NAMES_ITSELF = /\bcompatible\b|https?:|-Google\//

/** The end of the parentheses, which models have too, or where an engine begins. */
function endOfPlatform(userAgent: string, start: number): number {
  let depth = 0
  for (let at = start; at < userAgent.length; at++) {
    const character = userAgent[at]
    if (character === '(') depth++
    else if (character === ')' && --depth < 0) return at
    else if (character === 'A' && userAgent.startsWith('AppleWebKit', at)) return at
  }
  return userAgent.length
}
