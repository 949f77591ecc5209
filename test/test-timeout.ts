import { setDefaultTimeout } from 'bun:test'

/** For one test or hook; the slowest kill servers, start PostgreSQL or wait for slow clients. A hang ends as a failure, not as a hang. */
const TEST_MS_MAX = 120_000

// Loaded before every test file by bunfig.toml, so that `bun test <file>` works as the whole run does.
setDefaultTimeout(TEST_MS_MAX)
