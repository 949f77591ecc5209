import { html, NO_HTML } from '../html/html.ts'
import type { SocialCard } from '../links/routes/route-options.ts'
import { NO_CONTENT_HEADERS, type VisitResponse } from './visit-response.ts'

const CARD_HEADERS = { ...NO_CONTENT_HEADERS, 'Content-Type': 'text/html; charset=utf-8' }

/**
 * What a link preview is made from, instead of the page that the link leads to. It says nothing of the destination and
 * leads nowhere, so nobody ever visits it: the fetchers show only what its tags say.
 */
export const cardResponse = (card: SocialCard, shortUrl: string): VisitResponse => ({
  status: 200,
  headers: CARD_HEADERS,
  body: cardPage(card, shortUrl),
})

/** What the owner has not given is absent, except for the title: without one, most services show no card. */
function cardPage({ title: ownTitle, description, imageUrl }: SocialCard, shortUrl: string): string {
  const title = ownTitle ?? shortUrl.slice(shortUrl.indexOf('//') + 2)
  const head = html`<meta charset="utf-8" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <meta property="og:type" content="website" />
    <meta property="og:url" content="${shortUrl}" />
    <meta property="og:title" content="${title}" />
    <meta name="twitter:title" content="${title}" />
    ${description === null ? NO_HTML : descriptionTags(description)}
    ${imageUrl === null ? NO_HTML : imageTags(imageUrl)}
    <meta name="twitter:card" content="${imageUrl === null ? 'summary' : 'summary_large_image'}" />`
  return `<!doctype html>\n<html>\n<head>\n${head}\n</head>\n<body>\n</body>\n</html>\n`
}

const descriptionTags = (description: string) =>
  html`<meta name="description" content="${description}" />
    <meta property="og:description" content="${description}" />
    <meta name="twitter:description" content="${description}" />`

const imageTags = (imageUrl: string) =>
  html`<meta property="og:image" content="${imageUrl}" /> <meta name="twitter:image" content="${imageUrl}" />`
