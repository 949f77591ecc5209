import { resolve } from 'node:path'
import { Refusal } from '../../errors/refusal.ts'
import { postgresUrl } from '../../config/setting-kinds.ts'

/** Where a store is, as given by an operator. */
export type MoveLocation = { engine: 'sqlite'; dataDir: string } | { engine: 'postgres'; url: string }

/** Stands for the setting: every user of the machine can list the arguments of a command, so its password must not be one. */
const SETTING = 'DATABASE_URL'

const ALLOWED = `sqlite:<data folder>, a URL such as postgres://user:password@db.example.com:5432/tern, or ${SETTING} for what that is set to`

export function parseLocation(text: string | undefined, databaseUrl: string | undefined): MoveLocation {
  const dataDir = /^sqlite:(.+)$/s.exec(text ?? '')?.[1]
  if (dataDir !== undefined) return { engine: 'sqlite', dataDir: resolve(dataDir) }
  if (text === SETTING && databaseUrl === undefined)
    throw new Refusal('command_failed', `${SETTING} is not set.`)
  const url = text === SETTING ? databaseUrl : postgresUrl.read(text ?? '')
  if (url === undefined)
    throw new Refusal(
      'command_failed',
      [`Write a store as ${ALLOWED}.`, postgresUrl.hint!(text ?? '')].join(' ').trim(),
    )
  return { engine: 'postgres', url }
}

/** Without user and password. */
export function nameOf(location: MoveLocation): string {
  if (location.engine === 'sqlite') return `sqlite:${location.dataDir}`
  const { host, pathname } = new URL(location.url)
  return `postgres://${host}${pathname}`
}
