import type { LabelKind } from '../links/labels/label.ts'

/** What a page of statistics can be about. */
export type ShareKind = 'link' | LabelKind

const OF_LABELS: readonly ShareKind[] = ['tag', 'folder']

/** What visitors can see in addition to the number of clicks, in the order of the page. */
const PANELS = {
  clicks: undefined,
  countries: undefined,
  sources: undefined,
  devices: undefined,
  via: undefined,
  links: OF_LABELS,
  destination: ['link'],
} as const satisfies Record<string, readonly ShareKind[] | undefined>

export type Panel = keyof typeof PANELS

export const ALL_PANELS = Object.keys(PANELS) as [Panel, ...Panel[]]

export const DEFAULT_PANELS: Panel[] = ['clicks', 'countries']

export const panelsOf = (kind: ShareKind): [Panel, ...Panel[]] =>
  ALL_PANELS.filter((panel) => {
    const kinds: readonly ShareKind[] | undefined = PANELS[panel]
    return kinds === undefined || kinds.includes(kind)
  }) as [Panel, ...Panel[]]

/** Those that an older or newer version has stored and this one does not know are not shown. */
export function parsePanels(stored: string): Panel[] {
  const names: unknown = JSON.parse(stored)
  return ALL_PANELS.filter((panel) => Array.isArray(names) && names.includes(panel))
}
