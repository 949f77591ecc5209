import { ByteWriter, ParquetWriter } from 'hyparquet-writer'

/** A time is in microseconds since 1970 UTC. A text may be null. */
export type ParquetColumns = Readonly<Record<string, 'time' | 'text' | 'count'>>

const ELEMENTS = {
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'REQUIRED' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
  count: { type: 'INT32', repetition_type: 'REQUIRED' },
} as const

/**
 * Writing a row group keeps the thread busy for some 0.05 s at this size. The end of the file, which has an entry for each group and is
 * written at once, would take seconds if each page were a group of its own.
 */
const ROWS_OF_GROUP_MIN = 8_000

/** A Parquet file, piece by piece: in memory are only the rows of one group, and where each group begins in the file. */
export async function* parquetBytes(
  columns: ParquetColumns,
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<Uint8Array> {
  const names = Object.entries(columns)
  const schema = [
    { name: 'root', num_children: names.length },
    ...names.map(([name, kind]) => ({ name, ...ELEMENTS[kind] })),
  ]
  const buffer = new ByteWriter()
  const writer = new ParquetWriter({ writer: buffer, schema, createdBy: 'Tern' })
  for await (const rows of rowGroups(pages)) {
    await writer.write({
      columnData: names.map(([name, kind]) => ({
        name,
        data: valuesOf(rows, name, kind),
        offsetIndex: false,
        // Only a time tells readers which groups they need not read; the others make the index twice as long.
        statistics: kind === 'time',
      })),
      rowGroupSize: rows.length,
    })
    yield taken(buffer)
  }
  writer.finish()
  yield taken(buffer)
}

/** Of a page that a filter has nearly emptied, and of those after it. */
async function* rowGroups(pages: AsyncIterable<readonly object[]>): AsyncGenerator<readonly object[]> {
  let rows: object[] = []
  for await (const page of pages) {
    for (const row of page) rows.push(row)
    if (rows.length < ROWS_OF_GROUP_MIN) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

const valuesOf = (rows: readonly object[], name: string, kind: ParquetColumns[string]) =>
  rows.map((row) => {
    const value = row[name as keyof typeof row] as unknown
    return kind === 'time' ? BigInt(value as number) : value
  })

/** What was written since the last time. The writer goes on at the beginning of its buffer, and counts offsets from that of the file. */
function taken(buffer: ByteWriter): Uint8Array {
  const bytes = buffer.getBytes().slice()
  buffer.index = 0
  return bytes
}
