import { systemClock } from '../../../src/runtime/clock.ts'
import { createUnasked } from '../service/creation.ts'
import { CodeLog } from '../../../src/codes/log/code-log.ts'
import { openLogFile } from '../../../src/codes/log/log-file.ts'
import { openCodeLog } from '../../../src/codes/log/open-code-log.ts'
import { jsonLog } from '../../../src/runtime/log.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { newLinkTo } from '../redirect/new-link-to.ts'
import type { Store } from '../../../src/store/open-store.ts'
import { ownerOf } from '../store/owner-of.ts'

/** Makes a link of account 1 with the code, and is killed when the code is in the log and not in the store. */
const [dataDir, customCode] = process.argv.slice(2)
let store: Store
const uncountedIds = async () => ({ link: 0, workspace: 0 })
const open = () => openCodeLog({ db: store.db, log: jsonLog('silent', 'test'), uncountedIds }, dataDir!)
const codeLog = new CodeLog(open, (path) => ({
  ...openLogFile(path),
  async sync() {
    process.kill(process.pid, 'SIGKILL')
  },
}))
store = await openSqliteStore(dataDir!, 'same-thread', { commitHook: codeLog })
await createUnasked(
  { db: store.db, clock: systemClock, changes: { changed() {} }, codeLog, linksMax: {} },
  ownerOf(1),
  [newLinkTo('https://example.com/', { custom_code: customCode })],
)
