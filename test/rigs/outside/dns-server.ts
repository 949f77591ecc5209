import { createSocket } from 'node:dgram'

type RecordType = 'A' | 'AAAA' | 'TXT'

const TYPES: Record<number, RecordType> = { 1: 'A', 16: 'TXT', 28: 'AAAA' }
const FLAGS_OF_AN_ANSWER = 0x8180
const NO_SUCH_NAME = 3
const HEADER_BYTES = 12

/** The data of the records of a type, as bytes; undefined for no answer at all. */
type Answers = (name: string, type: RecordType) => Uint8Array[] | undefined

/** A DNS server on this machine; `address` is for `Resolver.setServers`. */
export async function startDnsServer(answers: Answers): Promise<{ address: string; stop(): void }> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const { name, end } = readName(query)
    const type = TYPES[query.readUInt16BE(end)]
    const found = type === undefined ? [] : answers(name, type)
    if (found !== undefined) socket.send(answerTo(query.subarray(0, end + 4), found), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', () => resolve()))
  return { address: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  while (query[at] !== 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
    at += query[at]! + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** A TXT record: each part has its length before it. */
export const txtRecord = (text: string): Uint8Array =>
  Buffer.from([text.length, ...Buffer.from(text, 'latin1')])

/** RFC 1035, 4.1. Every record has the name and the type of the question. */
function answerTo(question: Buffer, records: readonly Uint8Array[]): Buffer {
  const head = Buffer.from(question)
  head.writeUInt16BE(FLAGS_OF_AN_ANSWER + (records.length === 0 ? NO_SUCH_NAME : 0), 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  const [high = 0, low = 0] = question.subarray(-4)
  const answers = records.map((bytes) =>
    Buffer.from([0xc0, HEADER_BYTES, high, low, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
  )
  return Buffer.concat([head, ...answers])
}
