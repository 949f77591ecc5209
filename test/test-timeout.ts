import { plugin } from 'bun'

/** For one test or hook; the slowest kill servers, start PostgreSQL or wait for slow clients. A hang ends as a failure, not as a hang. */
const TEST_MS_MAX = 300_000

// bunfig.toml has no setting for it, and what a preloaded module sets holds for the first file only: so each test file sets it in its
// first line. With it, `bun test <file>` works as the whole run does.
const PREFIX = `import { setDefaultTimeout as setTestTimeout } from 'bun:test'; setTestTimeout(${TEST_MS_MAX});`

plugin({
  name: 'test timeout',
  setup(build) {
    build.onLoad({ filter: /\.test\.tsx?$/ }, async ({ path }) => ({
      contents: PREFIX + (await Bun.file(path).text()),
      loader: path.endsWith('.tsx') ? 'tsx' : 'ts',
    }))
  },
})
