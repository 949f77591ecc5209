import type { CreatedLinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { ask } from '../api-client.ts'
import { RequestFailure } from '../request.ts'
import {
  BATCH_MAX,
  type BulkRow,
  inBatches,
  type RefusedRow,
  refusedRows,
  repeatedCodes,
  rowsRefusedAs,
} from './bulk-rows.ts'

/** Rows that are created in one request, or none of them. Sent again with its key, a part is not created again. */
export type Part = { key: string; rows: BulkRow[] }
/** What is left to be done, and what is created already. */
export type Checked = { parts: Part[]; refused: RefusedRow[]; created: CreatedLinkView[] }
type OnProgress = (rows: number) => void

export const rowsOf = ({ parts }: Checked): number => parts.reduce((sum, { rows }) => sum + rows.length, 0)

/** The lines that are to be mended or created still: those that were created must not be created once more. */
export function linesLeft(text: string, { parts, refused }: Checked): string {
  const left = new Set([...parts.flatMap(({ rows }) => rows), ...refused].map(({ line }) => line))
  return text
    .split(/\r\n|\r|\n/)
    .filter((_, at) => left.has(at + 1))
    .join('\n')
}

/** Asks about every row; nothing is stored yet. */
export async function checkRows(rows: readonly BulkRow[], onProgress: OnProgress): Promise<Checked> {
  const refused = repeatedCodes(rows)
  const repeated = new Set(refused.map(({ line }) => line))
  for (const batch of inBatches(withoutLines(rows, repeated), BATCH_MAX)) {
    const { data } = await ask('POST /links/check', { input: { links: batch.map(({ link }) => link) } })
    refused.push(...refusedRows(batch, data))
    onProgress(batch.length)
  }
  const lines = new Set(refused.map(({ line }) => line))
  return { parts: partsOf(withoutLines(rows, lines)), refused: inOrder(refused), created: [] }
}

/** A failure midway, and what is left to be done: the same parts, with the same keys. */
export class BulkStopped extends Error {
  override readonly name = 'BulkStopped'
  constructor(
    readonly left: Checked,
    override readonly cause: unknown,
  ) {
    super('Not all links were created.')
  }
}

/** Part after part; gives all links that were created. What has become impossible since the check is told of its row. */
export async function createParts(checked: Checked, onProgress: OnProgress): Promise<CreatedLinkView[]> {
  let left = checked
  for (const { key, rows } of checked.parts) {
    const links = rows.map(({ link }) => link)
    let created: CreatedLinkView[]
    try {
      created = (await ask('POST /bulk-shorten', { input: { links }, idempotencyKey: key })).data
    } catch (error) {
      throw new BulkStopped(leftAfter(left, error), error)
    }
    left = { ...left, parts: left.parts.slice(1), created: [...left.created, ...created] }
    onProgress(rows.length)
  }
  return left.created
}

function leftAfter(left: Checked, error: unknown): Checked {
  const [stopped, ...others] = left.parts
  const fields = error instanceof RequestFailure && error.kind === 'invalid' ? error.fields : {}
  const newlyRefused = rowsRefusedAs(stopped!.rows, fields)
  if (newlyRefused.length === 0) return left
  const lines = new Set(newlyRefused.map(({ line }) => line))
  // Another body needs another key.
  return {
    ...left,
    parts: [...partsOf(withoutLines(stopped!.rows, lines)), ...others],
    refused: inOrder([...left.refused, ...newlyRefused]),
  }
}

const partsOf = (rows: readonly BulkRow[]): Part[] =>
  inBatches(rows, BATCH_MAX).map((batch) => ({ key: newKey(), rows: batch }))

const withoutLines = (rows: readonly BulkRow[], lines: ReadonlySet<number>): BulkRow[] =>
  rows.filter(({ line }) => !lines.has(line))

const inOrder = (rows: RefusedRow[]): RefusedRow[] => rows.sort((a, b) => a.line - b.line)

const KEY_BYTES = 16

/** Over plain http to another machine a page has no randomUUID. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
