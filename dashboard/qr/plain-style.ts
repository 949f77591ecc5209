import type { QrDesign } from '../../src/links/qr-style/qr-style.ts'

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
