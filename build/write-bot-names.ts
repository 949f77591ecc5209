import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import entries from 'crawler-user-agents'
import { BOT_WORDS } from '../src/clicks/visitor/bot-words.ts'

const FOLDER = join(import.meta.dir, '../src/clicks/visitor')

/** Its types lack the tags. */
type Crawler = { pattern: string; tags?: string[] }
const crawlers: Crawler[] = entries

/** Programs for any purpose are visitors. */
const TOOLS = 'http-library'
/** Not "MetaIAB Facebook": it is Facebook's in-app browser (github.com/shalanah/inapp-spy/issues/57). */
const PEOPLE = /^MetaIAB/
/** These and feed readers are apps of people, too, which they name behind a browser. Their servers begin with the name. */
const APPS = /^(?:008|Bluesky|Chirp|Hatena|Lemmy|Notion|Podimo|Sogou|Tumblr|Viber|WhatsApp)\b/
/** They fetch pictures, or something else than the text of a page. */
const NOT_FOR_A_CARD =
  /ImgProxy|ImageProxy|MailProxy|Image Fetcher|github-camo|meta-(?:externalagent|externalfetcher|webindexer)|AASA|domain-status/

/** The patterns of crawler-user-agents without what `BOT_WORDS` finds. Loading the package takes 20 ms in each thread. */
function botNames(): { bots: string[]; previews: string[] } {
  const programs = crawlers.filter(({ pattern, tags }) => !tags?.includes(TOOLS) && !PEOPLE.test(pattern))
  const previews = programs.filter(
    ({ pattern, tags }) => tags?.includes('social-preview') && !NOT_FOR_A_CARD.test(pattern),
  )
  const bots = programs.filter(({ pattern }) => !BOT_WORDS.test(pattern.replaceAll('\\', '')))
  return { bots: bots.map(patternOf), previews: previews.map(patternOf) }
}

function patternOf({ pattern, tags }: Crawler): string {
  const isApp = APPS.test(pattern) || tags?.includes('feed-reader') === true
  if (!isApp || pattern.startsWith('^')) return pattern
  return pattern.includes('|') ? `^(?:${pattern})` : `^${pattern}`
}

const HEAD =
  '# Written by build/write-bot-names.ts from crawler-user-agents, Copyright (c) 2017 Martin Monperrus, MIT license.'

/** The files by their names: regular expressions, one a line. */
export function botNameFiles() {
  const { bots, previews } = botNames()
  return {
    'bot-names.txt': [HEAD, '# Programs that no word gives away.', ...bots, ''].join('\n'),
    'preview-names.txt': [HEAD, '# Programs that show a page as a card.', ...previews, ''].join('\n'),
  }
}

if (import.meta.main)
  for (const [name, text] of Object.entries(botNameFiles())) await writeFile(join(FOLDER, name), text)
