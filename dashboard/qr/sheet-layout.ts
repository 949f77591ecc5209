/** In millimeters. */
export const PAPERS = { a4: { width: 210, height: 297 }, letter: { width: 215.9, height: 279.4 } } as const
export type Paper = keyof typeof PAPERS

/** Regions that print on Letter, by the Unicode CLDR. All others use A4. */
const LETTER_REGIONS = 'BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' ')

export function usualPaper(locale: string): Paper {
  const { region = '' } = new Intl.Locale(locale).maximize()
  return LETTER_REGIONS.includes(region) ? 'letter' : 'a4'
}

export const STICKERS_MM = [90, 60, 40, 30] as const
/** Most printers leave no more than this white on each side. */
const EDGE_MM = 7

/** How many square stickers fit on a sheet. */
export function sheetLayout(
  paper: Paper,
  stickerMm: number,
): { columns: number; rows: number; count: number } {
  const fitting = (length: number) => Math.floor((length - 2 * EDGE_MM) / stickerMm)
  const [columns, rows] = [fitting(PAPERS[paper].width), fitting(PAPERS[paper].height)]
  return { columns, rows, count: columns * rows }
}
