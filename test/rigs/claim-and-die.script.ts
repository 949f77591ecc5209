import { systemClock } from '../../src/clock.ts'
import { CodeLog } from '../../src/codes/code-log.ts'
import { openLogFile } from '../../src/codes/log-file.ts'
import { openCodeLog } from '../../src/codes/open-code-log.ts'
import { createLinks } from '../../src/links/create-links.ts'
import { jsonLog } from '../../src/log.ts'
import { openSqliteStore } from '../../src/store/open-sqlite-store.ts'
import type { Store } from '../../src/store/open-store.ts'

/** Makes a link of account 1 with the code, and is killed when the code is in the log and not in the store. */
const [dataDir, customCode] = process.argv.slice(2)
let store: Store
const uncountedIds = async () => ({ link: 0, account: 0 })
const open = () => openCodeLog({ db: store.db, log: jsonLog('silent', 'test'), uncountedIds }, dataDir!)
const codeLog = new CodeLog(open, (path) => ({
  ...openLogFile(path),
  async sync() {
    process.kill(process.pid, 'SIGKILL')
  },
}))
store = await openSqliteStore(dataDir!, 'same-thread', { witness: codeLog })
const originalUrl = 'https://example.com/'
await createLinks(
  { db: store.db, clock: systemClock, changes: { changed() {} }, codeLog },
  { accountId: 1 },
  {
    links: [{ originalUrl, targetUrl: originalUrl, title: '', isActive: true, customCode }],
    fieldName: (_, field) => field,
    answer: () => ({ status: 201, body: '' }),
    idempotent: undefined,
  },
)
