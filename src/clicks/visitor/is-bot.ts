import botNames from './bot-names.txt' with { type: 'text' }
import { APP_OF_PERSON, BOT_WORDS, IS_BROWSER, WORDS_IN_BROWSERS, WORDS_OF_PROGRAMS } from './bot-words.ts'
import { NameIndex } from './name-index.ts'

const names = new NameIndex(botNames)
const words = new NameIndex(WORDS_OF_PROGRAMS)

/** Certain, even of a text that begins with the name of a tool. `text` has no model of a device in it. */
export const namesItselfBot = (text: string): boolean => BOT_WORDS.test(text) || names.isIn(text)

/** What the text says besides. Not asked about tools, and not about the browser inside an app. */
export function soundsLikeProgram(text: string): boolean {
  if (WORDS_IN_BROWSERS.test(text)) return IS_BROWSER.test(text) || !APP_OF_PERSON.test(text)
  return !IS_BROWSER.test(text) && !APP_OF_PERSON.test(text) && words.isIn(text.toLowerCase())
}
