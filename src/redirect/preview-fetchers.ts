import { USER_AGENT_CHARS_MAX } from '../clicks/journal/click.ts'

/**
 * What the User-Agents of those contain that fetch a page in order to show a preview of it, never to show the page itself.
 * Tokens that the in-app browsers of the same services send too (`Pinterest/`, `Snapchat/`, `LinkedInApp`) are not among them.
 * The sources are the services' own pages or programs, and else the rules of `crawler-user-agents`
 * (https://github.com/monperrus/crawler-user-agents).
 */
const PREVIEW_FETCHERS = [
  // Facebook, Instagram, Messenger, Threads: https://developers.facebook.com/docs/sharing/webmasters/web-crawlers.
  // iMessage sends it together with "Twitterbot" in the User-Agent of Safari, and LINE and KakaoTalk with their own names.
  'facebookexternalhit/',
  // X: https://developer.x.com/en/docs/x-for-websites/cards/guides/getting-started. Telegram says "like TwitterBot".
  'Twitterbot',
  // Slack: https://api.slack.com/robots. It fetches with "Slackbot-LinkExpanding", and with "Slackbot" alone.
  'Slackbot',
  // WhatsApp, at the beginning. Signal sends "WhatsApp/2" too: `LinkPreviewRepository.java` of Signal-Android.
  '^WhatsApp/',
  // crawler-user-agents, from here on unless another source is named.
  'LinkedInBot',
  'Discordbot/',
  'TelegramBot',
  'redditbot/',
  'Iframely/',
  'Embedly/',
  // Skype and Microsoft Teams.
  'SkypeUriPreview',
  // Microsoft Teams and Outlook: https://aka.ms/MicrosoftPreview. It may claim to be a browser too.
  'MicrosoftPreview/',
  // VK: https://vk.com/dev/Share
  'vkShare',
  // Pinterest: https://help.pinterest.com/en/business/article/pinterest-crawler
  'Pinterestbot/',
  // Mastodon: `app/lib/request.rb` and `lib/mastodon/version.rb`. Before 4.3, http.rb came first.
  '^Mastodon/',
  '^http\\.rb/\\S+ \\(Mastodon/',
  // Misskey: https://github.com/misskey-dev/summaly
  'SummalyBot/',
  // Bluesky, whose `cardyb` makes its link cards.
  'Bluesky Cardyb/',
  // Matrix: `synapse/media/url_previewer.py`.
  '^Synapse \\(bot;',
  // Snapchat: https://developers.snap.com/robots
  'Snap URL Preview Service',
  // Google Chat and Google Messages: https://developers.google.com/+/web/snippet/
  'Google-PageRenderer',
] as const

const IS_PREVIEW = new RegExp(PREVIEW_FETCHERS.join('|'), 'i')

/** Asked only about links that have a card, a password or a limit. */
export const isPreviewFetcher = (userAgent: string | null): boolean =>
  userAgent !== null && IS_PREVIEW.test(userAgent.slice(0, USER_AGENT_CHARS_MAX))
