import { joinUrl } from './guarded-client.ts'
import { decodeEntities } from './html-entities.ts'
import { pageDecoder } from './page-charset.ts'
import { pageText, TEXT_CHARS_READ } from './page-text.ts'

/** As a link's title. */
const TITLE_LENGTH_MAX = 255
const DESCRIPTION_LENGTH_MAX = 300
/** So that it fits into the URL by which the dashboard asks for the picture. */
const PICTURE_URL_CHARS_MAX = 2_048
/** Parsed at once: about a millisecond, so that other requests are answered in between. */
const SLICE_BYTES = 16 * 1024

/** What a page says about itself, as plain text, and the URLs of its pictures. */
export type PageFacts = {
  title: string | undefined
  description: string | undefined
  iconUrl: string | undefined
  imageUrl: string | undefined
}

type Page = { bytes: Uint8Array; contentType: string; url: string }

/** The first of each kind counts. Names in the order in which they are preferred. */
const TITLES = ['og:title', 'twitter:title', 'title']
const DESCRIPTIONS = ['og:description', 'twitter:description', 'description']
const IMAGES = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src']
const ICONS = ['icon', 'apple-touch-icon']
const NAMES = new Set([...TITLES, ...DESCRIPTIONS, ...IMAGES])

export async function readPage({ bytes, contentType, url }: Page): Promise<PageFacts> {
  const found = new Map<string, string>()
  const note = (name: string, value: string | null) => {
    if (value !== null && value.trim() !== '' && !found.has(name))
      found.set(name, value.slice(0, TEXT_CHARS_READ))
  }
  const rewriter = new HTMLRewriter()
    .on('meta', {
      element(meta) {
        const name = (meta.getAttribute('property') ?? meta.getAttribute('name') ?? '').trim().toLowerCase()
        if (name !== 'title' && NAMES.has(name)) note(name, meta.getAttribute('content'))
      },
    })
    .on('base', { element: (base) => note('base', base.getAttribute('href')) })
    .on('link', {
      element(link) {
        const kinds = (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/, 10)
        const href = link.getAttribute('href')
        if (isOtherPicture(link.getAttribute('type'), href)) return
        for (const kind of ICONS) if (kinds.includes(kind)) note(kind, href)
      },
    })
  readTitle(rewriter, (text) => note('title', text))
  await rewritten(rewriter, pageDecoder(contentType, bytes), bytes)

  const first = (names: string[]) => names.map((name) => found.get(name)).find((value) => value !== undefined)
  const base = joined(found.get('base'), url) ?? url
  return {
    title: pageText(first(TITLES) ?? '', TITLE_LENGTH_MAX),
    description: pageText(first(DESCRIPTIONS) ?? '', DESCRIPTION_LENGTH_MAX),
    iconUrl: joined(first(ICONS), base),
    imageUrl: joined(first(IMAGES), base),
  }
}

/** SVG and .ico are not passed on, and a page often has another icon beside them. */
const isOtherPicture = (type: string | null, href: string | null): boolean =>
  /svg|icon/i.test(type ?? '') || /\.(?:svg|ico)(?:[?#]|$)/i.test(href ?? '')

/** The page's own, not that of a drawing inside it. */
function readTitle(rewriter: HTMLRewriter, onTitle: (text: string) => void): void {
  let text = ''
  let drawings = 0
  rewriter
    .on('svg', {
      element(svg) {
        if (svg.selfClosing) return
        drawings++
        svg.onEndTag(() => void drawings--)
      },
    })
    .on('title', {
      text(chunk) {
        if (drawings > 0) return
        if (text.length < TEXT_CHARS_READ) text += chunk.text
        if (chunk.lastInTextNode) onTitle(text)
      },
    })
}

const joined = (reference: string | undefined, base: string): string | undefined => {
  const url = reference === undefined ? undefined : joinUrl(decodeEntities(reference).trim(), base)
  return url !== undefined && /^https?:/.test(url) && url.length <= PICTURE_URL_CHARS_MAX ? url : undefined
}

/** Parses one slice after another. */
async function rewritten(rewriter: HTMLRewriter, decoder: TextDecoder, bytes: Uint8Array): Promise<void> {
  const encoder = new TextEncoder()
  let at = 0
  const slices = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await new Promise(setImmediate)
        if (at >= bytes.byteLength) return controller.close()
        const slice = bytes.subarray(at, (at += SLICE_BYTES))
        controller.enqueue(encoder.encode(decoder.decode(slice, { stream: true })))
      },
    },
    { highWaterMark: 0 },
  )
  const parsed = rewriter.transform(new Response(slices)).body
  if (parsed !== null) for await (const _ of parsed);
}
