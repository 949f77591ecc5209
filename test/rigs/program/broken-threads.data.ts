import type { Change } from './changed-checkout.ts'

// Bugs that end a thread, or block it.

const API_THREAD = 'src/http/api-server/api-thread.ts'
const BACKGROUND_THREAD = 'src/background/background-thread.ts'
const API_REQUEST = '    const response = await answerOf(app, asked)\n'

export const BACKGROUND_BUG: Change = {
  path: BACKGROUND_THREAD,
  of: '  await reader.noteProgress(message.progress)\n',
  instead: "  throw new Error('Ours.')\n",
}

export const BUG_AT_START: Change = {
  path: BACKGROUND_THREAD,
  of: '  reader = readerOf(config.dataDir)',
  instead: "  if (boot !== '') throw new Error('Ours.')\n  reader = readerOf(config.dataDir)",
}

/** At `/api/bug`. */
export const API_BUG: Change = {
  path: API_THREAD,
  of: API_REQUEST,
  instead: `    if (asked.target === '/api/bug') setImmediate(() => { throw new Error('Ours.') })\n${API_REQUEST}`,
}

export const REPORT_BUG: Change = {
  path: 'src/store/sqlite/report-thread.ts',
  of: "  try {\n    return { kind: 'rows', id, rows",
  instead: "  setImmediate(() => { throw new Error('Ours.') })\n  try {\n    return { kind: 'rows', id, rows",
}

/** Blocks the API thread at `/api/block` until the folder has `go-on`, with all its promises and timers. */
export const API_BLOCK: Change = {
  path: API_THREAD,
  of: API_REQUEST,
  instead: `    if (asked.target === '/api/block') {
      const { existsSync, writeFileSync } = require('node:fs')
      writeFileSync(process.env.DATA_DIR + '/is-blocked', '')
      while (!existsSync(process.env.DATA_DIR + '/go-on')) Bun.sleepSync(10)
    }
${API_REQUEST}`,
}
