import type { Source } from '../source.ts'
import { csv } from './csv.ts'
import { shlink } from './shlink.ts'
import { tern } from './tern.ts'

/** Every program whose files can be imported, by the name in commands. */
export const SOURCES: Record<string, Source> = {
  shlink,
  tern,
  csv,
}
