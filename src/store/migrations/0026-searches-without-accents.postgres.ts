import { type Kysely, sql } from 'kysely'
import { foldLinkTexts } from './fold-link-texts.ts'

export const up = (db: Kysely<any>): Promise<void> =>
  foldLinkTexts(db, sql<boolean>`octet_length(text) <> char_length(text)`)
