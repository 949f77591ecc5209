import { html } from '../../../html/html.ts'
import { wholeText } from '../../../runtime/number-text.ts'
import { compactText } from './share-texts.ts'

const LABEL = 'clicks'
/** About as wide as Verdana is at this size. */
const WIDTHS: [characters: RegExp, width: number][] = [
  [/[il.,:]/, 3.2],
  [/ /, 3.9],
  [/[a-z]/, 6.1],
  [/./, 7.2],
]
const PADDING = 10
const HEIGHT = 20

/** The number of clicks as an image. Its texts are stretched to their boxes, because every system has other fonts. */
export const clicksBadge = (clicks: number): string =>
  badge(compactText(clicks), `${LABEL}: ${wholeText(clicks)}`)

export const notSharedBadge = (): string => badge('not shared', `${LABEL}: not shared`)

function badge(value: string, title: string): string {
  const [labelWidth, valueWidth] = [LABEL, value].map(widthOf)
  const valueStart = labelWidth! + PADDING
  const width = valueStart + valueWidth! + PADDING
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${width}"
    height="${HEIGHT}"
    viewBox="0 0 ${width} ${HEIGHT}"
    role="img"
    aria-label="${title}"
  >
    <title>${title}</title>
    <clipPath id="round"><rect width="${width}" height="${HEIGHT}" rx="4" /></clipPath>
    <g clip-path="url(#round)">
      <rect width="${valueStart}" height="${HEIGHT}" fill="#3f4a54" />
      <rect x="${valueStart}" width="${width - valueStart}" height="${HEIGHT}" fill="#14628a" />
    </g>
    <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
      <text x="${PADDING / 2}" y="14" textLength="${labelWidth!}">${LABEL}</text>
      <text x="${valueStart + PADDING / 2}" y="14" textLength="${valueWidth!}">${value}</text>
    </g>
  </svg>`.markup
}

const widthOf = (text: string): number =>
  Math.round(
    [...text].reduce((sum, each) => sum + WIDTHS.find(([characters]) => characters.test(each))![1], 0),
  )
