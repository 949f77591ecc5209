import { openCsv } from '../files/open-csv.ts'
import type { Source } from '../source.ts'
import { isTernHeader, openTernCsv } from './tern.ts'

/** A table of links of any program. */
export const csv: Source = {
  title: 'CSV file',
  async open(file, options) {
    const opened = await openCsv(file, options)
    return opened.header !== undefined && isTernHeader(opened.header) ? openTernCsv(file) : opened
  },
}
