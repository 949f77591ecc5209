import { domainToASCII } from 'node:url'
import { referrerHost } from '../../clicks/visitor/referrer-host.ts'
import { ClickHistory } from '../files/click-history.ts'
import { dumpRows } from '../files/dump-rows.ts'
import type { ImportFile } from '../files/import-file.ts'
import { EndlessToken } from '../files/sql-tokens.ts'
import type { Encoding } from '../files/text-encoding.ts'
import type { ClicksBy } from '../source.ts'

/** What the table of links says of one of them. */
type Counted = { clicks: number; createdMs: number }

/** `own`: the rows since it was created. Under its code, the log may also have those of a link before it. */
type Histories = Counted & { all: ClickHistory; own: ClickHistory }

/** A row for each click, under the code that was opened. */
const LOG = ['click_time', 'shorturl', 'user_agent', 'country_code']

/** What the log of a dump says of the clicks of links, by code. */
export async function readLog(
  file: ImportFile,
  encoding: Encoding,
  links: ReadonlyMap<string, Counted>,
): Promise<(code: string) => ClicksBy | undefined> {
  const histories = new Map<string, Histories>()
  await eachRow(file, { encoding, columns: LOG }, (row) => {
    const link = links.get(row.shorturl ?? '')
    if (link === undefined) return
    const known = histories.get(row.shorturl!)
    const { all, own } = known ?? { all: new ClickHistory(), own: new ClickHistory() }
    if (known === undefined) histories.set(row.shorturl!, { ...link, all, own })
    addClick(all, row)
    if (timeIn(row.click_time) >= link.createdMs) addClick(own, row)
  })
  return (code) => {
    const found = histories.get(code)
    return found && fitting(found)?.clicksBy
  }
}

/** A keyword that was made again has the rows of its first life, and more of them than clicks. */
const fitting = ({ clicks, all, own }: Histories): ClickHistory | undefined =>
  [all, own].find(({ dated }) => dated <= clicks)

type Row = Record<string, string>

/** A dump that is cut is read as far as it goes; its links say so. */
export async function eachRow(
  file: ImportFile,
  { encoding, columns }: { encoding: Encoding; columns: readonly string[] },
  act: (row: Row) => void,
): Promise<void> {
  try {
    for await (const read of dumpRows(file, encoding, columns)) if ('row' in read) act(read.row)
  } catch (error) {
    if (!(error instanceof EndlessToken)) throw error
  }
}

function addClick(history: ClickHistory, row: Row): void {
  history.addDay(row.click_time ?? '', 1)
  history.addCountry(row.country_code ?? '', 1)
  history.addReferrer(row.referrer === 'direct' ? '' : hostIn(row.referrer ?? ''), 1)
  // It counts bots among the clicks.
  history.addVisitor(row.user_agent === '-' ? '' : (row.user_agent ?? ''))
}

/** The length of its column, in characters. */
const REFERRER_LENGTH_MAX = 200

/** It keeps hosts in their own letters. */
const hostIn = (referrer: string): string =>
  referrerHost(
    referrer
      .slice(0, REFERRER_LENGTH_MAX)
      .replace(/^(https?:\/\/)([^/?#:]+)/i, (_, scheme, host) => scheme + (domainToASCII(host) || host)),
  )

/** PHP writes UTC. */
const timeIn = (text = ''): number => Date.parse(`${text.replace(' ', 'T')}Z`)
