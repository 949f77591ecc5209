import type { Source } from '../source.ts'
import { bitly } from './bitly.ts'
import { csv } from './csv.ts'
import { dub } from './dub.ts'
import { kutt } from './kutt.ts'
import { rebrandly } from './rebrandly.ts'
import { shlink } from './shlink.ts'
import { shortio } from './shortio.ts'
import { sink } from './sink.ts'
import { tern } from './tern.ts'
import { tinyurl } from './tinyurl.ts'
import { yourls } from './yourls.ts'

/** Every program whose files can be imported, by the name in commands. */
export const SOURCES: Record<string, Source> = {
  bitly,
  dub,
  kutt,
  rebrandly,
  shlink,
  shortio,
  sink,
  tinyurl,
  yourls,
  tern,
  csv,
}

/** As people write what an import comes from. An import that a program began may name anything. */
export const titleOfSource = (name: string): string =>
  Object.hasOwn(SOURCES, name) ? SOURCES[name]!.title : name
