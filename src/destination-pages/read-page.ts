import { joinUrl } from './guarded-client.ts'
import { decodeEntities } from './html-entities.ts'
import { decodedPage } from './page-charset.ts'
import { pageText } from './page-text.ts'
import { isStandInTitle } from './stand-in-title.ts'
import { scanHead } from './scan-head.ts'

/** As a link's title. */
const TITLE_LENGTH_MAX = 255
const DESCRIPTION_LENGTH_MAX = 300
/** So that it fits into the URL by which the dashboard asks for the picture. */
const PICTURE_URL_CHARS_MAX = 2_048

/** What a page says about itself, as plain text, and the URLs of its pictures. */
export type PageFacts = {
  title: string | undefined
  description: string | undefined
  iconUrl: string | undefined
  imageUrl: string | undefined
}

export type Page = { bytes: Uint8Array; contentType: string; url: string }

/** The first of each kind counts. Names in the order in which they are preferred. */
const TITLES = ['og:title', 'twitter:title', 'title']
const DESCRIPTIONS = ['og:description', 'twitter:description', 'description']
const IMAGES = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src']
const ICONS = ['icon', 'apple-touch-icon']
const NAMES = new Set([...TITLES, ...DESCRIPTIONS, ...IMAGES])

export function readPage({ bytes, contentType, url }: Page): PageFacts {
  const texts = new Map<string, string>()
  const note = (name: string, value: string | undefined) => {
    if (value !== undefined && value.trim() !== '' && !texts.has(name)) texts.set(name, value)
  }
  const html = decodedPage(contentType, bytes)
  scanHead(html, {
    onTitle: (text) => note('title', text),
    onElement(element, attributes) {
      if (element === 'base') note('base', attributes.get('href'))
      else if (element === 'meta') {
        const name = (attributes.get('property') ?? attributes.get('name') ?? '').trim().toLowerCase()
        if (name !== 'title' && NAMES.has(name)) note(name, attributes.get('content'))
      } else if (element === 'link') {
        const kinds = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/, 10)
        const href = attributes.get('href')
        if (isOtherPicture(attributes.get('type'), href)) return
        for (const kind of ICONS) if (kinds.includes(kind)) note(kind, href)
      }
    },
  })

  const first = (names: string[]) => names.map((name) => texts.get(name)).find((value) => value !== undefined)
  const base = absoluteUrl(texts.get('base'), url) ?? url
  const title = pageText(first(TITLES) ?? '', TITLE_LENGTH_MAX)
  const isStandIn = title !== undefined && isStandInTitle(title)
  return {
    title: isStandIn ? undefined : title,
    description: isStandIn ? undefined : pageText(first(DESCRIPTIONS) ?? '', DESCRIPTION_LENGTH_MAX),
    iconUrl: absoluteUrl(first(ICONS), base),
    imageUrl: absoluteUrl(first(IMAGES), base),
  }
}

/** SVG and .ico are not passed on, and a page often has another icon beside them. */
const isOtherPicture = (type: string | undefined, href: string | undefined): boolean =>
  /svg|icon/i.test(type ?? '') || /\.(?:svg|ico)(?:[?#]|$)/i.test(href ?? '')

const absoluteUrl = (reference: string | undefined, base: string): string | undefined => {
  const url = reference === undefined ? undefined : joinUrl(decodeEntities(reference).trim(), base)
  return url !== undefined && /^https?:/.test(url) && url.length <= PICTURE_URL_CHARS_MAX ? url : undefined
}
