import { bitly } from './bitly-truth.ts'
import { dub } from './dub-truth.ts'
import { shlink } from './shlink-truth.ts'

export const PROGRAMS = [bitly, dub, shlink]
