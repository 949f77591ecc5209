import { resolve } from 'node:path'
import { Refusal } from '../../refusal.ts'
import { postgresUrl } from '../../setting-kinds.ts'

/** Where a store is, as an operator names it. */
export type MovePlace = { engine: 'sqlite'; dataDir: string } | { engine: 'postgres'; url: string }

/** Stands for the setting, so that its password need not be among the words of a command, which all users can list. */
const SETTING = 'DATABASE_URL'

const ALLOWED = `sqlite:<data folder>, a URL such as postgres://user:password@db.example.com:5432/tern, or ${SETTING} for what that is set to`

export function readPlace(text: string | undefined, databaseUrl: string | undefined): MovePlace {
  const dataDir = /^sqlite:(.+)$/s.exec(text ?? '')?.[1]
  if (dataDir !== undefined) return { engine: 'sqlite', dataDir: resolve(dataDir) }
  if (text === SETTING && databaseUrl === undefined) throw new Refusal('invalid', `${SETTING} is not set.`)
  const url = text === SETTING ? databaseUrl : postgresUrl.read(text ?? '')
  if (url === undefined) throw new Refusal('invalid', `Write a store as ${ALLOWED}.`)
  return { engine: 'postgres', url }
}

/** Without user and password. */
export function nameOf(place: MovePlace): string {
  if (place.engine === 'sqlite') return `sqlite:${place.dataDir}`
  const { host, pathname } = new URL(place.url)
  return `postgres://${host}${pathname}`
}
