import { ByteWriter, ParquetWriter } from 'hyparquet-writer'

/** A time is in microseconds since 1970 UTC. A text may be null. */
export type ParquetColumns = Readonly<Record<string, 'time' | 'text' | 'count'>>

const ELEMENTS = {
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'REQUIRED' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
  count: { type: 'INT32', repetition_type: 'REQUIRED' },
} as const

/** A Parquet file, piece by piece: of all pages, only one is in memory, and where each begins in the file. */
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
  for await (const rows of pages) {
    if (rows.length === 0) continue
    await writer.write({
      columnData: names.map(([name, kind]) => ({
        name,
        data: valuesOf(rows, name, kind),
        offsetIndex: false,
      })),
      rowGroupSize: rows.length,
    })
    yield taken(buffer)
  }
  writer.finish()
  yield taken(buffer)
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
