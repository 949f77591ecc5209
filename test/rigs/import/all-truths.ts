import { bitly } from './bitly-truth.ts'
import { dub } from './dub-truth.ts'
import { kutt } from './kutt-truth.ts'
import { rebrandly } from './rebrandly-truth.ts'
import { shlink } from './shlink-truth.ts'
import { shortio } from './shortio-truth.ts'
import { sink } from './sink-truth.ts'
import { tinyurl } from './tinyurl-truth.ts'
import { yourls } from './yourls-truth.ts'

export const PROGRAMS = [bitly, dub, kutt, rebrandly, shlink, shortio, sink, tinyurl, yourls]
