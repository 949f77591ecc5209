import { type RawAnswer, RawConnection, sendRaw } from '../rigs/http/raw-http.ts'
import type { HostileRequest } from './hostile-requests.ts'

/** Each has its own IP address, so that the limits per IP do not hide everything else. */
const CLIENTS = 16
/** What breaks HTTP may have to wait until the server has had enough of it, so that many wait at once. */
const BREAKERS = 512

export type Heard = (request: HostileRequest, answer: RawAnswer) => void

/** Sends all, many at a time: valid HTTP over kept connections, broken HTTP over new ones. */
export async function sendRequests(url: string, requests: readonly HostileRequest[], hear: Heard) {
  const wellFormed = requests.filter(({ isBroken }) => !isBroken)
  const broken = requests.filter(({ isBroken }) => isBroken)
  const converse = async (client: number) => {
    const connection = new RawConnection(url, addressOf(client))
    for (let next = wellFormed.pop(); next !== undefined; next = wellFormed.pop())
      hear(next, await connection.request(next.bytes))
    connection.close()
  }
  const breakIn = async (client: number) => {
    for (let next = broken.pop(); next !== undefined; next = broken.pop())
      hear(next, await sendRaw(url, next.bytes, { from: addressOf(client), isAll: true }))
  }
  await Promise.all([...clients(CLIENTS).map(converse), ...clients(BREAKERS).map(breakIn)])
}

const clients = (count: number) => Array.from({ length: count }, (_, client) => client)
const addressOf = (client: number) => `127.0.1.${(client % 250) + 1}`
