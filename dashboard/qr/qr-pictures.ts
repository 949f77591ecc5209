import type { QrDesign } from '../../src/links/qr-style/qr-style.ts'
import type { LinkView } from '../../src/http/endpoints/browser-types.ts'

/** The file that is chosen; what is sent is far smaller. */
const LOGO_BYTES_MAX = 1024 * 1024
/** The server takes 128 KiB. As text, they are a third longer. */
const LOGO_LENGTH_MAX = 170_000
/** 160 by 160 pixels always fit. */
const LOGO_SIDES = [512, 360, 256, 160]
/** In the style of one link, which has 32 KB. 64 by 64 pixels always fit. */
const LINK_LOGO_LENGTH_MAX = 31_000
const LINK_LOGO_SIDES = [360, 256, 192, 160, 128, 96, 64]
const LOGO_TYPES = ['image/png', 'image/svg+xml']

export const svgUrl = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`

/** By the browser, which has the fonts for the text below. `width` in pixels. */
export async function pngOf(svg: string, width: number): Promise<Blob> {
  const picture = await loaded(svgUrl(svg))
  const height = Math.round((width * picture.naturalHeight) / picture.naturalWidth)
  const canvas = drawn(picture, width, height)
  return new Promise((resolve, reject) =>
    canvas.toBlob((file) => (file ? resolve(file) : reject(new Error('The browser drew no PNG.')))),
  )
}

/**
 * The logo as PNG; undefined if the file is not a picture that can be used. An SVG is drawn as an image: its scripts do not run,
 * it loads nothing, and only its pixels leave this page.
 */
export async function readLogoFile(file: File): Promise<string | undefined> {
  if (file.size > LOGO_BYTES_MAX || !LOGO_TYPES.includes(file.type)) return undefined
  let picture: HTMLImageElement
  try {
    picture = await loaded(await dataUrlOf(file))
  } catch {
    return undefined
  }
  const isPng = file.type === 'image/png'
  return shrunk(picture, { sides: LOGO_SIDES, lengthMax: LOGO_LENGTH_MAX, growsTo: isPng ? 1 : Infinity })
}

/** As the server keeps it with a link. */
export async function withSmallLogo(style: QrDesign): Promise<QrDesign> {
  if (style.logo === null || style.logo.length <= LINK_LOGO_LENGTH_MAX) return style
  const picture = await loaded(style.logo)
  const limits = { sides: LINK_LOGO_SIDES, lengthMax: LINK_LOGO_LENGTH_MAX, growsTo: 1 }
  return { ...style, logo: shrunk(picture, limits) ?? null }
}

/** `growsTo`: times its own size. */
type LogoLimits = { sides: readonly number[]; lengthMax: number; growsTo: number }

/** As PNG with the largest of the sides that fits; undefined if none does. */
function shrunk(picture: HTMLImageElement, { sides, lengthMax, growsTo }: LogoLimits): string | undefined {
  // An SVG may have no size of its own.
  const { naturalWidth: width = 1, naturalHeight: height = 1 } = picture.naturalWidth > 0 ? picture : {}
  for (const side of sides) {
    const scale = Math.min(growsTo, side / Math.max(width, height))
    const url = drawn(
      picture,
      Math.max(1, Math.round(width * scale)),
      Math.max(1, Math.round(height * scale)),
    ).toDataURL('image/png')
    if (url.length <= lengthMax) return url
  }
  return undefined
}

async function loaded(url: string): Promise<HTMLImageElement> {
  const picture = new Image()
  picture.src = url
  await picture.decode()
  return picture
}

function drawn(picture: HTMLImageElement, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')!.drawImage(picture, 0, 0, width, height)
  return canvas
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'))
    reader.readAsDataURL(file)
  })
}

export const qrFileName = (link: LinkView, type: 'png' | 'svg'): string =>
  `${new URL(link.short_url).hostname}-${link.short_code}.${type}`

/** What a workspace without a style of its own has: the defaults of the server. */
export const PLAIN_STYLE: QrDesign = {
  modules: 'square',
  corners: 'square',
  color: '#000000',
  corner_color: '#000000',
  background: '#ffffff',
  logo: null,
  logo_size: 26,
  logo_is_clear: true,
  text: '',
  quiet_zone: 4,
  counts_scans: true,
}

/** null: that of the workspace. */
export const isSameStyle = (one: QrDesign | null, other: QrDesign | null): boolean =>
  one === null || other === null
    ? one === other
    : (Object.keys(PLAIN_STYLE) as (keyof QrDesign)[]).every((field) => one[field] === other[field])
