import { splitModel } from '../clicks/visitor/android-model.ts'
import previewNames from '../clicks/visitor/preview-names.txt' with { type: 'text' }
import { NameIndex } from '../clicks/visitor/name-index.ts'
import { USER_AGENT_CHARS_MAX } from '../clicks/journal/click.ts'

/**
 * What only those send who fetch a page in order to show a card of it. The in-app browsers of the same services send other
 * words (`Pinterest/`, `Snapchat/`, `LinkedInApp`), or theirs behind a browser.
 */
const PREVIEW_WORDS = new RegExp(
  [
    'link ?-?preview|preview ?-?bot|urlpreview|uripreview|unfurl|onebox|link ?expand|richlink|embedly|opengraph',
    // Microsoft Teams and Outlook: https://aka.ms/MicrosoftPreview. It may claim to be a browser, too.
    'microsoftpreview|bingpreview|web preview',
    // Pinterest: https://help.pinterest.com/en/business/article/pinterest-crawler
    'pinterestbot|pinterest\\.com/bot',
    // Mastodon: `app/lib/request.rb`. Before 4.3, http.rb came first.
    '^http\\.rb/\\S+ \\(mastodon/',
    // Matrix: `synapse/media/url_previewer.py`.
    '^synapse \\(bot;',
    // Bluesky, whose `cardyb` makes its cards.
    'cardyb',
    'notionembedder|rocket\\.chat|twitterbot|kakaotalk-scrap|google-pagerenderer',
  ].join('|'),
  'i',
)

const names = new NameIndex(previewNames)

/** Asked only about links that have a card, a password or a limit. */
export function isPreviewFetcher(userAgent: string | null): boolean {
  if (userAgent === null) return false
  const { rest } = splitModel(userAgent.slice(0, USER_AGENT_CHARS_MAX))
  return PREVIEW_WORDS.test(rest) || names.isIn(rest)
}
