import type { CreatedLinkView } from '../../src/http/dashboard-api/types/link-types.ts'
import { ask } from '../api-client.ts'
import { RequestFailure } from '../request.ts'
import { bulkStrings } from '../strings/bulk-strings.ts'
import {
  BATCH_MAX,
  type BulkRow,
  inBatches,
  commonErrors,
  type RefusedRow,
  refusedRows,
  repeatedCodes,
  rowsRefusedAs,
} from './bulk-rows.ts'

/** Rows of one request: all or none are created. The idempotency key makes a repeated request safe. */
type Part = { key: string; rows: BulkRow[] }
export type Checked = { parts: Part[]; refused: RefusedRow[]; created: CreatedLinkView[] }
type OnProgress = (rows: number) => void

export const rowsOf = ({ parts }: Checked): number => parts.reduce((sum, { rows }) => sum + rows.length, 0)

/** The lines that still have to be edited or created. Created ones are removed, so that they are not created twice. */
export function remainingLines(text: string, { parts, refused }: Checked): string {
  const left = new Set([...parts.flatMap(({ rows }) => rows), ...refused].map(({ line }) => line))
  return text
    .split(/\r\n|\r|\n/)
    .filter((_, at) => left.has(at + 1))
    .join('\n')
}

/** Validates every row on the server. Nothing is stored. */
export async function checkRows(rows: readonly BulkRow[], onProgress: OnProgress): Promise<Checked> {
  const refused = repeatedCodes(rows)
  const repeated = new Set(refused.map(({ line }) => line))
  for (const batch of inBatches(withoutLines(rows, repeated), BATCH_MAX)) {
    const { data } = await ask('POST /links/check', { input: { links: batch.map(({ link }) => link) } })
    const fields = commonErrors(data)
    if (fields !== undefined) throw new RequestFailure('invalid', bulkStrings.labelsRefused, { fields })
    refused.push(...refusedRows(batch, data))
    onProgress(batch.length)
  }
  const lines = new Set(refused.map(({ line }) => line))
  return { parts: partsOf(withoutLines(rows, lines)), refused: inOrder(refused), created: [] }
}

/** A failure midway, with the remaining parts and their idempotency keys. */
export class BulkStopped extends Error {
  override readonly name = 'BulkStopped'
  constructor(
    readonly left: Checked,
    override readonly cause: unknown,
  ) {
    super('Not all links were created.')
  }
}

/** Creates one part after the other. Errors that were not found by the check name their row. */
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
  // A different body needs a new key.
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

/** Without HTTPS, crypto.randomUUID exists on localhost only. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
