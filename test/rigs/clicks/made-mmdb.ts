export type MmdbValue = string | number | MmdbValue[] | { [key: string]: MmdbValue }

/**
 * The smallest MaxMind DB (format specification 2.0) of IPv4: one node of 24-bit records. The lower half of all addresses
 * has the record, the upper half has none.
 */
export function madeMmdb(record: MmdbValue): Buffer {
  const nodeCount = 1
  const tree = Buffer.alloc(6)
  tree.writeUIntBE(nodeCount + 16, 0, 3)
  tree.writeUIntBE(nodeCount, 3, 3)
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Date.parse('2026-01-02T03:04:05Z') / 1000,
    database_type: 'Test-Country',
    ip_version: 4,
    node_count: nodeCount,
    record_size: 24,
  }
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([tree, Buffer.alloc(16), encoded(record), marker, encoded(metadata)])
}

function encoded(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)])
  }
  if (typeof value === 'number') {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(value)
    return Buffer.concat([Buffer.from([(6 << 5) | 4]), number])
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 4]), ...value.map(encoded)])
  const entries = Object.entries(value)
  const body = entries.flatMap(([key, inner]) => [encoded(key), encoded(inner)])
  return Buffer.concat([Buffer.from([(7 << 5) | entries.length]), ...body])
}
