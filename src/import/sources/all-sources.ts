import type { Source } from '../source.ts'
import { bitly } from './bitly.ts'
import { csv } from './csv.ts'
import { dub } from './dub.ts'
import { shlink } from './shlink.ts'
import { tern } from './tern.ts'

/** Every program whose files can be imported, by the name in commands. */
export const SOURCES: Record<string, Source> = {
  bitly,
  dub,
  shlink,
  tern,
  csv,
}
