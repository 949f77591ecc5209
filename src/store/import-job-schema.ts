import type { Generated } from 'kysely'

/** An import that the server runs: see `src/import/jobs/import-job.ts`. */
export type ImportJobTable = {
  id: Generated<number>
  workspace_id: number
  /** A name of `SOURCES`. */
  source: string
  state: string
  /** JSON: on whose behalf it runs (`JobCaller`). */
  caller: string
  created_at: number
  /** By a user, or by its run. */
  changed_at: number
  /** Where the API of the source is; NULL for files. */
  url: string | null
  /** The key of that API, encrypted; NULL for files, and once all links were read. */
  source_key: string | null
  /** Where all links go; NULL: where the source says. */
  domain: string | null
  /** JSON: `JobOptions`. */
  options: string
  /** JSON: the name and the bytes of each file, in the order of `import_parts.file`. */
  files: string
  /** JSON: how the files were read, in lines. */
  description: string
  /** In `import_groups`; NULL until all were read. */
  links: number | null
  /** JSON: the results of the check; NULL until it has ended. */
  counts: string | null
  /** For conflicts that have no choice of their own. */
  on_conflict: string
  /** The host that conflicts go to with `move`; NULL with others. */
  conflict_domain: string | null
  /** How many links the run has behind it. */
  position: number
  /** When the run began; NULL before the first. */
  started_at: number | null
  import_id: number | null
  /** Links of the import that were counted in its record when `position` was written. */
  recorded: number
  /** Links up to `position` that were refused before the record could count them. */
  refused: number
  /** When the source takes requests again; NULL: the run does not wait. */
  waiting_until: number | null
  /** What the user should know of the run. */
  message: string | null
  /** The node that runs it. */
  runner: string | null
  /** After it, another node may take over. */
  runner_until: number
}

/** What was uploaded, or what was read from an API, until the job ends. */
export type ImportPartTable = { job_id: number; file: number; position: number; bytes: Uint8Array }

/** Links as their source has them, in the groups in which they are imported. */
export type ImportGroupTable = {
  job_id: number
  /** The number of its first link, from 1. */
  first: number
  /** JSON: `SourceItem[]`. */
  links: string
}

/** What a check has found out about a link. */
export type ImportItemTable = {
  job_id: number
  number: number
  result: string
  /** JSON: `CheckedItem`. */
  item: string
  /** Of a conflict; NULL: that of the job. */
  choice: string | null
  /** For the choice `rename`. */
  new_code: string | null
  /** The host, for the choice `move`. */
  new_domain: string | null
}
